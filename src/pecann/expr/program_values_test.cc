// Programs against plain recursion: fields are closed forms, so that every jet a program asks for can be written down.
#include <gtest/gtest.h>

#include "pecann/base/aligned_vector.h"
#include "pecann/expr/derivative.h"
#include "pecann/expr/parse.h"
#include "pecann/expr/program.h"
#include "pecann/expr/test_evaluation.h"

namespace pecann::expr {
namespace {

constexpr std::size_t kPoints = 16;

const Expr x = coordinate("x"), y = coordinate("y"), t = coordinate("t");
const std::map<std::string, Expr> kFields = {
    {"u", sin(2 * x) * exp(0.5 * t) + 0.3 * y* y* x}, {"v", cos(x* y) + 0.2 * t* x}, {"p", tanh(x - y) * t}};
const std::map<std::string, int> kNetworks = {{"u", 0}, {"v", 0}, {"p", 1}};
constexpr double kNu = 0.7, kBeta = -0.4;

/// What a network would deliver for a jet, as an expression of the coordinates.
Expr closed_form(const Program& program, const JetInput& jet) {
  const auto derivative_by = [&](const MultiIndex& index) {
    Expr result = kFields.at(jet.field);
    for (const auto& [name, order] : index)
      for (int i = 0; i < order; ++i) result = derivative(result, name);
    return result;
  };
  Expr result = 0;
  if (jet.linear_operator < 0) {
    result = derivative_by(jet.index);
  } else {
    for (const auto& [index, coefficient] : program.operators[static_cast<std::size_t>(jet.linear_operator)].terms)
      result = result + coefficient * derivative_by(index);
  }
  return at(result, program.sites[static_cast<std::size_t>(jet.site)]);
}

/// A program with its inputs at kPoints points.
struct ProgramRun {
  explicit ProgramRun(const Program& p) : program(p) {
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double s = static_cast<double>(i) / kPoints;
      points.push_back({{"x", 0.1 + s}, {"y", 1.1 - 1.7 * s}, {"t", s * s}, {"nu", kNu}, {"beta", kBeta}});
    }
    for (const char* name : {"x", "y", "t"}) {
      for (const Point& point : points) coordinates[name].push_back(point.at(name));
      coordinate_pointers[name] = coordinates[name].data();
    }
    inputs.assign(static_cast<std::size_t>(program.tape.num_inputs), AlignedVector<double>(kPoints));
    std::vector<Expr> known = program.columns;
    for (const JetInput& jet : program.jets) known.push_back(closed_form(program, jet));
    std::vector<double*> results;
    for (std::size_t i = 0; i < known.size(); ++i) results.push_back(inputs[i].data());
    evaluate_columns(known, coordinate_pointers, kPoints, results);
    for (std::size_t i = 0; i < program.parameters.size(); ++i)
      inputs[known.size() + i].assign(kPoints, points[0].at(program.parameters[i]));
    for (const auto& input : inputs) pointers.push_back(input.data());
    scratch.resize(kernel::tape_scratch(program.tape, kPoints));
    forward();
  }
  void forward() { kernel::tape_forward(program.tape, pointers, scratch.data(), kPoints); }
  double output(std::size_t o, std::size_t p) const {
    return kernel::tape_output(program.tape, pointers, scratch.data(), kPoints, o)[p];
  }

  const Program& program;
  std::vector<Point> points;
  std::map<std::string, std::vector<double>> coordinates;
  std::map<std::string, const double*> coordinate_pointers;
  std::vector<AlignedVector<double>> inputs;
  std::vector<const double*> pointers;
  AlignedVector<double> scratch;
};

void expect_values(const std::vector<Expr>& residuals, const std::string& name) {
  const Program program = compile(residuals, kNetworks);
  const ProgramRun run(program);
  for (std::size_t r = 0; r < residuals.size(); ++r) {
    const Expr direct = substitute_fields(residuals[r], kFields);
    for (std::size_t p = 0; p < kPoints; ++p) {
      const double expected = value_at(direct, run.points[p]);
      ASSERT_NEAR(run.output(r, p), expected, 1e-10 * (1 + std::abs(expected))) << name << "\n"
                                                                                << to_string(residuals[r]);
    }
  }
}

std::vector<Expr> random_leaves() {
  std::vector<Expr> leaves = {x, y, parameter("nu"), parameter("beta")};
  for (const char* name : {"u", "v", "p"})
    for (const MultiIndex& index : {MultiIndex{}, MultiIndex{{"x", 1}}, MultiIndex{{"t", 1}}, MultiIndex{{"x", 2}},
                                    MultiIndex{{"y", 2}}, MultiIndex{{"x", 1}, {"y", 1}}, MultiIndex{{"x", 3}}})
      leaves.push_back(field(name, index));
  leaves.push_back(at(field("u", {{"x", 1}}), {{"x", 1 - x}}));
  leaves.push_back(at(field("p"), {{"t", 0.5}}));
  return leaves;
}

TEST(ProgramValuesTest, RandomResidualsAreComputedRight) {
  RandomExpressions random(3, random_leaves());
  for (int i = 0; i < 300; ++i) expect_values({random.next(4), random.next(3)}, "random " + std::to_string(i));
}

TEST(ProgramValuesTest, RandomLinearOperatorsAreComputedRight) {
  // Sums of coefficient · factor · derivative, nested in products with coefficients: what collapsing rewrites.
  RandomExpressions coefficients(4, {x, y, t}), factors(5, {parameter("nu"), field("u"), field("v")});
  RandomExpressions pick(6, {x});
  const std::vector<MultiIndex> indices = {{{"x", 1}}, {{"y", 1}}, {{"t", 1}},
                                           {{"x", 2}}, {{"y", 2}}, {{"x", 1}, {"y", 1}}};
  int collapsed = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string name = pick.below(2) ? "u" : "v";
    const Expr factor = pick.below(2) ? factors.next(1) : Expr(1);
    const auto linear_sum = [&] {
      std::vector<Expr> terms;
      for (int k = 0; k < 4; ++k) {
        const MultiIndex& index = indices[static_cast<std::size_t>(pick.below(6))];
        const Expr coefficient = pick.below(2) ? coefficients.next(2) : Expr(1 + pick.below(3));
        terms.push_back(coefficient * factor * field(name, index) / (2 + x * x));
      }
      return sum(std::move(terms));
    };
    const std::vector<Expr> residuals = {linear_sum() + coefficients.next(1) * linear_sum() -
                                         (linear_sum() + factors.next(2)) / (3 + y)};
    collapsed += static_cast<int>(compile(residuals, kNetworks).operators.size());
    expect_values(residuals, "linear " + std::to_string(i));
  }
  EXPECT_GT(collapsed, 100);
}

