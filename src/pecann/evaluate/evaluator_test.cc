// The evaluator against itself: every way to the same number gives the same number.
#include "pecann/evaluate/evaluator.h"

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/base/parallel.h"
#include "support/engine_test.h"
#include "support/simd_targets.h"

namespace pecann::evaluate {
namespace {

// All kinds of groups: terms of every kind on shared points, one aggregated constraint alone, point-wise
// alone, two networks, a field at two places, a scalar, absolute distances.
constexpr const char* kMixed = R"toml(title = "test"
coordinates = { x = [-1, 1], t = [0, 1] }
[parameters]
nu = { initial = 0.4, lower = 0.1 }
[[network]]
fields = ["u", "v"]
hidden = [12, 11]
[[network]]
name = "other"
fields = ["a"]
inputs = ["x"]
hidden = [5]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = ["u_t - nu*u_xx + u*v_x", "v_t - a*u_x"]
points = { sobol = 203 }
weight = 0.7
[[term]]
name = "flux"
role = "constraint"
equation = "v - nu*u_x + at(a, x = t)"
points = { same_as = "pde" }
[[term]]
name = "level"
role = "constraint"
equation = ["u - 0.1", "v - at(v, x = 1)"]
points = { same_as = "pde" }
aggregate = "sum"
[[term]]
name = "each"
role = "constraint"
equation = ["u*v - x", "u_x"]
points = { same_as = "pde" }
aggregate = "pointwise"
[[term]]
name = "sides"
role = "constraint"
region = "boundary"
equation = "u - x*t"
points = { sobol = 37 }
distance = "absolute"
[[term]]
name = "start"
role = "constraint"
region = "initial"
equation = "u - sin(pi*x)*a"
points = { sobol = 70 }
aggregate = "pointwise"
[[term]]
name = "final"
role = "objective"
region = "final"
equation = "v - 0.3"
points = { sobol = 9 }
aggregate = "sum"
distance = "absolute"
)toml";

class MixedTerms : public test::EngineTest {
 protected:
  MixedTerms() : EngineTest(std::string(kMixed)) {}
};

TEST_F(MixedTerms, EntriesOfConstraints) {
  const auto entries = evaluator.constraints();
  ASSERT_EQ(entries.size(), 5);
  const std::size_t counts[] = {1, 1, 203, 1, 70};
  std::size_t first = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].first, first) << entries[i].name;
    EXPECT_EQ(entries[i].count, counts[i]) << entries[i].name;
    first += counts[i];
  }
  EXPECT_EQ(evaluator.num_constraint_entries(), first);
  EXPECT_EQ(evaluator.num_points(), 203 + 2 * 37 + 70 + 9);
}

TEST_F(MixedTerms, ValuesComeFromTheRows) {
  const std::vector<double> rows = test::residual_rows(evaluator, theta);
  const std::size_t terms = evaluator.terms().size();
  std::vector<double> sums(terms, 0);
  std::vector<std::vector<double>> by_point(terms);
  for (const Evaluator::RowRun& run : evaluator.row_runs()) {
    const Term& term = evaluator.terms()[run.term];
    by_point[run.term].resize(evaluator.program(term.point_set).points().count, 0.0);
    for (std::size_t i = 0; i < run.count; ++i) {
      const double r = rows[run.first_row + i];
      const double phi = term.distance == problem::Distance::Square ? r * r : std::abs(r);
      sums[run.term] += phi;
      by_point[run.term][run.first_point + i] += phi;
    }
  }
  const TermValues& values = evaluator.values(theta);
  double objective = 0;
  for (std::size_t t = 0; t < terms; ++t) {
    const Term& term = evaluator.terms()[t];
    const double value =
        term.aggregate == problem::Aggregate::Sum ? sums[t] : sums[t] / static_cast<double>(by_point[t].size());
    EXPECT_NEAR(values.terms[t], value, 1e-13 * value) << term.name;
    if (term.role == problem::Role::Objective) objective += term.weight * value;
  }
  EXPECT_NEAR(values.objective, objective, 1e-13 * objective);
  for (const ConstraintEntries& entry : evaluator.constraints())
    for (std::size_t i = 0; i < entry.count; ++i)
      EXPECT_NEAR(values.constraints[entry.first + i],
                  entry.pointwise ? by_point[entry.term][i] : values.terms[entry.term], 1e-14);
}

