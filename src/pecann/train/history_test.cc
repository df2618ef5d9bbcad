#include "pecann/train/history.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "pecann/train/test_support.h"

namespace pecann::train {
namespace {

using testing::content;
using testing::heat;
using testing::lines_of;

EpochRecord record(long epoch) {
  EpochRecord r;
  r.epoch = epoch;
  r.seconds = 0.25 * static_cast<double>(epoch);
  r.loss = 0.1 * static_cast<double>(epoch);
  r.objective = 1e-300;
  r.constraints = {{0.5, 1, 2}, {0.25, 3, 4}};
  r.learning_rate = 1e-3;
  r.evaluations = 7;
  return r;
}

TEST(History, HeaderAndRowsAreThoseOfTheContract) {
  const testing::TemporaryFolder folder;
  const problem::Problem problem = heat();
  {
    HistoryWriter history(folder / "history.csv", problem, 0);
    EpochRecord measured = record(2);
    measured.errors = {{"u", 0.125, 0.5, 9, 9}};
    history.on_epoch(record(1));
    history.on_epoch(measured);
  }
  const auto lines = lines_of(folder / "history.csv");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0],
            "epoch,seconds,loss,objective,constraint.sides,constraint.start,multiplier.sides,multiplier.start,"
            "penalty.sides,penalty.start,learning_rate,evaluations,error.u.relative_l2,error.u.linf,phase,damping");
  EXPECT_EQ(lines[1], "1,0.250,0.1,1e-300,0.5,0.25,1,3,2,4,0.001,7,,,1,");
  EXPECT_EQ(lines[2], "2,0.500,0.2,1e-300,0.5,0.25,1,3,2,4,0.001,7,1.250000e-01,5.000000e-01,1,");
}

TEST(History, RowsReachTheFileWithoutACheckpoint) {
  const testing::TemporaryFolder folder;
  HistoryWriter history(folder / "history.csv", heat(), 0);
  history.on_epoch(record(1));
  EXPECT_LT(lines_of(folder / "history.csv").size(), 2u) << "buffered";
  std::this_thread::sleep_for(std::chrono::milliseconds(1050));
  history.on_epoch(record(2));
  EXPECT_EQ(lines_of(folder / "history.csv").size(), 3u);
}

TEST(History, NumbersComeBackBitForBit) {
  const testing::TemporaryFolder folder;
  HistoryWriter history(folder / "history.csv", heat(), 0);
  EpochRecord r = record(1);
  r.loss = 1.0 / 3.0;
  r.objective = 5e-324;
  history.on_epoch(r);
  history.flush();
  const std::string row = lines_of(folder / "history.csv").at(1);
  std::size_t comma = row.find(',', row.find(',') + 1) + 1;
  EXPECT_EQ(std::strtod(row.c_str() + comma, nullptr), 1.0 / 3.0);
  comma = row.find(',', comma) + 1;
  EXPECT_EQ(std::strtod(row.c_str() + comma, nullptr), 5e-324);
}

TEST(History, WindowsHaveAColumn) {
  const testing::TemporaryFolder folder;
  HistoryWriter history(folder / "history.csv", heat({"windows.count=2"}), 0);
  EpochRecord r = record(1);
  r.window = 1;
  history.on_epoch(r);
  history.flush();
  const auto lines = lines_of(folder / "history.csv");
  EXPECT_EQ(lines.at(0).substr(0, 14), "window,epoch,s");
  EXPECT_EQ(lines.at(1).substr(0, 4), "2,1,");
}

TEST(History, SaysWhereTheTrainingStoodAndWhatItsNumbersWere) {
  const testing::TemporaryFolder folder;
  const problem::Problem problem =
      heat({"windows.count=2", "windows.grow=3", "windows.check={pde=1}"}, "[parameters]\nkappa = { initial = 2 }\n");
  {
    HistoryWriter history(folder / "history.csv", problem, 0);
    EpochRecord r = record(1);
    r.attempt = 1, r.part = 2, r.phase = 3;
    r.learning_rate.reset();
    r.damping = 0.125;
    r.scalars = {1.0 / 3.0};
    history.on_epoch(r);
  }
  const auto lines = lines_of(folder / "history.csv");
  EXPECT_TRUE(
      lines.at(0).ends_with(",learning_rate,evaluations,error.u.relative_l2,error.u.linf,phase,damping,part,try,"
                            "scalar.kappa"))
      << lines[0];
  EXPECT_TRUE(lines.at(1).ends_with(",4,,7,,,4,0.125,3,2,0.3333333333333333")) << lines[1];
}

