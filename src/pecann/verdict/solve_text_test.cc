#include "pecann/verdict/solve_text.h"

#include <gmock/gmock.h>

#include "pecann/problem/problem_file.h"
#include "pecann/results/sample_runs.h"
#include "pecann/verdict/problem_text.h"
#include "pecann/verdict/summary_text.h"

namespace pecann::verdict {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kHeat = R"toml(
coordinates = { x = [0, 1], t = [0, 1] }
[[network]]
fields = ["u"]
features = 60
activation = "sin"
[[term]]
name = "heat"
role = "objective"
region = "interior"
equation = "u_t = u_xx"
points = { sobol = 80 }
[[term]]
name = "start"
role = "constraint"
region = "t = 0"
equation = "u = sin(pi*x)"
points = { sobol = 20 }
[[phase]]
optimizer = "solve"
epochs = 1
)toml";

problem::Problem solve_with(const std::string& more) { return problem::read_problem(kHeat + more, "heat.toml"); }

train::TrialSummary trial_of(long steps, int windows) {
  train::TrialSummary trial = results::sample_trial(1, 1e-3);
  trial.epochs = steps;
  trial.windows_done = windows;
  return trial;
}

std::string text_of(const problem::Problem& problem, const train::TrialSummary& trial) {
  return solve_text(problem, std::span(&trial, 1));
}

TEST(SolveTextTest, SaysWhatWasSolvedForAndInHowManySteps) {
  const problem::Problem problem = solve_with("");
  EXPECT_TRUE(is_solve(problem));
  EXPECT_EQ(text_of(problem, trial_of(1, 1)), "solved in one step by 60 sin features of u");
  EXPECT_EQ(text_of(problem, trial_of(7, 1)), "solved in 7 Gauss-Newton steps by 60 sin features of u");
  EXPECT_EQ(solve_text(problem, {}), "solved by 60 sin features of u") << "it has only begun";
}

TEST(SolveTextTest, SaysItsPartsAndWindows) {
  const problem::Problem problem = solve_with("[decompose]\nx = 4\npoints = 9\n[windows]\ncount = 3\n");
  EXPECT_EQ(text_of(problem, trial_of(3, 3)),
            "solved in one step for each of 3 windows of time by 60 sin features of u in each of 4 parts");
  EXPECT_EQ(text_of(problem, trial_of(8, 3)),
            "solved in 8 Gauss-Newton steps over 3 windows of time by 60 sin features of u in each of 4 parts");
}

TEST(SolveTextTest, NetworksAreNamedByTheirKind) {
  const problem::Problem problem = solve_with(
      "[[network]]\nfields = [\"v\", \"w\"]\nfeatures = 60\nactivation = \"sin\"\n"
      "[[network]]\nfields = [\"p\"]\nfeatures = 20\nactivation = \"tanh\"\n"
      "[[term]]\nname = \"more\"\nrole = \"objective\"\nregion = \"interior\"\nequation = \"v_x + w_t = p\"\n");
  EXPECT_EQ(text_of(problem, trial_of(1, 1)),
            "solved in one step by 60 sin features of each of u, v, w and 20 tanh features of p");
}

TEST(SolveTextTest, ATrainingIsNoSolve) {
  EXPECT_FALSE(is_solve(problem::read_problem(results::kPoissonText, "poisson.toml")));
  EXPECT_FALSE(is_solve(solve_with("[[phase]]\noptimizer = \"lbfgs\"\nepochs = 3\n")))
      << "its coefficients are trained on";
}

TEST(SolveTextTest, TimeThatIsUpAfterTheLastStepTakesNothingAway) {
  const problem::Problem problem = solve_with("[windows]\ncount = 3\n");
  train::TrialSummary trial = trial_of(3, 3);
  EXPECT_TRUE(solved_whole(problem, trial));
  trial.outcome.termination = train::Termination::TimeUp;
  EXPECT_TRUE(solved_whole(problem, trial));
  trial.epochs = 2;
  EXPECT_FALSE(solved_whole(problem, trial));
  EXPECT_FALSE(solved_whole(problem::read_problem(results::kPoissonText, "poisson.toml"), trial_of(30, 1)));
}

TEST(SolveTextTest, TheSummaryOfASolveHasNothingOfATraining) {
  const problem::Problem problem = solve_with("");
  const train::TrialSummary trial = trial_of(1, 1);
  const std::string text = summary_text(problem, std::span(&trial, 1), "run", Colour::Never);
  EXPECT_THAT(text, HasSubstr("\nsolved in one step by 60 sin features of u\n"));
  EXPECT_THAT(text, HasSubstr("network   u: 60 random features, sin of x, t;"));
  EXPECT_THAT(text, HasSubstr("method    solve for the coefficients of the features\n"));
  for (const char* word : {"multiplier", "penalty", "loss", "epoch", "pecann resume"})
    EXPECT_THAT(text, Not(HasSubstr(word)));
}

}  // namespace
}  // namespace pecann::verdict
