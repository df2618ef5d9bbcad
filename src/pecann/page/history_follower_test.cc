#include "pecann/page/history_follower.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "pecann/base/input_error.h"
#include "pecann/results/sample_runs.h"

namespace pecann::page {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;

void append(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::app | std::ios::binary) << text;
}

/// Rows first … last of windows of 10,000 epochs, with one spike and a column that is mostly empty.
std::string rows(int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i)
    text += fmt::format("{},{},{},{}\n", 1 + (i - 1) / 10000, 1 + (i - 1) % 10000, i == 31415 ? 1e9 : 1.0 / i,
                        i % 7 == 0 ? "2" : "");
  return text;
}

TEST(HistoryFollowerTest, HasWhatTheFileHas) {
  const results::TemporaryFolder folder;
  const std::string file = folder / "history.csv";
  HistoryFollower follower(file, 100);
  EXPECT_EQ(follower.update().rows(), 0u) << "no file yet";
  append(file, "epoch,lo");
  EXPECT_EQ(follower.update().rows(), 0u);
  append(file, "ss\n1,2\n2,");
  EXPECT_THAT(*follower.update().find("loss"), ElementsAre(2));
  append(file, "3\n3,5\n");
  EXPECT_THAT(*follower.update().find("loss"), ElementsAre(2, 3, 5));
  EXPECT_THAT(*follower.update().find("epoch"), ElementsAre(1, 2, 3));
}

TEST(HistoryFollowerTest, LongHistoriesAreThinnedAndKeepSpikesWindowsAndEnds) {
  const results::TemporaryFolder folder;
  const std::string file = folder / "history.csv";
  append(file, "window,epoch,loss,error.u.l1\n");
  HistoryFollower follower(file, 1000), other(file, 1000);
  constexpr int kBlock = 1237, kRows = 80 * kBlock;
  for (int i = 0; i < 80; ++i) {
    append(file, rows(i * kBlock + 1, (i + 1) * kBlock));
    const results::HistoryTable& table = follower.update();
    EXPECT_LE(table.rows(), 1000u + kBlock);
    EXPECT_EQ(table.running_epochs().back(), (i + 1) * kBlock);
    EXPECT_EQ(table.running_epochs().front(), 1);
  }
  const results::HistoryTable& table = follower.update();
  EXPECT_GE(table.rows(), 125u);
  EXPECT_THAT(*table.find("loss"), Contains(1e9));
  EXPECT_THAT(*table.find("error.u.l1"), Contains(2));
  EXPECT_THAT(table.running_epochs(), IsSupersetOf({10000.0, 10001.0, 20000.0, 20001.0, 90000.0, 90001.0}));
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double epoch = table.running_epochs()[i];
    if (epoch != 31415) {
      EXPECT_EQ((*table.find("loss"))[i], 1 / epoch) << "values stay at their epochs";
    }
  }
  EXPECT_EQ(other.update().running_epochs().back(), kRows) << "all at once, in blocks";
  EXPECT_LE(other.update().rows(), 20000u);
  EXPECT_THAT(*other.update().find("loss"), Contains(1e9));
}

TEST(HistoryFollowerTest, KeepsTheRowsWherePhasesBegin) {
  const results::TemporaryFolder folder;
  const std::string file = folder / "history.csv";
  std::string text = "epoch,loss,phase\n";
  for (int i = 1; i <= 20000; ++i) text += fmt::format("{},1,{}\n", i, i <= 12345 ? 1 : 2);
  append(file, text);
  HistoryFollower follower(file, 800);
  EXPECT_THAT(*follower.update().find("epoch"), IsSupersetOf({12345.0, 12346.0}));
}

TEST(HistoryFollowerTest, TrialsKeepCommonEpochs) {
  const results::TemporaryFolder folder;
  std::vector<std::vector<double>> epochs;
  for (const double phase : {0.0, 1.0}) {
    const std::string file = folder / fmt::format("{}.csv", phase);
    std::string text = "epoch,loss\n";
    for (int i = 1; i <= 20000; ++i) text += fmt::format("{},{}\n", i, std::sin(i + phase));
    append(file, text);
    epochs.push_back(*HistoryFollower(file, 800).update().find("epoch"));
  }
  std::vector<double> common;
  std::set_intersection(epochs[0].begin(), epochs[0].end(), epochs[1].begin(), epochs[1].end(),
                        std::back_inserter(common));
  EXPECT_GE(common.size(), 100u);
}

TEST(HistoryFollowerTest, AShorterFileIsReadAnewAndABrokenOneIsSaid) {
  const results::TemporaryFolder folder;
  const std::string file = folder / "history.csv";
  append(file, "epoch,loss\n1,2\n2,3\n");
  HistoryFollower follower(file, 100);
  follower.update();
  std::filesystem::resize_file(file, 15);
  EXPECT_THAT(*follower.update().find("loss"), ElementsAre(2));
  append(file, "2,x\n");
  EXPECT_THROW(follower.update(), InputError);
  std::filesystem::resize_file(file, 15);
  append(file, "2,7\n");
  EXPECT_THAT(*follower.update().find("loss"), ElementsAre(2, 7));
}

}  // namespace
}  // namespace pecann::page