TEST(History, AResumedFileKeepsTheColumnsThatItWasBegunWith) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "history.csv";
  // The file is of a version without phase and damping, with a measure that is not asked for any more.
  const std::string old = "epoch,seconds,loss,constraint.start,learning_rate,error.u.l1\n1,0.250,0.1,0.25,0.001,\n";
  testing::fill(path, old);
  {
    HistoryWriter history(path, heat(), old.size());
    EpochRecord r = record(2);
    r.learning_rate.reset();
    r.damping = 3;
    history.on_epoch(r);
  }
  EXPECT_EQ(content(path), old + "2,0.500,0.2,0.25,,\n");
}

/// Three rows; the position after the second of them.
std::uint64_t three_rows(const std::string& path, const problem::Problem& problem) {
  HistoryWriter history(path, problem, 0);
  history.on_epoch(record(1));
  history.on_epoch(record(2));
  const std::uint64_t position = history.flush();
  history.on_epoch(record(3));
  return position;
}

/// The last row of a history that was begun with some measures and resumed with others.
std::string resumed_row(const std::string& begun, const std::string& resumed) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "history.csv";
  EpochRecord measured = record(1);
  measured.errors = {{"u", 0.1, 0.2, 0.3, 0.4}};
  std::uint64_t position = 0;
  {
    HistoryWriter history(path, heat({"evaluate.measures=" + begun}), 0);
    history.on_epoch(measured);
    position = history.flush();
  }
  const std::string before = content(path);
  {
    HistoryWriter history(path, heat({"evaluate.measures=" + resumed}), position);
    history.on_epoch(measured);
  }
  EXPECT_EQ(content(path).substr(0, before.size()), before);
  const auto lines = lines_of(path);
  EXPECT_EQ(lines.size(), 3u);
  EXPECT_EQ(std::ranges::count(lines.back(), ','), std::ranges::count(lines.front(), ','));
  const std::string start = ",7,", end = ",1,";  // evaluations, phase
  const std::size_t at = lines.back().find(start) + start.size();
  return lines.back().substr(at, lines.back().rfind(end) - at);
}

TEST(History, ErrorsOfAResumedFileStandUnderTheirOwnNames) {
  EXPECT_EQ(resumed_row("[\"relative_l2\", \"linf\", \"l1\"]", "[\"l1\"]"), ",,3.000000e-01") << "fewer";
  EXPECT_EQ(resumed_row("[\"l1\"]", "[\"relative_l2\", \"linf\", \"l1\"]"), "3.000000e-01") << "more";
  EXPECT_EQ(resumed_row("[\"l1\", \"linf\"]", "[\"linf\", \"l1\"]"), "3.000000e-01,2.000000e-01") << "another order";
  EXPECT_EQ(resumed_row("[\"l1\", \"linf\"]", "[\"relative_l2\"]"), ",") << "none of them";
}

TEST(History, AFieldWhoseSolutionBecameKnownLaterLeavesTheColumnsAsTheyWere) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "history.csv";
  problem::Problem unknown = heat();
  unknown.exact.clear();
  const std::uint64_t position = three_rows(path, unknown);
  const std::string before = content(path).substr(0, position);
  {
    HistoryWriter history(path, heat(), position);
    EpochRecord measured = record(3);
    measured.errors = {{"u", 0.1, 0.2, 0.3, 0.4}};
    history.on_epoch(measured);
  }
  EXPECT_EQ(content(path), before + "3,0.750,0.30000000000000004,1e-300,0.5,0.25,1,3,2,4,0.001,7,1,\n");
}

TEST(History, AFileWithoutNamesBeginsAnew) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "history.csv";
  const std::string odd = "\"constraint.a\n";  // the name goes on in a line that is lost
  testing::fill(path, odd);
  { HistoryWriter(path, heat(), odd.size()).on_epoch(record(1)); }
  EXPECT_EQ(lines_of(path).at(0).substr(0, 6), "epoch,");
  EXPECT_EQ(lines_of(path).size(), 2u);
}

