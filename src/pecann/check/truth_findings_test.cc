// What `check` has to say of problems that lack something; the findings of new users by number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/check/lint.h"
#include "pecann/check/lint_overview.h"
#include "pecann/problem/problem_file.h"
#include "pecann/train/missing_conditions.h"

namespace pecann::check {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Words = std::vector<std::string>;

/// A rod with nothing wrong; terms by their equation and region.
std::string rod(const std::string& equation, const std::vector<std::pair<std::string, std::string>>& conditions,
                const std::string& more = "") {
  std::string text = more + R"(
coordinates = { x = [0, 1], t = [0, 1] }
[[network]]
fields = ["u"]
hidden = [5]
[[term]]
name = "pde"
role = "objective"
region = "interior"
points = { sobol = 20 }
equation = ")" + equation +
                     "\"\n";
  int number = 0;
  for (const auto& [region, condition] : conditions)
    text += "[[term]]\nname = \"c" + std::to_string(++number) + "\"\nrole = \"constraint\"\nregion = \"" + region +
            "\"\npoints = { sobol = 8 }\nequation = " + condition + "\n";
  return text + "[[phase]]\noptimizer = \"adam\"\nepochs = 3\n";
}

std::string said_of(const std::string& text, const Words& overrides = {}) {
  const problem::Problem problem = problem::read_problem(text, "test.toml", overrides);
  const train::Solution nothing(problem, 1);
  train::Assembly assembly(problem, 1, {0, problem.windows.count}, nothing);
  std::string said;
  for (const Finding& finding : lint(problem, text, overrides, assembly))
    said += (finding.level == Finding::Level::Warning ? "warning: " : "note: ") + finding.text + "\n";
  return said;
}

const std::pair<std::string, std::string> kLeft{"x = 0", "\"u = 0\""}, kRight{"x = 1", "\"u = 0\""},
    kStart{"initial", "\"u = x*(1 - x)\""};

TEST(TruthFindings, F4_AFaceWithoutAConditionIsNamed) {
  EXPECT_EQ(said_of(rod("u_t = u_xx", {kLeft, kRight, kStart})), "");
  EXPECT_THAT(said_of(rod("u_t = u_xx", {kLeft, kStart})),
              AllOf(HasSubstr("warning: Term 'pde' has the second derivative of u in x"),
                    HasSubstr("no condition of u on \"x = 1\""), HasSubstr("free = [\"x = 1\"]")));
  EXPECT_THAT(said_of(rod("u_t = u_xx", {kLeft, kRight})), HasSubstr("no condition of u on \"initial\""));
  EXPECT_EQ(said_of(rod("u_t = u_xx", {kLeft, kStart}, "free = [\"x = 1\"]")), "");
  EXPECT_EQ(said_of(rod("u_t = u_xx", {kLeft, {"x = 1", "\"u_x = 0\""}, kStart})), "") << "of any kind";
  EXPECT_EQ(said_of(rod("u_t = u_xx", {{"x = 0", "[\"u = at(u, x = 1)\", \"u_x = at(u_x, x = 1)\"]"}, kStart})), "")
      << "periodic";
}

TEST(TruthFindings, F4_AWaveNeedsAVelocity) {
  EXPECT_THAT(said_of(rod("u_tt = u_xx", {kLeft, kRight, kStart})),
              AllOf(HasSubstr("only 1 of 2 conditions at the first time"), HasSubstr("\"u_t = 0\"")));
  EXPECT_EQ(said_of(rod("u_tt = u_xx", {kLeft, kRight, {"initial", "[\"u = x*(1 - x)\", \"u_t = 0\"]"}})), "");
}

TEST(TruthFindings, F4_TransportNeedsOneSideAndNeverBoth) {
  EXPECT_EQ(said_of(rod("u_t + u_x = 0", {{"x = 0", "\"u = 0\""}, {"initial", "\"u = 0\""}})), "");
  EXPECT_THAT(said_of(rod("u_t + u_x = 0", {{"initial", "\"u = 0\""}})), HasSubstr("\"x = 0\" and \"x = 1\""));
}

TEST(TruthFindings, F4_AFaceWhereTheEquationDegeneratesNeedsNone) {
  EXPECT_EQ(said_of(rod("u_t = x*u_xx + u_x", {kRight, kStart})), "") << "x = 0 has no condition of its own";
  EXPECT_THAT(said_of(rod("u_t = (x + 1)*u_xx", {kRight, kStart})), HasSubstr("\"x = 0\""));
}

TEST(TruthFindings, F4_AProblemWithoutAnObjectiveOrAnEquationIsFound) {
  const std::string text = rod("u_t = u_xx", {kLeft, kRight, kStart});
  EXPECT_THAT(said_of(text, {"term.pde.role=constraint"}), HasSubstr("warning: No term is an objective"));
  EXPECT_THAT(said_of(text, {"term.pde.region=x = 0"}), HasSubstr("No equation and no data say what u is inside"));
}

TEST(TruthFindings, F4_PartsOfABoundaryWithShapesAreNamed) {
  const std::string text = R"(
coordinates = { x = [-1, 1], y = [-1, 1] }
domain = "box - hole"
[shapes]
hole = { disc = { centre = [0, 0], radius = 0.3 } }
[[network]]
fields = ["u"]
hidden = [5]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "laplacian(u) = 1"
points = { sobol = 30 }
[[term]]
name = "walls"
role = "constraint"
region = "box"
equation = "u = 0"
points = { sobol = 20 }
[[phase]]
optimizer = "adam"
epochs = 3
)";
  EXPECT_THAT(said_of(text), HasSubstr("no condition of u on \"hole\""));
  EXPECT_THAT(said_of(text, {"term.walls.region=boundary"}), Not(HasSubstr("no condition")));
  EXPECT_THAT(said_of("free = [\"hole\"]\n" + text), Not(HasSubstr("no condition")));
}

