#include "pecann/verdict/race_table.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "pecann/results/sample_runs.h"

namespace pecann::verdict {
namespace {

using testing::ElementsAre;

const double kNan = std::nan("");

RaceTrial curve(std::vector<RacePoint> points) {
  RaceTrial trial{points, points.empty() ? 0 : points.back().seconds, 10};
  return trial;
}

TEST(RaceTableTest, TimesAreFirstCrossings) {
  const RaceTrial trial = curve({{1, 0.5}, {2, 0.01}, {3, 0.2}, {4, 0.001}});
  EXPECT_EQ(trial.seconds_to(0.5), 1);
  EXPECT_EQ(trial.seconds_to(0.1), 2);
  EXPECT_EQ(trial.seconds_to(0.005), 4);
  EXPECT_TRUE(std::isnan(trial.seconds_to(1e-4)));
  EXPECT_EQ(trial.final_value(), 0.001);
  EXPECT_TRUE(std::isnan(RaceTrial{}.final_value()));
}

TEST(RaceTableTest, MediansAreValuesThatOccurred) {
  EXPECT_EQ(race_median({3, 1, 2}), 2);
  EXPECT_EQ(race_median({4, 1, 2, 3}), 2);
  EXPECT_EQ(race_median({kNan, 5, 1}), 5) << "two of three got there";
  EXPECT_TRUE(std::isnan(race_median({kNan, kNan, 1}))) << "one of three did";
  EXPECT_TRUE(std::isnan(race_median({})));
}

TEST(RaceTableTest, LevelsArePowersOfTenThatSomeTrialPassed) {
  const RaceRow a{"a", {curve({{1, 0.9}, {2, 3e-3}})}}, b{"b", {curve({{1, 0.8}, {2, 0.05}})}};
  EXPECT_THAT(race_levels(std::vector{a, b}), ElementsAre(0.1, 0.01));
  EXPECT_THAT(race_levels(std::vector{b}), ElementsAre(0.1));
  EXPECT_THAT(race_levels(std::vector{RaceRow{"c", {curve({{1, 1.0}, {2, 1e-8}})}}}),
              ElementsAre(1e-1, 1e-3, 1e-6, 1e-8));
  EXPECT_THAT(race_levels({}), ElementsAre());
}

TEST(RaceTableTest, TableAndFile) {
  const std::vector<RaceRow> rows = {
      {"slow", {curve({{1, 0.5}, {10, 0.02}}), curve({{1, 0.5}, {12, 0.09}}), curve({{2, 0.5}, {11, 0.3}})}},
      {"quick", {curve({{0.25, 0.04}, {5, 1.5e-3}})}},
      {"none", {}}};
  const std::vector<double> levels = {0.1, 0.01};
  EXPECT_EQ(race_text(rows, levels, true),
            "relative l2 error (the largest of the fields); seconds to reach a level for the first time\n"
            "\n"
            "recipe trials    median      best    1e-01    1e-02  seconds   epochs\n"
            "quick       1  1.50e-03  1.50e-03     0.25      5.0      5.0       10\n"
            "slow        3  9.00e-02  2.00e-02     12.0        –     11.0       10\n"
            "none        0         –         –        –        –        –        –\n");
  EXPECT_EQ(race_csv(rows, levels, false),
            "recipe,trial,held_out_residual,seconds,epochs,seconds_to_1e-01,seconds_to_1e-02\n"
            "slow,1,0.02,10,10,10,\n"
            "slow,2,0.09,12,10,12,\n"
            "slow,3,0.3,11,10,,\n"
            "quick,1,0.0015,5,10,0.25,5\n");
}

TEST(RaceTableTest, CurvesComeFromTheHistoryAndEndWithTheReportedSolution) {
  const problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  train::TrialSummary summary = results::sample_trial(1, 1e-3);
  summary.seconds = 7;
  const results::HistoryTable history{{"epoch", "seconds", "error.u.relative_l2", "error.v.relative_l2"},
                                      {{1, 2, 3}, {1, 2, 3}, {0.5, kNan, 0.1}, {0.2, kNan, 0.4}}};
  const RaceTrial trial = race_trial(problem, summary, history);
  ASSERT_EQ(trial.curve.size(), 3u);
  EXPECT_EQ(trial.curve[1].seconds, 3);
  EXPECT_EQ(trial.curve[1].value, 0.4) << "the largest of the fields";
  EXPECT_EQ(trial.curve[2].seconds, 7);
  EXPECT_EQ(trial.final_value(), summary.errors[0].relative_l2);

  problem::Problem unknown = problem;
  unknown.exact.clear();
  summary.errors.clear();
  summary.held_out = {.epoch = 2, .last_over_best = 1, .best_reported = false, .residual = 0.03};
  const results::HistoryTable watched{{"epoch", "seconds", "held_out", "held_out_residual"},
                                      {{1, 2}, {1, 2}, {9, kNan}, {0.9, kNan}}};
  const RaceTrial other = race_trial(unknown, summary, watched);
  ASSERT_EQ(other.curve.size(), 2u);
  EXPECT_EQ(other.curve[0].value, 0.9);
  EXPECT_EQ(other.final_value(), 0.03);
}

TEST(RaceTableTest, ANumberThatIsNotFiniteIsNeitherBestNorForgotten) {
  const problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  const results::HistoryTable history{{"epoch", "seconds", "error.u.relative_l2"}, {{1, 2}, {1, 2}, {0.5, 0.1}}};
  for (const bool first : {true, false}) {
    train::TrialSummary summary = results::sample_trial(1, 1e-3);
    summary.errors = {{"u", first ? kNan : 0.2}, {"v", first ? 0.2 : kNan}};
    const RaceTrial trial = race_trial(problem, summary, history);
    EXPECT_TRUE(std::isnan(trial.final_value())) << "not 0.1 of an earlier epoch, nor 0.2 of the other field";
    EXPECT_EQ(trial.seconds_to(0.2), 2);
  }
  const RaceRow row{"a", {curve({{1, 0.5}, {2, 0.3}}), curve({{1, 0.5}, {2, kNan}})}};
  const RaceRow broken{"b", {curve({{1, 0.01}, {2, std::numeric_limits<double>::infinity()}})}};
  const std::string text = race_text(std::vector{broken, row}, {}, true);
  EXPECT_THAT(text, testing::HasSubstr("\na           2  3.00e-01  3.00e-01      2.0"));
  EXPECT_THAT(text, testing::HasSubstr("\nb           1         –         –      2.0"));
  EXPECT_LT(text.find("\na "), text.find("\nb "));
}

TEST(RaceTableTest, BeforeTheLastWindowThereIsNoSolution) {
  problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  problem.windows.count = 2;
  const results::HistoryTable history{{"window", "epoch", "seconds", "error.u.relative_l2"},
                                      {{1, 1, 2}, {1, 2, 1}, {1, 2, 3}, {0.5, 0.1, 0.2}}};
  const RaceTrial trial = race_trial(problem, results::sample_trial(1, 1e-3), history);
  ASSERT_EQ(trial.curve.size(), 2u);
  EXPECT_EQ(trial.curve[0].seconds, 3);
  const results::HistoryTable half{{"window", "epoch", "seconds", "error.u.relative_l2"},
                                   {{1, 1}, {1, 2}, {1, 2}, {0.5, 0.1}}};
  EXPECT_TRUE(race_trial(problem, results::sample_trial(1, 1e-3), half).curve.empty());
}

}  // namespace
}  // namespace pecann::verdict
