#include "pecann/train/choose_training.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/parallel.h"
#include "pecann/problem/automatic.h"
#include "pecann/problem/problem_file.h"
#include "pecann/train/feature_solve.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"

namespace pecann::train {
namespace {

using ::testing::HasSubstr;

std::string line_text(const std::string& exact, const std::string& more = "") {
  return "title = \"line\"\ncoordinates = { x = [0, 2] }\n[exact]\nu = \"" + exact + R"("
[[network]]
fields = ["u"]
hidden = [8]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_xx - u = exact.u_xx - exact.u"
points = { sobol = 50 }
[[term]]
name = "ends"
role = "constraint"
region = "boundary"
equation = "u = exact.u"
points = { sobol = 1 }
)" + more;
}

TEST(ChooseTrainingTest, ASmoothProblemIsSolvedAndItsFileGivesTheSameBits) {
  const problem::Problem asked = problem::read_problem(line_text("sin(6*x)*exp(-x)"), "line.toml");
  ASSERT_TRUE(asked.training_open);
  const problem::Problem chosen = choose_training(asked).problem;
  ASSERT_TRUE(chosen.networks[0].features);
  ASSERT_EQ(chosen.phases.size(), 1u);
  EXPECT_EQ(chosen.phases[0].optimizer, "solve");
  EXPECT_EQ(chosen.phases[0].epochs, 1) << "the equation is linear";
  EXPECT_THAT(chosen.recommendation, HasSubstr("one solve of "));

  Trainer trainer(chosen, chosen.seed);
  EXPECT_EQ(trainer.run().termination, Termination::EpochsDone);
  EXPECT_LT(trainer.measure_errors()[0].relative_l2, 1e-11);

  const problem::Problem again = problem::read_problem(problem::write_problem(chosen), "run/problem.toml");
  EXPECT_FALSE(again.training_open);
  EXPECT_EQ(again.recommendation, chosen.recommendation);
  EXPECT_EQ(choose_training(again).problem.networks[0].features, chosen.networks[0].features);
  Trainer same(again, again.seed);
  same.run();
  EXPECT_TRUE(std::ranges::equal(same.parameters(), trainer.parameters()));
}

/// What a trainer with the head start of the choice does, and one without, in the same windows.
void expect_taken_over(const ChosenTraining& chosen) {
  ASSERT_TRUE(chosen.head_start);
  struct Watch final : EpochObserver {
    Directive on_epoch(const EpochRecord& record) override {
      loss.push_back(record.loss);
      evaluations.push_back(record.evaluations);
      return Directive::Continue;
    }
    std::vector<double> loss;
    std::vector<int> evaluations;
  } fresh, taken;
  Trainer one(chosen.problem, chosen.problem.seed),
      other(chosen.problem, chosen.problem.seed, {.head_start = chosen.head_start});
  one.add_observer(fresh);
  other.add_observer(taken);
  const Outcome outcome = one.run();
  EXPECT_EQ(other.run().message, outcome.message);
  EXPECT_TRUE(std::ranges::equal(one.parameters(), other.parameters()));
  EXPECT_EQ(fresh.loss, taken.loss);
  EXPECT_EQ(fresh.evaluations, taken.evaluations);
  EXPECT_GE(other.last_record().seconds, chosen.head_start->seconds) << "the search counts";
}

/// Answers each step by one that goes nowhere: it shows that steps were taken over.
HeadStart marked(const ChosenTraining& chosen) {
  HeadStart head_start = *chosen.head_start;
  for (auto& window : head_start.windows) {
    if (!window) continue;
    optim::KnownSteps steps = *window;
    std::ranges::fill(steps.steps.back().after, 0.125);
    window = std::make_shared<const optim::KnownSteps>(std::move(steps));
  }
  return head_start;
}

TEST(ChooseTrainingTest, ARunTakesOverTheStepsOfTheSearch) {
  problem::Problem asked = problem::read_problem(line_text("sin(6*x)*exp(-x)"), "line.toml");
  asked.stop.seconds = 60;
  const ChosenTraining chosen = choose_training(asked);
  expect_taken_over(chosen);
  const auto altered = std::make_shared<const HeadStart>(marked(chosen));
  Trainer first(chosen.problem, chosen.problem.seed, {.head_start = altered});
  first.run();
  EXPECT_EQ(first.parameters()[0], 0.125) << "nothing is solved again";
  Trainer second(chosen.problem, chosen.problem.seed + 1, {.head_start = altered});
  second.run();
  EXPECT_NE(second.parameters()[0], 0.125) << "other trials draw other features";
}

TEST(ChooseTrainingTest, ATimeThatIsOverDoesNotCutWhatIsKnown) {
  const problem::Problem cut =
      with_features(problem::cut_into_windows(testing::heat(), 3), {.scale = {4, 4}, .count = 60}, 1);
  HeadStart head_start{.seed = cut.seed, .windows = {}, .seconds = 1000};
  std::vector<std::vector<double>> before;
  for (int w = 0; w < 3; ++w) {
    auto kept = std::make_shared<optim::KnownSteps>();
    before.push_back(*solved_coefficients(cut, cut.seed, 1, before, kept.get()));
    head_start.windows.push_back(kept);
  }
  problem::Problem timed = cut;
  timed.stop.seconds = 1;
  Trainer trainer(timed, cut.seed, {.head_start = std::make_shared<const HeadStart>(head_start)});
  EXPECT_EQ(trainer.run().termination, Termination::EpochsDone);
  EXPECT_TRUE(std::ranges::equal(trainer.parameters(), before.back()));
  head_start.windows.pop_back();
  Trainer late(timed, cut.seed, {.head_start = std::make_shared<const HeadStart>(head_start)});
  EXPECT_EQ(late.run().termination, Termination::TimeUp) << "the last window is solved after the time";
}

TEST(ChooseTrainingTest, ThinLayersAreSolvedByGradedFeatures) {
  for (const char* eps : {"1e-4", "1e-6"}) {
    const problem::Problem asked = problem::read_problem(fmt::format(R"toml(
coordinates = {{ x = [0, 1] }}
fields = ["u"]
[constants]
eps = {}
[exact]
u = "x - (1 - exp(-x/eps))/(1 - exp(-1/eps))"
[[term]]
region = "interior"
equation = "eps*u_xx + u_x = 1"
[[term]]
region = "boundary"
equation = "u = 0"
)toml",
                                                                     eps),
                                                         "layer.toml");
    const problem::Problem chosen = choose_training(asked).problem;
    ASSERT_TRUE(chosen.networks[0].features) << eps;
    EXPECT_GT(chosen.networks[0].features->graded, 0);
    EXPECT_EQ(chosen.phases.at(0).options.at("each_row"), 1) << "else rows at the end drown all others";
    Trainer trainer(chosen, chosen.seed);
    trainer.run();
    EXPECT_LT(trainer.measure_errors()[0].relative_l2, 1e-9) << eps;
  }
}