TEST(TruthFindings, F5_ACoefficientThatJumpsUnderADerivativeIsFound) {
  const auto with = [](const std::string& kappa) {
    return rod("u_t = d((" + kappa + ")*u_x, x)", {kLeft, kRight, kStart});
  };
  EXPECT_THAT(said_of(with("if(x < 0.5, 1, 3)")), HasSubstr("A coefficient of term 'pde' jumps"));
  EXPECT_THAT(said_of(with("2 + sign(x - 0.5)")), HasSubstr("jumps"));
  EXPECT_EQ(said_of(with("2 + tanh(x - 0.5)")), "") << "smooth";
  EXPECT_EQ(said_of(rod("u_t = u_xx + if(x < 0.5, 1, 3)", {kLeft, kRight, kStart})), "") << "a source may jump";
}

TEST(TruthFindings, F6_AnExactSolutionThatIsNoNumberOnANodeIsFound) {
  const std::string text = rod("u_t = u_xx", {kLeft, kRight, kStart}) + "[exact]\nu = \"x*(1 - x) + 1e-9*x*log(x)\"\n";
  EXPECT_THAT(said_of(text), AllOf(HasSubstr("The exact solution u is"), HasSubstr("at x = 0, t = 0")));
}

TEST(TruthFindings, F13_TheTimeIsGivenWithItsSpread) {
  const problem::Problem problem = problem::read_problem(rod("u_t = u_xx", {kLeft, kRight, kStart}), "test.toml");
  const train::Solution nothing(problem, 1);
  train::Assembly assembly(problem, 1, {0, 1}, nothing);
  const Overview overview = look_over(problem, assembly);
  EXPECT_LE(overview.least_seconds, overview.seconds);
  EXPECT_GT(overview.most_seconds, 2 * overview.seconds);
  EXPECT_GT(overview.terms[0].size, 0);
  problem::Problem bounded = problem;
  bounded.stop.seconds = 1e-6;
  EXPECT_LE(look_over(bounded, assembly).least_seconds, 1e-6);
}

}  // namespace
}  // namespace pecann::check
