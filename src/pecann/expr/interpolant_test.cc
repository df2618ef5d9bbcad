// Interpolants against what they must reproduce, closed forms with their order, and differences.
#include "pecann/expr/interpolant.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "pecann/base/input_error.h"
#include "pecann/expr/derivative.h"
#include "pecann/expr/parse.h"
#include "pecann/expr/program.h"

namespace pecann::expr {
namespace {

using Closed = std::function<double(double, double, double)>;

/// Nodes from `lower` to `upper`, the steps growing towards the end by `growth`.
std::vector<double> axis_nodes(int count, double lower, double upper, double growth = 1) {
  std::vector<double> result;
  for (int i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / (count - 1);
    result.push_back(lower + (upper - lower) * (growth == 1 ? share : (std::pow(growth, share) - 1) / (growth - 1)));
  }
  return result;
}

Interpolant sampled_table(const Closed& f, const std::vector<std::vector<double>>& axes, Interpolate rule) {
  const std::vector<std::string> names = {"x", "y", "z"};
  std::vector<double> values;
  const std::vector<double> none = {0.0};
  for (const double x : axes[0])
    for (const double y : axes.size() > 1 ? axes[1] : none)
      for (const double z : axes.size() > 2 ? axes[2] : none) values.push_back(f(x, y, z));
  return Interpolant("k", {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(axes.size())}, axes, values,
                     rule);
}

double table_at(const Interpolant& table, std::vector<double> at, std::vector<int> orders = {}) {
  orders.resize(at.size(), 0);
  std::vector<const double*> arguments;
  for (const double& place : at) arguments.push_back(&place);
  double result = 0;
  table.evaluate(orders, arguments, 1, &result);
  return result;
}

TEST(InterpolantTest, CubicReproducesCubicsWithTheirDerivativesOnUnevenGrids) {
  const Closed f = [](double x, double y, double z) {
    return (1 + x - 2 * x * x + x * x * x) * (2 - y * y * y) * (1 + z * z);
  };
  for (const int count : {4, 5, 6, 9}) {
    const Interpolant table =
        sampled_table(f, {axis_nodes(count, -1, 2, 3.0), axis_nodes(count + 1, 0, 1), axis_nodes(count, 0, 1, 0.4)},
                      Interpolate::Cubic);
    for (const double s : {0.0, 0.13, 0.5, 0.77, 1.0}) {
      const double x = -1 + 3 * s, y = 1 - s, z = s * s;
      const double fx = 1 + x - 2 * x * x + x * x * x, fy = 2 - y * y * y, fz = 1 + z * z;
      EXPECT_NEAR(table_at(table, {x, y, z}), fx * fy * fz, 1e-12) << count;
      EXPECT_NEAR(table_at(table, {x, y, z}, {1, 0, 0}), (1 - 4 * x + 3 * x * x) * fy * fz, 1e-11);
      EXPECT_NEAR(table_at(table, {x, y, z}, {2, 0, 0}), (-4 + 6 * x) * fy * fz, 1e-10);
      EXPECT_NEAR(table_at(table, {x, y, z}, {1, 1, 1}), (1 - 4 * x + 3 * x * x) * (-3 * y * y) * 2 * z, 1e-10);
      EXPECT_NEAR(table_at(table, {x, y, z}, {0, 2, 2}), fx * (-6 * y) * 2, 1e-9);
    }
  }
}

TEST(InterpolantTest, FewNodesGiveThePolynomialThroughThem) {
  const Interpolant line = sampled_table([](double x, double, double) { return 3 * x; }, {{0, 2}}, Interpolate::Cubic);
  EXPECT_NEAR(table_at(line, {0.7}), 2.1, 1e-15);
  EXPECT_NEAR(table_at(line, {0.7}, {1}), 3, 1e-15);
  EXPECT_EQ(table_at(line, {0.7}, {2}), 0);
  const Interpolant parabola =
      sampled_table([](double x, double, double) { return x * x; }, {{0, 0.5, 2}}, Interpolate::Cubic);
  EXPECT_NEAR(table_at(parabola, {1.1}), 1.21, 1e-14);
  EXPECT_NEAR(table_at(parabola, {1.1}, {2}), 2, 1e-13);
}

/// The largest error of a derivative over places away from the edges, most of them no nodes.
double largest_error(const Interpolant& table, const std::vector<int>& orders, const Closed& exact) {
  double largest = 0;
  for (int i = 0; i <= 97; ++i)
    for (int j = 0; j <= 41; ++j) {
      const double x = 0.25 + 0.5 * i / 97.0, y = 0.25 + 0.5 * j / 41.0;
      largest = std::max(largest, std::abs(table_at(table, {x, y}, orders) - exact(x, y, 0)));
    }
  return largest;
}

TEST(InterpolantTest, ConvergesWithTheOrderOfItsRule) {
  const Closed f = [](double x, double y, double) { return std::sin(3 * x) * std::exp(y); };
  const Closed f_x = [](double x, double y, double) { return 3 * std::cos(3 * x) * std::exp(y); };
  const Closed f_xx = [&](double x, double y, double) { return -9 * f(x, y, 0); };
  const auto table = [&](int count, Interpolate rule) {
    return sampled_table(f, {axis_nodes(count, 0, 1), axis_nodes(count, 0, 1)}, rule);
  };
  const auto order = [&](Interpolate rule, const std::vector<int>& orders, const Closed& exact) {
    return std::log2(largest_error(table(33, rule), orders, exact) / largest_error(table(65, rule), orders, exact));
  };
  EXPECT_NEAR(order(Interpolate::Cubic, {0, 0}, f), 4, 0.4);
  EXPECT_NEAR(order(Interpolate::Cubic, {1, 0}, f_x), 3, 0.4);
  EXPECT_NEAR(order(Interpolate::Cubic, {2, 0}, f_xx), 2, 0.4);
  EXPECT_NEAR(order(Interpolate::Linear, {0, 0}, f), 2, 0.3);
  EXPECT_NEAR(order(Interpolate::Nearest, {0, 0}, f), 1, 0.4);
}

TEST(InterpolantTest, DerivativesAreThoseOfTheInterpolant) {
  const Closed noise = [](double x, double y, double) { return std::sin(40 * x + 7 * y) + std::cos(31 * y * x); };
  const Interpolant table = sampled_table(noise, {axis_nodes(9, 0, 1), axis_nodes(7, 0, 1, 2.5)}, Interpolate::Cubic);
  constexpr double kStep = 1e-5;
  for (const double x : {0.07, 0.34, 0.56, 0.93})
    for (const double y : {0.11, 0.48, 0.9}) {
      const auto slope = [&](std::vector<int> orders, double dx, double dy) {
        return (table_at(table, {x + dx, y + dy}, orders) - table_at(table, {x - dx, y - dy}, orders)) / (2 * kStep);
      };
      EXPECT_NEAR(table_at(table, {x, y}, {1, 0}), slope({0, 0}, kStep, 0), 1e-5);
      EXPECT_NEAR(table_at(table, {x, y}, {2, 0}), slope({1, 0}, kStep, 0), 1e-4);
      EXPECT_NEAR(table_at(table, {x, y}, {1, 1}), slope({1, 0}, 0, kStep), 1e-4);
      EXPECT_NEAR(table_at(table, {x, y}, {0, 2}), slope({0, 1}, 0, kStep), 1e-4);
    }
}

TEST(InterpolantTest, EveryRuleHasTheValuesOfItsNodesAndKeepsThoseOfItsEdges) {
  const Closed noise = [](double x, double y, double) { return std::sin(40 * x) + 3 * y; };
  for (const Interpolate rule : {Interpolate::Nearest, Interpolate::Linear, Interpolate::Cubic}) {
    const std::vector<std::vector<double>> axes = {axis_nodes(6, 0, 1, 3.0), axis_nodes(5, 0, 2)};
    const Interpolant table = sampled_table(noise, axes, rule);
    for (const double x : axes[0])
      for (const double y : axes[1]) EXPECT_NEAR(table_at(table, {x, y}), noise(x, y, 0), 1e-13);
    EXPECT_EQ(table_at(table, {1.4, 1}), table_at(table, {1, 1}));
    EXPECT_EQ(table_at(table, {-9, 3}), table_at(table, {0, 2}));
    EXPECT_TRUE(rule == Interpolate::Nearest || std::isnan(table_at(table, {std::nan(""), 1})));
  }
  const Interpolant cubic = sampled_table(noise, {axis_nodes(6, 0, 1), axis_nodes(5, 0, 2)}, Interpolate::Cubic);
  EXPECT_EQ(table_at(cubic, {1.4, 1}, {1, 0}), 0);
  EXPECT_NE(table_at(cubic, {1 + 1e-12, 1}, {1, 0}), 0);  // rounding at the edge is not beyond it
}

/// A scope with the table kappa = x²y on [0, 1]².
Scope scope_with(Interpolate rule) {
  Scope scope{.coordinates = {"x", "y", "t"}, .time = "t", .constants = {}, .functions = {}, .fields = {"u"}};
  const Closed f = [](double x, double y, double) { return x * x * y; };
  const Interpolant table = sampled_table(f, {axis_nodes(9, 0, 1), axis_nodes(7, 0, 1)}, rule);
  scope.tables.emplace("k", std::make_shared<const Interpolant>(table));
  return scope;
}

double column_at(const Expr& a, double x, double y) {
  double result = 0, *const results[] = {&result};
  evaluate_columns(std::span(&a, 1), {{"x", &x}, {"y", &y}}, 1, results);
  return result;
}

TEST(TableExpressionTest, TablesAreFunctionsOfCoordinates) {
  const Scope scope = scope_with(Interpolate::Cubic);
  const double x = 0.31, y = 0.62;
  const auto at_point = [&](const char* text) { return column_at(parse(text, scope), x, y); };
  EXPECT_NEAR(at_point("1 + k*k"), 1 + std::pow(x * x * y, 2), 1e-13);
  EXPECT_NEAR(at_point("k_x"), 2 * x * y, 1e-13);
  EXPECT_NEAR(at_point("k_xy + d(k, x, x)"), 2 * x + 2 * y, 1e-12);
  EXPECT_NEAR(at_point("laplacian(k)"), 2 * y, 1e-12);
  EXPECT_NEAR(at_point("k(x/2, y^2)"), x * x / 4 * y * y, 1e-13);
  EXPECT_NEAR(at_point("d(k(x/2, y^2), y)"), x * x / 2 * y, 1e-12);
  EXPECT_NEAR(at_point("at(k_x, x = 1 - x)"), 2 * (1 - x) * y, 1e-12);
  EXPECT_NEAR(at_point("k(k, y)"), std::pow(x * x * y, 2) * y, 1e-12);
  EXPECT_EQ(at_point("k_t"), 0);
}

TEST(TableExpressionTest, PrintedTextReadsBackToTheSameTree) {
  const Scope scope = scope_with(Interpolate::Cubic);
  for (const char* text : {"k", "k_xy", "k(x + 1, y)", "at(k_x, x = 1 - x)", "k*u_x + k_x*u"}) {
    const Expr tree = parse(text, scope);
    EXPECT_TRUE(same(parse(to_string(tree), scope), tree)) << to_string(tree);
    EXPECT_EQ(to_string(tree).size(), std::string(text).size()) << to_string(tree);
  }
}

TEST(TableExpressionTest, ResidualsReadTablesAsColumns) {
  const Scope scope = scope_with(Interpolate::Cubic);
  const Program program = compile(std::vector{parse("d(k*u_x, x) + d(k*u_y, y)", scope)}, {{"u", 0}});
  EXPECT_EQ(program.operators.size(), 1u);  // one channel, coefficients from the table
  EXPECT_TRUE(program.parameters.empty());
}

std::string table_refusal(const char* text, Interpolate rule) {
  try {
    parse(text, scope_with(rule));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TableExpressionTest, MissingDerivativesAreRefusedWithTheWayOut) {
  EXPECT_NE(table_refusal("d(k*u_x, x)", Interpolate::Linear).find("straight lines it has kinks at the nodes"),
            std::string::npos);
  EXPECT_NE(table_refusal("k_x", Interpolate::Nearest).find("make the flux a field of its own"), std::string::npos);
  EXPECT_NE(table_refusal("k_xxx", Interpolate::Cubic).find("up to the second one in 'x'"), std::string::npos);
  EXPECT_EQ(table_refusal("k_xxyy", Interpolate::Cubic), "accepted");
  EXPECT_NE(table_refusal("k(u, y)", Interpolate::Cubic).find("its arguments may not have fields"), std::string::npos);
  EXPECT_NE(table_refusal("k(x)", Interpolate::Cubic).find("'k' takes 2 arguments, 1 given"), std::string::npos);
  EXPECT_NE(table_refusal("kk(x, y)", Interpolate::Cubic).find("did you mean 'k'?"), std::string::npos);
}

TEST(InterpolantTest, JumpsLieHalfWayBetweenNodesOfTheNearestRuleOnly) {
  const std::vector<std::vector<double>> axes = {{0, 1, 4}, {2, 3}};
  const std::vector<double> values(6, 1.0);
  const Interpolant nearest("a", {"x", "y"}, axes, values, Interpolate::Nearest);
  EXPECT_EQ(nearest.jumps(0), (std::vector<double>{0.5, 2.5}));
  EXPECT_EQ(nearest.jumps(1), (std::vector<double>{2.5}));
  EXPECT_TRUE(Interpolant("a", {"x", "y"}, axes, values, Interpolate::Linear).jumps(0).empty());
}

}  // namespace
}  // namespace pecann::expr
