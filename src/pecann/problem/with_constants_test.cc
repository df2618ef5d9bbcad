#include "pecann/problem/with_constants.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/expr/test_evaluation.h"
#include "pecann/problem/catalogue.h"
#include "pecann/problem/problem_file.h"
#include "pecann/problem/test_problem.h"
#include "pecann/sampling/sampler.h"

namespace pecann::problem {
namespace {

using testing::HasSubstr;
using Values = std::map<std::string, double>;

/// The long way round: the whole problem as text, with other constants, read again.
Problem read_with(const Problem& problem, const Values& values) {
  std::vector<std::string> overrides;
  for (const auto& [name, value] : values) overrides.push_back(fmt::format("constants.{}={}", name, value));
  return read_problem(write_problem(problem), problem.source, overrides, "none");
}

void expect_same(const expr::Expr& a, const expr::Expr& b) {
  EXPECT_TRUE(expr::same(a, b)) << to_string(a) << "\n" << to_string(b);
}

/// The same numbers everywhere, and the same trees: those have the same tapes and hence the same bits.
void expect_equal(Problem a, Problem b) {
  for (Problem* problem : {&a, &b})  // the reader drops those that are the problem's own
    for (PhaseSpec& phase : problem->phases) phase.constants.clear();
  EXPECT_EQ(write_problem(a), write_problem(b));
  ASSERT_EQ(a.exact.size(), b.exact.size());
  for (const auto& [name, expression] : a.exact) expect_same(expression, b.exact.at(name));
  ASSERT_EQ(a.terms.size(), b.terms.size());
  for (std::size_t t = 0; t < a.terms.size(); ++t) {
    const TermSpec &left = a.terms[t], &right = b.terms[t];
    SCOPED_TRACE(left.name);
    ASSERT_EQ(left.residuals.size(), right.residuals.size());
    for (std::size_t e = 0; e < left.residuals.size(); ++e) expect_same(left.residuals[e], right.residuals[e]);
    ASSERT_EQ(left.near.has_value(), right.near.has_value());
    if (left.near) expect_same(left.near->density, right.near->density);
    EXPECT_TRUE(sampling::same_regions(left.regions, right.regions));
  }
}

const std::string kEverywhere = R"toml(coordinates = { x = [0, "a"], t = [0, 1] }
[constants]
a = 2
b = 0.1
half = "a/4"
[functions]
wave = "sin(b*x*a*0.3)"
"scaled(v)" = "b*v/a*0.7 + d(v, x)"
[exact]
u = "exact.w*b + wave"
w = "cos(a*x)/b"
[parameters]
k = { initial = 1, exact = "b" }
[[network]]
fields = ["u", "w"]
hidden = [4]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = ["u_t = 0.1*a*0.3*u_xx/b + k*scaled(w)", "w = a*u^a + exact.w_x"]
points = { uniform = 20, near = 5, density = "b + 0.1*a*0.3*abs(u) + residual*a" }
weight = "a"
[[term]]
name = "plane"
role = "constraint"
region = "x = half"
equation = "u = data.u*b"
points = { grid = [5, 5] }
data = { exact = ["u"], noise = "b" }
)toml";

TEST(WithConstantsTest, GivesWhatTheTextWithOtherConstantsGives) {
  const Problem everywhere = read_problem(kEverywhere, "p.toml"), heat = read_problem(kHeatText, "heat.toml");
  for (const Values& values : {Values{{"a", 3}}, Values{{"b", 1.0 / 3}}, Values{{"a", 1}, {"b", -7.25e-3}}, Values{}}) {
    const Problem variant = with_constants(everywhere, values);
    expect_equal(variant, read_with(everywhere, values));
    expect_equal(with_constants(variant, {{"a", 2}, {"b", 0.1}}), everywhere);
  }
  expect_equal(with_constants(heat, {{"b", 0.3}}), read_with(heat, {{"b", 0.3}}));
}

TEST(WithConstantsTest, NumbersThatTheProblemWasReadWithStay) {
  const Problem variant = with_constants(read_problem(kEverywhere, "p.toml"), {{"a", 3}, {"b", 0.5}});
  EXPECT_EQ(variant.constants.at("a"), 3);
  EXPECT_EQ(variant.constants.at("half"), 0.5);
  EXPECT_EQ(variant.box.upper[0], 2);
  EXPECT_EQ(variant.terms[1].regions[0]->name(), "x = 0.5");
  EXPECT_EQ(variant.terms[0].weight, 2);
  EXPECT_EQ(variant.terms[1].data->noise, 0.1);
  EXPECT_EQ(variant.parameters[0].exact, 0.1);
}

TEST(WithConstantsTest, PhasesOfTheCatalogue) {
  int compared = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    SCOPED_TRACE(entry.name);
    const std::vector<std::string> harder =
        entry.name == "poisson" ? std::vector<std::string>{"constants.b=64"} : std::vector<std::string>{};
    const Problem problem = load_problem(entry.name, harder);
    for (const PhaseSpec& phase : problem.phases) {
      if (phase.constants.empty()) continue;
      expect_equal(with_constants(problem, phase.constants), read_with(problem, phase.constants));
      ++compared;
    }
    if (problem.constants.empty()) continue;
    const Values other = {{problem.constants.begin()->first, 0.7 * problem.constants.begin()->second}};
    expect_equal(with_constants(problem, other), read_with(problem, other));
  }
  EXPECT_GE(compared, 4);
}

