// What was wrong or misleading in verdicts, found by new users; by the number of the finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pecann/problem/problem_file.h"
#include "pecann/results/sample_runs.h"
#include "pecann/verdict/remedy.h"
#include "pecann/verdict/run_report.h"
#include "pecann/verdict/text_report.h"

namespace pecann::verdict {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Poisson without an exact solution in the file; the right side is of size 40.
std::string unknown_poisson(int epochs) {
  std::string text = results::kPoissonText;
  text.replace(text.find("[exact]\nu = \"sin(2*pi*x)\"\n"), 26, "");
  text.replace(text.find("d(exact.u, x, x)"), 16, "-4*pi^2*sin(2*pi*x)");
  text.replace(text.find("epochs = 30"), 11, "epochs = " + std::to_string(epochs));
  return text;
}

Verdict verdict_on(const std::string& text) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", text);
  return gather_report(folder / "run").verdict;
}

std::string findings_text(const Verdict& verdict) {
  std::string text;
  for (const Finding& finding : verdict.findings) text += finding.text + "\n";
  return text;
}

TEST(TruthFindings, F1_WithoutAnExactSolutionResidualsBesideTheirPartsDecide) {
  const Verdict stuck = verdict_on(unknown_poisson(1));
  EXPECT_EQ(stuck.grade, Grade::Bad);
  EXPECT_THAT(findings_text(stuck), AllOf(HasSubstr("Term pde does not hold"), HasSubstr("the largest at x = ")));
  EXPECT_THAT(stuck.advice, Contains(HasSubstr("`pecann ")));
  const Verdict trained = verdict_on(unknown_poisson(400));
  EXPECT_EQ(trained.grade, Grade::Usable) << findings_text(trained);
  EXPECT_THAT(trained.headline, HasSubstr("its error is not known"));
}

TEST(TruthFindings, F1_ATrustedEstimateDecidesWhereThereIsOne) {
  const problem::Problem problem = problem::read_problem(unknown_poisson(1), "poisson.toml");
  train::TrialSummary trial = results::sample_trial(1, 1e-3);
  trial.errors.clear();
  results::RunEstimate estimate{.fields = {{"u", 1e-4, 5e-5, 2e-4, true, true, "two draws agree"}}};
  const auto grade = [&] { return verdict_of(problem, {.trials = {&trial, 1}, .estimate = &estimate}).grade; };
  EXPECT_EQ(grade(), Grade::Good);
  estimate.fields[0].high = 0.09;
  EXPECT_EQ(grade(), Grade::Usable);
  estimate.fields[0].high = 0.2;
  EXPECT_EQ(grade(), Grade::Doubtful);
  estimate.fields[0].high = 2;
  EXPECT_EQ(grade(), Grade::Bad);
  estimate.fields[0] = {"u", 1e-4, 5e-5, 2e-4, false, false, "draws differ"};
  EXPECT_EQ(grade(), Grade::Doubtful) << "not trusted, and no residuals";
}

TEST(TruthFindings, F2_AnUnfinishedRunIsIncompleteBeforeAnythingElse) {
  problem::Problem problem = problem::read_problem(results::kTransportText, "transport.toml");
  train::TrialSummary trial = results::sample_trial(1, 1e-5);
  trial.windows_done = 1;
  trial.outcome = {train::Termination::TimeUp, "5 seconds are over"};
  problem.stop.seconds = 5;
  const Verdict verdict = verdict_of(problem, {.trials = {&trial, 1}, .folder = "runs/transport"});
  EXPECT_EQ(verdict.grade, Grade::Bad);
  EXPECT_THAT(verdict.headline, HasSubstr("incomplete"));
  EXPECT_THAT(verdict.findings[0].text, HasSubstr("1 of 3 windows are trained. After t = 0.6667 there is no solution"));
  EXPECT_THAT(verdict.advice[0],
              AllOf(HasSubstr("`pecann resume runs/transport` goes on with window 2"), HasSubstr("another 5 s")));
}

TEST(TruthFindings, ATrialThatEndedOnTheWayIsTheAnswerOfAnotherProblem) {
  problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  problem.constants["nu"] = 0.01;
  problem.stop.seconds = 5;
  train::TrialSummary trials[] = {results::sample_trial(1, 1e-5), results::sample_trial(2, 1e-5)};
  trials[0].other_constants["nu"] = 1;
  const Verdict verdict = verdict_of(problem, {.trials = {trials, 1}, .folder = "runs/p"});
  EXPECT_EQ(verdict.grade, Grade::Bad);
  EXPECT_EQ(verdict.headline, "The answer is of nu = 1, not 0.01: do not use it.");
  EXPECT_THAT(verdict.findings[0].text, HasSubstr("that of another problem: the training ended at nu = 1, not 0.01"));
  EXPECT_THAT(verdict.advice[0], AllOf(HasSubstr("`pecann resume runs/p` goes on"), HasSubstr("another 5 s")));
  EXPECT_THAT(verdict_of(problem, {.trials = trials}).findings[0].text, HasSubstr("Trial 1: the answer is that of"));
  trials[0].other_constants.clear();
  EXPECT_EQ(verdict_of(problem, {.trials = {trials, 1}}).grade, Grade::Good);
}

