// pecann race as its users meet it: the table, the folder, names that do not exist, stops.
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/problem/problem_file.h"
#include "pecann/results/run.h"
#include "pecann/train/test_support.h"

namespace pecann {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using train::testing::content;
using train::testing::fill;
using train::testing::lines_of;

const std::string kBody = R"toml(
title = "tiny Poisson problem"
coordinates = { x = [0, 1] }
[[network]]
fields = ["u"]
hidden = [8]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_xx = -pi^2*sin(pi*x)"
points = { sobol = 24 }
[[term]]
name = "ends"
role = "constraint"
region = "boundary"
equation = "u = 0"
points = { grid = [3] }
[evaluate]
grid = [33]
)toml";

const std::string kRecipes = R"toml(
[exact]
u = "sin(pi*x)"
[[phase]]
optimizer = "adam"
epochs = 20
[recipe.quick]
phase = [{ optimizer = "lbfgs", epochs = 8 }]
)toml";

class Race : public ::testing::Test {
 protected:
  Race() {
    fill(folder_ / "tiny.toml", kBody + kRecipes);
    fill(folder_ / "plain.toml", kBody);
  }

  /// A shell line in the test's folder; PROGRAM is the program.
  int shell(const std::string& line) {
    const std::string all = "cd " + folder_.path() + "; PROGRAM=" + PECANN_PROGRAM + "; { " + line + "; } >out 2>err";
    const int status = std::system(all.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string out() { return content(folder_ / "out"); }
  std::string err() { return content(folder_ / "err"); }
  std::vector<std::vector<std::string>> table(const std::string& race) {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : lines_of(folder_ / (race + "/race.csv"))) {
      std::istringstream cells(line);
      rows.emplace_back();
      for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
  }

  train::testing::TemporaryFolder folder_;
};

TEST_F(Race, TableHoldsWhatTheRunsGive) {
  ASSERT_EQ(shell("$PROGRAM race tiny.toml --recipes own,quick --trials 2 --seconds 100 --levels 0.9,1e-9 --out r"), 0)
      << err();
  const std::string printed = out();
  ASSERT_EQ(shell("$PROGRAM run tiny.toml --recipe quick --trials 2 --out alone --quiet"), 0) << err();
  const results::Run alone = results::open_run(folder_ / "alone"), own = results::open_run(folder_ / "r/own");
  const auto rows = table("r");
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"recipe", "trial", "error", "seconds", "epochs", "seconds_to_9e-01",
                                               "seconds_to_1e-09"}));
  std::vector<double> errors;
  for (int t = 0; t < 2; ++t) {
    EXPECT_EQ(rows[1 + t][0], "own");
    EXPECT_EQ(rows[1 + t][4], "20");
    EXPECT_EQ(std::stod(rows[1 + t][2]), own.summary->trials[t].errors[0].relative_l2);
    EXPECT_EQ(rows[3 + t][0], "quick");
    EXPECT_EQ(rows[3 + t][1], std::to_string(t + 1));
    EXPECT_EQ(rows[3 + t][4], "8");
    EXPECT_EQ(std::stod(rows[3 + t][2]), alone.summary->trials[t].errors[0].relative_l2) << "the bits of the run alone";
    EXPECT_GE(std::stod(rows[3 + t][5]), 0) << "reached, in less than the millisecond that the history counts";
    EXPECT_LE(std::stod(rows[3 + t][5]), std::stod(rows[3 + t][3]));
    EXPECT_EQ(rows[3 + t].size(), 6u) << "1e-9 was never reached";
    errors.push_back(alone.summary->trials[t].errors[0].relative_l2);
  }
  // The better recipe stands first, with its median (the lower of two) and best.
  const std::vector<std::string> text = lines_of(folder_ / "r/race.txt");
  ASSERT_EQ(text.size(), 5u);
  char expected[80];
  std::snprintf(expected, sizeof expected, "quick       2  %.2e  %.2e", std::min(errors[0], errors[1]),
                std::min(errors[0], errors[1]));
  EXPECT_THAT(text[3], ::testing::StartsWith(expected));
  EXPECT_THAT(text[4], ::testing::StartsWith("own         2  "));
  EXPECT_THAT(printed, HasSubstr(content(folder_ / "r/race.txt")));
  EXPECT_THAT(content(folder_ / "r/race.html"), HasSubstr("</html>"));
}

TEST_F(Race, FinishedTrialsAreKept) {
  const std::string command = "$PROGRAM race tiny.toml --recipes own,quick --seconds 100 --out r";
  ASSERT_EQ(shell(command), 0) << err();
  const auto before = fs::last_write_time(folder_ / "r/own/trial-1/history.csv");
  const std::string errors = table("r")[2][2];
  fs::remove(folder_ / "r/quick/summary.json");
  ASSERT_EQ(shell(command), 0) << err();
  EXPECT_THAT(err(), HasSubstr("1 of them finished before"));
  EXPECT_EQ(fs::last_write_time(folder_ / "r/own/trial-1/history.csv"), before);
  EXPECT_EQ(table("r")[2][2], errors);
  EXPECT_EQ(shell("$PROGRAM race tiny.toml --recipes own --seconds 99 --out r"), 2);
  EXPECT_THAT(err(), HasSubstr("other settings"));
  EXPECT_EQ(shell("$PROGRAM run tiny.toml --quiet --out a; $PROGRAM race tiny.toml --recipes own --out a"), 2);
  EXPECT_THAT(err(), HasSubstr("never overwritten"));
}

