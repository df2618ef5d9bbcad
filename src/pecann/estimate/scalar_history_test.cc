// Standard errors of scalars while training: when they are taken, and that the training does not notice.
#include <gmock/gmock.h>

#include <cmath>

#include "pecann/estimate/standard_errors.h"
#include "pecann/problem/problem_file.h"
#include "pecann/train/history_columns.h"
#include "pecann/train/trainer.h"

namespace pecann::estimate {
namespace {

const std::string kGrowth = R"toml(
title = "growth rate from noisy data"
coordinates = { t = [0, 1] }
[parameters]
r = { initial = 0.2, exact = 1 }
[exact]
u = "exp(exact.r*t)"
[[network]]
fields = ["u"]
hidden = [6]
[[term]]
name = "data"
role = "objective"
region = "interior"
equation = "u = data.u"
points = { sobol = 40 }
data = { exact = ["u"], noise = 0.05 }
[[term]]
name = "ode"
role = "constraint"
region = "interior"
equation = "u_t = r*u"
points = { sobol = 40 }
[[phase]]
optimizer = "adam"
epochs = 2000
)toml";

problem::Problem growth(std::vector<std::string> overrides = {}) {
  return problem::read_problem(kGrowth, "growth.toml", overrides);
}

/// Keeps epochs and standard errors, and may end the training.
class Keeper final : public train::EpochObserver {
 public:
  explicit Keeper(long last = -1) : last_(last) {}
  train::Directive on_epoch(const train::EpochRecord& record) override {
    if (!record.standard_errors.empty()) taken.emplace_back(record.epoch, record.standard_errors.at(0));
    return record.epoch == last_ ? train::Directive::Stop : train::Directive::Continue;
  }
  std::vector<std::pair<long, double>> taken;

 private:
  long last_;
};

std::vector<double> state_of(const train::Trainer& trainer) {
  return {trainer.parameters().begin(), trainer.parameters().end()};
}

TEST(ScalarHistory, HasThemAFewTimesAndTheTrainingDoesNotNotice) {
  const problem::Problem problem = growth();
  train::Trainer with(problem, 11, {.standard_errors = watched_scalars()}), without(problem, 11);
  Keeper keeper;
  with.add_observer(keeper);
  with.run();
  without.run();
  EXPECT_EQ(state_of(with), state_of(without));
  EXPECT_GE(keeper.taken.size(), 5u);
  EXPECT_LE(keeper.taken.size(), 50u);
  for (const auto& [epoch, error] : keeper.taken) EXPECT_GT(error, 0) << epoch;
}

TEST(ScalarHistory, HasWhatTheEstimateSaysOfTheSameState) {
  const problem::Problem problem = growth();
  train::Trainer probe(problem, 11, {.standard_errors = watched_scalars()});
  Keeper all;
  probe.add_observer(all);
  probe.run();
  ASSERT_FALSE(all.taken.empty());
  const auto [epoch, error] = all.taken[all.taken.size() / 2];
  train::Trainer part(problem, 11);
  Keeper stop(epoch);
  part.add_observer(stop);
  part.run();
  EXPECT_EQ(scalar_estimates(problem, part.solution(), 11)[0].standard_error, error);
}

TEST(ScalarHistory, IsTheSameAfterAResume) {
  const problem::Problem problem = growth();
  train::Trainer whole(problem, 11, {.standard_errors = watched_scalars()});
  Keeper all;
  whole.add_observer(all);
  whole.run();
  train::Trainer first(problem, 11, {.standard_errors = watched_scalars()});
  Keeper begin(777);
  first.add_observer(begin);
  first.run();
  StateWriter writer;
  first.save(writer);
  const std::string bytes(writer.bytes());
  train::Trainer second(problem, 11, {.standard_errors = watched_scalars()});
  second.load(StateReader(bytes));
  Keeper rest;
  second.add_observer(rest);
  second.run();
  EXPECT_EQ(state_of(second), state_of(whole));
  begin.taken.insert(begin.taken.end(), rest.taken.begin(), rest.taken.end());
  EXPECT_EQ(begin.taken, all.taken);
}

TEST(ScalarHistory, HasNoneWhereTheyAreDearBesideTheTraining) {
  const problem::Problem problem = growth({"network.1.hidden=[40,40]", "phase.1.epochs=20"});
  train::Trainer trainer(problem, 11, {.standard_errors = watched_scalars()});
  Keeper keeper;
  trainer.add_observer(keeper);
  trainer.run();
  EXPECT_TRUE(keeper.taken.empty());
}

TEST(ScalarHistory, FollowsTheClockWhereTheTimeIsLimited) {
  const problem::Problem problem = growth({"stop.seconds=0.5", "phase.1.epochs=100000000"});
  train::Trainer trainer(problem, 11, {.standard_errors = watched_scalars()});
  Keeper keeper;
  trainer.add_observer(keeper);
  trainer.run();
  EXPECT_GE(keeper.taken.size(), 1u);
  EXPECT_LE(keeper.taken.size(), 50u);
}

TEST(ScalarHistory, HasColumnsBehindAllOthersWhereThereAreData) {
  const auto last_name = [](const problem::Problem& problem) { return train::history_columns(problem).back().name; };
  EXPECT_EQ(last_name(growth()), "standard_error.r");
  std::string text = kGrowth;
  text.replace(text.find("data = {"), std::string("data = { exact = [\"u\"], noise = 0.05 }").size(), "");
  text.replace(text.find("u = data.u"), 10, "u = exact.u");
  EXPECT_THAT(last_name(problem::read_problem(text, "growth.toml")),
              testing::Not(testing::HasSubstr("standard_error")));
}

}  // namespace
}  // namespace pecann::estimate