TEST(ProgramValuesTest, AdjointsFollowDifferencesInEveryInput) {
  RandomExpressions random(8, random_leaves());
  int compared = 0;
  for (int i = 0; i < 100; ++i) {
    const std::vector<Expr> residuals = {random.next(4)};
    const Program program = compile(residuals, kNetworks);
    ProgramRun run(program);
    const auto num_inputs = static_cast<std::size_t>(program.tape.num_inputs);
    std::vector<AlignedVector<double>> adjoints(num_inputs, AlignedVector<double>(kPoints, 0.0));
    std::vector<double*> targets;
    for (std::size_t k = 0; k < num_inputs; ++k)  // columns want no adjoint
      targets.push_back(k < program.columns.size() ? nullptr : adjoints[k].data());
    const AlignedVector<double> seed(kPoints, 1.0);
    const double* seeds[] = {seed.data()};
    AlignedVector<double> more(kernel::tape_scratch(program.tape, kPoints));
    kernel::tape_backward(program.tape, run.pointers, run.scratch.data(), kPoints, seeds, targets, more.data());
    for (std::size_t k = program.columns.size(); k < num_inputs; ++k) {
      const AlignedVector<double> kept = run.inputs[k];
      const auto shifted = [&](double h) {
        for (std::size_t p = 0; p < kPoints; ++p) run.inputs[k][p] = kept[p] + h;
        run.forward();
        std::vector<double> values;
        for (std::size_t p = 0; p < kPoints; ++p) values.push_back(run.output(0, p));
        return values;
      };
      const double h = 1e-4;
      const auto a = shifted(-2 * h), b = shifted(-h), c = shifted(h), e = shifted(2 * h), middle = shifted(0);
      run.inputs[k] = kept;
      for (std::size_t p = 0; p < kPoints; ++p) {
        const double wide = (e[p] - a[p]) / (4 * h), narrow = (c[p] - b[p]) / (2 * h), slope = (4 * narrow - wide) / 3;
        // A kink of abs, min or if between the points, or in their middle: differences of two widths, or those of the
        // two sides, tell.
        const double bend = (e[p] - 2 * middle[p] + a[p]) / (2 * h);
        if (std::abs(wide - narrow) > 2e-6 * (1 + std::abs(slope)) || std::abs(bend) > 0.1 * (1 + std::abs(slope)))
          continue;
        ++compared;
        EXPECT_NEAR(adjoints[k][p], slope, 1e-6 * (1 + std::abs(slope))) << to_string(residuals[0]);
      }
    }
  }
  EXPECT_GT(compared, 2000);
}

TEST(EvaluateColumnsTest, AnyNumberOfPointsAndAnyAlignment) {
  const std::vector<Expr> expressions = {sin(x) * y, Expr(2.5), x, if_else(less(x, y), pow(x, 3), x / y)};
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{9}, std::size_t{256}, std::size_t{1001}}) {
    std::vector<double> xs(count + 1), ys(count + 1);
    for (std::size_t p = 0; p < count + 1; ++p) {
      xs[p] = 0.01 * static_cast<double>(p) - 2;
      ys[p] = 1.5005 - 0.003 * static_cast<double>(p);
    }
    std::vector<std::vector<double>> results(expressions.size(), std::vector<double>(count + 1, -7));
    std::vector<double*> pointers;
    for (auto& result : results) pointers.push_back(result.data());
    evaluate_columns(expressions, {{"x", xs.data() + 1}, {"y", ys.data() + 1}}, count, pointers);
    for (std::size_t e = 0; e < expressions.size(); ++e) {
      for (std::size_t p = 0; p < count; ++p) {
        const double expected = value_at(expressions[e], {{"x", xs[p + 1]}, {"y", ys[p + 1]}});
        ASSERT_NEAR(results[e][p], expected, 1e-14 * (1 + std::abs(expected)));
      }
      EXPECT_EQ(results[e][count], -7);  // nothing beyond the end
    }
  }
}

}  // namespace
}  // namespace pecann::expr