TEST(ChooseTrainingTest, WaveBeyondTheFeaturesIsLeftToTraining) {
  const problem::Problem asked = problem::read_problem(line_text("sin(3000*pi*x)"), "line.toml");
  const problem::Problem chosen = choose_training(asked).problem;
  EXPECT_FALSE(chosen.networks[0].features);
  EXPECT_EQ(chosen.phases.size(), asked.phases.size());
  EXPECT_THAT(chosen.recommendation, HasSubstr("no solve of features"));
}

TEST(ChooseTrainingTest, ALongTimeIsSolvedInWindows) {
  problem::Problem asked = problem::read_problem(R"toml(
coordinates = { t = [0, 1500] }
fields = ["u"]
[exact]
u = "cos(t)"
[[term]]
region = "interior"
equation = "u_tt + u = 0"
[[term]]
region = "initial"
equation = ["u = 1", "u_t = 0"]
)toml",
                                                 "swing.toml");
  asked.stop.seconds = 1;  // so little that the whole of time is not solved by thousands of features
  std::vector<std::string> told;
  problem::Problem chosen = choose_training(asked, [&](const std::string& what) { told.push_back(what); }).problem;
  ASSERT_TRUE(chosen.networks[0].features) << chosen.recommendation;
  EXPECT_GT(chosen.windows.count, 1);
  EXPECT_THAT(chosen.recommendation, HasSubstr("time windows"));
  EXPECT_THAT(told, ::testing::Contains(HasSubstr("time windows")));
  chosen.stop.seconds.reset();
  Trainer trainer(chosen, chosen.seed);
  trainer.run();
  EXPECT_LT(trainer.measure_errors().at(0).relative_l2, 1e-3);
}

