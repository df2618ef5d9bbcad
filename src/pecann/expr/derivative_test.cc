#include "pecann/expr/derivative.h"

#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/expr/test_evaluation.h"

namespace pecann::expr {
namespace {

const Expr x = coordinate("x"), y = coordinate("y"), t = coordinate("t");
const Expr u = field("u"), nu = parameter("nu");

Expr u_(MultiIndex index) { return field("u", std::move(index)); }

TEST(DerivativeTest, AFieldRaisesItsIndex) {
  EXPECT_TRUE(same(d(u, x, x, t), u_({{"x", 2}, {"t", 1}})));
  EXPECT_TRUE(same(d(u * u, x), 2 * u * u_({{"x", 1}})));
  EXPECT_TRUE(same(d(nu * u_({{"x", 1}}), x), nu * u_({{"x", 2}})));
  EXPECT_TRUE(same(d(sin(u), t), u_({{"t", 1}}) * cos(u)));
}

TEST(DerivativeTest, CoordinatesAFieldDoesNotDependOnGiveZero) {
  const FieldInputs inputs = {{"u", {"x"}}};
  EXPECT_TRUE(derivative(u, "t", inputs).is_constant(0));
  EXPECT_TRUE(same(derivative(u * t, "t", inputs), u));
  EXPECT_TRUE(same(derivative(u, "x", inputs), u_({{"x", 1}})));
}

TEST(DerivativeTest, DataHaveNoneAndNamedConstantsHaveZero) {
  const Expr measured = data_column("data.u"), k = named_constant("k");
  for (const Expr& a : {measured, x * measured, sin(u) - measured, less(measured, x), at(u, {{"x", measured}})}) {
    EXPECT_TRUE(a->reads_data);
    EXPECT_THROW(d(a, x), InputError) << to_string(a);
    EXPECT_THROW(at(a, {{"t", 1}}), InputError) << to_string(a);
    EXPECT_TRUE(same(at(a, {}), a)) << to_string(a);
  }
  EXPECT_TRUE(d(k, x).is_constant(0));
  EXPECT_TRUE(same(d(k * x * u, x), k * u + k * x * u_({{"x", 1}})));
  EXPECT_TRUE(same(at(k * x, {{"x", 2}, {"k", 3}}), k * 2)) << "k is no coordinate";
}

TEST(DerivativeTest, ChainRuleRunsThroughASite) {
  const std::map<std::string, Expr> site = {{"x", x * t}};
  EXPECT_TRUE(same(d(at(u, site), x), at(u_({{"x", 1}}), site) * t));
  EXPECT_TRUE(same(d(at(u, site), t), at(u_({{"x", 1}}), site) * x + at(u_({{"t", 1}}), site)));
  EXPECT_TRUE(same(d(at(u, site), y), at(u_({{"y", 1}}), site)));
  EXPECT_TRUE(d(at(u, {{"x", 1}}), x).is_constant(0));
  EXPECT_TRUE(derivative(at(u, site), "x", {{"u", {"t"}}}).is_constant(0));
}

TEST(DerivativeTest, LaplacianSumsSecondDerivatives) {
  const std::vector<std::string> space = {"x", "y"};
  EXPECT_TRUE(same(laplacian(u, space), u_({{"x", 2}}) + u_({{"y", 2}})));
  EXPECT_TRUE(laplacian(x * x + 3 * y * y, space).is_constant(8));
}

TEST(DerivativeTest, CommutesWithSubstitution) {
  // d/dx of the substituted residual equals the substituted d/dx of the residual, sites included.
  const Expr exact = sin(2 * x) * exp(t) + y;
  const Expr a = u * u_({{"x", 1}}) + at(u, {{"x", y * x}}) * sin(u);
  const Expr left = d(substitute_fields(a, {{"u", exact}}), x), right = substitute_fields(d(a, x), {{"u", exact}});
  for (double s = 0.1; s < 2; s += 0.3) {
    const Point point = {{"x", s}, {"y", 1.3 - s}, {"t", 0.2 * s}};
    EXPECT_NEAR(value_at(left, point), value_at(right, point), 1e-12 * (1 + std::abs(value_at(left, point))));
  }
}

/// Richardson's extrapolation of central differences: error O(h⁴).
double slope(const Expr& a, Point point, double h) {
  const double middle = point.at("x");
  const auto at_offset = [&](double offset) {
    point["x"] = middle + offset;
    return value_at(a, point);
  };
  const double wide = (at_offset(2 * h) - at_offset(-2 * h)) / (4 * h),
               narrow = (at_offset(h) - at_offset(-h)) / (2 * h);
  return (4 * narrow - wide) / 3;
}

TEST(DerivativeTest, RandomExpressionsFollowDifferences) {
  RandomExpressions random(7, {x, x, y});
  int compared = 0;
  for (int i = 0; i < 1500; ++i) {
    const Expr a = random.next(4);
    const Expr first = derivative(a, "x");
    const Point point = {{"x", random.uniform(-1, 1)}, {"y", random.uniform(-1, 1)}};
    const double fine = slope(a, point, 1e-4), coarse = slope(a, point, 2e-4);
    // a kink of abs, min or if between the points: the two differences tell
    if (std::abs(fine - coarse) > 1e-6 * (1 + std::abs(fine)) || std::abs(fine) > 1e6) continue;
    ++compared;
    EXPECT_NEAR(value_at(first, point), fine, 1e-6 * (1 + std::abs(fine))) << to_string(a);
  }
  EXPECT_GT(compared, 1350);
}

TEST(DerivativeTest, BranchesAndSteps) {
  const Expr branch = if_else(less(x, 0), x * x, sin(x));
  EXPECT_DOUBLE_EQ(value_at(d(branch, x), {{"x", -2.0}}), -4);
  EXPECT_DOUBLE_EQ(value_at(d(branch, x), {{"x", 2.0}}), std::cos(2.0));
  EXPECT_TRUE(d(less(x, 1) + sign(x), x).is_constant(0));
  EXPECT_DOUBLE_EQ(value_at(d(abs(x), x), {{"x", -2.0}}), -1);
  EXPECT_DOUBLE_EQ(value_at(d(min(x, 2 * x), x), {{"x", 1.0}}), 1);
  EXPECT_DOUBLE_EQ(value_at(d(max(x, 2 * x), x), {{"x", 1.0}}), 2);
}

}  // namespace
}  // namespace pecann::expr
