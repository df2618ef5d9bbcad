#include "pecann/expr/program.h"

#include <gtest/gtest.h>

#include "pecann/expr/parse.h"

namespace pecann::expr {
namespace {

Scope plane() {
  Scope scope;
  scope.coordinates = {"x", "y", "t"};
  scope.time = "t";
  scope.constants = {{"k", 3}};
  scope.fields = {"u", "v", "p"};
  scope.parameters = {"nu"};
  scope.functions = {{"s", {{"x", "y"}, "sin(x)*y"}}, {"g", {{}, "exp(x)"}}};
  return scope;
}

TEST(ProgramTest, SourcesOfASumAreOneColumn) {
  const Expr residual = parse_equation("u*u_x + k^2*u - s(x, y) = g - x*u", plane());
  const Program program = compile(std::span(&residual, 1), {{"u", 0}});
  ASSERT_EQ(program.columns.size(), 2u);
  EXPECT_EQ(program.jets.size(), 2u);
}

}  // namespace
}  // namespace pecann::expr