TEST(FindFeaturesTest, TheBudgetOfAProblemLimitsItsGrowth) {
  problem::Problem asked = problem::read_problem(line_text("sin(280*x)"), "line.toml");
  EXPECT_EQ(affordable_products(asked), GrowthLimits{}.products);
  asked.stop.seconds = 10;
  EXPECT_EQ(affordable_products(asked), 4e10);
  asked.stop.seconds = 1e9;
  EXPECT_EQ(affordable_products(asked), 2.4e12);
}

TEST(FindFeaturesTest, MoreFeaturesAreTakenWhileTheyPay) {
  const problem::Problem asked = problem::read_problem(line_text("sin(280*x)"), "line.toml");
  const FeatureSearch first = find_features(asked, {.enough = 1}), grown = find_features(asked);
  ASSERT_TRUE(first.choice && grown.choice);
  EXPECT_EQ(first.choice->count, 800) << "what is left was enough";
  EXPECT_GT(grown.choice->count, 800);
  EXPECT_LT(grown.left, first.left);
}

TEST(ChooseTrainingTest, WhatASolveCannotDoIsSaidBeforeAnyIsTried) {
  const auto reason = [](const std::string& text) {
    const problem::Problem asked = problem::read_problem(text, "line.toml");
    EXPECT_TRUE(asked.training_open);
    return choose_training(asked).problem.recommendation;
  };
  EXPECT_THAT(reason(line_text("x", "[parameters]\na = { initial = 1 }\n")), HasSubstr("because of trainable scalars"));
  EXPECT_THAT(reason(line_text("x", "distance = \"absolute\"\n")), HasSubstr("the absolute distance of term 'ends'"));
  EXPECT_THAT(reason(line_text("x", "aggregate = \"pointwise\"\n")), HasSubstr("point-wise multipliers"));
}

TEST(ChooseTrainingTest, OpenPointsOfTrainedNetworksFollowTheResidual) {
  const auto chosen = [](std::string text, const std::string& more) {
    text.erase(text.find("points = { sobol = 50 }"), 23);
    return choose_training(problem::read_problem(text + more, "line.toml")).problem;
  };
  const std::string kink = line_text("x", "distance = \"absolute\"\n");  // trained, whatever the features do
  const problem::Problem open = chosen(kink, "");
  ASSERT_TRUE(open.terms[0].near);
  EXPECT_EQ(open.terms[0].near->density_text, "residual");
  EXPECT_FALSE(open.terms[1].near);
  EXPECT_FALSE(open.training_open);
  EXPECT_TRUE(chosen(kink, "[[phase]]\noptimizer = \"train\"\n").terms[0].near);
  EXPECT_FALSE(chosen(kink, "[[phase]]\noptimizer = \"adam\"\nepochs = 9\n").terms[0].near) << "the file's training";
  EXPECT_FALSE(choose_training(problem::read_problem(kink, "line.toml")).problem.terms[0].near) << "the file's points";
  const problem::Problem again = problem::read_problem(problem::write_problem(open), "again.toml");
  EXPECT_EQ(problem::write_problem(choose_training(again).problem), problem::write_problem(again));
}

