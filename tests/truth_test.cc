// What new users found wrong or misleading, at the command line; by the number of the finding.
#include <nlohmann/json.hpp>

#include "support/cli_fixture.h"

namespace pecann {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

/// Two windows, of which a second is too short for the first.
const std::string kWindows = R"toml(
title = "decay in windows"
coordinates = { t = [0, 1] }
[[network]]
fields = ["u"]
hidden = [6]
[[term]]
name = "ode"
role = "objective"
region = "interior"
equation = "u_t = -u"
points = { grid = [12] }
[[term]]
name = "start"
role = "constraint"
region = "initial"
equation = "u = 1"
points = { grid = [12] }
[windows]
count = 2
[[phase]]
optimizer = "adam"
epochs = 100000000
[stop]
seconds = 0.3
)toml";

class TruthFindings : public Cli {
 protected:
  Json summary(const std::string& folder) { return Json::parse(content(folder_ / (folder + "/summary.json"))); }
};

/// Through an easier value of a constant, at which the time ends.
const std::string kOnTheWay = R"toml(
title = "decay on the way"
coordinates = { t = [0, 1] }
[constants]
rate = 3
[exact]
u = "exp(-rate*t)"
[[network]]
fields = ["u"]
hidden = [6]
[[term]]
name = "ode"
role = "objective"
region = "interior"
equation = "u_t = -rate*u"
points = { grid = [12] }
[[term]]
name = "start"
role = "constraint"
region = "initial"
equation = "u = 1"
points = { grid = [12] }
[evaluate]
grid = [12]
[[phase]]
optimizer = "adam"
epochs = 100000000
constants = { rate = 2.999 }
[[phase]]
optimizer = "lbfgs"
epochs = 20
[stop]
loss = 1e300
seconds = 0.3
)toml";

TEST_F(TruthFindings, ARunThatEndedOnTheWaySaysThatItAnswersAnotherProblem) {
  fill(folder_ / "w.toml", kOnTheWay);
  const Ended ended = run({"run", "w.toml", "--out", "r", "--threads", "1", "--strict"});
  EXPECT_EQ(ended.code, 3) << ended.errors;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("another problem is solved: rate = 2.999, not 3"),
                                  HasSubstr("The answer is of rate = 2.999, not 3: do not use it.")));
  const Json before = summary("r");
  EXPECT_EQ(before["verdict"], "bad");
  EXPECT_EQ(before["trials"][0]["termination"], "time up") << "a loss of another problem is no target";
  EXPECT_EQ(before["trials"][0]["other_constants"], Json({{"rate", 2.999}}));
  // Without a summary, after a kill, the history tells.
  fs::remove((folder_ / "r/summary.json"));
  const Ended killed = run({"report", "r"});
  EXPECT_EQ(killed.code, 0) << killed.errors;
  EXPECT_THAT(killed.output + content(folder_ / "r/report.html"), HasSubstr("The answer is of rate = 2.999, not 3"));
  const Ended again = run({"resume", "r", "--threads", "1", "--set", "phase.1.epochs=1", "--set", "stop.seconds=60"});
  EXPECT_THAT(again.output, Not(HasSubstr("another problem"))) << again.errors;
  EXPECT_FALSE(summary("r")["trials"][0].contains("other_constants"));
}

TEST_F(TruthFindings, F2_F10_AnUnfinishedRunSaysSoAndResumeGoesOn) {
  fill(folder_ / "w.toml", kWindows);
  const Ended ended = run({"run", "w.toml", "--out", "r", "--threads", "1", "--strict"});
  EXPECT_EQ(ended.code, 3) << ended.errors;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("The answer is incomplete"), HasSubstr("0 of 2 windows are trained")));
  Json before = summary("r");
  EXPECT_EQ(before["windows"], Json({{"done", 0}, {"of", 2}}));
  EXPECT_EQ(before["verdict"], "bad");
  EXPECT_THAT(before["reasons"][0].get<std::string>(), HasSubstr("Incomplete"));
  // A grid has NaN at untrained times and says so; points there are refused, and so is a header.
  const Ended grid = run({"predict", "r", "--grid", "5", "-o", "u.csv"});
  EXPECT_EQ(grid.code, 0) << grid.errors;
  EXPECT_THAT(grid.errors, AllOf(HasSubstr("2 of 5 points lie beyond t = 0.5"), HasSubstr("pecann resume r")));
  EXPECT_THAT(content(folder_ / "u.csv"), HasSubstr("1,nan"));
  fill(folder_ / "p.csv", "t\n0.25\n");
  EXPECT_EQ(run({"predict", "r", "--points", "p.csv", "-o", "u.csv"}).code, 0);
  fill(folder_ / "p.csv", "t\n0.75\n");
  EXPECT_EQ(run({"predict", "r", "--points", "p.csv", "-o", "u.csv"}).code, 2);
  EXPECT_EQ(run({"export", "r", "--header", "u.hpp"}).code, 2);
  // The printed command goes on, with as many seconds again.
  const Ended again = run({"resume", "r", "--threads", "1"});
  EXPECT_EQ(again.code, 0) << again.errors;
  const Json after = summary("r");
  EXPECT_GT(after["trials"][0]["epochs"], before["trials"][0]["epochs"]);
  EXPECT_GE(after["trials"][0]["seconds"], 0.6);
}

