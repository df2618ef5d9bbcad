#include "pecann/expr/integral.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/expr/parse.h"

namespace pecann::expr {
namespace {

Scope integral_scope(bool timed = true) {
  Scope scope;
  scope.coordinates = timed ? std::vector<std::string>{"x", "t"} : std::vector<std::string>{"x", "y"};
  if (timed) scope.time = "t";
  scope.fields = {"u", "v"};
  scope.parameters = {"lam"};
  scope.data = {"data.u"};
  scope.integrals = true;
  return scope;
}

Expr equation(const std::string& text, bool timed = true) { return parse_equation(text, integral_scope(timed)); }

/// The rule and the hint of what is refused.
std::string refused(const std::string& text, bool timed = true) {
  try {
    const Expr residual = equation(text, timed);
    separate_integrals({&residual, 1}, timed ? "t" : "");
  } catch (const InputError& error) {
    return error.parts().rule + " | " + error.parts().hint;
  }
  return "";
}

TEST(Integral, PrintedTextIsReadBack) {
  for (const char* text : {"integral(u^2) = 1", "mean(u) = 0", "integral(u*x) - 2*integral(v) = lam",
                           "integral(u, over = space)^2 = exp(-t)", "mean(u_x + v, over = space) = 1"}) {
    const Expr once = equation(text);
    EXPECT_TRUE(same(once, equation(to_string(once)))) << text << " → " << to_string(once);
  }
}

TEST(Integral, EquationsAreTakenApart) {
  const Expr residual = equation("integral(u^2)*lam - integral(u^2)^2 + 3*mean(v) = 5");
  const IntegralEquations parts = separate_integrals({&residual, 1}, "t");
  ASSERT_EQ(parts.integrands.size(), 2u);  // u² once
  EXPECT_TRUE(same(parts.integrands[0].expression, pow(field("u"), 2)));
  EXPECT_FALSE(parts.integrands[0].mean);
  EXPECT_TRUE(parts.integrands[1].mean);
  EXPECT_THAT(parts.scalars, testing::ElementsAre("lam"));
  const Expr i = coordinate(integral_name(0)), lam = coordinate(scalar_name(0));
  EXPECT_TRUE(same(parts.by_integral[0][0], lam - 2 * i)) << to_string(parts.by_integral[0][0]);
  EXPECT_TRUE(same(parts.by_integral[0][1], 3));
  EXPECT_TRUE(same(parts.by_scalar[0][0], i));
}

TEST(Integral, DerivativeByTimeGoesInside) {
  EXPECT_TRUE(same(equation("d(integral(u, over = space), t)"), integral(field("u", {{"t", 1}}), kOverSpace)));
}

TEST(Integral, WhatHasNoMeaningIsRefusedWithTheFormThatHas) {
  using testing::HasSubstr;
  EXPECT_THAT(refused("integral(u) = u"), HasSubstr("'u' stands outside of an integral"));
  EXPECT_THAT(refused("integral(u) = u"), HasSubstr("write integral(u)"));
  EXPECT_THAT(refused("integral(u) = x"), HasSubstr("the coordinate 'x' stands outside"));
  EXPECT_THAT(refused("integral(u) = t"), HasSubstr("over = space"));
  EXPECT_THAT(refused("integral(u, over = space) = x"), HasSubstr("only 't' has a value"));
  EXPECT_THAT(refused("integral(u) = data.u"), HasSubstr("write integral(data.u)"));
  EXPECT_THAT(refused("integral(u) + integral(u, over = space) = 1"), HasSubstr("make two terms"));
  EXPECT_THAT(refused("integral(u*integral(v)) = 1"), HasSubstr("integrals of integrals"));
  EXPECT_THAT(refused("d(integral(u), x) = 1"), HasSubstr("differentiate inside, as in integral(d(u, x))"));
  EXPECT_THAT(refused("at(integral(u), x = 1) = 1"), HasSubstr("at() does not go with it"));
  EXPECT_THAT(refused("integral() = 1"), HasSubstr("takes 1 argument, 0 given"));
  EXPECT_THAT(refused("integral(u, x) = 1"), HasSubstr("write integral(u, over = space)"));
  EXPECT_THAT(refused("mean(u, over = time) = 1"), HasSubstr("write mean(u, over = space)"));
  EXPECT_THAT(refused("integral(u, over = space) = 1", false), HasSubstr("needs a coordinate t"));
  const Expr both[] = {equation("integral(u) = 1"), equation("u = 1")};
  EXPECT_THROW(separate_integrals(both, "t"), InputError);
  Scope elsewhere = integral_scope();
  elsewhere.integrals = false;
  EXPECT_THROW(parse("integral(u)", elsewhere), InputError);
}

TEST(Inequality, TheResidualIsTheViolation) {
  EXPECT_TRUE(same(equation("u <= x"), max(field("u") - coordinate("x"), 0)));
  EXPECT_TRUE(same(equation("u >= x"), max(coordinate("x") - field("u"), 0)));
  EXPECT_TRUE(is_inequality("u >= 0"));
  EXPECT_TRUE(is_inequality("if(x <= 1, u, v) <= 0"));
  EXPECT_FALSE(is_inequality("u = (x <= 1)"));
  EXPECT_FALSE(is_inequality("u = x <= 1"));
  EXPECT_FALSE(is_inequality("if(x <= 1, u, v)"));
}

TEST(Inequality, OtherRelationsAreRefusedWithTheOneThatIsMeant) {
  using testing::HasSubstr;
  EXPECT_THAT(refused("u == 0"), HasSubstr("write a single ="));
  EXPECT_THAT(refused("u > 0"), HasSubstr("write >="));
  EXPECT_THAT(refused("u < 0"), HasSubstr("write <="));
  EXPECT_THAT(refused("u != 0"), HasSubstr("equations are written with ="));
  EXPECT_THAT(refused("0 <= u <= 1"), HasSubstr("write two equations"));
  EXPECT_THAT(refused("u = 0 <= 1 <= 2"), HasSubstr("write two equations"));
}

}  // namespace
}  // namespace pecann::expr
