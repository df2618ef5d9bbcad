#include "pecann/page/page_history.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "pecann/results/sample_runs.h"

namespace pecann::page {
namespace {

using Json = nlohmann::json;

TEST(PageHistoryTest, MarksWherePhasesBegin) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run",
                    std::string(results::kPoissonText) + "[[phase]]\noptimizer = \"adam\"\nepochs = 3\n");
  const Json marks = page_history(verdict::gather_report(folder / "run"), 100)["marks"];
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[1]["x"], 31);
  EXPECT_EQ(marks[1]["label"], "adam");
}

TEST(PageHistoryTest, APhaseThatEndedEarlyIsMarkedWhereItDid) {
  verdict::RunReport report;
  report.run.problem.phases = {{.optimizer = "adam", .epochs = 100}, {.optimizer = "lbfgs", .epochs = 5}};
  report.run.trials = {1};
  report.histories = {results::parse_history("epoch,loss,phase\n1,4,1\n2,3,1\n9,2,1\n10,1,2\n11,1,2\n", "h.csv")};
  const Json history = page_history(report, 100);
  ASSERT_EQ(history["marks"].size(), 2u);
  EXPECT_EQ(history["marks"][1]["x"], 10);
  EXPECT_EQ(history["marks"][1]["label"], "lbfgs");
  ASSERT_EQ(history["columns"].size(), 1u) << "the phase is no quantity to plot";
}

TEST(PageHistoryTest, AHistoryOfAnEarlierVersionHasNoMarks) {
  verdict::RunReport report;
  report.run.problem.phases = {{.optimizer = "adam", .epochs = 2}, {.optimizer = "lbfgs", .epochs = 2}};
  report.run.trials = {1};
  report.histories = {results::parse_history("epoch,learning_rate\n1,0.001\n2,0.001\n3,1\n4,1\n", "h.csv")};
  const Json history = page_history(report, 100);
  EXPECT_EQ(history["marks"].size(), 0u);
  EXPECT_EQ(history["columns"][0]["trials"][0]["x"], Json({1, 2, 3, 4}));
}

TEST(PageHistoryTest, DampingIsNoLearningRate) {
  verdict::RunReport report;
  report.run.problem.phases = {{.optimizer = "lbfgs", .epochs = 2}, {.optimizer = "lm", .epochs = 2}};
  report.run.trials = {1};
  report.histories = {
      results::parse_history("epoch,learning_rate,phase,damping\n1,1,1,\n2,1,1,\n3,,2,0.25\n4,,2,0.5\n", "h.csv")};
  const Json columns = page_history(report, 100)["columns"];
  ASSERT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns[0]["name"], "learning_rate");
  EXPECT_EQ(columns[0]["trials"][0]["x"], Json({1, 2}));
  EXPECT_EQ(columns[1]["name"], "damping");
  EXPECT_EQ(columns[1]["trials"][0]["x"], Json({3, 4}));
  EXPECT_EQ(columns[1]["trials"][0]["y"], Json({0.25, 0.5}));
  report.histories = {results::parse_history("epoch,learning_rate,phase,damping\n1,,1,0.25\n2,,1,0.5\n", "h.csv")};
  EXPECT_EQ(page_history(report, 100)["columns"].size(), 1u) << "lm alone has no learning rate";
}

TEST(PageHistoryTest, WindowsAreAveragedOverTheirEpochs) {
  verdict::RunReport report;
  report.run.problem.phases = {{.optimizer = "adam", .epochs = 2}};
  report.run.trials = {1};
  report.histories = {results::parse_history("window,epoch,loss\n1,1,4\n1,2,2\n2,1,8\n2,2,6\n3,1,9\n", "h.csv")};
  const Json band = page_history(report, 100)["columns"][0]["windows"];
  EXPECT_EQ(band["x"], Json({1, 2}));
  EXPECT_EQ(band["mean"], Json({6, 4})) << "the third window is still training";
  EXPECT_EQ(band["high"][0], 8.8284) << "6 + √8";
}

}  // namespace
}  // namespace pecann::page