TEST(TruthFindings, F4_TheVerdictMissesConditionsToo) {
  std::string text = unknown_poisson(200);
  text.replace(text.find("region = \"boundary\""), 19, "region = \"x = 0\"");
  const Verdict verdict = verdict_on(text);
  EXPECT_GE(verdict.grade, Grade::Doubtful);
  EXPECT_THAT(findings_text(verdict), HasSubstr("no condition of u on \"x = 1\""));
  EXPECT_THAT(findings_text(verdict_on("free = [\"x = 1\"]\n" + text)), Not(HasSubstr("no condition of u")));
}

TEST(TruthFindings, F7_TermsWithoutFreshPointsAreNotSaidToAgree) {
  const train::TrialSummary trial = results::sample_trial(1, 1e-3);
  const problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  const results::TermResidual residuals[] = {{"pde", problem::Role::Objective, 31, 1e-3, 4e-3, 2e-3},
                                             {"ends", problem::Role::Constraint, 2, 1e-3, 1e-3, std::nullopt}};
  const auto text = [&](std::span<const results::TermResidual> given) {
    return findings_text(verdict_of(problem, {.trials = {&trial, 1}, .residuals = given}));
  };
  EXPECT_THAT(text(residuals), HasSubstr("not tested, for there are no fresh points: ends"));
  EXPECT_THAT(text({residuals + 1, 1}), Not(HasSubstr("agree")));
}

results::HistoryTable history_of(const std::vector<double>& loss) {
  results::HistoryTable table{{"epoch", "loss"}, {{}, loss}};
  for (std::size_t i = 0; i < loss.size(); ++i) table.columns[0].push_back(static_cast<double>(i + 1));
  return table;
}

TEST(TruthFindings, F9_AdviceFitsWhatHappenedAndDoesNotContradictItself) {
  const problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  train::TrialSummary trial = results::sample_trial(1, 0.3);
  std::vector<double> falling, rising, flat(60, 1.0);
  for (int i = 0; i < 60; ++i) falling.push_back(std::pow(0.8, i)), rising.push_back(std::pow(1.1, i));
  const auto advice = [&](const problem::Problem& asked, const std::vector<double>& loss,
                          const results::TermResidual& residual) {
    const results::HistoryTable history = history_of(loss);
    std::string all;
    for (const std::string& text :
         verdict_of(asked, {.trials = {&trial, 1}, .residuals = {&residual, 1}, .histories = {&history, 1}}).advice)
      all += text + "\n";
    return all;
  };
  results::TermResidual residual{"pde", problem::Role::Objective, 31, 1e-3, 4e-3, 2e-3};
  residual.relative = 0.3;
  EXPECT_THAT(advice(problem, falling, residual), HasSubstr("--set phase.1.epochs=100`"));
  EXPECT_THAT(advice(problem, flat, residual), AllOf(Not(HasSubstr("epochs")), Not(HasSubstr("falling"))));
  problem::Problem adam = problem;
  adam.phases[0].optimizer = "adam";
  adam.phases[0].learning_rate = 1e6;
  EXPECT_THAT(advice(adam, rising, residual),
              AllOf(HasSubstr("phase.1.learning_rate=1e+05"), Not(HasSubstr("longer"))));
  residual.rms = 1e-5;  // the equation holds at the points only
  EXPECT_THAT(advice(problem, flat, residual), HasSubstr("More points"));
  residual.fresh_largest = 1;
  residual.place = {0.5};
  EXPECT_THAT(advice(problem, flat, residual), AllOf(HasSubstr("near="), HasSubstr("(x - 0.5)")));
  for (const std::vector<double>& loss : {falling, rising, flat})
    EXPECT_THAT(advice(problem, loss, residual),
                AllOf(Not(HasSubstr("redraw")), Not(HasSubstr("smaller network")), Not(HasSubstr("wider network"))));
  trial = results::sample_trial(1, 1e-6);
  EXPECT_EQ(advice(problem, falling, residual), "") << "nothing has to be changed";
}

