// The evaluator against the slow engine of tests/support: networks, tile remainders, derivative sets, sites, scalars.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/engine_problem.h"

namespace pecann::evaluate {
namespace {

constexpr const char* kDomain = R"(title = "test"
coordinates = { x = [-1, 1], y = [0, 2], t = [0, 0.7] }
)";

std::string term(const std::string& equations, int points) {
  return fmt::format(R"(
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = [{}]
points = {{ sobol = {} }}
)",
                     equations, points);
}

/// ∇J along a random direction by central differences of J.
void expect_gradient(Evaluator& evaluator, const std::vector<double>& parameters) {
  RandomStream stream(12, "direction");
  std::vector<double> gradient(parameters.size()), above = parameters, below = parameters;
  const double value = evaluator.gradient(parameters, {}, gradient).objective, h = 1e-5;
  double slope = 0;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const double direction = stream.normal() / std::sqrt(static_cast<double>(parameters.size()));
    slope += gradient[p] * direction;
    above[p] += h * direction;
    below[p] -= h * direction;
  }
  const double difference = (evaluator.values(above).objective - evaluator.values(below).objective) / (2 * h);
  EXPECT_NEAR(slope, difference, 1e-7 * (std::abs(value) + std::abs(slope)));
}

/// Every residual to 1e-10 of the largest of its equation, the term's value to 1e-12 (so that builds for one
/// lane and for many agree to that), and its gradient.
void expect_reference(test::SmallEngine& engine, std::uint64_t seed) {
  Evaluator& evaluator = *engine.evaluator;
  const std::vector<double> parameters = test::random_parameters(engine.model, seed);
  const std::vector<double> rows = test::residual_rows(evaluator, parameters);
  const std::size_t equations = evaluator.terms()[0].residuals.size();
  std::vector<double> largest(equations, 0), error(equations, 0);
  double sum = 0;
  for (const Evaluator::RowRun& run : evaluator.row_runs()) {
    for (std::size_t i = 0; i < run.count; ++i) {
      const double reference = test::reference_row(evaluator, parameters, engine.problem.box.names, run, i);
      largest[run.equation] = std::max(largest[run.equation], std::abs(reference));
      error[run.equation] = std::max(error[run.equation], std::abs(reference - rows[run.first_row + i]));
      sum += reference * reference;
    }
  }
  for (std::size_t e = 0; e < equations; ++e) {
    EXPECT_GT(largest[e], 0) << engine.problem.terms[0].equation_texts[e];
    EXPECT_LE(error[e], 1e-10 * largest[e]) << engine.problem.terms[0].equation_texts[e];
  }
  const double mean = sum / static_cast<double>(evaluator.program(0).points().count);
  EXPECT_NEAR(evaluator.values(parameters).terms[0], mean, 1e-12 * mean);
  expect_gradient(evaluator, parameters);
}

TEST(EvaluatorReference, TileRemaindersWidthsAndDepths) {
  const char* const shapes[] = {"[1]", "[3]", "[8, 8]", "[17, 5, 9]", "[6, 6, 6, 6, 6, 6]", "[130]"};
  for (const char* const shape : shapes) {
    for (const int points : {1, 7, 8, 9, 63, 64, 65, 200}) {
      if (std::string(shape) == "[130]" && points > 9) continue;
      SCOPED_TRACE(fmt::format("{} neurons, {} points", shape, points));
      test::SmallEngine engine(kDomain + fmt::format("[[network]]\nfields = [\"u\", \"v\"]\nhidden = {}\n", shape) +
                               term(R"("u_t + u*u_x - v_yy", "v - x*y")", points));
      expect_reference(engine, 7);
    }
  }
}

struct Shape {
  const char* name;
  const char* text;
};

class DerivativeSets : public ::testing::TestWithParam<Shape> {};

