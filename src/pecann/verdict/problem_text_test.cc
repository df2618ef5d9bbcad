#include "pecann/verdict/problem_text.h"

#include <gmock/gmock.h>

#include "pecann/results/sample_runs.h"

namespace pecann::verdict {
namespace {

using testing::HasSubstr;

TEST(ProblemTextTest, SaysWhatWasSolvedAndHow) {
  const problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  const train::TrialSummary trial = results::sample_trial(1, 1e-3);
  EXPECT_EQ(problem_block(problem, std::span(&trial, 1)),
            "problem   x in [0, 1]; 2 equations (1 objective, 1 constraint) at 33 points\n"
            "network   u: hidden 8 × 8, tanh of x; 97 parameters\n"
            "method    lbfgs 30; penalty capu\n");
}

TEST(ProblemTextTest, UnitsStandBehindNumbers) {
  const problem::Problem problem =
      problem::read_problem(results::kPoissonText, "poisson.toml", std::vector<std::string>{"units.x=mm"});
  const train::TrialSummary trial = results::sample_trial(1, 1e-3);
  EXPECT_THAT(problem_block(problem, std::span(&trial, 1)), HasSubstr("x in [0, 1] mm;"));
  EXPECT_EQ(unit_text(problem, "u"), "");
}

TEST(ProblemTextTest, WindowsAreCountedOverTheTrialThatHasFewest) {
  const problem::Problem problem = problem::read_problem(results::kTransportText, "transport.toml");
  std::vector<train::TrialSummary> trials = {results::sample_trial(1, 1e-3), results::sample_trial(2, 1e-3)};
  trials[0].windows_done = 3;
  trials[1].windows_done = 2;
  EXPECT_THAT(problem_block(problem, trials), HasSubstr("windows   2 of 3 in t are trained\n"));
}

TEST(ProblemTextTest, SharesOfTimeAddUpToTheWhole) {
  train::TrialSummary trial = results::sample_trial(1, 1e-3);
  EXPECT_EQ(time_block(std::span(&trial, 1)), "") << "not known";
  trial.seconds = 4;
  trial.timings[train::Timing::Evaluate] = 2;
  trial.timings[train::Timing::Optim] = 1;
  trial.timings[train::Timing::Files] = 1e-9;  // too little for a line
  const std::string text = time_block(std::span(&trial, 1));
  EXPECT_THAT(text, testing::ContainsRegex("networks and equations +2 s +50.0 %\n"));
  EXPECT_THAT(text, testing::ContainsRegex("optimiser +1 s +25.0 %\n"));
  EXPECT_THAT(text, testing::ContainsRegex("the rest +1 s +25.0 %\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("checkpoints")));
  trial.timings[train::Timing::Errors] = 5;  // measured after the last epoch
  EXPECT_THAT(time_block(std::span(&trial, 1)), testing::ContainsRegex("error norms, standard errors +5 s +62.5 %\n"));
}

}  // namespace
}  // namespace pecann::verdict
