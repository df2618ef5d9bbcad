// What a balanced training converges to where objectives and constraints contradict each other: the saddle point.
#include <cmath>

#include <gtest/gtest.h>

#include "pecann/train/balance.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"
#include "support/engine_problem.h"

namespace pecann::train {
namespace {

using testing::heat;
using testing::Rows;

/// Data at the nodes of a grid that no small network fits, and u_x = 0 as the only constraint.
problem::Problem constant_fit(int epochs) {
  return problem::read_problem(R"toml(title = "test"
coordinates = { x = [0, 1] }
[exact]
u = "0.5 + sin(300*x)"
[[network]]
fields = ["u"]
hidden = [5]
[[term]]
name = "data"
role = "objective"
region = "interior"
equation = "u = data.u"
points = { grid = [102] }
data = { exact = ["u"] }
[[term]]
name = "flat"
role = "constraint"
region = "interior"
equation = "u_x = 0"
points = { grid = [42] }
[[phase]]
optimizer = "lm"
epochs = )toml" + std::to_string(epochs),
                               "test.toml");
}

/// The same terms with data that every problem has, for an evaluator without a training around it.
problem::Problem constant_fit_without_data() {
  problem::Problem problem = constant_fit(1);
  problem.terms[0].data.reset();
  problem.terms[0].residuals = {expr::field("u") - expr::coordinate("x")};
  return problem;
}

TEST(BalanceSaddle, DataAreRelievedWhenTheyStallAndTakenBackWhenTheyLeaveTheirFloor) {
  const problem::Problem problem = constant_fit(1);
  Balance balance(problem);
  ASSERT_EQ(kind_of(problem, problem.terms[0]), TermKind::Data);
  evaluate::TermValues values;
  const auto see = [&](int epochs, double misfit, double data_part, double equation_part) {
    values.plain = {misfit, 1.0};
    bool changed = false;
    for (int i = 0; i < epochs; ++i) {
      balance.see(100, std::vector<double>{data_part, equation_part}, values);
      changed = changed || balance.changes();
    }
    return changed;
  };
  values.plain = {1.0, 1.0};
  balance.see(10, std::vector<double>{1.0, 1e-3}, values);  // too early to count
  EXPECT_FALSE(see(5, 1.0, 1.0, 0.5));                      // one window is not over yet
  EXPECT_FALSE(see(1, 1.0, 1.0, 0.5));                      // a stall, but the data do not dominate
  EXPECT_TRUE(see(6, 1.0, 1.0, 1e-3));                      // they do

  test::SmallEngine engine{constant_fit_without_data()};
  const std::vector<double> theta = test::random_parameters(engine.model, 2);
  const auto weight = [&] {
    balance.prepare(100, *engine.evaluator, theta);
    return balance.weights()[1][0] / balance.unit();  // of the constraint, where that of the data is 1
  };
  const double relieved = weight();
  EXPECT_TRUE(see(6, 1.2, 1.0, 1e-3));  // the misfit has risen by 20 %: within its noise
  EXPECT_NEAR(weight() / relieved, 10, 1e-9);
  EXPECT_TRUE(see(6, 1.5, 1.0, 1e-3));  // by 50 % since its lowest: the last relief is taken back
  EXPECT_NEAR(weight() / relieved, 1, 1e-9);
  EXPECT_FALSE(see(60, 1.0, 1.0, 1e-3));  // for good
}

TEST(BalanceSaddle, ConvergesToTheConstrainedLeastSquaresSolution) {
  // min Σ (u(x_i) − d_i)² subject to u_x = 0 has the solution u = mean of d_i, at the inner nodes of the grid.
  double mean = 0.5;
  for (int i = 1; i <= 100; ++i) mean += std::sin(300 * i / 101.0) / 100;
  const problem::Problem problem = constant_fit(160);
  ASSERT_EQ(problem.penalty.strategy, "balance");
  Trainer trainer(problem, 1);
  trainer.run();
  sampling::PointSet points;
  points.count = 2;
  points.coordinates = {sampling::padded_column(std::vector<double>{0.1, 0.9})};
  std::vector<std::vector<double>> values;
  trainer.solution().evaluate(std::vector{expr::field("u")}, points, values);
  EXPECT_NEAR(values[0][0], mean, 1e-5);
  EXPECT_NEAR(values[0][1], mean, 1e-5);
  EXPECT_GT(trainer.last_record().constraints[0].multiplier, 1e4);
}

/// The least ∫ u'² with u(0) = 0 and u(1) = 1 is that of u = x; its slope with u(1), the multiplier, is 2.
problem::Problem energy(const std::string& optimizer, const std::string& points = "{ sobol = 256 }") {
  return problem::read_problem(R"toml(title = "test"
coordinates = { x = [0, 1] }
[exact]
u = "x"
[[network]]
fields = ["u"]
hidden = [8]
[[term]]
name = "energy"
role = "objective"
region = "interior"
equation = "u_x = 0"
points = )toml" + points + R"toml(
[[term]]
name = "left"
role = "constraint"
region = "x = 0"
equation = "u = 0"
points = { grid = [4] }
[[term]]
name = "right"
role = "constraint"
region = "x = 1"
equation = "u = 1"
points = { grid = [4] }
[penalty]
strategy = "balance"
[[phase]]
optimizer = "lbfgs"
epochs = 15
[[phase]]
optimizer = ")toml" + optimizer + "\"\nepochs = 100\n",
                               "test.toml");
}

class BalanceSaddlePoint : public ::testing::TestWithParam<const char*> {};

TEST_P(BalanceSaddlePoint, ConstraintsHoldWhereAnObjectiveCannotVanish) {
  const problem::Problem problem = energy(GetParam());
  Trainer trainer(problem, 11);
  trainer.run();
  EXPECT_LT(trainer.measure_errors()[0].relative_l2, 1e-3);
  const ConstraintRecord& right = trainer.last_record().constraints[1];
  EXPECT_LT(std::sqrt(right.value), 1e-5);
  EXPECT_NEAR(2 * right.multiplier * std::sqrt(right.value), 2, 0.2);
}

INSTANTIATE_TEST_SUITE_P(Optimizers, BalanceSaddlePoint, ::testing::Values("lm", "ssbroyden", "bfgs", "lbfgs"));

TEST(BalanceSaddle, PointsDrawnAnewDoNotHideThatTheConstraintsHaveToHold) {
  const problem::Problem problem = energy("lm", "{ sobol = 256, redraw = 5 }");
  Trainer trainer(problem, 11);
  trainer.run();
  EXPECT_LT(trainer.measure_errors()[0].relative_l2, 1e-3);
}

TEST(BalanceSaddle, ATrainingWithStrongerConstraintsResumesWithTheSameBits) {
  const problem::Problem problem = energy("lm");
  Trainer whole(problem, 4);
  whole.run();
  for (const long stop : {30L, 33L, 44L}) {
    Rows rows(stop);
    Trainer first(problem, 4);
    first.add_observer(rows);
    first.run();
    StateWriter writer;
    first.save(writer);
    Trainer second(problem, 4);
    second.load(StateReader(writer.bytes()));
    second.run();
    EXPECT_EQ(std::vector(whole.parameters().begin(), whole.parameters().end()),
              std::vector(second.parameters().begin(), second.parameters().end()))
        << "stopped after epoch " << stop;
    EXPECT_EQ(whole.last_record().weights, second.last_record().weights);
  }
}

/// Two objectives, whose trade-off the file says, and a constraint.
problem::Problem trade_off() {
  return problem::read_problem(R"toml(title = "test"
coordinates = { x = [0, 1] }
[[network]]
fields = ["u", "f"]
hidden = [6]
[[term]]
name = "wish"
role = "objective"
region = "interior"
equation = "u = x"
points = { sobol = 40 }
[[term]]
name = "cost"
role = "objective"
region = "interior"
equation = "f = 0"
points = { sobol = 40 }
weight = 0.01
[[term]]
name = "law"
role = "constraint"
region = "interior"
equation = "u_x = f"
points = { sobol = 40 }
[[phase]]
optimizer = "lm"
epochs = 3
)toml",
                               "test.toml");
}

