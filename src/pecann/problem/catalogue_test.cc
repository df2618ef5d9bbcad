#include "pecann/problem/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/expr/integral.h"
#include "pecann/expr/program.h"
#include "pecann/problem/problem_file.h"
#include "pecann/problem/scope.h"
#include "pecann/sampling/sampler.h"

namespace pecann::problem {
namespace {

using testing::HasSubstr;

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const CatalogueEntry& entry : catalogue()) result.push_back(entry.name);
  return result;
}

std::size_t lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST(CatalogueTest, HasEveryCaseOfThePaper) {
  for (const char* name :
       {"heat-composite", "heat-composite-pointwise", "burgers-rarefaction", "burgers-rarefaction-coarse", "poisson",
        "poisson-fourier", "helmholtz-6-6", "helmholtz-6-6-adam", "helmholtz-1-4", "helmholtz-source-l4",
        "helmholtz-source-l5", "vortex", "vortex-fine", "heat-source-inverse"}) {
    const CatalogueEntry* entry = find_in_catalogue(name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_FALSE(entry->title.empty()) << name;
    // Our own training may be longer than the paper's problem.
    EXPECT_LE(lines_of(entry->text.substr(0, entry->text.find("[recipe.best]"))), 60u) << name;
    EXPECT_EQ(load_problem(name, {}, "paper").recipe, "paper") << name;
    EXPECT_FALSE(load_problem(name).phases.empty()) << name;
  }
  EXPECT_EQ(find_in_catalogue("nothing"), nullptr);
}

TEST(CatalogueTest, UnknownProblemHasAHint) {
  try {
    load_problem("posson");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'poisson'?"));
  }
  EXPECT_THROW(load_problem("src"), InputError);  // a folder
}

TEST(CatalogueTest, SettingsOfThePaper) {
  const Problem heat = load_problem("heat-composite", {}, "paper");
  EXPECT_EQ(heat.terms[1].points_of, "pde");
  EXPECT_EQ(heat.phases[0].epochs, 500000);
  EXPECT_EQ(heat.phases[0].schedule.kind, "plateau");
  EXPECT_EQ(heat.phases[0].schedule.options.at("factor"), 0.98);
  EXPECT_EQ(*heat.penalty.eta, 0.01);
  const Problem source = load_problem("helmholtz-source-l5", {}, "paper");
  EXPECT_DOUBLE_EQ(source.constants.at("k"), 20 * M_PI);
  EXPECT_DOUBLE_EQ(source.constants.at("width"), 0.025);
  EXPECT_EQ(source.phases[0].mode, "compatible");
  EXPECT_EQ(source.phases[0].learning_rate, 1);
  EXPECT_EQ(*source.networks[0].fourier_sigma, 1);
  const Problem inverse = load_problem("heat-source-inverse", std::vector<std::string>{"constants.noise=0.05"});
  EXPECT_EQ(inverse.terms[0].data->noise, 0.05);
  EXPECT_EQ(*inverse.terms[1].eta, 0.01);
  EXPECT_EQ(inverse.evaluate.at.at("F").at("t"), 0.5);
  const Problem vortex = load_problem("vortex", {}, "paper");
  EXPECT_EQ(vortex.windows.count, 40);
  EXPECT_EQ(vortex.windows.normalise, Normalise::Whole);
  EXPECT_TRUE(vortex.terms[1].regions[0]->choice().after_start);
  EXPECT_TRUE(vortex.terms[2].regions[0]->choice().closed);
  EXPECT_EQ(vortex.phases.size(), 2u);
  EXPECT_EQ(load_problem("helmholtz-source-l4", {}, "rmsprop").penalty.strategy, "rmsprop");
}

class EveryProblemTest : public testing::TestWithParam<std::string> {};

TEST_P(EveryProblemTest, WritesItselfCompletely) {
  std::vector<std::string> recipes = load_problem(GetParam()).recipes;
  recipes.emplace_back("none");
  for (const std::string& recipe : recipes) {
    const Problem problem = load_problem(GetParam(), {}, recipe);
    const std::string text = write_problem(problem);
    const Problem again = read_problem(text, "written.toml");
    EXPECT_EQ(write_problem(again), text);
    ASSERT_EQ(again.terms.size(), problem.terms.size());
    EXPECT_EQ(again.box.names, problem.box.names);
    for (std::size_t i = 0; i < problem.terms.size(); ++i) {
      ASSERT_EQ(again.terms[i].residuals.size(), problem.terms[i].residuals.size());
      for (std::size_t e = 0; e < problem.terms[i].residuals.size(); ++e) {
        EXPECT_TRUE(expr::same(again.terms[i].residuals[e], problem.terms[i].residuals[e]));
      }
      EXPECT_TRUE(sampling::same_regions(again.terms[i].regions, problem.terms[i].regions));
    }
  }
}

using Coordinates = std::map<std::string, const double*>;

std::vector<double> values_of(const expr::Expr& expression, const Coordinates& coordinates, std::size_t count) {
  std::vector<double> values(count);
  double* const results[] = {values.data()};
  expr::evaluate_columns(std::span(&expression, 1), coordinates, count, results);
  return values;
}

/// The largest summand of the residual anywhere: what rounding errors are relative to.
double scale_of(const expr::Expr& residual, const Coordinates& coordinates, std::size_t count) {
  const auto parts = residual->kind == expr::Kind::Add ? residual->arguments : std::vector{residual};
  double largest = 1e-3;
  for (const expr::Expr& part : parts) {
    for (const double value : values_of(part, coordinates, count)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

/// Names of the equations, with trainable parameters standing for their exact values.
expr::Scope scope_with_exact_parameters(const Problem& problem, const TermSpec& term) {
  expr::Scope scope = scope_of(problem);
  add_normals(problem, scope);
  scope.parameters.clear();
  for (const ParameterSpec& parameter : problem.parameters) scope.constants[parameter.name] = parameter.exact.value();
  if (term.data) {
    for (const auto& [name, column] : term.data->columns) scope.data.push_back("data." + name);
  }
  return scope;
}

/// The largest residual of the exact solution over all terms, relative to the largest summand of its equation.
double exact_residual(const Problem& problem) {
  double worst = 0;
  RandomStream stream(1, "exact");
  for (const TermSpec& term : problem.terms) {
    if (expr::has_integrals(term.residuals)) continue;  // no values at points
    sampling::PointRule rule;
    rule.kind = sampling::PointRule::Kind::Sobol;
    rule.count = 200;
    const bool normals = std::any_of(term.residuals.begin(), term.residuals.end(), reads_normal);
    const sampling::PointSet points = sampling::sample(term.regions, rule, stream, {.normals = normals});
    Coordinates coordinates;
    for (int c = 0; c < problem.box.dimension(); ++c) {
      coordinates[problem.box.names[c]] = points.coordinates[c].data();
    }
    for (const auto& [name, column] : points.columns) coordinates[name] = column.data();
    std::map<std::string, std::vector<double>> data;
    if (term.data) {
      for (const auto& [name, column] : term.data->columns) {
        data[name] = values_of(problem.exact.at(column), coordinates, points.count);
      }
    }
    for (const auto& [name, values] : data) coordinates["data." + name] = values.data();
    const expr::Scope scope = scope_with_exact_parameters(problem, term);
    for (const std::string& text : term.equation_texts) {
      const expr::Expr residual = expr::substitute_fields(expr::parse_equation(text, scope), problem.exact);
      const double scale = scale_of(residual, coordinates, points.count);
      for (const double value : values_of(residual, coordinates, points.count)) {
        worst = std::isfinite(value) ? std::max(worst, std::abs(value) / scale) : HUGE_VAL;
      }
    }
  }
  return worst;
}

/// True where the exact solution holds everywhere (that of the vortex is known at the last time only).
bool has_exact_solution(const Problem& problem) {
  const std::vector<std::string> fields = field_names(problem);
  const bool all = std::ranges::all_of(fields, [&](const auto& field) { return problem.exact.contains(field); });
  return !problem.exact.empty() && all && !problem.evaluate.final_only;
}

// One test for all: a list of those that have an exact solution would be made at every start of the program. Problems are
// as their files have them: the networks of a recipe may stand for something else.
TEST(CatalogueTest, ExactSolutionsSatisfyTheEquations) {
  int checked = 0;
  for (const std::string& name : names()) {
    const Problem problem = load_problem(name, {}, "none");
    if (!has_exact_solution(problem)) continue;
    EXPECT_LE(exact_residual(problem), 1e-9) << name;
    ++checked;
  }
  EXPECT_GE(checked, 30);
}

TEST(CatalogueTest, MisprintOfThePaperWouldBeSeen) {
  // The paper prints the last term of F without its factor cos(pi x).
  const std::vector<std::string> misprint = {"exact.F=(-3 + pi^2*(4 + x^2))*sin(pi*x) - 2*pi*x"};
  EXPECT_GT(exact_residual(load_problem("heat-source-inverse", misprint, "none")), 1e-2);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '/'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryProblemTest, testing::ValuesIn(names()), test_name);

}  // namespace
}  // namespace pecann::problem
