#include "pecann/check/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "pecann/base/parallel.h"
#include "pecann/check/lint_conditions.h"
#include "pecann/check/lint_exact.h"
#include "pecann/check/lint_gradient.h"
#include "pecann/check/lint_names.h"
#include "pecann/check/lint_overview.h"
#include "pecann/problem/catalogue.h"
#include "pecann/problem/problem_file.h"

namespace pecann::check {

void PrintTo(const Finding& finding, std::ostream* stream) {
  *stream << (finding.level == Finding::Level::Warning ? "warning: " : "note: ") << finding.text;
}

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Words = std::vector<std::string>;

/// The heat equation, with nothing wrong.
const std::string kHeat = R"toml(
title = "small heat problem"
coordinates = { x = [0, 1], t = [0, 1] }
[exact]
u = "exp(-t)*sin(pi*x)"
[[network]]
fields = ["u"]
hidden = [6, 6]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t = u_xx + (pi^2 - 1)*exact.u"
points = { sobol = 40 }
[[term]]
name = "sides"
role = "constraint"
region = "boundary"
equation = "u = 0"
points = { sobol = 8 }
[[term]]
name = "start"
role = "constraint"
region = "initial"
equation = "u = exact.u"
points = { grid = [9, 9] }
[[phase]]
optimizer = "adam"
epochs = 12
)toml";

/// Everything `lint` has to say about a text with changes.
Findings findings_of(const std::string& text, const Words& overrides = {}) {
  const problem::Problem problem = problem::read_problem(text, "test.toml", overrides);
  const train::Solution nothing(problem, 1);
  train::Assembly assembly(problem, 1, {0, problem.windows.count}, nothing);
  return lint(problem, text, overrides, assembly);
}

::testing::Matcher<Finding> warning(const std::string& text) {
  return AllOf(Field("level", &Finding::level, Finding::Level::Warning),
               Field("text", &Finding::text, HasSubstr(text)));
}
::testing::Matcher<Finding> note(const std::string& text) {
  return AllOf(Field("level", &Finding::level, Finding::Level::Note), Field("text", &Finding::text, HasSubstr(text)));
}

TEST(LintTest, AGoodProblemHasNoFindings) {
  const Findings findings = findings_of(kHeat);
  EXPECT_THAT(findings, IsEmpty());
  EXPECT_FALSE(has_warning(findings));
}

TEST(LintTest, NamesThatNothingUses) {
  const std::string text =
      kHeat + "[constants]\nkapa = 3\nkappa = 2\nn = 8\n[functions]\nspare = \"x^2\"\nused = \"kappa*x\"\n";
  // A constant is used where it stands for a number, and a function by its derivative.
  const Words uses = {"term.sides.points.sobol=n", "term.pde.equation=u_t = u_xx + (pi^2 - 1)*exact.u + 0*used_x"};
  EXPECT_THAT(findings_of(text, uses), ElementsAre(note("Nothing uses the constant 'kapa'. Was 'kappa' meant?"),
                                                   note("Nothing uses the function 'spare'.")));
}

TEST(LintTest, ANameInACommentOrATitleIsNotUsed) {
  std::string text = kHeat + "[constants]\nspeed = 3  # speed is \"speed\"\n";
  text.replace(text.find("small heat problem"), 18, "speed");
  EXPECT_THAT(findings_of(text), ElementsAre(note("'speed'")));
}

TEST(LintTest, FieldsAndParametersThatNoEquationMentions) {
  EXPECT_THAT(findings_of(kHeat, {"network.1.fields=[\"u\", \"v\"]"}),
              ElementsAre(warning("No equation mentions the field 'v'")));
  EXPECT_THAT(findings_of(kHeat + "[parameters]\nD = 2\n"),
              ElementsAre(warning("No equation mentions the trainable parameter 'D'")));
}

TEST(LintTest, InitialAndBoundaryValuesThatContradict) {
  const Findings findings = findings_of(kHeat, {"term.sides.equation=u = 0.5*t + 0.25*(x + 1)", "exact={}",
                                                "term.pde.equation=u_t = u_xx", "term.start.equation=u = sin(pi*x)"});
  ASSERT_THAT(findings, ElementsAre(warning("Terms 'sides' and 'start' contradict")));
  // At x = 0 the sides want 0.25, at x = 1 they want 0.5 against sin(pi) = 0: the larger jump is told.
  EXPECT_THAT(findings[0].text, HasSubstr("at x = 1, t = 0 the first wants u = 0.5, the second"));
}

