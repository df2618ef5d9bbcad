#include "pecann/verdict/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/results/sample_runs.h"

namespace pecann::verdict {
namespace {

TEST(RunReportTest, ARunWithoutASummaryHasTheErrorsOfItsHistory) {
  problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  problem.evaluate.measures = {"linf", "projected"};
  const results::HistoryTable history = results::parse_history(
      "epoch,seconds,loss,error.u.linf,error.u.projected\n1,0.1,2,0.5,0.25\n2,0.2,1,,\n", "history.csv");
  const train::TrialSummary summary = summary_from_history(problem, 1, history);
  EXPECT_EQ(summary.last.loss, 1);
  ASSERT_EQ(summary.errors.size(), 1u);
  EXPECT_EQ(train::measure_of(summary.errors[0], "linf"), 0.5);
  EXPECT_EQ(train::measure_of(summary.errors[0], "projected"), 0.25);
}

TEST(RunReportTest, AMeasureThatCameLaterHidesNoOther) {
  problem::Problem problem = problem::read_problem(results::kPoissonText, "poisson.toml");
  problem.evaluate.measures = {"l1", "linf"};
  const results::HistoryTable history =
      results::parse_history("epoch,seconds,loss,error.u.linf\n1,0.1,2,0.5\n", "history.csv");
  const train::TrialSummary summary = summary_from_history(problem, 1, history);
  ASSERT_EQ(summary.errors.size(), 1u);
  EXPECT_TRUE(std::isnan(summary.errors[0].l1));
  EXPECT_EQ(summary.errors[0].linf, 0.5);
  EXPECT_TRUE(std::isnan(summary_from_history(problem, 1, {}).last.loss)) << "no row has been written";
}

}  // namespace
}  // namespace pecann::verdict