TEST_P(DerivativeSets, AloneAndTogether) {
  const char* const equations[] = {
      "u",
      "u_x",
      "u_t + v_y",
      "u_xx",
      "u_xy",
      "laplacian(u) + u",
      "2*u_xx - u_tt",
      "x*u_xx + y^2*u_xy - u_t + exp(x)*v_tt",  // coefficients that differ from point to point
      "u_t + sin(y)*u_x - cos(x)*u_y",
      "u*u_x + v*u_y - 0.1*laplacian(u)",
      "u_xxx",
      "u_xxxx - 3*u",
      "u_xxy",
      "u_xyt",
      "u_xxyy",
      "u_xxyt",
      "u_xttt",
      "laplacian(laplacian(u))",
      "u_xx*u_yy - u_xy^2",
      "sin(u)*exp(v_x) + tanh(u_xy)/(1 + u^2)",
      "d(exp(u)*u_x, x) + sqrt(1 + v^2)*abs(u_t)",
      "max(u, v) + if(u_x < v, u_y, 2*v_t)",
  };
  std::string all;
  std::uint64_t seed = 1;
  for (const char* const equation : equations) {
    SCOPED_TRACE(equation);
    const std::string quoted = fmt::format("\"{}\"", equation);
    all += (all.empty() ? "" : ", ") + quoted;
    test::SmallEngine engine(std::string(kDomain) + GetParam().text + term(quoted + ", \"u + v\"", 9));
    expect_reference(engine, ++seed);
  }
  test::SmallEngine engine(std::string(kDomain) + GetParam().text + term(all, 5));
  expect_reference(engine, 99);
}

INSTANTIATE_TEST_SUITE_P(
    Networks, DerivativeSets,
    ::testing::Values(
        Shape{"Tanh", "[[network]]\nfields = [\"u\", \"v\"]\nhidden = [7, 6]\n"},
        Shape{"Sin", "[[network]]\nfields = [\"u\", \"v\"]\nhidden = [7, 6]\nactivation = \"sin\"\n"},
        Shape{"Silu", "[[network]]\nfields = [\"u\", \"v\"]\nhidden = [5, 6, 4]\nactivation = \"silu\"\n"},
        Shape{"Sigmoid", "[[network]]\nfields = [\"u\", \"v\"]\nhidden = [9]\noutput = \"sigmoid\"\n"},
        Shape{"Fourier", "[[network]]\nfields = [\"u\", \"v\"]\nhidden = [8, 6]\nfourier = { sigma = 0.3 }\n"},
        Shape{"TwoNetworks",
              "[[network]]\nfields = [\"v\"]\nhidden = [5]\n[[network]]\nfields = [\"u\"]\nhidden = [6, 6]\n"}),
    [](const auto& info) { return info.param.name; });

TEST(EvaluatorReference, FieldsAtOtherPlaces) {
  const char* const equations[] = {
      "u - at(u, x = 1)",
      "at(u_x, x = y/2, t = 0.1) - u_y",
      "at(laplacian(u), t = 0) + at(v, y = x^2)*u_t",
      "d(at(u, x = sin(y)), y)",  // the chain rule through the place
      "at(u_xxyy, x = 0.5) - at(v_xy, x = 0.5)",
      "at(u, x = -x) + u_xx",
  };
  for (const char* const equation : equations) {
    SCOPED_TRACE(equation);
    test::SmallEngine engine(std::string(kDomain) + "[[network]]\nfields = [\"u\", \"v\"]\nhidden = [7, 6]\n" +
                             term(fmt::format("\"{}\"", equation), 65));
    expect_reference(engine, 3);
  }
}

TEST(EvaluatorReference, NetworksOfDifferentInputs) {
  const std::string networks = R"(
[[network]]
fields = ["u", "v"]
hidden = [6, 5]
[[network]]
name = "profile"
fields = ["a"]
inputs = ["x"]
hidden = [5]
activation = "sin"
[[network]]
name = "plane"
fields = ["b", "c"]
inputs = ["t", "y"]
hidden = [4, 4]
output = "sigmoid"
)";
  test::SmallEngine engine(
      kDomain + networks +
      term(R"list("u_t - d(a*u_x, x) - b*u_yy", "b_ty*c - a_xx + at(c_y, t = 0.3)", "at(a, x = y/2) - v",
                                   "b_tty + c_yyyy*a")list",
           71));
  expect_reference(engine, 5);
}

TEST(EvaluatorReference, ScalarsWithEveryKindOfBound) {
  const std::string text = R"(
[parameters]
free = -0.7
scaled = { initial = 0.3, log = true }
above = { initial = 2, lower = 1.5 }
below = { initial = -2, upper = -1 }
between = { initial = 0.1, lower = -0.2, upper = 0.9 }
[[network]]
fields = ["u"]
hidden = [6]
)";
  test::SmallEngine engine(
      kDomain + text +
      term(R"list("u_t - scaled*u_xx + free*u", "u^2 + above*u_x - below", "sin(between*x)*u + exp(below*above)")list",
           33));
  expect_reference(engine, 11);
}

}  // namespace
}  // namespace pecann::evaluate
