#include "pecann/results/part_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "pecann/base/input_error.h"
#include "pecann/expr/parse.h"
#include "pecann/problem/scope.h"
#include "pecann/results/export_header.h"
#include "pecann/results/prediction.h"
#include "pecann/results/run.h"
#include "pecann/results/sample_runs.h"
#include "pecann/sampling/grid.h"

namespace pecann::results {
namespace {

TEST(PartSizesTest, PartsAreWhatIsAdded) {
  const problem::Problem problem = problem::read_problem(kTransportText, "transport.toml");
  const auto count = [&](const std::string& text) {
    return parts_of(expr::parse_equation(text, problem::scope_of(problem))).size();
  };
  EXPECT_EQ(count("phi_t + 0.1*phi_x = 0"), 2u);
  EXPECT_EQ(count("phi_t = phi_xx + phi_yy + sin(x)"), 4u);
  EXPECT_EQ(count("(1 + x)*(phi_t - phi_xx) = 1"), 3u);
  EXPECT_EQ(count("(phi_t - phi_xx)/phi = 0"), 2u);
  EXPECT_EQ(count("phi = 0"), 1u);
}

/// The sizes of a field whose network is replaced by a trained one with a small error.
TEST(PartSizesTest, SizesAreThoseOfTheSolution) {
  const TemporaryFolder folder;
  std::string text = kPoissonText;
  text.replace(text.find("epochs = 30"), 11, "epochs = 400");
  const problem::Problem problem = make_run(folder / "run", text);
  const results::Run run = open_run(folder / "run");
  TrainedState state = load_state(run.problem, run.folder, 1);
  const double pi = std::numbers::pi;
  // u = sin(2πx): the parts of the equation have the rms 4π²/√2, and u = 0 at the ends is compared with u inside.
  EXPECT_NEAR(part_sizes(run.problem, *state.assembly, state.parameters, 0)[0], 4 * pi * pi / std::sqrt(2), 1);
  EXPECT_NEAR(part_sizes(run.problem, *state.assembly, state.parameters, 1)[0], 1 / std::sqrt(2), 0.05);
  for (const TermResidual& term : term_residuals(run.problem, state)) {
    EXPECT_LT(term.relative, 0.05) << term.name;
    ASSERT_EQ(term.place.size(), 1u);
  }
}

TEST(PartSizesTest, AnInequalityHasTheSizeOfItsSides) {
  const TemporaryFolder folder;
  std::string text = kPoissonText;
  text.insert(text.find("[[phase]]"), R"([[term]]
name = "bounds"
role = "constraint"
region = "interior"
equation = ["u >= 0", "u = 0", "u >= x", "u = x"]
points = { sobol = 64 }

)");
  make_run(folder / "run", text);
  const results::Run run = open_run(folder / "run");
  const TrainedState state = load_state(run.problem, run.folder, 1);
  const std::vector<double> sizes =
      part_sizes(run.problem, *state.assembly, state.parameters, run.problem.terms.size() - 1);
  ASSERT_EQ(sizes.size(), 4u);
  EXPECT_EQ(sizes[0], sizes[1]) << "not that of what violates it";
  EXPECT_EQ(sizes[2], sizes[3]);
}

TEST(PartSizesTest, IntegralsHaveTheSizeOfWhatTheyIntegrate) {
  const TemporaryFolder folder;
  std::string text = kPoissonText;
  text.insert(text.find("[[phase]]"), R"([[term]]
name = "amount"
region = "interior"
equation = ["integral(u^2) = 7", "mean(u) = 0"]
points = { gauss = [20] }

)");
  make_run(folder / "run", text);
  const results::Run run = open_run(folder / "run");
  TrainedState state = load_state(run.problem, run.folder, 1);
  const std::size_t last = run.problem.terms.size() - 1;
  const std::vector<double> sizes = part_sizes(run.problem, *state.assembly, state.parameters, last);
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_GE(sizes[0], 7);  // the number on the right, or more where u is large
  EXPECT_GT(sizes[1], 0);
  EXPECT_NO_THROW(term_residuals(run.problem, state));
}

TEST(TruthFindings, F2_NothingIsPredictedOrExportedBeyondTheTrainedTime) {
  const TemporaryFolder folder;
  const problem::Problem problem = make_run(folder / "run", kTransportText);
  const train::Solution whole = train::load_solution(problem, train::RunFolder(folder / "run"), 1);
  train::Solution part(problem, train::trial_seed(problem, 1));
  part.add_window({whole.parameters(0).begin(), whole.parameters(0).end()});
  EXPECT_TRUE(std::isinf(whole.trained_until()));
  EXPECT_NEAR(part.trained_until(), 2.0 / 3, 1e-12);
  const expr::Expr phi = expr::field("phi");
  const sampling::PointSet points = sampling::grid_points(problem.box, std::vector<int>{2, 2, 7});
  std::vector<std::vector<double>> values, all;
  part.evaluate(std::span(&phi, 1), points, values);
  whole.evaluate(std::span(&phi, 1), points, all);
  for (std::size_t i = 0; i < points.count; ++i) {
    if (points.coordinates[2][i] < 0.667)
      EXPECT_EQ(values[0][i], all[0][i]);
    else
      EXPECT_TRUE(std::isnan(values[0][i])) << points.coordinates[2][i];
    EXPECT_TRUE(std::isfinite(all[0][i]));
  }
  EXPECT_THROW(export_header(problem, part, "space", "test"), InputError);
}

}  // namespace
}  // namespace pecann::results
