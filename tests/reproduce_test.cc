// The campaign as its users meet it: two processes at once, a kill, adopted runs, the page.
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "support/program_fixture.h"

namespace pecann {
namespace {

using ::testing::HasSubstr;

constexpr const char* kTable = R"toml(
title = "tiny"
measure = "u.relative_l2"
problem = "heat.toml"
trials = 3
[[row]]
name = "capu"
published = { mean = 0.1, std = 0.01 }
[[row]]
name = "mpu"
set = ["penalty.strategy=mpu"]
)toml";
constexpr const char* kRecipe = R"toml(
[recipe.paper]
penalty = { strategy = "capu", eta = 0.01 }
phase = [{ optimizer = "adam", epochs = 4000 }, { optimizer = "lbfgs", mode = "compatible", epochs = 5 }]
)toml";

class Reproduce : public ProgramTest {
 protected:
  Reproduce() {
    fill(folder_ / "heat.toml", train::testing::kHeat + kRecipe);
    fill(folder_ / "tiny.toml", kTable);
  }
  /// The words behind `pecann reproduce`.
  pid_t start(Words words, const std::string& tag = "") {
    words.insert(words.begin(), "reproduce");
    return ProgramTest::start(words, tag);
  }
  Ended run(const Words& words) { return wait_for(start(words)); }
  /// What the training of a unit came to, without times and machine.
  std::string result(const std::string& results, const std::string& row, int trial) {
    const auto json = nlohmann::json::parse(
        content(folder_ / (results + "/tiny/" + row + "/paper/trial-" + std::to_string(trial) + ".json")));
    nlohmann::json unit = json.at("trials").at(0);
    unit.erase("seconds");
    unit.erase("timings");
    return unit.dump();
  }
  /// Units that the process said it had begun, from its log.
  std::set<std::string> begun(const std::string& tag) {
    std::set<std::string> units;
    for (const std::string& line : lines_of(folder_ / ("err" + tag)))
      if (const std::size_t at = line.find(": begins"); at != std::string::npos) units.insert(line.substr(0, at));
    return units;
  }
};

TEST_F(Reproduce, TwoProcessesShareTheUnitsAndAThirdFindsThemDone) {
  const Words words = {"tiny.toml", "--threads", "1"};
  const pid_t first = start(words, "1"), second = start(words, "2");
  const Ended a = wait_for(first, "1"), b = wait_for(second, "2");
  ASSERT_EQ(a.code, 0) << a.errors;
  ASSERT_EQ(b.code, 0) << b.errors;
  std::set<std::string> all = begun("1");
  const std::set<std::string> other = begun("2");
  EXPECT_FALSE(all.empty() && other.empty());
  for (const std::string& unit : other) EXPECT_TRUE(all.insert(unit).second) << unit << " was begun twice";
  // A process that finds the last units taken leaves; between them they did every unit.
  EXPECT_EQ(all.size(), 6u);
  for (const char* row : {"capu", "mpu"})
    for (int trial = 1; trial <= 3; ++trial) EXPECT_NE(result("results", row, trial), "");
  EXPECT_NE(result("results", "capu", 1), result("results", "capu", 2));
  EXPECT_FALSE(fs::exists(folder_ / "results/tiny/capu/paper/trial-1.lock"));
  const Ended again = run(words);
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.errors, HasSubstr("0 units trained, 6 kept"));
  EXPECT_THAT(again.output, HasSubstr("3 of 3 trials"));
}

TEST_F(Reproduce, ABudgetThatNoChosenRowHasIsRefusedWithTheTablesThatDo) {
  for (const char* budget : {"best", "short"}) {
    const Ended refused = run({"tiny.toml", "--budget", budget});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.errors, HasSubstr(std::string("--budget = ") + budget +
                                          ": no chosen row has this budget; tables with rows that do: "));
    EXPECT_THAT(refused.errors, HasSubstr("helmholtz-source-l4"));
    EXPECT_FALSE(fs::exists(folder_ / "results"));
  }
}

