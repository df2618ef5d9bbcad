#include "pecann/results/trained_state.h"

#include <gmock/gmock.h>

#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/results/prediction.h"
#include "pecann/results/sample_runs.h"
#include "pecann/sampling/grid.h"
#include "pecann/train/checkpoint.h"
#include "pecann/train/trial.h"

namespace pecann::results {
namespace {

TEST(TrainedStateTest, ResidualsAreThoseOfTheSummary) {
  const TemporaryFolder folder;
  const problem::Problem problem = make_run(folder / "run", kPoissonText);
  const RunSummary summary = read_summary(folder / "run", problem).value();
  TrainedState state = load_state(problem, folder / "run", 1);
  const std::vector<TermResidual> residuals = term_residuals(problem, state);
  ASSERT_EQ(residuals.size(), 2u);
  EXPECT_EQ(residuals[0].points, 31u);
  EXPECT_NEAR(residuals[0].rms, std::sqrt(summary.trials[0].last.objective), 1e-12 * residuals[0].rms);
  EXPECT_NEAR(residuals[1].rms, std::sqrt(summary.trials[0].last.constraints[0].value), 1e-9 * residuals[1].rms);
  EXPECT_GE(residuals[0].largest, residuals[0].rms);
  EXPECT_FALSE(residuals[1].held_out_rms) << "the ends of an interval are two points";
}

TEST(TrainedStateTest, ACheckpointOfAnotherProblemIsRefused) {
  const TemporaryFolder folder;
  const problem::Problem problem = make_run(folder / "run", kPoissonText);
  train::Trainer trainer(problem, train::trial_seed(problem, 1));
  for (const std::string name : {"duals.multiplier", "duals.penalty", "parameters"}) {
    StateWriter writer;
    trainer.save(writer);
    writer.put(name, std::vector<double>(7, 0.5));
    train::write_checkpoint(train::RunFolder(folder / "run").trial(1), writer.bytes());
    EXPECT_THROW(load_state(problem, folder / "run", 1), InputError) << name;
  }
}

TEST(TrainedStateTest, FreshPointsGiveTheResidualOfAFineGrid) {
  const TemporaryFolder folder;
  const problem::Problem problem = make_run(folder / "run", kPoissonText);
  TrainedState state = load_state(problem, folder / "run", 1);
  const double held_out = term_residuals(problem, state)[0].held_out_rms.value();
  // The same residual by another way: the expression evaluated on a fine grid.
  const train::Solution solution = train::load_solution(problem, folder / "run", 1);
  const std::vector<std::string> text = {"u_xx + 4*pi^2*exact.u"};
  const std::vector<int> grid = {4001};
  std::vector<std::vector<double>> values;
  solution.evaluate(parse_fields(problem, text), sampling::grid_points(problem.box, grid), values);
  double squares = 0;
  for (const double value : values[0]) squares += value * value;
  const double rms = std::sqrt(squares / 4001);
  EXPECT_GT(held_out, 0.4 * rms);  // 31 random points of it
  EXPECT_LT(held_out, 2.5 * rms);
}

TEST(TrainedStateTest, KnowsTheLastWindowItsFourierFeaturesAndPointwiseMultipliers) {
  const TemporaryFolder folder;
  const problem::Problem problem = make_run(folder / "run", kTransportText);
  const RunSummary summary = read_summary(folder / "run", problem).value();
  TrainedState state = load_state(problem, folder / "run", 1);
  EXPECT_EQ(state.window.index, 2);
  EXPECT_EQ(state.multipliers.size(), 20u);
  const std::vector<TermResidual> residuals = term_residuals(problem, state);
  EXPECT_NEAR(residuals[0].rms, std::sqrt(summary.trials[0].last.objective), 1e-12);
  EXPECT_NEAR(residuals[1].rms, std::sqrt(summary.trials[0].last.constraints[0].value), 1e-12);
  // Other Fourier features or another window would give residuals of another size.
  EXPECT_LT(*residuals[0].ratio(), 5);
  EXPECT_LT(*residuals[1].ratio(), 5);
}

TEST(TrainedStateTest, AResidualThatIsNoNumberDoesNotVanishBehindOthers) {
  const TemporaryFolder folder;
  std::string toml = kPoissonText;  // the first node of the grid alone has no number
  toml.insert(toml.find("u_xx = d"), "if(x < 0.05, log(u - 1000), 1)*");
  const problem::Problem problem = make_run(folder / "run", toml);
  TrainedState state = load_state(problem, folder / "run", 1);
  const std::vector<TermResidual> residuals = term_residuals(problem, state);
  EXPECT_TRUE(std::isnan(residuals[0].largest));
  EXPECT_TRUE(std::isnan(residuals[0].rms));
  EXPECT_EQ(residuals[0].ratio(), std::nullopt);
}

TEST(TrainedStateTest, RatioComparesFreshWithTrained) {
  TermResidual residual{"pde", problem::Role::Objective, 10, 2.0, 3.0, std::nullopt};
  EXPECT_FALSE(residual.ratio());
  residual.held_out_rms = 30;
  EXPECT_DOUBLE_EQ(*residual.ratio(), 15);
}

TEST(TrainedStateTest, AResidualThatIsNoNumberInOneWindowIsNotHiddenByOthers) {
  const TemporaryFolder folder;
  make_run(folder / "run", kTransportText);
  std::string toml = kTransportText;  // the same training, of which one window has a residual that is no number
  toml.replace(toml.find("phi_t + 0.1*phi_x = 0"), 21, "phi_t + 0.1*phi_x + if(t < 0.6, log(phi - 1000), 0) = 0");
  const problem::Problem problem = problem::read_problem(toml, "sample");
  TrainedState state = load_state(problem, folder / "run", 1);
  const std::vector<TermResidual> residuals = term_residuals(problem, state);
  EXPECT_TRUE(std::isfinite(residuals[0].rms)) << "of the last window";
  EXPECT_TRUE(std::isinf(residuals[0].relative));
  EXPECT_TRUE(std::isfinite(residuals[1].relative));
}

}  // namespace
}  // namespace pecann::results