TEST(LintTest, DerivativesAreComparedWithTheirOwnKind) {
  const Words base = {"exact={}", "term.pde.equation=u_t = u_xx",
                      "term.start.equation=[\"u = sin(pi*x)\", \"u_t = 1 + x\"]"};
  Words slope = base, scaled = base;
  slope.push_back("term.sides.equation=u_x = 3");  // the slope of u, not u
  EXPECT_THAT(findings_of(kHeat, slope), IsEmpty());
  scaled.push_back("term.sides.equation=2*(1 + t)*u_t = 4");  // u_t = 2 at t = 0; the start wants 1 at x = 0
  EXPECT_THAT(findings_of(kHeat, scaled),
              ElementsAre(warning("at x = 0, t = 0 the first wants u_t = 2, the second 1.")));
}

TEST(LintTest, TwoEquationsOnTheSameFace) {
  EXPECT_THAT(
      findings_of(kHeat, {"term.sides.equation=[\"u = 0\", \"u = 0.1\"]", "exact={}", "term.pde.equation=u_t = u_xx",
                          "term.start.role=objective", "term.start.equation=u = 0"}),
      ElementsAre(warning("Terms 'sides' and 'sides' contradict")));
}

constexpr const char* kLid = R"toml(
coordinates = { x = [0, 1], y = [0, 1] }
[[network]]
fields = ["u"]
hidden = [4]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "laplacian(u) = 0"
points = { grid = [5, 5] }
[[term]]
name = "walls"
role = "constraint"
region = "boundary"
equation = "u = if(y < 1, 0, 1)"
points = { grid = [5, 5] }
[[phase]]
optimizer = "adam"
epochs = 10
)toml";

TEST(LintTest, DataOfOneTermThatJumpAtACorner) {
  EXPECT_THAT(findings_of(kLid),
              ElementsAre(note("The data of term 'walls' jump: u goes from 0 to 1 at x = 0, y = 1")));
  EXPECT_THAT(findings_of(kLid, {"term.walls.equation=u = if(y < 0.5, 0, 1)"}),
              IsEmpty());  // a jump inside a face is no corner
}

TEST(LintTest, APieceOfARegionWithoutPoints) {
  // Two nodes along y: the faces of x, without their ends, have none.
  EXPECT_THAT(findings_of(kLid, {"term.walls.equation=u = 0", "term.walls.region=[\"x = 0\", \"y = 0\"]",
                                 "term.walls.points.grid=[9, 2]", "free=[\"x = 1\", \"y = 1\"]"}),
              ElementsAre(warning("Term 'walls' has no points on region \"x = 0\"")));
  EXPECT_THAT(
      findings_of(kLid, {"term.walls.equation=u = 0", "term.walls.region=[\"x = 0\", \"y = 0\"]",
                         "term.walls.points.grid=[9, 2]", "term.walls.closed=true", "free=[\"x = 1\", \"y = 1\"]"}),
      IsEmpty());
}

TEST(LintTest, AnExactSolutionThatIsNone) {
  const Findings findings = findings_of(kHeat, {"exact.u=exp(-2*t)*sin(pi*x)"});
  ASSERT_THAT(findings,
              ElementsAre(warning("The exact solution does not satisfy term 'pde' at 40 of 40 points (100 %)")));
}

TEST(LintTest, ASlightlyWrongExactSolutionIsANote) {
  EXPECT_THAT(findings_of(kHeat, {"exact.u=exp(-1.0001*t)*sin(pi*x)"}),
              ElementsAre(note("does not satisfy term 'pde'")));
}

TEST(LintTest, ExactValuesOfParametersAreUsed) {
  const std::string text = kHeat + "[parameters]\nD = { initial = 1, exact = 0.5 }\n";
  const auto with = [&](const std::string& equation) { return findings_of(text, {"term.pde.equation=" + equation}); };
  EXPECT_THAT(with("u_t = D*u_xx + (0.5*pi^2 - 1)*exact.u"), IsEmpty());
  EXPECT_THAT(with("u_t = D*u_xx + (pi^2 - 1)*exact.u"), ElementsAre(warning("does not satisfy term 'pde'")));
}

TEST(LintTest, KinksOfAnExactSolutionAreANote) {
  constexpr const char* kKink = R"toml(
free = ["x = -1"]
coordinates = { x = [-1, 1] }
[exact]
u = "abs(x) + 0*sin(x)"
[[network]]
fields = ["u"]
hidden = [4]
[[term]]
name = "slope"
role = "objective"
region = "interior"
equation = "u_x^2 = 1"
points = { grid = [11] }
[[phase]]
optimizer = "adam"
epochs = 10
)toml";
  EXPECT_THAT(findings_of(kKink),
              ElementsAre(note("has kinks or jumps at 1 of 9 points of term 'slope', the first at x = 0")));
}