TEST(WithConstantsTest, RandomEquationsHaveTheBitsOfTheirText) {
  const expr::Expr x = expr::coordinate("x"), u = expr::field("u");
  expr::RandomExpressions random(5, {x, u, expr::field("u", {{"x", 1}}), expr::named_constant("a"),
                                     expr::named_constant("c"), expr::at(u, {{"x", expr::named_constant("c")}})});
  for (int i = 0; i < 300; ++i) {
    Problem problem = read_problem(kSmallText + "[constants]\na = 0.1\nc = 0.3\n", "p.toml");
    const Values values = {{"a", random.uniform(-2, 2)}, {"c", random.uniform(0.1, 1)}};
    problem.terms[0].equation_texts = {to_string(u + random.next(4))};
    SCOPED_TRACE(problem.terms[0].equation_texts[0]);
    expect_equal(with_constants(problem, values), read_with(problem, values));
  }
}

// Why the trees are made from their texts: numbers put into a tree that is already in its normal form come
// in another order.
TEST(WithConstantsTest, ANumberPutIntoATreeWouldChangeTheLastBit) {
  const Problem problem = read_problem(kSmallText + "[constants]\na = 1\n", "p.toml",
                                       std::vector<std::string>{"term.pde.equation=0.1*a*0.3*u_xx = x"});
  const double a = 1.7;
  EXPECT_NE(0.1 * a * 0.3, 0.1 * 0.3 * a);
  expr::Scope scope;
  scope.coordinates = {"x"};
  scope.fields = {"u"};
  const Problem variant = with_constants(problem, {{"a", a}});
  expect_same(variant.terms[0].residuals[0],
              expr::Expr(0.1 * a * 0.3) * expr::parse("u_xx", scope) - expr::coordinate("x"));
}

TEST(WithConstantsTest, EquationsWithoutMeaningAreRefused) {
  const auto refusal = [](const std::string& equation, double value) -> std::string {
    try {
      with_constants(read_problem(kSmallText + "[constants]\na = 1\n", "p.toml",
                                  std::vector<std::string>{"term.pde.equation=" + equation}),
                     {{"a", value}});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("u_xx/a = 1", 2), "");
  EXPECT_THAT(refusal("u_xx/a = 1", 0), HasSubstr("in a phase with a = 0: column 8: division by zero"));
  EXPECT_THAT(refusal("u_xx/a = 1", 0), HasSubstr("term.pde.equation"));
  EXPECT_THAT(refusal("a*u_xx = 1", 0), HasSubstr("mentions no field"));
}

}  // namespace
}  // namespace pecann::problem
