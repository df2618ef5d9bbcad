#include "pecann/verdict/summary_text.h"

#include <gmock/gmock.h>

#include <sstream>

#include "pecann/results/sample_runs.h"
#include "pecann/verdict/wrapped_text.h"

namespace pecann::verdict {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SummaryTextTest, SaysWhyItStoppedHowGoodItIsAndWhatToDoNext) {
  const problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  const train::TrialSummary trial = results::sample_trial(1, 1.234e-3);
  const std::string text = summary_text(problem, std::span(&trial, 1), "runs/one");
  EXPECT_THAT(text, HasSubstr("epochs done: all 10 epochs done"));
  EXPECT_THAT(text, HasSubstr("1.23e-03"));
  EXPECT_THAT(text, HasSubstr("2.00e-03"));  // violation: √4e-6
  EXPECT_THAT(text, HasSubstr("2.00e+01"));  // penalty
  EXPECT_THAT(text, HasSubstr("pecann resume runs/one"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(SummaryTextTest, SaysHowOftenTheWeightsWereSetAnew) {
  const problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  train::TrialSummary trial = results::sample_trial(1, 1);
  trial.last.weights = {1, 25};
  trial.last.updates = 7;
  EXPECT_THAT(summary_text(problem, std::span(&trial, 1), ""),
              HasSubstr("weights of the equations (set anew 7 times): pde 1.00e+00, ends 2.50e+01"));
}

TEST(SummaryTextTest, GivesMeanAndDeviationOfSeveralTrials) {
  const problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  std::vector<train::TrialSummary> trials = {results::sample_trial(1, 1), results::sample_trial(2, 3)};
  const std::string text = summary_text(problem, trials, "");
  EXPECT_THAT(text, HasSubstr("2.00e+00 ± 1.4e+00"));
  EXPECT_THAT(text, HasSubstr("2 of 2 trials: epochs done"));
}

TEST(SummaryTextTest, AFailedTrialIsShownAndLeftOutOfTheMeans) {
  const problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  std::vector<train::TrialSummary> trials = {results::sample_trial(1, 1), results::sample_trial(2, 2),
                                             results::sample_trial(3, 4)};
  trials[0].outcome = {train::Termination::NotFinite, "epoch 1: term 'pde' is nan"};
  trials[0].epochs = 0;
  trials[0].last.constraints.clear();
  trials[0].last.loss = std::nan("");
  const std::string text = summary_text(problem, trials, "runs/one");
  EXPECT_THAT(text, HasSubstr("1 of 3 trials: not finite: epoch 1"));
  EXPECT_THAT(text, HasSubstr("Trial 1 failed: means and spreads are those of the other 2."));
  EXPECT_THAT(text, HasSubstr("3.00e+00 ± 1.4e+00"));
  EXPECT_THAT(text, HasSubstr("2.00e-03")) << "the violation";
  EXPECT_THAT(text, HasSubstr("loss 5.00e-01"));
  EXPECT_THAT(text, Not(HasSubstr("nan,")));

  const std::string alone = summary_text(problem, std::span(&trials[0], 1), "runs/one");
  EXPECT_THAT(alone, HasSubstr("Nothing was trained"));
  EXPECT_THAT(alone, HasSubstr("loss –"));
  EXPECT_THAT(alone, Not(HasSubstr("pecann predict"))) << "which would refuse";

  trials[1].outcome.termination = trials[2].outcome.termination = train::Termination::NotFinite;
  EXPECT_THAT(summary_text(problem, trials, ""), HasSubstr("All 3 trials failed"));
}

TEST(SummaryTextTest, AnErrorThatIsNoNumberDoesNotVanishInTheMean) {
  const problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  const std::vector<train::TrialSummary> trials = {results::sample_trial(1, 1e-3),
                                                   results::sample_trial(2, std::nan(""))};
  const std::string text = summary_text(problem, trials, "");
  EXPECT_THAT(text, testing::ContainsRegex("relative_l2 +– +1.00e-03"));
}

TEST(SummaryTextTest, KeepsToEightyColumnsWhateverTheNames) {
  problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  problem.title = std::string(10000, 'x');
  problem.terms[1].name = std::string(300, 'n');
  std::vector<train::TrialSummary> trials = {results::sample_trial(1, 1e-3), results::sample_trial(2, 3e-3)};
  trials[0].outcome.message =
      "some words that fill more than one line of a terminal, as the sentences about values that are not "
      "finite do";
  trials[0].scalars = trials[1].scalars = {{std::string(100, 'p'), 0.123456789, 0.125}};
  std::istringstream lines(summary_text(problem, trials, "runs/one"));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns_of(line), 80u) << line;
}

TEST(SummaryTextTest, ColoursOnlyWhenAsked) {
  const problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  train::TrialSummary trial = results::sample_trial(1, 1e-3);
  trial.outcome = {train::Termination::TargetReached, "the loss reached 1"};
  EXPECT_THAT(summary_text(problem, std::span(&trial, 1), "", Colour::Ansi), HasSubstr("\x1b[32mtarget reached"));
}

}  // namespace
}  // namespace pecann::verdict