TEST_F(MixedTerms, RowsAreNumberedTileByTileWithoutGaps) {
  std::size_t next = 0, run_index = 0;
  std::map<std::pair<int, int>, std::size_t> points_seen;
  for (std::size_t tile = 0; tile + 1 < evaluator.row_offsets().size(); ++tile) {
    EXPECT_EQ(evaluator.row_offsets()[tile], next);
    for (; run_index < evaluator.row_runs().size() && next < evaluator.row_offsets()[tile + 1]; ++run_index) {
      const Evaluator::RowRun& run = evaluator.row_runs()[run_index];
      EXPECT_EQ(run.first_row, next);
      EXPECT_EQ(run.first_point, (points_seen[{run.term, run.equation}]));
      points_seen[{run.term, run.equation}] += run.count;
      next += run.count;
    }
  }
  EXPECT_EQ(evaluator.num_rows(), next);
  EXPECT_EQ(next, 203 * (2 + 1 + 2 + 2) + 2 * 37 + 70 + 9);
  for (const auto& [equation, count] : points_seen)
    EXPECT_EQ(count, evaluator.program(evaluator.terms()[equation.first].point_set).points().count);
}

TEST_F(MixedTerms, GradientOfTheLagrangianByCentralDifferences) { expect_gradient_of_differences(); }

TEST_F(MixedTerms, ValuesAloneHaveTheBitsOfTheGradientPass) {
  std::vector<double> gradient(theta.size());
  const TermValues with_gradient = evaluator.gradient(theta, duals.view(), gradient);
  test::SmallEngine fresh{std::string(kMixed)};
  const TermValues alone = fresh.evaluator->values(theta);
  EXPECT_EQ(with_gradient.objective, alone.objective);
  EXPECT_EQ(with_gradient.terms, alone.terms);
  EXPECT_EQ(with_gradient.constraints, alone.constraints);
  // … and of the pass that prepares the gradient; the gradient it prepared is the same too.
  test::SmallEngine third{std::string(kMixed)};
  EXPECT_EQ(third.evaluator->values(theta, Evaluator::Next::Gradient).constraints, alone.constraints);
  std::vector<double> prepared(theta.size());
  third.evaluator->gradient(theta, duals.view(), prepared);
  EXPECT_EQ(prepared, gradient);
}

TEST_F(MixedTerms, CachedResultsHaveTheBitsOfFreshOnes) {
  const std::vector<double> first = gradient_at(theta);
  const TermValues values = evaluator.values(theta);
  EXPECT_EQ(gradient_at(theta), first);
  // Other work at the same parameters uses the same memory and must not spoil what is cached.
  std::vector<double> rows = test::residual_rows(evaluator, theta), scratch(theta.size());
  evaluator.pull_back(theta, rows, scratch);
  EXPECT_EQ(gradient_at(theta), first);
  evaluator.term_gradient(theta, 2, scratch);
  EXPECT_EQ(gradient_at(theta), first);
  // Other multipliers at the same parameters, then back.
  const test::RandomDuals other(duals.multiplier.size(), 99);
  evaluator.gradient(theta, other.view(), scratch);
  test::SmallEngine fresh{std::string(kMixed)};
  std::vector<double> expected(theta.size());
  fresh.evaluator->gradient(theta, other.view(), expected);
  EXPECT_EQ(scratch, expected);
  EXPECT_EQ(gradient_at(theta), first);
  // Other parameters in between.
  std::vector<double> elsewhere = theta;
  elsewhere[5] += 1;
  EXPECT_NE(gradient_at(elsewhere), first);
  EXPECT_EQ(gradient_at(theta), first);
  EXPECT_EQ(evaluator.values(theta).constraints, values.constraints);
}

TEST_F(MixedTerms, TermGradientsAddUpToTheLagrangian) {
  // Point-wise constraints with one multiplier and no penalty enter as λ N · (mean of entries).
  for (const ConstraintEntries& entry : evaluator.constraints()) {
    if (!entry.pointwise) continue;
    for (std::size_t i = 0; i < entry.count; ++i) {
      duals.multiplier[entry.first + i] = 0.8;
      duals.penalty[entry.first + i] = 0;
    }
  }
  const TermValues values = evaluator.values(theta);
  std::vector<double> sum(theta.size(), 0), one(theta.size());
  for (std::size_t t = 0; t < evaluator.terms().size(); ++t) {
    const Term& term = evaluator.terms()[t];
    double weight = term.weight;
    for (const ConstraintEntries& entry : evaluator.constraints())
      if (entry.term == static_cast<int>(t))
        weight = entry.pointwise
                     ? 0.8 * static_cast<double>(entry.count)
                     : duals.multiplier[entry.first] + duals.penalty[entry.first] * values.constraints[entry.first];
    evaluator.term_gradient(theta, static_cast<int>(t), one);
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += weight * one[p];
  }
  const std::vector<double> gradient = gradient_at(theta);
  double scale = 0;
  for (const double g : gradient) scale = std::max(scale, std::abs(g));
  for (std::size_t p = 0; p < sum.size(); ++p) EXPECT_NEAR(sum[p], gradient[p], 1e-12 * scale) << "parameter " << p;
}