TEST(ChooseTrainingTest, OnlyAnOpenTrainingIsChosen) {
  const auto open = [](const std::string& phase) {
    return problem::read_problem(line_text("x", phase), "line.toml").training_open;
  };
  EXPECT_TRUE(open(""));
  EXPECT_TRUE(open("[[phase]]\noptimizer = \"auto\"\n"));
  EXPECT_FALSE(open("[[phase]]\noptimizer = \"train\"\n"));
  EXPECT_FALSE(open("[[phase]]\noptimizer = \"auto\"\nepochs = 50\n"));
  EXPECT_FALSE(open("[[phase]]\noptimizer = \"auto\"\n[[phase]]\noptimizer = \"lm\"\nepochs = 5\n"));
  EXPECT_FALSE(open("[[phase]]\noptimizer = \"lm\"\nepochs = 5\n"));
}

TEST(FeatureSolveTest, TheSolutionHasTheSameBitsForAnyNumberOfThreads) {
  const problem::Problem with = with_features(testing::heat(), {.scale = {4, 4}, .count = 60}, 2);
  std::vector<std::vector<double>> solutions;
  for (const int threads : {1, 3}) {
    const ThreadShare share(threads);
    Trainer trainer(with, 1);
    trainer.run();
    solutions.emplace_back(trainer.parameters().begin(), trainer.parameters().end());
    EXPECT_LT(trainer.measure_errors()[0].relative_l2, 1e-3);
  }
  EXPECT_EQ(solutions[0], solutions[1]);
}

TEST(FeatureSolveTest, PointsFollowTheFeaturesAndMeasuredPointsStay) {
  problem::Problem heat = testing::heat();
  const problem::Problem with =
      with_features(heat, {.activation = problem::Activation::Sin, .scale = {3, 5}, .count = 100}, 1);
  EXPECT_EQ(with.networks[0].hidden, std::vector<int>{100});
  EXPECT_EQ(with.networks[0].features->scale, (std::vector<double>{3, 5}));
  EXPECT_EQ(with.terms[0].points.count, 300u);
  EXPECT_EQ(with.terms[1].points.count, 70u) << "4·√300 on each side";
  EXPECT_EQ(with.terms[2].points.kind, sampling::PointRule::Kind::Sobol);
}

TEST(FeatureSolveTest, LinearityIsMeasured) {
  const auto linear = [](const std::string& change) {
    const problem::Problem heat = testing::heat({change});
    return is_linear(with_features(heat, {.scale = {2, 2}, .count = 20}, 1), 1);
  };
  EXPECT_TRUE(linear("constants.nu=2"));
  EXPECT_FALSE(linear("term.pde.equation=\"u_t = u_xx + 0.01*u^2\""));
}

TEST(FeatureSolveTest, AWindowIsSolvedAfterThoseBeforeItAsInTraining) {
  const FeatureChoice choice{.scale = {4, 4}, .count = 60};
  const problem::Problem cut = with_features(problem::cut_into_windows(testing::heat(), 3), choice, 1);
  Trainer trainer(cut, 1);
  trainer.run();
  Solution solution = trainer.solution();
  std::vector<std::vector<double>> before;
  for (int w = 0; w < 2; ++w) before.emplace_back(solution.parameters(w).begin(), solution.parameters(w).end());
  EXPECT_TRUE(std::ranges::equal(*solved_coefficients(cut, 1, 1, before), solution.parameters(2)))
      << "training solves the same windows";
}

TEST(FeatureSolveTest, AProblemWithoutASolutionLeavesItsResidual) {
  const problem::Problem heat = testing::heat({"term.start.equation=\"u = 1 + 0*x\"", "term.sides.equation=\"u = 5\""});
  const problem::Problem with = with_features(heat, {.scale = {4, 4}, .count = 60}, 1);
  const HeldOutRatio ratio = held_out_ratio(with, 1, 1, weights_of(with, 1));
  EXPECT_GT(ratio.worse(), kAccepted);
  const problem::Problem good = with_features(testing::heat(), {.scale = {4, 4}, .count = 60}, 1);
  EXPECT_LT(held_out_ratio(good, 1, 1, weights_of(good, 1)).worse(), 1e-3);
}

}  // namespace
}  // namespace pecann::train
