#include "pecann/expr/replace_fields.h"

#include <gtest/gtest.h>

#include "pecann/expr/parse.h"

namespace pecann::expr {
namespace {

Expr parsed(const std::string& text) {
  Scope scope;
  scope.coordinates = {"x", "t"};
  scope.fields = {"u", "v"};
  return parse(text, scope);
}

TEST(ReplaceFields, ReplacesDerivativesWithoutDifferentiating) {
  const Expr replaced =
      replace_fields(parsed("u_xx*v + sin(u)"), [](const Expr& leaf) { return leaf + data_column("data.change"); });
  EXPECT_EQ(to_string(replaced),
            to_string((parsed("u_xx") + data_column("data.change")) * (parsed("v") + data_column("data.change")) +
                      sin(parsed("u") + data_column("data.change"))));
}

TEST(ReplaceFields, ListsEveryLeafOnce) {
  const std::vector<Expr> expressions = {parsed("u_x + u*u_x"), parsed("v + u + at(u, x = 1)")};
  std::vector<std::string> texts;
  for (const Expr& leaf : field_leaves(expressions)) texts.push_back(to_string(leaf));
  EXPECT_EQ(texts.size(), 4u);  // u_x, u, v, u at x = 1
}

TEST(ReplaceFields, RenamesWithDerivativeAndSite) {
  EXPECT_TRUE(same(renamed_field(parsed("u_xt"), "v"), parsed("v_xt")));
  EXPECT_TRUE(same(renamed_field(parsed("at(u, x = 1)"), "v"), parsed("at(v, x = 1)")));
}

TEST(ReplaceFields, KnowsLinearEquations) {
  for (const char* linear : {"u_xx + x*u - 3", "u/x + v", "if(x < 0.5, u, 2*v)", "sin(x)"})
    EXPECT_TRUE(linear_in_fields(parsed(linear))) << linear;
  for (const char* nonlinear : {"u*u_x", "sin(u)", "x/u", "u^2", "if(u < 0.5, u, v)", "abs(u)"})
    EXPECT_FALSE(linear_in_fields(parsed(nonlinear))) << nonlinear;
}

}  // namespace
}  // namespace pecann::expr
