// What becomes of runs whose numbers are not finite: they reach no target, and what they leave can be read.
#include <nlohmann/json.hpp>

#include "pecann/results/history_table.h"
#include "support/cli_fixture.h"

namespace pecann {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class NotFiniteRun : public Cli {
 protected:
  Json summary(const std::string& run) { return Json::parse(content(folder_ / (run + "/summary.json"))); }
};

TEST_F(NotFiniteRun, AnErrorThatIsNoNumberReachesNoTarget) {
  // The exact solution is 0/0 on the middle node of the evaluation grid.
  const Ended end = run({"run", "tiny.toml", "--out", "r", "--set", "exact.u=sin(x - 0.5)/(x - 0.5)", "--set",
                         "term.pde.equation=u_xx = 0", "--set", "stop.error=0.9"});
  EXPECT_EQ(end.code, 1) << end.errors;
  EXPECT_THAT(end.output, AllOf(HasSubstr("0 % of the trials reached the target"), HasSubstr("epochs done")));
  EXPECT_EQ(summary("r")["over_trials"]["success_rate"], 0);
  EXPECT_TRUE(summary("r")["trials"][0]["errors"]["u"]["relative_l2"].is_null());
}

TEST_F(NotFiniteRun, ATrialThatFailsAtOnceLeavesARunThatEveryCommandReads) {
  for (const std::string reason : {"term.pde.equation=u_xx + log(u - 1000) = 0", "phase.1.learning_rate=1e308"}) {
    fs::remove_all(folder_ / "r");
    const Ended end = run({"run", "tiny.toml", "--out", "r", "--set", reason});
    EXPECT_EQ(end.code, 1) << reason << end.errors;
    EXPECT_EQ(end.errors.find("incomplete"), std::string::npos) << end.errors;
    EXPECT_THAT(end.output, AllOf(HasSubstr("not finite: epoch 1"), HasSubstr("Nothing was trained"),
                                  HasSubstr("do not use it"), Not(HasSubstr("pecann predict"))));
    EXPECT_TRUE(exists("r/report.html"));
    const Json trial = summary("r")["trials"][0];
    EXPECT_TRUE(trial["loss"].is_null());
    EXPECT_TRUE(trial["constraints"]["ends"]["value"].is_null());

    EXPECT_EQ(run({"report", "r", "-o", "page.html"}).code, 0);
    EXPECT_THAT(run({"report", "r", "--text"}).output, HasSubstr("Nothing was trained"));
    for (const Words& words : {Words{"predict", "r", "-o", "u.csv"}, Words{"export", "r", "--header", "u.hpp"}}) {
      const Ended refused = run(words);
      EXPECT_EQ(refused.code, 2) << words[0];
      EXPECT_THAT(refused.errors, HasSubstr("nothing was trained in trial 1: epoch 1: ")) << words[0];
    }
    EXPECT_FALSE(exists("u.csv") || exists("u.hpp"));
  }
  EXPECT_EQ(run({"resume", "r", "--quiet", "--set", "phase.1.learning_rate=1e-3"}).code, 0);
  EXPECT_EQ(run({"predict", "r", "-o", "u.csv"}).code, 0) << "after a better rate";
}

TEST_F(NotFiniteRun, OneFailedTrialSpoilsNoOther) {
  // The network that the first seed draws is above 0.4 at an end of the line, those of the others are not.
  const Ended end = run({"run", "tiny.toml", "--out", "r", "--seed", "1", "--trials", "3", "--set",
                         "term.pde.equation=u_xx + 0.01*sqrt(0.4 - u) = 0"});
  EXPECT_EQ(end.code, 1) << end.errors;
  EXPECT_THAT(end.output, AllOf(HasSubstr("1 of 3 trials: not finite"), HasSubstr("2 of 3 trials: epochs done"),
                                HasSubstr("Trial 1 failed: means and spreads are those of the other 2.")));
  const Json over = summary("r")["over_trials"];
  EXPECT_EQ(over["trials"], 2);
  EXPECT_EQ(over["failed"].size(), 1u);
  EXPECT_TRUE(over["errors"]["u"]["relative_l2"]["mean"].is_number());
  EXPECT_TRUE(exists("r/report.html"));
  EXPECT_EQ(run({"predict", "r", "-o", "u.csv"}).code, 0) << "the best of the others";
  EXPECT_EQ(run({"export", "r", "--header", "u.hpp"}).code, 0);
}

TEST_F(NotFiniteRun, TargetsThatNothingIsMeasuredByAreRefused) {
  const Ended error = run({"run", "tiny.toml", "--out", "r", "--set", "exact={}", "--set", "term.pde.equation=u_xx = 1",
                           "--set", "stop.error=1e-3"});
  EXPECT_EQ(error.code, 2);
  EXPECT_THAT(error.errors, AllOf(HasSubstr("stop.error"), HasSubstr("neither [exact] nor reference")));
  const Ended violation =
      run({"run", "tiny.toml", "--out", "r", "--set", "term.ends.role=objective", "--set", "stop.violation=1e-3"});
  EXPECT_EQ(violation.code, 2);
  EXPECT_THAT(violation.errors, AllOf(HasSubstr("stop.violation"), HasSubstr("no constraint")));
  EXPECT_FALSE(exists("r"));
}

TEST_F(NotFiniteRun, OtherMeasuresByResumeLeaveTheHistoryWhole) {
  for (const auto& [begun, resumed] :
       {std::pair{R"(["relative_l2", "linf", "l1"])", R"(["l1"])"}, {R"(["l1"])", R"(["relative_l2", "l1"])"}}) {
    fs::remove_all(folder_ / "r");
    const std::string measures = "evaluate.measures=";
    EXPECT_EQ(run({"run", "tiny.toml", "--out", "r", "--quiet", "--set", measures + begun}).code, 0);
    const std::string file = folder_ / "r/trial-1/history.csv", before = content(file);
    const Ended end = run({"resume", "r", "--set", measures + resumed, "--set", "phase.2.epochs=12"});
    EXPECT_EQ(end.code, 0) << end.errors;
    EXPECT_EQ(content(file).substr(0, before.size()), before);
    const results::HistoryTable table = results::read_history(file);  // refuses rows of another length
    ASSERT_GT(table.rows(), 26u) << resumed;
    const auto* const l1 = table.find("error.u.l1");
    ASSERT_NE(l1, nullptr);
    const double last = summary("r")["trials"][0]["errors"]["u"]["l1"];
    EXPECT_NEAR(l1->back(), last, 1e-6 * last) << "under its own name";
    for (const std::string other : {"error.u.relative_l2", "error.u.linf"})
      if (const auto* const column = table.find(other)) EXPECT_TRUE(std::isnan(column->back())) << other;
    EXPECT_EQ(run({"report", "r", "-o", "page.html"}).code, 0);
  }
}

}  // namespace
}  // namespace pecann
