#include "pecann/verdict/phase_rows.h"

#include <gmock/gmock.h>

namespace pecann::verdict {
namespace {

using testing::ElementsAre;

problem::Problem with_phases(std::vector<problem::PhaseSpec> phases) {
  problem::Problem problem;
  problem.phases = std::move(phases);
  return problem;
}

TEST(PhaseRowsTest, AJumpOfTheLearningRateBeginsAPhase) {
  const problem::Problem problem = with_phases({{.optimizer = "adam", .epochs = 100, .learning_rate = 1e-3},
                                                {.optimizer = "lbfgs", .epochs = 5, .learning_rate = 1}});
  const results::HistoryTable history =
      results::parse_history("epoch,learning_rate\n1,0.001\n9,0.0005\n10,1\n11,1\n", "h.csv");
  EXPECT_THAT(phases_of_rows(problem, history), ElementsAre(0, 0, 1, 1));
}

TEST(PhaseRowsTest, DampingBeginsWhereAConstantRateEnds) {
  const problem::Problem problem = with_phases({{.optimizer = "lbfgs", .epochs = 15, .learning_rate = 1},
                                                {.optimizer = "lm", .epochs = 400, .learning_rate = 1}});
  const results::HistoryTable history = results::parse_history("epoch,learning_rate\n1,1\n2,1\n3,0.01\n4,1\n", "h.csv");
  EXPECT_THAT(phases_of_rows(problem, history), ElementsAre(0, 0, 1, 1)) << "the first phase ended early";
}

TEST(PhaseRowsTest, WhereNothingShowsTheLengthOfThePhaseDecides) {
  const problem::Problem problem = with_phases(
      {{.optimizer = "lm", .epochs = 2, .learning_rate = 1}, {.optimizer = "lm", .epochs = 2, .learning_rate = 1}});
  const results::HistoryTable history =
      results::parse_history("epoch,learning_rate\n1,0.1\n2,0.2\n3,0.1\n4,0.3\n", "h.csv");
  EXPECT_THAT(phases_of_rows(problem, history), ElementsAre(0, 0, 1, 1));
}

TEST(PhaseRowsTest, EveryWindowBeginsWithTheFirstPhase) {
  const problem::Problem problem = with_phases({{.optimizer = "adam", .epochs = 2, .learning_rate = 1e-3},
                                                {.optimizer = "lbfgs", .epochs = 1, .learning_rate = 1}});
  const results::HistoryTable history =
      results::parse_history("window,epoch,learning_rate\n1,1,0.001\n1,2,0.001\n1,3,1\n2,1,0.001\n2,2,1\n", "h.csv");
  EXPECT_THAT(window_starts(history), ElementsAre(0, 3, 5));
  EXPECT_THAT(phases_of_rows(problem, history), ElementsAre(0, 0, 1, 0, 1));
}

}  // namespace
}  // namespace pecann::verdict