TEST_F(TruthFindings, F3_AComparisonIsNoEquation) {
  for (const std::string equation : {"u == 0", "u > 0", "u != 0"}) {
    const Ended ended = run({"check", "tiny.toml", "--set", "term.ends.equation=" + equation});
    EXPECT_EQ(ended.code, 2) << equation;
    EXPECT_THAT(ended.errors, AllOf(HasSubstr("term.ends.equation"), HasSubstr("compares, and gives 0 or 1")))
        << equation;
  }
  std::string text = kProblem;
  text.replace(text.find("u = 0\""), 6, "u == 0\"");
  fill(folder_ / "equals.toml", text);
  EXPECT_THAT(run({"run", "equals.toml", "--out", "r"}).errors,
              AllOf(HasSubstr("equals.toml:19"), HasSubstr("a single =")));
}

TEST_F(TruthFindings, F5_DerivativesOfDataAreRefused) {
  const Ended ended = run({"check", "tiny.toml", "--set", "term.pde.data={exact=[\"u\"]}", "--set",
                           "term.pde.points={sobol=24}", "--set", "term.pde.equation=d(data.u*u_x, x) = 0"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.errors, HasSubstr("known at the points only"));
}

TEST_F(TruthFindings, F6_AnErrorThatIsNoNumberReachesNothing) {
  const Ended ended =
      run({"run", "tiny.toml", "--out", "r", "--threads", "1", "--set", "exact.u=sin(pi*x) + 1e-9*x*log(x)", "--set",
           "stop.error=0.5", "--set", "term.pde.equation=u_xx = -pi^2*sin(pi*x)"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.output, Not(HasSubstr("target reached")));
  EXPECT_THAT(ended.errors, Not(HasSubstr("err 0.0e+00")));
  EXPECT_EQ(summary("r")["verdict"], "bad");
}

TEST_F(TruthFindings, F11_F12_StrictEndsWith3AndTheSummaryHasTheVerdict) {
  const Ended bad = run({"run", "tiny.toml", "--out", "bad", "--threads", "1", "--strict", "--set",
                         "phase=[{optimizer=\"adam\", epochs=1}]"});
  EXPECT_EQ(bad.code, 3);
  const Json json = summary("bad");
  EXPECT_THAT(bad.output, HasSubstr("The answer is " + json["verdict"].get<std::string>()));
  EXPECT_EQ(json["windows"], Json({{"done", 1}, {"of", 1}}));
  EXPECT_EQ(json["best_trial"], 1);
  for (const char* const key : {"rms", "fresh_rms", "relative", "largest_at"})
    EXPECT_TRUE(json["residuals"]["pde"].contains(key)) << key;
  EXPECT_TRUE(json["residuals"]["ends"]["fresh_rms"].is_null()) << "two points, of which there are no others";
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "lax", "--threads", "1", "--set", "phase.1.epochs=1", "--set",
                 "phase.2.epochs=1"})
                .code,
            0);
  EXPECT_EQ(run({"resume", "lax", "--threads", "1", "--strict", "--set", "phase.2.epochs=300"}).code, 0);
  EXPECT_EQ(summary("lax")["verdict"], "good");
  // The text report is made by the same function from the same points.
  EXPECT_THAT(run({"report", "--text", "bad"}).output, HasSubstr(json["reasons"][0].get<std::string>().substr(0, 30)));
}

}  // namespace
}  // namespace pecann
