// Every row of the registries can be reached from a problem file: each optimiser in each mode, each schedule, penalty
// strategy and activation trains an epoch of a small problem.
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "pecann/kernel/activation.h"
#include "pecann/optim/registry.h"
#include "pecann/optim/schedule.h"
#include "pecann/penalty/registry.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"

namespace pecann {
namespace {

using train::testing::heat;

/// The loss after the first epoch.
double loss_after(const problem::Problem& problem, const std::string& name) {
  train::Trainer trainer(problem, 1);
  train::testing::Rows rows;
  trainer.add_observer(rows);
  EXPECT_EQ(trainer.run().termination, train::Termination::EpochsDone) << name;
  EXPECT_EQ(rows.rows.size(), 1u) << name;
  EXPECT_TRUE(std::isfinite(rows.rows.back().loss)) << name;
  return rows.rows.back().loss;
}

TEST(MethodsAreReached, EveryOptimiserInEveryMode) {
  const double before = loss_after(heat({"phase=[{optimizer=\"adam\", epochs=1, learning_rate=1e-300}]"}), "no step");
  for (const optim::OptimizerRow& row : optim::optimizer_table()) {
    const std::string name = std::string(row.name) + "/" + row.mode;
    std::vector<std::string> overrides = {
        std::string("phase=[{epochs=1, optimizer=\"") + row.name + "\", mode=\"" + row.mode + "\"}]",
        "penalty.strategy=capu"};
    if (row.features_only) overrides.push_back("network=[{fields=[\"u\"], features=30}]");
    const problem::Problem problem = heat(overrides);
    EXPECT_EQ(problem.phases[0].learning_rate, row.learning_rate) << name;
    EXPECT_LT(loss_after(problem, name), before) << name;
  }
}

TEST(MethodsAreReached, EverySchedule) {
  for (const optim::ScheduleRow& row : optim::schedule_table()) {
    const problem::Problem problem =
        heat({std::string("phase=[{optimizer=\"adam\", epochs=1, schedule=\"") + row.name + "\"}]"});
    EXPECT_EQ(problem.phases[0].schedule.kind, row.name);
    EXPECT_EQ(problem.phases[0].schedule.options.size(), row.options.size()) << row.name;
    loss_after(problem, row.name);
  }
}

TEST(MethodsAreReached, EveryStrategy) {
  for (const penalty::StrategyRow& row : penalty::strategy_table()) {
    const problem::Problem problem = heat({"phase.1.epochs=1", std::string("penalty.strategy=") + row.name});
    EXPECT_EQ(problem.penalty.strategy, row.name);
    loss_after(problem, row.name);
  }
}

TEST(MethodsAreReached, EveryActivationAsAFunctionOfItsOwn) {
  std::set<double> losses;
  for (const kernel::ActivationRow& row : kernel::kActivations) {
    const problem::Problem problem = heat({"phase.1.epochs=1", std::string("network.1.activation=") + row.name});
    EXPECT_EQ(problem.networks[0].activation, row.function);
    EXPECT_TRUE(losses.insert(loss_after(problem, row.name)).second) << row.name << " trains as another one";
  }
}

}  // namespace
}  // namespace pecann