TEST_F(Reproduce, AKilledUnitGoesOnBitForBit) {
  const Words words = {"tiny.toml", "--threads", "1", "--trials", "1", "--checkpoint-seconds", "0.02"};
  const pid_t child = start(words, "k");
  const std::string history = folder_ / "runs/reproduce/tiny/capu/paper/trial-1/history.csv";
  for (int i = 0; i < 3000 && lines_of(history).size() < 50; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(child, SIGKILL);
  ASSERT_EQ(wait_for(child, "k").code, 1000 + SIGKILL);
  ASSERT_FALSE(fs::exists(folder_ / "results/tiny/capu/paper/trial-1.json"));
  const Ended on = run(words);
  ASSERT_EQ(on.code, 0) << on.errors;
  EXPECT_THAT(on.errors, HasSubstr("tiny/capu paper trial 1: going on"));
  ASSERT_EQ(run({"tiny.toml", "--threads", "1", "--trials", "1", "--out", "o", "--results", "whole"}).code, 0);
  EXPECT_EQ(result("results", "capu", 1), result("whole", "capu", 1));
  EXPECT_EQ(result("results", "mpu", 1), result("whole", "mpu", 1));
}

TEST_F(Reproduce, AFinishedRunOfTheSameTrainingIsAdopted) {
  ASSERT_EQ(ProgramTest::run(
                {"run", "heat.toml", "--recipe", "paper", "--trials", "2", "--threads", "1", "--quiet", "--out", "r"})
                .code,
            0);
  const Ended adopted = run({"tiny.toml", "--adopt", "r"});
  EXPECT_EQ(adopted.code, 0) << adopted.errors;
  EXPECT_THAT(adopted.output, HasSubstr("2 trials adopted"));
  ASSERT_EQ(run({"tiny.toml", "--threads", "1", "--trials", "1", "--results", "own"}).code, 0);
  EXPECT_EQ(result("results", "capu", 1), result("own", "capu", 1));
  ASSERT_EQ(run({"tiny.toml", "--write-page", "pages/index.html"}).code, 0);
  EXPECT_THAT(content(folder_ / "pages/index.html"), HasSubstr("<a href=\"index-tiny.html\">"));
  EXPECT_TRUE(fs::exists(folder_ / "pages/index-tiny.html"));
  EXPECT_THAT(run({"tiny.toml", "--budget", "quick", "--adopt", "r"}).errors,
              HasSubstr("no chosen row trains like this"));
}

TEST_F(Reproduce, SmokeRunsAreMarkedOnThePage) {
  ASSERT_EQ(run({"tiny.toml", "--budget", "quick", "--trials", "1", "--quiet"}).code, 0);
  ASSERT_EQ(run({"tiny.toml", "--write-docs", "page.md", "--write-page", "page.html"}).code, 0);
  EXPECT_THAT(content(folder_ / "page.md"), HasSubstr("1 of 3, seed 1; **smoke run: its errors say nothing**"));
  EXPECT_THAT(content(folder_ / "page.md"), HasSubstr("not run at the paper's budget"));
  EXPECT_THAT(content(folder_ / "page.html"), HasSubstr("<table>"));
}

TEST_F(Reproduce, RowsAreListedWithTheirTime) {
  const Ended listed = run({"tiny.toml", "--list", "--keep-estimates"});
  EXPECT_EQ(listed.code, 0) << listed.errors;
  EXPECT_THAT(listed.output, HasSubstr("tiny/capu"));
  EXPECT_THAT(listed.output, HasSubstr("(1.00 ± 0.10)e-1"));
  EXPECT_THAT(content(folder_ / "results/estimates.json"), HasSubstr("tiny/mpu"));
}

TEST_F(Reproduce, WrongWordsEndWithTwo) {
  const Ended table = run({"burger"});
  EXPECT_EQ(table.code, 2);
  EXPECT_THAT(table.errors, HasSubstr("did you mean 'burgers'?"));
  EXPECT_EQ(run({"tiny.toml", "--budget", "big"}).code, 2);
  EXPECT_EQ(run({"tiny.toml", "--adopt", "nothing-here"}).code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "results"));
}

}  // namespace
}  // namespace pecann