TEST(History, OddNamesAreQuoted) {
  const testing::TemporaryFolder folder;
  problem::Problem problem = heat();
  problem.terms[1].name = "a,\"b\"";
  HistoryWriter(folder / "history.csv", problem, 0);
  EXPECT_NE(content(folder / "history.csv").find(",\"constraint.a,\"\"b\"\"\",constraint.start,"), std::string::npos);
}

TEST(History, ThinsOutByTens) {
  EXPECT_TRUE(history_keeps(record(1)));
  EXPECT_TRUE(history_keeps(record(9999)));
  EXPECT_TRUE(history_keeps(record(10000)));
  EXPECT_FALSE(history_keeps(record(10001)));
  EXPECT_TRUE(history_keeps(record(10010)));
  EXPECT_TRUE(history_keeps(record(99990)));
  EXPECT_TRUE(history_keeps(record(100000)));
  EXPECT_FALSE(history_keeps(record(100010)));
  EXPECT_TRUE(history_keeps(record(100100)));
  EXPECT_TRUE(history_keeps(record(1000000)));
  EXPECT_FALSE(history_keeps(record(1000100)));
  EXPECT_TRUE(history_keeps(record(1001000)));
  EpochRecord last = record(10001), measured = record(10001);
  last.phase_ends = true;
  measured.errors = {{"u", 1, 1, 1, 1}};
  EXPECT_TRUE(history_keeps(last));
  EXPECT_TRUE(history_keeps(measured));
  int rows = 0;
  for (long epoch = 1; epoch <= 1000000; ++epoch) rows += history_keeps(record(epoch)) ? 1 : 0;
  EXPECT_EQ(rows, 10000 + 9000 + 9000);
}

TEST(History, ResumeCutsRowsThatTheCheckpointDoesNotKnow) {
  const testing::TemporaryFolder folder;
  const problem::Problem problem = heat();
  const std::string path = folder / "history.csv";
  const std::uint64_t position = three_rows(path, problem);
  const std::string whole = content(path);
  {
    HistoryWriter history(path, problem, position);
    EXPECT_EQ(content(path), whole.substr(0, position));
    history.on_epoch(record(3));
    EXPECT_EQ(history.flush(), whole.size());
  }
  EXPECT_EQ(content(path), whole);
}

TEST(History, AHistoryThatLostRowsGoesOnBehindItsLastWholeLine) {
  const testing::TemporaryFolder folder;
  const problem::Problem problem = heat();
  const std::string path = folder / "history.csv";
  const std::uint64_t position = three_rows(path, problem);
  const std::string whole = content(path);
  std::filesystem::resize_file(path, position - 5);  // into the second row
  {
    HistoryWriter history(path, problem, position);
    history.on_epoch(record(3));
  }
  const auto lines = lines_of(path);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].substr(0, 2), "1,");
  EXPECT_EQ(lines[2].substr(0, 2), "3,");
  std::filesystem::remove(path);
  {
    HistoryWriter history(path, problem, position);
    history.on_epoch(record(3));
  }
  EXPECT_EQ(lines_of(path).size(), 2u) << "header and the new row";
  EXPECT_EQ(lines_of(path).at(0).substr(0, 6), "epoch,");
}

TEST(History, ADiskThatRefusesIsAnError) {
  EXPECT_THROW(HistoryWriter("/dev/null/history.csv", heat(), 0), std::runtime_error);  // not a folder
  const testing::TemporaryFolder folder;
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit full{1000, before.rlim_max};
  {
    HistoryWriter history(folder / "history.csv", heat(), 0);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);  // what a full disk does
    EXPECT_THROW(
        {
          for (int i = 1; i < 1000; ++i) history.on_epoch(record(i));
          history.flush();
        },
        std::runtime_error);
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored);
}

TEST(History, ACopyOfHardLinksKeepsItsRows) {
  const testing::TemporaryFolder folder;
  { HistoryWriter(folder / "history.csv", heat(), 0).on_epoch(record(1)); }
  std::filesystem::create_hard_link(folder / "history.csv", folder / "copy.csv");
  const std::string before = content(folder / "copy.csv");
  { HistoryWriter(folder / "history.csv", heat(), before.size()).on_epoch(record(2)); }
  EXPECT_EQ(content(folder / "copy.csv"), before);
  const auto lines = lines_of(folder / "history.csv");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(content(folder / "history.csv").substr(0, before.size()), before);
}

}  // namespace
}  // namespace pecann::train
