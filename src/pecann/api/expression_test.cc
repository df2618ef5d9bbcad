#include <gtest/gtest.h>

#include "pecann/api/expression_data.h"
#include "pecann/pecann.h"

namespace pecann {
namespace {

const Coordinate x("x", -1, 1), y("y", 0, 1), t("t", 0, 2);
const Field u("u", {x, t});

TEST(ExpressionTest, OperatorsGiveTheTextOfProblemFiles) {
  EXPECT_EQ((d(u, t) - 0.1 * d(u, x, x)).text(), "u_t - 0.1*u_xx");
  EXPECT_EQ((2 * u / (1 + exp(-x))).text(), "2*u/(1 + exp(-x))");
  EXPECT_EQ(if_else(x < 0, 1, 3 * pow(x, 2)).text(), "if(x < 0, 1, 3*x^2)");
  EXPECT_EQ((x >= t).text(), "t <= x");
  EXPECT_EQ((u - data("u")).text(), "u - data.u");
  EXPECT_EQ((sinh(x) + cosh(x) * asin(x) * acos(x) * atan(x) * erf(x)).text(),
            "sinh(x) + cosh(x)*asin(x)*acos(x)*atan(x)*erf(x)");
}

TEST(ExpressionTest, DerivativesFollowTheRulesOfCalculus) {
  EXPECT_EQ(d(sin(2 * x) * u, x).text(), (2 * cos(2 * x) * u + sin(2 * x) * d(u, x)).text());
  EXPECT_EQ(d(u, y).text(), "0");  // u does not depend on y
  EXPECT_EQ(d(x * t, x, t).text(), "1");
}

TEST(ExpressionTest, LaplacianRunsOverSpaceOnly) {
  const Field v("v", {x, y, t});
  EXPECT_EQ(laplacian(v).text(), (d(v, x, x) + d(v, y, y)).text());
  EXPECT_EQ(laplacian(u).text(), "u_xx");
  EXPECT_EQ(laplacian(x * x + y * y + t * t).text(), "4");
}

TEST(ExpressionTest, SubstitutionsReachFieldsAndCoordinates) {
  EXPECT_EQ(at(u, x = 1).text(), "at(u, x = 1)");
  EXPECT_EQ(at(d(u, x) + x, x = 1, t = 0).text(), "1 + at(u_x, t = 0, x = 1)");
  EXPECT_EQ(at(u, x = -x).text(), "at(u, x = -x)");
  EXPECT_EQ(x.name(), "x");  // naming a substitution changes nothing
}

TEST(ExpressionTest, LeavesAreKnownWhereverTheyAreUsed) {
  const Parameter nu("nu", {.initial = 0.5, .log_scale = true});
  const Constant k("k", 3);
  const Expression e = nu * d(u, x) + k;
  EXPECT_EQ(e.text(), "nu*u_x + k");
  EXPECT_EQ(e.data().leaves.parameters.at("nu").initial, 0.5);
  EXPECT_EQ(e.data().leaves.constants.at("k"), 3);
  EXPECT_EQ(e.data().leaves.field_inputs.at("u"), (std::vector<std::string>{"x", "t"}));
  EXPECT_EQ(d(k * x, x).text(), "k");
  EXPECT_EQ(at(k * x, x = 2).text(), "2*k");
}

TEST(ExpressionTest, DataHaveNoDerivative) {
  EXPECT_EQ((u - data("u")).text(), "u - data.u");
  EXPECT_THROW(d(u - data("u"), x), std::runtime_error);
  EXPECT_THROW(laplacian(x * data("u")), std::runtime_error);
  EXPECT_THROW(at(data("u"), x = 1), std::runtime_error);
}

TEST(ExpressionTest, IntegralsAndInequalities) {
  EXPECT_EQ(integral(u * u).text(), "integral(u^2)");
  EXPECT_EQ(mean(u, Over::Space).text(), "mean(u, over = space)");
  EXPECT_THROW(integral(integral(u)), std::runtime_error);
  EXPECT_THROW(d(integral(u), x), std::runtime_error);
  const Equations bounds = {u >= 0, u <= x};
  ASSERT_EQ(bounds.list().size(), 2u);
  EXPECT_TRUE(bounds.list()[0].inequality);
  EXPECT_EQ(bounds.list()[0].left.text(), "0 <= u");
  EXPECT_FALSE(Equation(u == x).inequality);
}

TEST(ExpressionTest, VectorsAreTheirComponents) {
  const Coordinate a("a", 0, 1), b("b", 0, 1), c("c", 0, 1), t("t", 0, 1), k("k", 1, 4, Coordinate::Role::Parameter);
  const Field u("u", {a, b, t, k}), v("v", {a, b, t, k});
  const Vector flow({a, b}, {u, v});
  EXPECT_EQ(div(flow).text(), "u_a + v_b");
  EXPECT_EQ(dot(2 * flow, grad(u)).text(), "2*u*u_a + 2*v*u_b");  // neither by t nor by k
  EXPECT_EQ(curl_in_plane(flow).text(), "v_a - u_b");
  EXPECT_EQ(div(k * grad(u)).text(), "k*u_aa + k*u_bb");
  EXPECT_EQ(laplacian(u).text(), "u_aa + u_bb");
  EXPECT_EQ(laplacian(flow)[1].text(), "v_aa + v_bb");
  EXPECT_EQ((flow == grad(u)).list().size(), 2u);
  const Vector w({a, b, c}, {pow(b, 2) * c, a * c, a * b});
  EXPECT_EQ(curl(w)[0].text(), "0");
  EXPECT_EQ(curl(w)[1].text(), "b^2 - b");
  EXPECT_THROW(flow + w, std::runtime_error);
  EXPECT_THROW(curl(flow), std::runtime_error);
  EXPECT_THROW(Vector({a}, {u, v}), std::runtime_error);
  EXPECT_THROW(Vector({a, t}, {u, v}), std::runtime_error);
}

TEST(ExpressionTest, TablesAreFunctions) {
  const Coordinate a("a", 0, 2), b("b", 0, 1);
  const Table kappa("kappa", {1, 2, 3, 4, 5, 6, 7, 8}, {a, b}, std::vector<int>{4, 2}, Interpolate::Linear);
  EXPECT_EQ((2 * kappa).text(), "2*kappa");
  EXPECT_THROW(Table("kappa", {1, 2, 3}, {a}, std::vector<int>{4}), std::runtime_error);
  EXPECT_THROW(Table("kappa", {1, 2, 3}, {a}, {{0, 1, 1}}), std::runtime_error);
  EXPECT_THROW(kappa + Table("kappa", {1, 2}, {a}, std::vector<int>{2}), std::runtime_error);
}

TEST(ExpressionTest, OneNameWithTwoMeaningsIsRefused) {
  EXPECT_THROW(Constant("k", 1) + Constant("k", 2), std::runtime_error);
  EXPECT_THROW(Parameter("nu", {.initial = 1}) * Parameter("nu", {.initial = 2}), std::runtime_error);
  EXPECT_THROW(Field("u", {x}) - u, std::runtime_error);
  EXPECT_NO_THROW(Constant("k", 1) + Constant("k", 1));
}

}  // namespace
}  // namespace pecann
