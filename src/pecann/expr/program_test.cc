#include "pecann/expr/program.h"

#include <gtest/gtest.h>

#include "pecann/expr/parse.h"

namespace pecann::expr {
namespace {

Scope plane() {
  Scope scope;
  scope.coordinates = {"x", "y", "t"};
  scope.time = "t";
  scope.constants = {{"k", 3}, {"mu", 0.01}};
  scope.fields = {"u", "v", "p", "q"};
  scope.parameters = {"nu"};
  scope.functions = {{"s", {{"x", "y"}, "sin(x)*y"}},
                     {"g", {{}, "exp(x)"}},
                     {"a", {{}, "sin(x)*cos(y)*cos(t)"}},
                     {"b", {{}, "cos(x)*sin(y)*cos(t)"}},
                     {"kappa", {{}, "4 + x^2"}}};
  return scope;
}

const std::map<std::string, int> kOneNetwork = {{"u", 0}, {"v", 0}, {"p", 0}, {"q", 1}};

Program compiled(const std::vector<std::string>& equations) {
  std::vector<Expr> residuals;
  for (const std::string& equation : equations) residuals.push_back(parse_equation(equation, plane()));
  return compile(residuals, kOneNetwork);
}

int channels(const std::vector<std::string>& equations) { return count_channels(compiled(equations), kOneNetwork, 0); }

std::string text_of(const LinearOperator& linear_operator) {
  std::string text;
  for (const auto& [index, coefficient] : linear_operator.terms) {
    text += (text.empty() ? "" : " + ") + to_string(coefficient) + " ";
    for (const auto& [name, order] : index) text += std::string(static_cast<std::size_t>(order), name[0]);
  }
  return text;
}

TEST(ProgramTest, SourcesOfASumAreOneColumn) {
  const Program program = compiled({"u*u_x + k^2*u - s(x, y) = g - x*u"});
  ASSERT_EQ(program.columns.size(), 2u);
  EXPECT_EQ(program.jets.size(), 2u);
}

TEST(ProgramTest, EqualPartsAreComputedOnce) {
  const Program program = compiled({"sin(u)*u_x + sin(u)", "sin(u) - u_x"});
  int sines = 0;
  for (const auto& step : program.tape.instructions) sines += step.op == kernel::TapeOp::Sin;
  EXPECT_EQ(sines, 1);
  EXPECT_EQ(program.jets.size(), 2u);
  EXPECT_EQ(program.tape.outputs.size(), 2u);
}

TEST(ProgramTest, FieldsAtSitesAreJetsOfTheirOwnPass) {
  const Program program = compiled({"at(u, x = 1) = at(u, x = -1)", "at(u_x, x = 1) - u"});
  ASSERT_EQ(program.sites.size(), 3u);
  EXPECT_TRUE(program.sites[0].empty());
  EXPECT_EQ(program.jets.size(), 4u);
  EXPECT_EQ(count_channels(program, kOneNetwork, 0), 1 + 2 + 1);
  EXPECT_EQ(count_channels(program, kOneNetwork, 1), 0);
}

TEST(CollapseTest, HelmholtzCarriesOneLaplacian) {
  const Program program = compiled({"laplacian(u) + k^2*u = s(x, y)"});
  EXPECT_EQ(count_channels(program, kOneNetwork, 0), 4);
  ASSERT_EQ(program.operators.size(), 1u);
  EXPECT_EQ(text_of(program.operators[0]), "1 xx + 1 yy");
}

TEST(CollapseTest, TransportIsOneDirectionalDerivative) {
  EXPECT_EQ(channels({"u_t + a*u_x + b*u_y"}), 2);
  EXPECT_EQ(channels({"u_t + a*u_x + b*u_y = 0", "u - 1"}), 2);
}

TEST(CollapseTest, DiffusionWithVariableCoefficient) {
  const Program program = compiled({"u_t = d(kappa*u_x, x)"});
  EXPECT_EQ(count_channels(program, kOneNetwork, 0), 3);
  ASSERT_EQ(program.operators.size(), 1u);
  EXPECT_EQ(text_of(program.operators[0]), "1 t + -2*x x + -(4 + x^2) xx");
}

TEST(CollapseTest, BurgersKeepsItsDerivatives) {
  const Program program = compiled({"u_t + u*u_x"});
  EXPECT_TRUE(program.operators.empty());
  EXPECT_EQ(count_channels(program, kOneNetwork, 0), 3);
}

TEST(CollapseTest, NavierStokesSharesOneOperator) {
  const std::vector<std::string> equations = {"u_t + u*u_x + v*u_y + p_x = mu*laplacian(u)",
                                              "v_t + u*v_x + v*v_y + p_y = mu*laplacian(v)", "u_x + v_y"};
  const Program program = compiled(equations);
  EXPECT_EQ(count_channels(program, kOneNetwork, 0), 4);
  ASSERT_EQ(program.operators.size(), 1u);
  EXPECT_EQ(text_of(program.operators[0]), "1 t + -0.01 xx + -0.01 yy");
}

TEST(CollapseTest, TrainableViscosityLeavesTheLaplacian) {
  for (const char* form :
       {"u_t + u*u_x + v*u_y = nu*laplacian(u)", "u_t + u*u_x + v*u_y = d(nu*u_x, x) + d(nu*u_y, y)"}) {
    const Program program = compiled({form, "v_t + u*v_x + v*v_y = nu*laplacian(v)"});
    EXPECT_EQ(count_channels(program, kOneNetwork, 0), 5) << form;
    ASSERT_EQ(program.operators.size(), 1u);
    EXPECT_EQ(text_of(program.operators[0]), "1 xx + 1 yy");
  }
}

TEST(CollapseTest, MultiplesOfAnOperatorAreOne) {
  const Program program = compiled({"2*laplacian(u) - u", "x*(laplacian(v)) + sin(y)*v", "-laplacian(p)/(2 + x)"});
  ASSERT_EQ(program.operators.size(), 1u);
  EXPECT_EQ(count_channels(program, kOneNetwork, 0), 4);
}

TEST(CollapseTest, SeveralOperatorsPayTogether) {
  // Alone neither saves a channel, since the other needs all three second derivatives; both together do.
  Scope scope = plane();
  scope.coordinates = {"x", "y", "z"};
  scope.time = "";
  const std::vector<Expr> residuals = {parse("u_xx + u_yy + u_zz", scope), parse("u_xx - u_yy + 2*u_zz", scope)};
  const Program program = compile(residuals, kOneNetwork);
  EXPECT_EQ(program.operators.size(), 2u);
  EXPECT_EQ(count_channels(program, kOneNetwork, 0), 6);
}

TEST(CollapseTest, HigherAndMixedDerivativesAreCountedByTheirLines) {
  EXPECT_EQ(channels({"u_xxxx + u_tt"}), 1 + 4 + 2);
  EXPECT_EQ(channels({"u_t + 6*u*u_x + u_xxx"}), 1 + 3 + 1);
  EXPECT_EQ(channels({"u_xy*u"}), 1 + 2 + 1);
  EXPECT_EQ(channels({"u_xxy*u"}), 1 + 3 * 3);                  // lines y, x + y, x - y
  EXPECT_EQ(channels({"laplacian(laplacian(u))"}), 1 + 4 * 4);  // lines x, y, x + y, x - y
}

TEST(CollapseTest, OperatorsBelongToNetworks) {
  const Program program = compiled({"laplacian(u) + laplacian(q)"});
  EXPECT_EQ(count_channels(program, kOneNetwork, 0), 4);
  EXPECT_EQ(count_channels(program, kOneNetwork, 1), 4);
  EXPECT_EQ(program.operators.size(), 1u);
}

}  // namespace
}  // namespace pecann::expr
