#include <gtest/gtest.h>

#include "pecann/expr/parse.h"
#include "pecann/expr/test_evaluation.h"

namespace pecann::expr {
namespace {

const Expr x = coordinate("x"), y = coordinate("y");
const Expr u = field("u"), v = field("v"), nu = parameter("nu");

Scope scope_of_all() {
  Scope scope;
  scope.coordinates = {"x", "y", "x1"};
  scope.fields = {"u", "v"};
  scope.parameters = {"nu"};
  scope.data = {"data.w"};
  return scope;
}

TEST(PrintTest, ReadsAsWrittenByHand) {
  EXPECT_EQ(to_string(u + 2 * v - x * y), "u + 2*v - x*y");
  EXPECT_EQ(to_string(-u), "-u");
  EXPECT_EQ(to_string(-pow(u, 2) * v), "-u^2*v");
  EXPECT_EQ(to_string(u / v / x), "u/v/x");
  EXPECT_EQ(to_string(u / (v * x)), "u/(v*x)");
  EXPECT_EQ(to_string(u * (v / x)), "u*(v/x)");
  EXPECT_EQ(to_string(u - v / x), "u - v/x");
  EXPECT_EQ(to_string(pow(-2 * x, u + 1)), "(-2*x)^(1 + u)");
  EXPECT_EQ(to_string(pow(x, -2)), "x^(-2)");
  EXPECT_EQ(to_string(sin(x) * if_else(less(x, 0), u, max(v, 1))), "sin(x)*if(x < 0, u, max(v, 1))");
  EXPECT_EQ(to_string(2 * less(x, y)), "2*(x < y)");
  EXPECT_EQ(to_string(0.1 * x + 1e-30 + 100000 * y), "1e-30 + 0.1*x + 100000*y");
}

TEST(PrintTest, DerivativesAndSites) {
  EXPECT_EQ(to_string(field("u", {{"x", 2}})), "u_xx");
  EXPECT_EQ(to_string(field("u", {{"y", 1}, {"x", 1}})), "u_xy");
  EXPECT_EQ(to_string(field("u", {{"x1", 2}})), "d(u, x1, x1)");
  EXPECT_EQ(to_string(at(field("u", {{"x", 1}}), {{"x", 1}})), "at(u_x, x = 1)");
  EXPECT_EQ(to_string(at(u, {{"x", y + 1}, {"y", 2}})), "at(u, x = 1 + y, y = 2)");
}

TEST(PrintTest, EveryTreeIsReadBack) {
  const std::vector<Expr> leaves = {x,
                                    y,
                                    u,
                                    v,
                                    nu,
                                    data_column("data.w"),
                                    at(u, {{"x", data_column("data.w")}, {"y", 2}}),
                                    field("u", {{"x", 2}, {"y", 1}}),
                                    field("v", {{"x1", 1}}),
                                    at(u, {{"x", -y}, {"y", sin(x) + 1}}),
                                    at(field("v", {{"x", 1}}), {{"x1", 0.1}}),
                                    Expr(-2.5),
                                    Expr(1e-17),
                                    Expr(1.0 / 3),
                                    Expr(6.02e23)};
  RandomExpressions random(11, leaves);
  const Scope scope = scope_of_all();
  for (int i = 0; i < 3000; ++i) {
    const Expr a = random.next(5);
    const Expr back = parse(to_string(a), scope);
    ASSERT_TRUE(same(a, back)) << to_string(a) << "\n" << to_string(back);
  }
}

}  // namespace
}  // namespace pecann::expr