TEST(BalanceSaddle, ConstraintsGrowWhereTheInnerProblemIsSolvedAndTheyStillMatter) {
  const problem::Problem problem = trade_off();
  test::SmallEngine engine{problem};
  const std::vector<double> theta = test::random_parameters(engine.model, 2);
  Balance balance(problem);
  evaluate::TermValues values;
  values.plain = {1.0, 1.0, 1.0};
  const auto see = [&](int epochs, double objective, double law, double fall = 1) {
    bool changed = false;
    for (int i = 0; i < epochs; ++i, objective *= fall) {
      balance.see(100, std::vector<double>{objective, 0.0, law}, values);
      changed = changed || balance.changes();
    }
    return changed;
  };
  const auto weights = [&] {
    balance.prepare(100, *engine.evaluator, theta);
    return balance.weights();
  };
  const auto start = weights();
  EXPECT_NE(start[0], start[1]);
  EXPECT_FALSE(see(12, 1.0, 0.1, 0.99));  // L still falls by 5 % in five epochs
  weights();
  EXPECT_FALSE(see(5, 1.0, 0.1, 0.9999));
  EXPECT_TRUE(see(1, 1.0, 0.1));  // it stands
  const auto first = weights();
  EXPECT_NEAR(first[2][0] / start[2][0], 10, 1e-9);
  EXPECT_EQ(first[0], first[1]);             // the file says what one objective is worth to the other
  EXPECT_FALSE(see(12, 1.0, 0.06, 0.9999));  // the greater weight has not lowered the constraint's part enough
  EXPECT_TRUE(see(6, 1.0, 0.01, 0.9999));    // now it has
  EXPECT_NEAR(weights()[2][0] / start[2][0], 100, 1e-9);
  EXPECT_TRUE(see(2, 1.0, 0.001));  // no step lowers L: it need not wait
  EXPECT_NEAR(weights()[2][0] / start[2][0], 1000, 1e-9);
  EXPECT_FALSE(see(12, 1.0, 1e-7, 0.9999));  // a violation of a millionth does not matter
  values.plain[0] = 0.4;                     // that was a plateau
  EXPECT_TRUE(see(1, 0.4, 1e-7));
  EXPECT_EQ(weights(), start);
}

TEST(BalanceSaddle, ConstraintsDoNotGrowWhereEverythingCanVanish) {
  const problem::Problem problem = heat(
      {"penalty={strategy=\"balance\"}", "phase=[{optimizer=\"lbfgs\", epochs=3}, {optimizer=\"lm\", epochs=80}]"});
  Rows rows;
  Trainer trainer(problem, 4);
  trainer.add_observer(rows);
  trainer.run();
  for (std::size_t i = 40; i < rows.rows.size(); ++i)
    for (std::size_t t = 0; t < 3; ++t)
      EXPECT_LT(rows.rows[i].weights[t], 5 * rows.rows[35].weights[t]) << "epoch " << i;
}

}  // namespace
}  // namespace pecann::train