/// All Jacobian rows as [parameter][row], taken `block` tiles at a time.
std::vector<double> jacobian_of(Evaluator& evaluator, const std::vector<double>& theta,
                                const std::vector<double>& scale, std::size_t block) {
  const std::size_t rows = evaluator.num_rows(), tiles = evaluator.row_offsets().size() - 1;
  std::vector<double> all(theta.size() * rows, -1e300);
  for (std::size_t tile = 0; tile < tiles; tile += block)
    evaluator.jacobian(theta, scale, tile, std::min(block, tiles - tile), all.data() + evaluator.row_offsets()[tile],
                       rows);
  return all;
}

TEST_F(MixedTerms, JacobianRowsAgreeWithTheReversePassAndDifferences) {
  const std::size_t rows = evaluator.num_rows();
  RandomStream stream(8, "seeds");
  std::vector<double> scale(rows), seeds(rows), product(theta.size()), scaled(rows);
  for (double& value : scale) value = 0.5 + stream.uniform();
  for (double& value : seeds) value = stream.normal();
  const std::vector<double> jacobian = jacobian_of(evaluator, theta, scale, 1);
  EXPECT_EQ(jacobian_of(evaluator, theta, scale, 3), jacobian);
  EXPECT_EQ(jacobian_of(evaluator, theta, scale, 1000), jacobian);

  for (std::size_t row = 0; row < rows; ++row) scaled[row] = seeds[row] * scale[row];
  evaluator.pull_back(theta, scaled, product);
  for (std::size_t p = 0; p < theta.size(); ++p) {
    double sum = 0, size = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      sum += jacobian[p * rows + row] * seeds[row];
      size += std::abs(jacobian[p * rows + row] * seeds[row]);
    }
    EXPECT_NEAR(product[p], sum, 1e-13 * size) << "parameter " << p;
  }

  for (std::size_t p = 0; p < theta.size(); ++p) {
    const double h = 1e-5, at = theta[p];
    theta[p] = at + h;
    const std::vector<double> above = test::residual_rows(evaluator, theta);
    theta[p] = at - h;
    const std::vector<double> below = test::residual_rows(evaluator, theta);
    theta[p] = at;
    double error = 0, size = 1e-3;
    for (std::size_t row = 0; row < rows; ++row) {
      error = std::max(error, std::abs(jacobian[p * rows + row] - scale[row] * (above[row] - below[row]) / (2 * h)));
      size = std::max(size, std::abs(jacobian[p * rows + row]));
    }
    EXPECT_LE(error, 1e-7 * size) << "parameter " << p;
  }
}

TEST(EvaluatorThreads, DoNotChangeABit) {
  std::string text = kMixed;
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("[12, 11]", "[36, 36]");
  replace("sobol = 203", "sobol = 650");
  const int before = thread_count();
  std::vector<double> gradient, jacobian, rows;
  TermValues values;
  for (const int threads : {1, 2, 3, 4}) {
    set_thread_count(threads);
    test::SmallEngine engine(text);
    Evaluator& evaluator = *engine.evaluator;
    ASSERT_GT(evaluator.flops(), 3 * 8e6) << "too little work for four threads, even forward alone";
    const std::vector<double> theta = test::random_parameters(engine.model, 2);
    const test::RandomDuals duals(evaluator.num_constraint_entries(), 4);
    std::vector<double> mine(theta.size());
    const TermValues my_values = evaluator.gradient(theta, duals.view(), mine);
    const std::vector<double> ones(evaluator.num_rows(), 1.0);
    const std::vector<double> my_jacobian = jacobian_of(evaluator, theta, ones, 1000);
    const std::vector<double> my_rows = test::residual_rows(evaluator, theta);
    if (threads > 1) {
      EXPECT_EQ(mine, gradient) << threads << " threads";
      EXPECT_EQ(my_values.constraints, values.constraints) << threads << " threads";
      EXPECT_EQ(my_values.objective, values.objective) << threads << " threads";
      EXPECT_EQ(my_jacobian, jacobian) << threads << " threads";
      EXPECT_EQ(my_rows, rows) << threads << " threads";
    }
    gradient = mine, values = my_values, jacobian = my_jacobian, rows = my_rows;
  }
  set_thread_count(before);
}

TEST_F(MixedTerms, InstructionSetsAgreeToTwelveDigits) {
  std::vector<double> first;
  double first_loss = 0;
  int targets = 0;
  test::for_each_simd_target([&] {
    test::SmallEngine fresh{std::string(kMixed)};
    std::vector<double> gradient(theta.size());
    const double loss = test::lagrangian(fresh.evaluator->gradient(theta, duals.view(), gradient), duals);
    if (targets++ == 0) first = gradient, first_loss = loss;
    double scale = 0;
    for (const double g : first) scale = std::max(scale, std::abs(g));
    EXPECT_NEAR(loss, first_loss, 1e-12 * std::abs(first_loss));
    for (std::size_t p = 0; p < first.size(); ++p)
      EXPECT_NEAR(gradient[p], first[p], 1e-12 * scale) << "parameter " << p;
  });
  if (targets < 2) GTEST_SKIP() << "this build has one instruction set: nothing to compare";
}

}  // namespace
}  // namespace pecann::evaluate