TEST(LintTest, ResidualsOfVeryDifferentSize) {
  EXPECT_THAT(findings_of(kHeat, {"term.pde.equation=1e8*(u_t - u_xx - (pi^2 - 1)*exact.u) = 0"}),
              ElementsAre(AllOf(note("of term 'pde' against"), note("eta of its own"))));
}

/// Half of x², with a wrong gradient where asked.
class Parabola final : public optim::Objective {
 public:
  explicit Parabola(double factor) : factor_(factor) {}
  std::size_t size() const override { return 3; }
  double value(std::span<const double> x) override { return 0.5 * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }
  double value_and_gradient(std::span<const double> x, std::span<double> gradient) override {
    for (int i = 0; i < 3; ++i) gradient[i] = factor_ * x[i];
    return value(x);
  }

 private:
  double factor_;
};

TEST(LintTest, TaylorTestSeesAWrongGradient) {
  const double x[] = {1, -2, 3};
  Parabola right(1), wrong(1.01);
  EXPECT_NEAR(taylor_test(right, x, 1).order, 2, 1e-3);
  EXPECT_TRUE(taylor_test(right, x, 1).passed());
  EXPECT_NEAR(taylor_test(wrong, x, 1).order, 1, 0.1);
  EXPECT_FALSE(taylor_test(wrong, x, 1).passed());
}

TEST(LintTest, OverviewCountsWhatThereIs) {
  const problem::Problem problem = problem::read_problem(kHeat, "test.toml");
  const train::Solution nothing(problem, 1);
  train::Assembly assembly(problem, 1, {0, 1}, nothing);
  const Overview overview = look_over(problem, assembly);
  EXPECT_EQ(overview.parameters, 18u + 42 + 7);
  ASSERT_EQ(overview.networks.size(), 1u);
  EXPECT_EQ(overview.networks[0].shape, "x, t → 6 → 6 → u");
  ASSERT_EQ(overview.terms.size(), 3u);
  EXPECT_EQ(overview.terms[0].points, 40u);
  EXPECT_EQ(overview.terms[1].points, 16u);  // 8 on either side
  EXPECT_EQ(overview.rows, 40u + 16 + 7);
  // u_t − u_xx is one collapsed operator beside the value and u_x.
  EXPECT_EQ(overview.passes[0].kinds, "value, 1 first, 1 second");
  EXPECT_EQ(overview.passes[0].channels, 3);
  EXPECT_EQ(overview.passes[1].channels, 1);
  EXPECT_GT(overview.milliseconds, 0);
  EXPECT_NEAR(overview.seconds, 12 * overview.milliseconds / 1e3, 1e-9);  // twelve epochs of Adam
}

TEST(LintTest, CostOfOptimisers) {
  const auto cost = [](const char* optimizer) {
    return phase_cost({.optimizer = optimizer, .epochs = 10}, {1000, 600}, 0.5, 1e12);
  };
  EXPECT_NEAR(cost("adam").seconds, 5, 1e-6);
  EXPECT_NEAR(cost("lbfgs").seconds, 10 * 22 * 0.5, 1e-2);
  EXPECT_NEAR(cost("lm").seconds, 15 + 10 * (600.0 * 600 * 1000 + 600.0 * 600 * 200) / 1e12, 1e-9);
}

/// Fewer points where the file has very many: what is checked is the file, not the machine.
Words smaller(const problem::Problem& problem) {
  Words changes;
  for (const problem::TermSpec& term : problem.terms) {
    if (!term.points_of.empty() || !term.points_file.empty()) continue;
    if (!term.points.is_product()) {
      const char* kinds[] = {"grid", "gauss", "sobol", "uniform", "latin"};
      changes.push_back("term." + term.name + ".points." + kinds[static_cast<int>(term.points.kind)] + "=64");
      if (term.near) changes.push_back("term." + term.name + ".points.pool=500");
    } else if (term.points.kind == sampling::PointRule::Kind::Grid && problem.box.dimension() == 3) {
      changes.push_back("term." + term.name + ".points.grid=[17, 17, 5]");
    }
  }
  return changes;
}

TEST(LintTest, TheCatalogueIsWithoutWarnings) {
  set_own_thread_count(1);  // many small evaluations: threads would only wait for each other
  for (const problem::CatalogueEntry& entry : problem::catalogue()) {
    const Words changes = smaller(problem::load_problem(entry.name));
    const problem::Problem problem = problem::load_problem(entry.name, changes);
    const train::Solution nothing(problem, 1);
    train::Assembly assembly(problem, 1, {0, problem.windows.count}, nothing);
    EXPECT_THAT(lint(problem, entry.text, changes, assembly), IsEmpty()) << entry.name;
    EXPECT_NEAR(check_gradient(assembly.evaluator(), assembly.model().initial_parameters(1), 1).order, 2, 0.2)
        << entry.name;
  }
}

}  // namespace
}  // namespace pecann::check