/// The changes that commands between backticks make.
std::vector<std::string> changes_in(const std::string& text) {
  std::vector<std::string> changes;
  for (std::size_t at = 0; (at = text.find("--set ", at)) != std::string::npos;) {
    at += 6;
    const bool quoted = text[at] == '\'';
    const std::size_t end = text.find(quoted ? '\'' : '`', at + 1);
    changes.push_back(text.substr(at + (quoted ? 1 : 0), end - at - (quoted ? 1 : 0)));
  }
  return changes;
}

TEST(TruthFindings, F9_CommandsOfRemediesCanBeTyped) {
  for (const char* const file : {results::kPoissonText, results::kTransportText}) {
    problem::Problem problem = problem::read_problem(file, "p.toml");
    const train::TrialSummary trial = results::sample_trial(1, 0.3);
    results::TermResidual residual{"pde", problem::Role::Objective, 31, 1e-3, 4e-3, 2e-3};
    residual.place.assign(problem.box.names.size(), 0.5);
    int commands = 0;
    for (const double rms : {1e-3, 1e-6})
      for (const double largest : {1e-3, 1.0})
        for (const char* const strategy : {"capu", "balance"}) {
          residual.rms = rms;
          residual.fresh_largest = largest;
          problem.penalty.strategy = strategy;
          const std::string remedy = remedy_for(problem, {.trials = {&trial, 1}}, &residual);
          for (const std::string& change : changes_in(remedy)) {
            EXPECT_NO_THROW(problem::read_problem(file, "p.toml", std::span(&change, 1))) << remedy;
            ++commands;
          }
        }
    EXPECT_EQ(commands, 8);
  }
}

TEST(TruthFindings, F9_PointsThatNoRuleOfATermChoosesAreNotChanged) {
  std::string text = results::kPoissonText;
  text +=
      "[[term]]\nname = \"more\"\nrole = \"objective\"\nregion = \"interior\"\nequation = \"u = exact.u\"\n"
      "points = { same_as = \"pde\" }\n[[term]]\nname = \"mass\"\nrole = \"constraint\"\nregion = \"interior\"\n"
      "equation = \"integral(u) = 0\"\npoints = { gauss = [8] }\n";
  const problem::Problem problem = problem::read_problem(text, "p.toml");
  const train::TrialSummary trial = results::sample_trial(1, 0.3);
  const auto remedy = [&](const char* term) {
    results::TermResidual residual{term, problem::Role::Objective, 31, 1e-6, 4e-3, 2e-3};
    residual.place = {0.5};
    residual.fresh_largest = 1;
    return remedy_for(problem, {.trials = {&trial, 1}}, &residual);
  };
  EXPECT_THAT(remedy("more"), Not(HasSubstr("points")));
  EXPECT_THAT(remedy("mass"), HasSubstr("gauss=[8]"));
}

TEST(TruthFindings, F12_PageTerminalAndSummarySayTheSame) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", unknown_poisson(30), 2);
  const RunReport report = gather_report(folder / "run");
  const results::Conclusion conclusion = conclusion_of(report);
  EXPECT_EQ(conclusion.verdict, name_of(report.verdict.grade));
  EXPECT_EQ(conclusion.best_trial, report.best);
  ASSERT_EQ(conclusion.residuals.size(), 2u);
  EXPECT_EQ(conclusion.reasons.size(), report.verdict.findings.size());
  const std::string folders[] = {folder / "run"};
  EXPECT_THAT(text_report(folders), HasSubstr(report.verdict.headline));
  EXPECT_THAT(text_report(folders), HasSubstr("fresh rms"));
}

TEST(TruthFindings, ASearchIsToldHowASearchGoesOn) {
  problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  problem.stop.seconds = 5;  // of the attempt
  problem.constants["nu"] = 0.01;
  train::TrialSummary trial = results::sample_trial(1, 0.2);
  trial.outcome = {train::Termination::TimeUp, "5 seconds are over"};
  results::AccuracyAnswer search{.seconds = 60, .stopped_by = "time"};
  const auto advice = [&] {
    const Verdict verdict = verdict_of(problem, {.trials = {&trial, 1}, .search = &search, .folder = "runs/p"});
    return verdict.advice.empty() ? "" : verdict.advice[0];
  };
  const std::string longer = "`pecann resume runs/p --set stop.seconds=600` goes on with the search";
  EXPECT_THAT(advice(), HasSubstr(longer));
  search.stopped_by = "signal";
  EXPECT_THAT(advice(), HasSubstr("`pecann resume runs/p` goes on with the search"));
  search.stopped_by = "";
  EXPECT_THAT(advice(), Not(HasSubstr("resume"))) << "it would say the same again";
  trial.other_constants["nu"] = 1;
  EXPECT_EQ(advice(), "");
  search.stopped_by = "time";
  EXPECT_THAT(advice(), HasSubstr(longer));
}

}  // namespace
}  // namespace pecann::verdict
