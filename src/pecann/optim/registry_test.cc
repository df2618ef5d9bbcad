#include "pecann/optim/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "pecann/base/input_error.h"
#include "pecann/optim/test_objectives.h"

namespace pecann::optim {
namespace {

std::string refusal(const OptimizerOptions& options) {
  try {
    make_optimizer(options, 4);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(OptimizerRegistryTest, EveryRowMakesAnOptimizerThatLowersTheValue) {
  std::set<std::string> seen;
  for (const OptimizerRow& row : optimizer_table()) {
    EXPECT_TRUE(seen.insert(std::string(row.name) + "/" + row.mode).second) << "a row twice";
    const auto optimizer = make_optimizer({.name = row.name, .mode = row.mode, .learning_rate = 0.5}, 4);
    EXPECT_EQ(optimizer->needs_squares(), row.least_squares) << row.name;
    if (row.least_squares) continue;  // lm_test.cc
    EXPECT_EQ(optimizer->learning_rate(), 0.5);
    testing::Quadratic objective(4);
    std::vector<double> x(4, 0.0);
    const double before = objective.value(x);
    EXPECT_EQ(optimizer->step(objective, x).outcome, StepOutcome::Moved) << row.name;
    EXPECT_LT(objective.value(x), before) << row.name;
  }
  for (const char* expected : {"adam/", "lbfgs/", "lbfgs/compatible", "lm/"})
    EXPECT_TRUE(seen.contains(expected)) << expected;
}

TEST(OptimizerRegistryTest, ModesDiffer) {
  testing::Quadratic ours(12), compatible(12);
  std::vector<double> x(12, 0.0), y(12, 0.0);
  const auto first = make_optimizer({.name = "lbfgs", .learning_rate = 1}, 12);
  const auto second = make_optimizer({.name = "lbfgs", .mode = "compatible", .learning_rate = 1}, 12);
  for (int k = 0; k < 20; ++k) {
    first->step(ours, x);
    second->step(compatible, y);
  }
  EXPECT_LT(ours.value(x), 1e-20);
  EXPECT_GT(compatible.value(y), 1e-14) << "its tests are absolute";
}

TEST(OptimizerRegistryTest, OptionsArriveWhereTheyBelong) {
  testing::Rosenbrock objective(4);
  const auto lbfgs = make_optimizer({.name = "lbfgs", .learning_rate = 1, .options = {{"iterations", 2}}}, 4);
  std::vector<double> x = testing::rosenbrock_start(4);
  EXPECT_EQ(lbfgs->step(objective, x).iterations, 2);

  const auto plain = make_optimizer({.name = "adam", .learning_rate = 0.125}, 4);
  const auto damped = make_optimizer({.name = "adam", .learning_rate = 0.125, .options = {{"epsilon", 1e9}}}, 4);
  std::vector<double> fast = testing::rosenbrock_start(4), slow = fast;
  plain->step(objective, fast);
  damped->step(objective, slow);
  EXPECT_GT(std::abs(fast[0] + 1.2), 0.1);
  EXPECT_LT(std::abs(slow[0] + 1.2), 1e-6);
}

TEST(OptimizerRegistryTest, UnknownNamesGetTheNearestOne) {
  EXPECT_THAT(refusal({.name = "adm"}), ::testing::HasSubstr("'adam'"));
  EXPECT_THAT(refusal({.name = "lbfgs", .mode = "compatable"}), ::testing::HasSubstr("'compatible'"));
  EXPECT_THAT(refusal({.name = "adam", .mode = "fast"}), ::testing::HasSubstr("no modes"));
  EXPECT_THAT(refusal({.name = "lbfgs", .options = {{"iteration", 3}}}), ::testing::HasSubstr("'iterations'"));
  EXPECT_THAT(refusal({.name = "adam", .options = {{"history", 3}}}), ::testing::HasSubstr("beta1"));
  EXPECT_THAT(refusal({.name = "lm", .options = {{"max_trial", 3}}}), ::testing::HasSubstr("'max_trials'"));
  EXPECT_THAT(refusal({.name = "lm", .mode = "fast"}), ::testing::HasSubstr("no modes"));
}

TEST(OptimizerRegistryTest, ValuesOutOfRangeAreRefused) {
  EXPECT_THAT(refusal({.learning_rate = 0}), ::testing::HasSubstr("learning_rate"));
  EXPECT_THAT(refusal({.options = {{"beta1", 1}}}), ::testing::HasSubstr("beta1"));
  EXPECT_THAT(refusal({.options = {{"epsilon", -1}}}), ::testing::HasSubstr("epsilon"));
  EXPECT_THAT(refusal({.name = "lbfgs", .options = {{"history", 2.5}}}), ::testing::HasSubstr("whole number"));
  EXPECT_THAT(refusal({.name = "lbfgs", .options = {{"iterations", 0}}}), ::testing::HasSubstr("iterations"));
  EXPECT_EQ(refusal({.name = "lbfgs", .options = {{"iterations", 5}, {"evaluations", 9}, {"history", 2}}}), "accepted");
}

}  // namespace
}  // namespace pecann::optim
