#include "pecann/expr/expr.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/expr/derivative.h"

namespace pecann::expr {
namespace {

const Expr x = coordinate("x"), y = coordinate("y"), t = coordinate("t");
const Expr u = field("u"), v = field("v"), k = parameter("k");

TEST(ExprTest, NumbersFoldAndNeutralElementsVanish) {
  EXPECT_TRUE((Expr(2) + 3 * Expr(4)).is_constant(14));
  EXPECT_TRUE(same(u + 0, u));
  EXPECT_TRUE(same(0 + u, u));
  EXPECT_TRUE(same(1 * u, u));
  EXPECT_TRUE((u * 0).is_constant(0));
  EXPECT_TRUE(same(u / 1, u));
  EXPECT_TRUE((0 / u).is_constant(0));
  EXPECT_TRUE(same(-(-u), u));
  EXPECT_TRUE(same(pow(u, 1), u));
  EXPECT_TRUE(pow(u, 0).is_constant(1));
  EXPECT_TRUE(sin(Expr(0.5)).is_constant(std::sin(0.5)));
  EXPECT_TRUE(if_else(less(1, 2), u, v)->name == "u");
  EXPECT_TRUE(same(if_else(less(x, 2), u, u), u));
  EXPECT_TRUE(min(Expr(2), Expr(3)).is_constant(2) && max(Expr(2), Expr(3)).is_constant(3));
  EXPECT_EQ(log(Expr(0))->kind, Kind::Log);  // not finite: stays as it is written
}

TEST(ExprTest, EqualTermsAndFactorsMerge) {
  EXPECT_TRUE(same(2 * u + 3 * u, 5 * u));
  EXPECT_TRUE((u * x - u * x).is_constant(0));
  EXPECT_TRUE(same(u * u, pow(u, 2)));
  EXPECT_TRUE(same(u * u * x * u, pow(u, 3) * x));
  EXPECT_TRUE(same(pow(pow(u, 2), 3), pow(u, 6)));
  EXPECT_TRUE(same(3 * (u + v) - 2 * (u + v), u + v));
  EXPECT_TRUE(same(1 + u + 2, 3 + u));
  EXPECT_TRUE(same(u + v - (u - x), v + x));
  // √u·√u is not u for u < 0, u/u is not 1 at 0.
  EXPECT_FALSE(same(pow(u, 0.5) * pow(u, 0.5), u));
  EXPECT_FALSE((u / u).is_constant(1));
}

TEST(ExprTest, SumsAndProductsAreFlatWithTheConstantFirst) {
  const Expr sum_of_four = (u + 2) + (v + x);
  ASSERT_EQ(sum_of_four->arguments.size(), 4u);
  EXPECT_TRUE(sum_of_four->arguments[0].is_constant(2));
  const Expr product_of_four = (u * 2) * (v * x);
  ASSERT_EQ(product_of_four->arguments.size(), 4u);
  EXPECT_TRUE(product_of_four->arguments[0].is_constant(2));
}

TEST(ExprTest, CompareIsATotalOrder) {
  const std::vector<Expr> list = {Expr(1),
                                  Expr(2),
                                  x,
                                  y,
                                  k,
                                  u,
                                  v,
                                  field("u", {{"x", 1}}),
                                  field("u", {{"x", 2}}),
                                  u + v,
                                  u * v,
                                  u / v,
                                  pow(u, v),
                                  sin(u),
                                  coordinate("data.u"),
                                  data_column("data.u"),
                                  named_constant("data.u"),
                                  at(u, {{"x", data_column("data.u")}}),
                                  at(u, {{"x", 1}}),
                                  at(u, {{"x", 2}}),
                                  at(u, {{"x", 1}, {"y", 2}})};
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = 0; j < list.size(); ++j) {
      EXPECT_EQ(compare(list[i], list[j]) == 0, i == j);
      EXPECT_EQ(compare(list[i], list[j]) < 0, compare(list[j], list[i]) > 0);
      EXPECT_EQ(same(list[i], list[j]), i == j);
      for (std::size_t l = 0; l < list.size(); ++l)
        if (compare(list[i], list[j]) < 0 && compare(list[j], list[l]) < 0) EXPECT_TRUE(compare(list[i], list[l]) < 0);
    }
}

TEST(ExprTest, CoordinateOnlyMeansNoFieldAndNoParameter) {
  EXPECT_TRUE(coordinate_only(sin(x) * exp(y) + 1));
  EXPECT_TRUE(coordinate_only(x * data_column("data.u") + named_constant("k")));
  EXPECT_FALSE(coordinate_only(x + k));
  EXPECT_FALSE(coordinate_only(x * field("u", {{"x", 1}})));
}

TEST(ExprTest, AtReplacesCoordinatesAndMovesFields) {
  EXPECT_TRUE(same(at(x * y, {{"x", 2}}), 2 * y));
  const Expr moved = at(u * x, {{"x", y + 1}});
  EXPECT_TRUE(same(moved, at(u, {{"x", y + 1}}) * (y + 1)));
  EXPECT_TRUE(same(at(u, {{"x", x}}), u));
  // swapping is simultaneous, and composing it twice is the identity
  const std::map<std::string, Expr> swapped = {{"x", y}, {"y", x}};
  EXPECT_TRUE(same(at(x - 2 * y, swapped), y - 2 * x));
  EXPECT_TRUE(same(at(at(u, swapped), swapped), u));
  // first x -> x², then x -> t: u is read at x = t²
  EXPECT_TRUE(same(at(at(u, {{"x", x * x}}), {{"x", t}}), at(u, {{"x", t * t}})));
  EXPECT_THROW(at(u, {{"x", v}}), InputError);
}

TEST(ExprTest, SubstituteFieldsDifferentiatesAndMovesTheExpression) {
  const Expr exact = sin(x) * y;
  EXPECT_TRUE(same(substitute_fields(field("u", {{"x", 2}}) + v, {{"u", exact}}), -1 * y * sin(x) + v) ||
              same(substitute_fields(field("u", {{"x", 2}}) + v, {{"u", exact}}), -1 * sin(x) * y + v));
  EXPECT_TRUE(same(substitute_fields(at(field("u", {{"y", 1}}), {{"x", 2}}), {{"u", exact}}), sin(Expr(2))));
}

TEST(ExprTest, DivisionByZeroAndNonFiniteConstantsAreRefused) {
  EXPECT_THROW(x / 0, InputError);
  EXPECT_THROW(Expr(1e300) * 1e300, InputError);
  EXPECT_THROW(Expr(std::nan("")), InputError);
}

TEST(ExprTest, LoopsOfOperatorsStopBeforeTheStackDoes) {
  Expr deep = u;
  EXPECT_THROW(
      {
        for (int i = 0; i < 10'000; ++i) deep = sin(deep * x + 1);
      },
      InputError);
  EXPECT_GT(deep->depth, 1900u);
  Expr flat = u;
  for (int i = 0; i < 1000; ++i) flat = flat + sin(Expr(i) * x);
  EXPECT_EQ(flat->depth, 4u);
}

TEST(ExprTest, SharedTreesThatWouldGrowWithoutBoundsAreRefused) {
  Expr doubling = x;
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) doubling = sin(doubling) * exp(doubling);
      },
      InputError);
}

}  // namespace
}  // namespace pecann::expr
