#include "pecann/kernel/tape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

#include "pecann/base/aligned_vector.h"

namespace pecann::kernel {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Runs a tape on one tile and keeps everything it needs.
struct TapeRun {
  TapeRun(const Tape& t, std::vector<AlignedVector<double>> in) : tape(t), inputs(std::move(in)) {
    points = inputs[0].size();
    for (const auto& input : inputs) pointers.push_back(input.data());
    scratch.resize(tape_scratch(tape, points));
    tape_forward(tape, pointers, scratch.data(), points);
  }
  const double* output(std::size_t o = 0) const { return tape_output(tape, pointers, scratch.data(), points, o); }
  /// Adjoints of all inputs for the given adjoint of output 0, added to `start`.
  std::vector<AlignedVector<double>> backward(double seed, double start = 0) const {
    std::vector<AlignedVector<double>> adjoints(inputs.size(), AlignedVector<double>(points, start));
    std::vector<double*> targets;
    for (auto& adjoint : adjoints) targets.push_back(adjoint.data());
    const AlignedVector<double> seeds(points, seed);
    const std::vector<const double*> seed_pointers(tape.outputs.size(), seeds.data());
    AlignedVector<double> more(tape_scratch(tape, points), 77.0);
    tape_backward(tape, pointers, scratch.data(), points, seed_pointers, targets, more.data());
    return adjoints;
  }
  Tape tape;
  std::vector<AlignedVector<double>> inputs;
  std::vector<const double*> pointers;
  AlignedVector<double> scratch;
  std::size_t points = 0;
};

Tape single(TapeOp op, int arguments, double value = 0) {
  Tape tape;
  tape.num_inputs = arguments;
  tape.num_registers = arguments + 1;
  tape.instructions = {{op, arguments, 0, arguments > 1 ? 1 : -1, arguments > 2 ? 2 : -1, value}};
  tape.outputs = {arguments};
  return tape;
}

struct OneArgument {
  const char* name;
  TapeOp op;
  double value;
  std::function<double(double)> f, derivative;
  double from, to;
};

const std::vector<OneArgument>& functions_of_one() {
  static const std::vector<OneArgument> list = {
      {"negate", TapeOp::Negate, 0, [](double x) { return -x; }, [](double) { return -1.0; }, -2, 2},
      {"sin", TapeOp::Sin, 0, [](double x) { return std::sin(x); }, [](double x) { return std::cos(x); }, -9, 9},
      {"cos", TapeOp::Cos, 0, [](double x) { return std::cos(x); }, [](double x) { return -std::sin(x); }, -9, 9},
      {"tan", TapeOp::Tan, 0, [](double x) { return std::tan(x); },
       [](double x) { return 1 / (std::cos(x) * std::cos(x)); }, -1.4, 1.4},
      {"exp", TapeOp::Exp, 0, [](double x) { return std::exp(x); }, [](double x) { return std::exp(x); }, -30, 30},
      {"log", TapeOp::Log, 0, [](double x) { return std::log(x); }, [](double x) { return 1 / x; }, 0.01, 50},
      {"sqrt", TapeOp::Sqrt, 0, [](double x) { return std::sqrt(x); }, [](double x) { return 0.5 / std::sqrt(x); },
       0.01, 50},
      {"tanh", TapeOp::Tanh, 0, [](double x) { return std::tanh(x); },
       [](double x) { return 1 / (std::cosh(x) * std::cosh(x)); }, -6, 6},
      {"sinh", TapeOp::Sinh, 0, [](double x) { return std::sinh(x); }, [](double x) { return std::cosh(x); }, -5, 5},
      {"cosh", TapeOp::Cosh, 0, [](double x) { return std::cosh(x); }, [](double x) { return std::sinh(x); }, -5, 5},
      {"asin", TapeOp::Asin, 0, [](double x) { return std::asin(x); },
       [](double x) { return 1 / std::sqrt((1 - x) * (1 + x)); }, -0.9, 0.9},
      {"acos", TapeOp::Acos, 0, [](double x) { return std::acos(x); },
       [](double x) { return -1 / std::sqrt((1 - x) * (1 + x)); }, -0.9, 0.9},
      {"atan", TapeOp::Atan, 0, [](double x) { return std::atan(x); }, [](double x) { return 1 / (1 + x * x); }, -9, 9},
      {"erf", TapeOp::Erf, 0, [](double x) { return std::erf(x); },
       [](double x) { return 2 * std::numbers::inv_sqrtpi * std::exp(-x * x); }, -3, 3},
      {"abs", TapeOp::Abs, 0, [](double x) { return std::abs(x); }, [](double x) { return x < 0 ? -1.0 : 1.0; }, -2,
       2.1},
      {"sign", TapeOp::Sign, 0, [](double x) { return x < 0 ? -1.0 : 1.0; }, [](double) { return 0.0; }, -2, 2.1},
      {"power 0", TapeOp::PowerInteger, 0, [](double) { return 1.0; }, [](double) { return 0.0; }, -2, 2},
      {"power 3", TapeOp::PowerInteger, 3, [](double x) { return x * x * x; }, [](double x) { return 3 * x * x; }, -2,
       2},
      {"power 7", TapeOp::PowerInteger, 7, [](double x) { return std::pow(x, 7); },
       [](double x) { return 7 * std::pow(x, 6); }, -2, 2},
      {"power -2", TapeOp::PowerInteger, -2, [](double x) { return 1 / (x * x); },
       [](double x) { return -2 / (x * x * x); }, -2, 2.1}};
  return list;
}

AlignedVector<double> spread(double from, double to, std::size_t points) {
  AlignedVector<double> values(points);
  for (std::size_t p = 0; p < points; ++p)
    values[p] = from + (to - from) * static_cast<double>(p) / static_cast<double>(points - 1);
  return values;
}

TEST(TapeTest, FunctionsOfOneArgumentAndTheirDerivativesFollowClosedForms) {
  for (const OneArgument& function : functions_of_one()) {
    SCOPED_TRACE(function.name);
    const TapeRun run(single(function.op, 1, function.value), {spread(function.from, function.to, 64)});
    const auto adjoints = run.backward(2.0, 0.5);
    for (std::size_t p = 0; p < 64; ++p) {
      const double x = run.inputs[0][p], y = function.f(x), dy = function.derivative(x);
      EXPECT_NEAR(run.output()[p], y, 4e-15 * std::max(1.0, std::abs(y))) << x;
      EXPECT_NEAR(adjoints[0][p], 0.5 + 2 * dy, 2e-14 * std::max(1.0, std::abs(dy))) << x;
    }
  }
}

TEST(TapeTest, DerivativesOfOneArgumentFollowCentralDifferences) {
  for (const OneArgument& function : functions_of_one()) {
    SCOPED_TRACE(function.name);
    const AlignedVector<double> x = spread(function.from, function.to, 32);
    const double h = 1e-5;
    AlignedVector<double> left = x, right = x;
    for (double& value : left) value -= h;
    for (double& value : right) value += h;
    const Tape tape = single(function.op, 1, function.value);
    const TapeRun middle(tape, {x}), low(tape, {left}), high(tape, {right});
    const auto adjoints = middle.backward(1.0);
    for (std::size_t p = 0; p < x.size(); ++p) {
      const double slope = (high.output()[p] - low.output()[p]) / (2 * h);
      EXPECT_NEAR(adjoints[0][p], slope, 2e-5 * std::max(1.0, std::abs(slope))) << x[p];
    }
  }
}

TEST(TapeTest, FunctionsOfTwoArgumentsAndTheirDerivatives) {
  struct Case {
    TapeOp op;
    double value, by_a, by_b;
  };
  const double a = 1.5, b = 2.25;
  for (const Case& c : {Case{TapeOp::Add, a + b, 1, 1}, Case{TapeOp::Subtract, a - b, 1, -1},
                        Case{TapeOp::Multiply, a * b, b, a}, Case{TapeOp::Divide, a / b, 1 / b, -a / (b * b)},
                        Case{TapeOp::Power, std::pow(a, b), b * std::pow(a, b - 1), std::pow(a, b) * std::log(a)},
                        Case{TapeOp::Min, a, 1, 0}, Case{TapeOp::Max, b, 0, 1}, Case{TapeOp::Less, 1, 0, 0},
                        Case{TapeOp::LessEqual, 1, 0, 0}, Case{TapeOp::Equal, 0, 0, 0}}) {
    SCOPED_TRACE(static_cast<int>(c.op));
    const TapeRun run(single(c.op, 2), {AlignedVector<double>(8, a), AlignedVector<double>(8, b)});
    const auto adjoints = run.backward(1.0);
    for (std::size_t p = 0; p < 8; ++p) {
      EXPECT_DOUBLE_EQ(run.output()[p], c.value);
      EXPECT_DOUBLE_EQ(adjoints[0][p], c.by_a);
      EXPECT_DOUBLE_EQ(adjoints[1][p], c.by_b);
    }
  }
}

TEST(TapeTest, ComparisonsAndTies) {
  const TapeRun less(single(TapeOp::Less, 2), {AlignedVector<double>(8, 2.0), AlignedVector<double>(8, 2.0)});
  const TapeRun less_equal(single(TapeOp::LessEqual, 2), {less.inputs[0], less.inputs[1]});
  const TapeRun equal(single(TapeOp::Equal, 2), {less.inputs[0], less.inputs[1]});
  EXPECT_EQ(less.output()[0], 0);
  EXPECT_EQ(less_equal.output()[0], 1);
  EXPECT_EQ(equal.output()[0], 1);
  const TapeRun minimum(single(TapeOp::Min, 2), {less.inputs[0], less.inputs[1]});
  const auto adjoints = minimum.backward(1.0);
  EXPECT_EQ(adjoints[0][0], 1);  // a tie goes to the first argument, once
  EXPECT_EQ(adjoints[1][0], 0);
}

TEST(TapeTest, SelectTakesOneBranchAndIgnoresAnInfiniteSlopeOfTheOther) {
  // if(x, x, sqrt(x)) at x = 0 and x = 4: registers x, sqrt(x), result.
  Tape tape;
  tape.num_inputs = 2;
  tape.num_registers = 4;
  tape.instructions = {{TapeOp::Sqrt, 2, 1}, {TapeOp::Select, 3, 0, 1, 2}};
  tape.outputs = {3};
  AlignedVector<double> condition = {1, 0, 1, 0, 1, 0, 1, 0}, x = {0, 4, 0, 4, 0, 4, 0, 4};
  const TapeRun run(tape, {condition, x});
  const auto adjoints = run.backward(1.0);
  EXPECT_EQ(run.output()[0], 0);
  EXPECT_EQ(run.output()[1], 2);
  EXPECT_EQ(adjoints[1][0], 1);  // not 1 + 0·inf
  EXPECT_EQ(adjoints[1][1], 0.25);
  EXPECT_EQ(adjoints[0][0], 0);
}

TEST(TapeTest, PowerAtZero) {
  const TapeRun run(single(TapeOp::Power, 2), {AlignedVector<double>(8, 0.0), AlignedVector<double>(8, 1.5)});
  const auto adjoints = run.backward(1.0);
  EXPECT_EQ(run.output()[0], 0);
  EXPECT_EQ(adjoints[0][0], 0);
  EXPECT_EQ(adjoints[1][0], 0);
}

TEST(TapeTest, ArgumentsBeyondTheFastRangesFollowTheStandardLibrary) {
  const double nan = std::nan("");
  struct Case {
    TapeOp op;
    double x, y;
  };
  for (const Case& c : {Case{TapeOp::Exp, 1000, kInf},
                        Case{TapeOp::Exp, 709, std::exp(709.0)},
                        Case{TapeOp::Exp, -1000, 0},
                        Case{TapeOp::Exp, -kInf, 0},
                        Case{TapeOp::Exp, -740, std::exp(-740.0)},
                        Case{TapeOp::Exp, nan, nan},
                        Case{TapeOp::Log, 0, -kInf},
                        Case{TapeOp::Log, -1, nan},
                        Case{TapeOp::Log, kInf, kInf},
                        Case{TapeOp::Log, 1e-310, std::log(1e-310)},
                        Case{TapeOp::Sqrt, -1, nan},
                        Case{TapeOp::Sin, 1e6, std::sin(1e6)},
                        Case{TapeOp::Sin, 1e22, std::sin(1e22)},
                        Case{TapeOp::Sin, kInf, nan},
                        Case{TapeOp::Cos, -5e5, std::cos(5e5)},
                        Case{TapeOp::Cos, nan, nan},
                        Case{TapeOp::Tanh, 800, 1},
                        Case{TapeOp::Tanh, -1e200, -1},
                        Case{TapeOp::Tanh, kInf, 1},
                        Case{TapeOp::Tanh, nan, nan},
                        Case{TapeOp::Tanh, 1e-300, 1e-300},
                        Case{TapeOp::Sign, 0, 0},
                        Case{TapeOp::Sign, nan, nan}}) {
    SCOPED_TRACE(std::to_string(static_cast<int>(c.op)) + " of " + std::to_string(c.x));
    AlignedVector<double> x(8, 0.5);
    x[3] = c.x;
    const TapeRun run(single(c.op, 1), {x});
    const TapeRun ordinary(single(c.op, 1), {AlignedVector<double>(8, 0.5)});
    if (std::isnan(c.y))
      EXPECT_TRUE(std::isnan(run.output()[3]));
    else
      EXPECT_DOUBLE_EQ(run.output()[3], c.y);
    for (const std::size_t p : {0, 1, 2, 4, 5, 6, 7}) EXPECT_EQ(run.output()[p], ordinary.output()[p]);  // same bits
  }
}

TEST(TapeTest, MinAndMaxPassNanOn) {
  const double nan = std::nan("");
  for (const TapeOp op : {TapeOp::Min, TapeOp::Max}) {
    const TapeRun first(single(op, 2), {AlignedVector<double>(8, nan), AlignedVector<double>(8, 1.0)});
    const TapeRun second(single(op, 2), {AlignedVector<double>(8, 1.0), AlignedVector<double>(8, nan)});
    EXPECT_TRUE(std::isnan(first.output()[0]));
    EXPECT_TRUE(std::isnan(second.output()[0]));
  }
}

TEST(TapeTest, AdjointsAddUpOverSharedRegistersOutputsAndMissingTargets) {
  // outputs: (a·a + b) and a itself; seeds 1 give d/da = 2a + 1, d/db = 1.
  Tape tape;
  tape.num_inputs = 2;
  tape.num_registers = 5;
  tape.instructions = {{TapeOp::Multiply, 2, 0, 0}, {TapeOp::Add, 3, 2, 1}, {TapeOp::Constant, 4, -1, -1, -1, 2.5}};
  tape.outputs = {3, 0, 4};
  const TapeRun run(tape, {spread(-1, 1, 16), spread(0, 3, 16)});
  EXPECT_EQ(run.output(2)[7], 2.5);
  const auto adjoints = run.backward(1.0);
  AlignedVector<double> only_b(16, 0.0), more(tape_scratch(tape, 16));
  const AlignedVector<double> ones(16, 1.0);
  const std::vector<const double*> seeds(3, ones.data());
  const std::vector<double*> targets = {nullptr, only_b.data()};
  tape_backward(tape, run.pointers, run.scratch.data(), 16, seeds, targets, more.data());
  for (std::size_t p = 0; p < 16; ++p) {
    EXPECT_EQ(run.output(0)[p], run.inputs[0][p] * run.inputs[0][p] + run.inputs[1][p]);
    EXPECT_EQ(run.output(1)[p], run.inputs[0][p]);
    EXPECT_DOUBLE_EQ(adjoints[0][p], 2 * run.inputs[0][p] + 1);
    EXPECT_EQ(adjoints[1][p], 1);
    EXPECT_EQ(only_b[p], 1);
  }
}

}  // namespace
}  // namespace pecann::kernel
