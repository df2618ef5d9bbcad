// Points near a density: where they lie, what they count, and that a checkpoint brings them back.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "pecann/evaluate/field_values.h"
#include "pecann/train/assembly.h"
#include "pecann/train/test_support.h"

namespace pecann::train {
namespace {

using testing::heat;

struct ReadyNear {
  explicit ReadyNear(problem::Problem p)
      : problem(std::move(p)),
        nothing(problem, 1),
        assembly(problem, 1, {0, problem.windows.count}, nothing),
        parameters(assembly.model().initial_parameters(1)) {}
  const sampling::PointSet& points() const { return assembly.evaluator().program(0).points(); }
  double share_left_of(double x) const {
    const auto& column = points().coordinates[0];
    return static_cast<double>(std::count_if(column.begin(),
                                             column.begin() + static_cast<std::ptrdiff_t>(points().count),
                                             [&](double value) { return value < x; })) /
           static_cast<double>(points().count);
  }
  problem::Problem problem;
  Solution nothing;
  Assembly assembly;
  std::vector<double> parameters;
};

TEST(AssemblyNear, TheFirstEpochDrawsThemByTheirDensity) {
  ReadyNear ready(heat({"term.pde.points={sobol=100, near=900, density=\"if(x < 0.1, 1, 0)\", pool=20000}"}));
  EXPECT_EQ(ready.points().count, 1000u) << "spread evenly until there are parameters";
  EXPECT_NEAR(ready.share_left_of(0.1), 0.1, 0.02);
  EXPECT_TRUE(ready.assembly.redraws_before(1));
  EXPECT_TRUE(ready.assembly.redraw(1, ready.parameters));
  EXPECT_NEAR(ready.share_left_of(0.1), 0.91, 0.01);
  EXPECT_FALSE(ready.assembly.redraw(2, ready.parameters)) << "no redraw was asked for";
}

TEST(AssemblyNear, TheTermsValueStaysTheMeanOverTheDomain) {
  // With all parameters zero the residual of pde is (π² − 1) e^(−t) sin πx, whose square has the mean
  //     (π² − 1)² (1 − e^−2)/4.
  const double exact = std::pow(M_PI * M_PI - 1, 2) * (1 - std::exp(-2)) / 4;
  for (const char* density : {"x^2", "exp(-10*x)", "residual", "abs(u) + t"}) {
    ReadyNear ready(
        heat({"term.pde.points={sobol=1000, near=3000, density=\"" + std::string(density) + "\", pool=60000}"}));
    const std::vector<double> zero(ready.parameters.size(), 0.0);
    ready.assembly.redraw(1, zero);
    // The tolerance is three standard deviations with 3000 random points.
    EXPECT_NEAR(ready.assembly.evaluator().values(zero).terms[0] / exact, 1, 0.05) << density;
  }
}

TEST(AssemblyNear, WeightsCountInValuesGradientsAndRows) {
  ReadyNear ready(heat({"term.pde.points={sobol=30, near=60, density=\"x\", pool=500}",
                        "term.sides.points={sobol=9, near=9, density=\"t\"}"}));
  ready.assembly.redraw(1, ready.parameters);
  evaluate::Evaluator& evaluator = ready.assembly.evaluator();
  const std::vector<double> multiplier(2, 1.5), penalty(2, 0.7);
  std::vector<double> theta = ready.parameters, gradient(theta.size()), rows(evaluator.num_rows());
  const evaluate::TermValues values = evaluator.gradient(theta, {multiplier, penalty}, gradient);

  evaluator.residuals(theta, rows);  // Σ share φ(r) over the rows of a term is its value
  std::vector<double> sums(evaluator.terms().size(), 0.0), shares(evaluator.terms().size(), 0.0);
  for (const auto& run : evaluator.row_runs())
    for (std::size_t i = 0; i < run.count; ++i) {
      const double share = evaluator.share(evaluator.terms()[run.term], run.first_point + i),
                   r = rows[run.first_row + i];
      sums[run.term] += share * r * r;
      shares[run.term] += share;
    }
  for (std::size_t t = 0; t < sums.size(); ++t) EXPECT_NEAR(sums[t], values.terms[t], 1e-13 * values.terms[t]) << t;
  EXPECT_NEAR(shares[0], 1, 0.2) << "weights are one on average";
  EXPECT_NE(evaluator.share(evaluator.terms()[0], 0), evaluator.share(evaluator.terms()[0], 1));

  const auto lagrangian = [&](const std::vector<double>& at) {
    const evaluate::TermValues v = evaluator.values(at);
    double sum = v.objective;
    for (std::size_t c = 0; c < 2; ++c)
      sum += multiplier[c] * v.constraints[c] + 0.5 * penalty[c] * v.constraints[c] * v.constraints[c];
    return sum;
  };
  for (std::size_t p = 0; p < theta.size(); p += 7) {
    const double h = 1e-6, kept = theta[p];
    theta[p] = kept + h;
    const double above = lagrangian(theta);
    theta[p] = kept - h;
    const double below = lagrangian(theta);
    theta[p] = kept;
    EXPECT_NEAR((above - below) / (2 * h), gradient[p], 1e-6 * std::max(1.0, std::abs(gradient[p]))) << p;
  }
}

TEST(AssemblyNear, ResidualsOfAHandedOverStateAreThoseOfTheTerm) {
  // The second window's initial term compares with the end of the first one, here zero: the residual is u, not
  // u − exact.u, and a point counts the less the larger |u| is.
  problem::Problem problem = heat({"windows.count=2", "term.start.points={sobol=50, near=50, density=\"residual\"}"});
  Solution finished(problem, 1);
  const evaluate::Model model(problem, normalisation_box(problem, {0, 2}), 1);
  finished.add_window(std::vector<double>(model.num_parameters(), 0.0));
  const std::vector<double> parameters = model.initial_parameters(5);
  Assembly assembly(problem, 1, {1, 2}, finished);
  assembly.redraw(1, parameters);
  evaluate::Evaluator& evaluator = assembly.evaluator();
  const evaluate::Term& term = evaluator.terms()[2];
  evaluate::FieldValues values(model, std::vector<expr::Expr>{expr::field("u")},
                               evaluator.program(term.point_set).points(), problem.box.names);
  std::vector<std::vector<double>> u;
  values.evaluate(parameters, u);
  for (std::size_t i = 0; i < 50; ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_EQ(evaluator.share(term, i) < evaluator.share(term, j), std::abs(u[0][i]) > std::abs(u[0][j]))
          << i << ' ' << j;
}

TEST(AssemblyNear, ACheckpointBringsThePointsBack) {
  const auto problem = [] {
    return heat({"term.pde.points={sobol=30, near=60, density=\"abs(u_x)\", redraw=3}", "term.pde.batch=20"});
  };
  ReadyNear ready(problem()), resumed(problem());
  for (long epoch = 1; epoch <= 5; ++epoch) ready.assembly.redraw(epoch, ready.parameters);
  StateWriter writer;
  ready.assembly.save(writer);
  resumed.assembly.load(StateReader(writer.bytes()));
  const std::vector<double> other(ready.parameters.size(), 0.3);
  for (long epoch = 6; epoch <= 9; ++epoch) {
    EXPECT_EQ(ready.points().coordinates, resumed.points().coordinates) << epoch;
    EXPECT_EQ(ready.assembly.evaluator().values(other).terms, resumed.assembly.evaluator().values(other).terms);
    ready.assembly.redraw(epoch, other);
    resumed.assembly.redraw(epoch, other);
  }
}

TEST(AssemblyNear, ACheckpointBringsColumnsBack) {
  const auto problem = [] {
    problem::Problem made = heat({"term.sides.points={sobol=9, near=20, density=\"t\"}"});
    made.terms[1].residuals = {expr::field("u") - expr::data_column("normal.x")};
    return made;
  };
  ReadyNear ready(problem()), resumed(problem());
  ready.assembly.redraw(1, ready.parameters);
  StateWriter writer;
  ready.assembly.save(writer);
  resumed.assembly.load(StateReader(writer.bytes()));
  const std::size_t set = ready.assembly.evaluator().terms()[1].point_set;
  const sampling::PointSet &points = ready.assembly.points_of(set), &back = resumed.assembly.points_of(set);
  EXPECT_GT(points.count, 18u);
  EXPECT_EQ(points.columns.size(), 2u) << "importance and normal.x";
  EXPECT_EQ(points.columns, back.columns);
  for (std::size_t i = 0; i < points.count; ++i)
    EXPECT_EQ(points.column("normal.x")[i], points.coordinates[0][i] == 0 ? -1 : 1);
}

}  // namespace
}  // namespace pecann::train