TEST_F(Race, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_EQ(shell("$PROGRAM race tiny.toml --recipes quik"), 2);
  EXPECT_THAT(err(), HasSubstr("did you mean 'quick'?"));
  EXPECT_EQ(shell("$PROGRAM race tiny.toml --recipes adm"), 2);
  EXPECT_THAT(err(), HasSubstr("did you mean 'adam'?"));
  EXPECT_EQ(shell("$PROGRAM race tiny.toml --recipes lm --strategies cap"), 2);
  EXPECT_THAT(err(), HasSubstr("did you mean 'capu'?"));
  EXPECT_FALSE(fs::exists(folder_ / "runs"));
}

TEST_F(Race, AnyProblemRacesAgainstTheBaselinesOnHeldOutPoints) {
  ASSERT_EQ(shell("$PROGRAM race plain.toml --seconds 0.2 --out r"), 0) << err();
  const auto rows = table("r");
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0][2], "held_out_residual");
  std::map<std::string, double> value;
  for (std::size_t i = 1; i < rows.size(); ++i) value[rows[i][0]] = std::stod(rows[i][2]);
  ASSERT_EQ(value.size(), 4u);
  for (const char* name : {"auto", "adam", "fixed", "sa"}) EXPECT_GT(value.at(name), 0) << name;
  EXPECT_LT(value["auto"], 0.1 * value["fixed"]);
  EXPECT_THAT(content(folder_ / "r/sa/problem.toml"), HasSubstr("strategy = \"sa\""));
  ASSERT_EQ(shell("$PROGRAM race plain.toml --recipes lbfgs --strategies capu,mpu --seconds 0.1 --out s"), 0) << err();
  EXPECT_EQ(table("s")[1][0], "lbfgs+capu");
  EXPECT_EQ(table("s")[2][0], "lbfgs+mpu");
}

TEST_F(Race, AStopReportsWhatIsFinished) {
  EXPECT_EQ(shell("$PROGRAM race tiny.toml --recipes quick,adam --seconds 300 --out r & pid=$!; "
                  "while [ ! -e r/adam/trial-1/history.csv ]; do sleep 0.02; done; kill -TERM $pid; wait $pid"),
            1)
      << err();
  EXPECT_THAT(err(), HasSubstr("goes on, and keeps the finished trials"));
  const auto rows = table("r");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1][0], "quick");
  EXPECT_THAT(out(), HasSubstr("quick       1"));
  EXPECT_THAT(out(), HasSubstr("adam        0"));
}

TEST_F(Race, ABrokenSummaryIsMadeAnew) {
  const std::string command = "$PROGRAM race tiny.toml --recipes own,quick --seconds 100 --out r";
  ASSERT_EQ(shell(command), 0) << err();
  const auto before = table("r");
  const std::string summary = content(folder_ / "r/own/summary.json");
  fill(folder_ / "r/own/summary.json", summary.substr(0, summary.size() / 2));
  ASSERT_EQ(shell(command), 0) << err();
  EXPECT_EQ(table("r")[1][2], before[1][2]);
  EXPECT_EQ(table("r")[1][4], before[1][4]) << "its epochs";
  EXPECT_EQ(shell("$PROGRAM report r/own --text"), 0) << err();
}

TEST_F(Race, NothingIsWrittenThroughLinksOfItsFolder) {
  const std::string command = "$PROGRAM race tiny.toml --recipes own,quick --seconds 100 --out r";
  ASSERT_EQ(shell(command), 0) << err();
  fill(folder_ / "outside", "of the user");
  for (const char* const file : {"race.csv", "race.txt", "race.html"}) {
    fs::rename(fs::path(folder_ / "r") / file, folder_ / "kept");
    fs::create_symlink(folder_ / "outside", fs::path(folder_ / "r") / file);
    EXPECT_EQ(shell(command), 2) << file;
    EXPECT_THAT(err(), HasSubstr(std::string(file) + ": is a symbolic link"));
    fs::remove(fs::path(folder_ / "r") / file);
    fs::rename(folder_ / "kept", fs::path(folder_ / "r") / file);
  }
  fs::rename(folder_ / "r/own", folder_ / "elsewhere");
  fs::create_symlink(folder_ / "elsewhere", folder_ / "r/own");
  EXPECT_EQ(shell(command), 2);
  EXPECT_THAT(err(), HasSubstr("r/own: is a symbolic link"));
  EXPECT_EQ(content(folder_ / "outside"), "of the user");
}

}  // namespace
}  // namespace pecann
