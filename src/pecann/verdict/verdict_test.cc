#include "pecann/verdict/verdict.h"

#include <gmock/gmock.h>

#include "pecann/results/sample_runs.h"
#include "pecann/verdict/advice.h"

namespace pecann::verdict {
namespace {

using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

problem::Problem poisson() { return problem::read_problem(results::kPoissonText, "poisson.toml"); }

Verdict judged(const problem::Problem& problem, std::span<const train::TrialSummary> trials,
               std::span<const results::TermResidual> residuals = {},
               std::span<const results::HistoryTable> histories = {}) {
  return verdict_of(problem, {.trials = trials, .residuals = residuals, .histories = histories});
}

auto says(Level level, const std::string& text) {
  return Contains(testing::AllOf(Field(&Finding::level, level), Field(&Finding::text, HasSubstr(text))));
}

results::HistoryTable history_of(const std::vector<double>& loss, const std::vector<double>& ends) {
  results::HistoryTable table{{"epoch", "loss", "constraint.ends"}, {{}, loss, ends}};
  for (std::size_t i = 0; i < loss.size(); ++i) table.columns[0].push_back(static_cast<double>(i + 1));
  return table;
}

TEST(VerdictTest, AGoodRunIsGood) {
  const train::TrialSummary trial = results::sample_trial(1, 1e-3);
  const results::TermResidual residual{"pde", problem::Role::Objective, 31, 1e-3, 4e-3, 2e-3};
  const results::HistoryTable history = history_of(std::vector<double>(50, 1e-6), std::vector<double>(50, 1e-8));
  const Verdict verdict = judged(poisson(), {&trial, 1}, {&residual, 1}, {&history, 1});
  EXPECT_EQ(verdict.grade, Grade::Good);
  EXPECT_EQ(verdict.headline, "The answer is good.");
  EXPECT_THAT(verdict.findings, says(Level::Good, "1.00e-03"));
  EXPECT_THAT(verdict.findings, says(Level::Good, "at most 2 times larger"));
  EXPECT_THAT(verdict.advice, IsEmpty());
}

TEST(VerdictTest, FreshPointsThatDisagreeAreJudgedBySizeUnlessTheErrorIsKnown) {
  train::TrialSummary trial = results::sample_trial(1, 1e-3);
  results::TermResidual residual{"pde", problem::Role::Objective, 31, 1e-4, 4e-3, 2e-3};
  residual.place = {0.25};
  const Verdict small = judged(poisson(), {&trial, 1}, {&residual, 1});
  EXPECT_EQ(small.grade, Grade::Good);
  EXPECT_THAT(small.findings, says(Level::Note, "20 times that on the points of training, the largest at x = 0.25"));
  trial.errors.clear();
  for (const auto& [relative, grade] :
       {std::pair{0.009, Grade::Usable}, {0.05, Grade::Doubtful}, {0.9, Grade::Bad}, {1e-9, Grade::Usable}}) {
    residual.relative = relative;
    EXPECT_EQ(judged(poisson(), {&trial, 1}, {&residual, 1}).grade, grade) << relative;
  }
  residual.relative = 0.9;
  EXPECT_THAT(judged(poisson(), {&trial, 1}, {&residual, 1}).findings, says(Level::Bad, "fits the points, not the"));
}

TEST(VerdictTest, ErrorsAreJudgedBySize) {
  for (const auto& [error, grade] : {std::pair{0.009, Grade::Good},
                                     {0.05, Grade::Usable},
                                     {0.2, Grade::Doubtful},
                                     {0.9, Grade::Bad},
                                     {std::nan(""), Grade::Bad}}) {
    const train::TrialSummary trial = results::sample_trial(1, error);
    EXPECT_EQ(judged(poisson(), {&trial, 1}).grade, grade) << error;
  }
}

TEST(VerdictTest, WarnsOfTrialsThatDiffer) {
  const std::vector<train::TrialSummary> trials = {results::sample_trial(1, 1e-3), results::sample_trial(2, 2e-2)};
  EXPECT_THAT(judged(poisson(), trials).findings, says(Level::Warning, "20 times the best"));
  const std::vector<train::TrialSummary> tiny = {results::sample_trial(1, 1e-9), results::sample_trial(2, 1e-6)};
  EXPECT_EQ(judged(poisson(), tiny).grade, Grade::Good) << "both are good";
}

TEST(VerdictTest, ABrokenTrialIsTold) {
  std::vector<train::TrialSummary> trials = {results::sample_trial(1, 1e-3), results::sample_trial(2, 1e-3)};
  trials[1].outcome = {train::Termination::NotFinite, "epoch 7: term 'pde' is nan"};
  const Verdict verdict = judged(poisson(), trials);
  EXPECT_EQ(verdict.grade, Grade::Usable);
  EXPECT_THAT(verdict.findings, says(Level::Note, "Trial 2: epoch 7: term 'pde' is nan."));
  trials[0].outcome = trials[1].outcome;
  const Verdict all = judged(poisson(), trials);
  EXPECT_EQ(all.grade, Grade::Bad);
  EXPECT_EQ(all.findings[0].text, "Trial 1: epoch 7: term 'pde' is nan.");
}

TEST(VerdictTest, AFailedTrialDoesNotSpoilTheErrorsOfTheOthers) {
  std::vector<train::TrialSummary> trials = {results::sample_trial(1, std::nan("")), results::sample_trial(2, 1e-3),
                                             results::sample_trial(3, 1e-3)};
  trials[0].outcome = {train::Termination::NotFinite, "epoch 1: term 'pde' is nan"};
  const Verdict verdict = judged(poisson(), trials);
  EXPECT_THAT(verdict.findings, says(Level::Good, "Relative l² error of u: 1.00e-03"));
  EXPECT_THAT(verdict.findings, says(Level::Note, "Trial 1 failed: means and spreads are those of the other 2."));
  EXPECT_EQ(verdict.grade, Grade::Usable);
}

TEST(VerdictTest, ResidualsThatAreNoNumbersAreBad) {
  const train::TrialSummary trial = results::sample_trial(1, 1e-3);
  results::TermResidual residual{"pde", problem::Role::Objective, 31, 1e-3, 4e-3, std::nan("")};
  EXPECT_THAT(judged(poisson(), {&trial, 1}, {&residual, 1}).findings,
              says(Level::Bad, "The residual of term pde is not finite on fresh points."));
  residual.rms = std::nan("");
  EXPECT_THAT(judged(poisson(), {&trial, 1}, {&residual, 1}).findings,
              says(Level::Bad, "The residual of term pde is not finite on its points."));
}

TEST(VerdictTest, AnEquationThatFailsIsGuardedAStepThatFailsIsShortened) {
  train::TrialSummary trial = results::sample_trial(1, 1e-3);
  trial.outcome = {train::Termination::NotFinite, "epoch 1: broken", {train::Cause::Kind::EquationFails, "pde", {0}}};
  EXPECT_THAT(judged(poisson(), {&trial, 1}).advice, testing::Contains(advice::kGuard.text));
  trial.outcome.cause.kind = train::Cause::Kind::StepFails;
  EXPECT_THAT(judged(poisson(), {&trial, 1}).advice, testing::Contains(advice::kSmallerRate.text));
}

TEST(VerdictTest, SeesALossThatStillFallsAndAViolationThatGrewAgain) {
  const train::TrialSummary trial = results::sample_trial(1, 5e-2);
  std::vector<double> loss, ends;
  for (int i = 0; i < 100; ++i) {
    loss.push_back(std::pow(0.9, i));
    ends.push_back(i == 50 ? 1e-10 : 1e-6);  // violation √: 1e-5 in between, 1e-3 at the end
  }
  const results::HistoryTable history = history_of(loss, ends);
  const Verdict verdict = judged(poisson(), {&trial, 1}, {}, {&history, 1});
  EXPECT_THAT(verdict.findings, says(Level::Note, "still falling"));
  EXPECT_THAT(verdict.findings, says(Level::Note, "was 100 times smaller"));
  const results::HistoryTable flat = history_of(std::vector<double>(100, 1.0), std::vector<double>(100, 1.0));
  const train::TrialSummary good = results::sample_trial(1, 1e-3);
  EXPECT_THAT(judged(poisson(), {&good, 1}, {}, {&flat, 1}).findings, Each(Field(&Finding::level, Level::Good)));
}

TEST(VerdictTest, SaysSoWhenNoTruthIsKnown) {
  train::TrialSummary trial = results::sample_trial(1, 1e-3);
  trial.errors.clear();
  const Verdict verdict = judged(poisson(), {&trial, 1});
  EXPECT_EQ(verdict.grade, Grade::Doubtful) << "nothing speaks for it";
  EXPECT_THAT(verdict.findings, says(Level::Note, "The error is not known"));
  EXPECT_THAT(verdict.findings, Not(says(Level::Note, "handed over")));
  const problem::Problem chain = problem::read_problem(results::kTransportText, "transport.toml");
  trial.windows_done = 3;
  EXPECT_THAT(judged(chain, {&trial, 1}).findings, says(Level::Note, "residuals in 3 windows do not bound the error"));
}

TEST(VerdictTest, SaysWhenTrainingWentTooFar) {
  train::TrialSummary trial = results::sample_trial(1, 1e-3);
  trial.held_out = {.epoch = 7, .last_over_best = 1.9, .best_reported = false, .residual = 0.1};
  EXPECT_THAT(judged(poisson(), {&trial, 1}).findings, Each(Field(&Finding::level, Level::Good)));
  trial.held_out->last_over_best = 30;
  EXPECT_THAT(judged(poisson(), {&trial, 1}).findings,
              says(Level::Note, "30 times worse than that of epoch 7, and it is reported all the same"));
  trial.held_out->best_reported = true;
  EXPECT_THAT(judged(poisson(), {&trial, 1}).findings,
              says(Level::Note, "30 times worse than that of epoch 7, which is reported"));
}

/// The pieces of a text between backticks.
std::vector<std::string> quoted_in(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t open = text.find('`'); open != std::string::npos;) {
    const std::size_t close = text.find('`', open + 1);
    pieces.push_back(text.substr(open + 1, close - open - 1));
    open = text.find('`', close + 1);
  }
  return pieces;
}

TEST(VerdictTest, AdviceNamesKeysThatExist) {
  for (const Advice& advice : advice::kAll) {
    const std::string example = advice.example;
    std::string keys = example;  // and those inside of its value
    for (std::string piece : quoted_in(advice.text)) {
      if (piece.starts_with("pecann ") || piece == "--set") continue;
      piece = piece.substr(0, piece.find(' '));
      EXPECT_THAT(keys, HasSubstr(piece)) << advice.text;
    }
    std::string outside = advice.text;
    for (const std::string& piece : quoted_in(advice.text)) outside.erase(outside.find(piece), piece.size());
    EXPECT_THAT(outside, Not(testing::AnyOf(HasSubstr("_"), HasSubstr("=")))) << "keys stand between backticks";
    if (example.empty()) continue;
    EXPECT_NO_THROW(problem::read_problem(results::kPoissonText, "poisson.toml", std::span(&example, 1))) << example;
  }
}

TEST(VerdictTest, ErrorsWithoutARelativeMeasureAreToldNotJudged) {
  problem::Problem problem = poisson();
  problem.evaluate.measures = {"l1", "integral"};
  train::TrialSummary trial = results::sample_trial(1, std::nan(""));
  trial.errors[0].l1 = 0.25;
  trial.errors[0].integral = 0.125;
  const Verdict verdict = judged(problem, {&trial, 1});
  EXPECT_EQ(verdict.grade, Grade::Doubtful) << "there are no residuals either";
  EXPECT_THAT(verdict.findings, says(Level::Note, "Error of u: l1 2.50e-01, integral 1.25e-01."));
}

TEST(VerdictTest, NamesAPenaltyAtItsBound) {
  const train::TrialSummary trial = results::sample_trial(1, 1e-3);
  problem::Problem problem = poisson();
  problem.penalty.strategy = "mpu";
  problem.penalty.penalty_max = 20;
  EXPECT_THAT(judged(problem, {&trial, 1}).findings, says(Level::Note, "penalty_max"));
  problem.penalty.penalty_max = 21;
  EXPECT_THAT(judged(problem, {&trial, 1}).findings, Not(says(Level::Note, "penalty_max")));
}

}  // namespace
}  // namespace pecann::verdict
