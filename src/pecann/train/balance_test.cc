#include "pecann/train/balance.h"

#include <cmath>

#include <gtest/gtest.h>

#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"
#include "support/engine_problem.h"

namespace pecann::train {
namespace {

using testing::heat;
using testing::Rows;

problem::Problem two_equations(const std::string& factor = "1") {
  return problem::read_problem(R"(title = "test"
coordinates = { x = [0, 1], t = [0, 1] }
[[network]]
fields = ["u", "v"]
hidden = [6, 6]
[[term]]
name = "first"
role = "objective"
region = "interior"
equation = ["u_t - u_xx + v", ")" + factor +
                                   R"toml(*(v - u_x)"]
points = { sobol = 40 }
[[term]]
name = "second"
role = "constraint"
region = "interior"
equation = "v_t - 3*u"
points = { sobol = 30 }
[[phase]]
optimizer = "lm"
epochs = 3
)toml",
                               "test.toml");
}

TEST(Balance, AnEquationTimesTenHasAHundredthOfTheWeight) {
  test::SmallEngine plain{two_equations()}, scaled{two_equations("10")};
  const std::vector<double> theta = test::random_parameters(plain.model, 2);
  Balance one(plain.problem), other(scaled.problem);
  one.prepare(0, *plain.evaluator, theta);
  other.prepare(0, *scaled.evaluator, theta);
  EXPECT_NEAR(other.weights()[0][1] / one.weights()[0][1], 0.01, 1e-12);
  EXPECT_EQ(other.weights()[0][0], one.weights()[0][0]);
  EXPECT_EQ(one.unit(), std::max(one.weights()[0][0], one.weights()[0][1]));
  const evaluate::TermValues &a = plain.evaluator->values(theta), &b = scaled.evaluator->values(theta);
  EXPECT_NEAR(b.objective / a.objective, 1, 1e-12);
  EXPECT_EQ(b.constraints, a.constraints);
}

TEST(Balance, CurvaturesAreTakenAnewLessAndLessOften) {
  test::SmallEngine engine{two_equations()};
  std::vector<double> theta = test::random_parameters(engine.model, 2);
  Balance balance(engine.problem);
  std::vector<int> taken;
  for (int step = 0; step < 70; ++step) {
    theta[0] += 0.01;
    if (balance.prepare(step, *engine.evaluator, theta) != 1) taken.push_back(step);
  }
  EXPECT_EQ(taken, (std::vector<int>{1, 2, 3, 5, 8, 12, 18, 27, 41, 62}));
}

TEST(Balance, SidesAreBoostedAtFirstAndTheStartIsNot) {
  test::SmallEngine engine{heat()};
  const std::vector<double> theta = test::random_parameters(engine.model, 2);
  const auto weights_at = [&](double steps) {
    Balance balance(engine.problem);
    balance.prepare(steps, *engine.evaluator, theta);
    return balance.weights();
  };
  const auto first = weights_at(0), fourth = weights_at(4), late = weights_at(100);
  EXPECT_NEAR(first[1][0] / late[1][0], Balance::kBoost, 1e-9);
  EXPECT_NEAR(fourth[1][0] / late[1][0], Balance::kBoost / 2, 1e-9);
  EXPECT_NEAR(first[2][0] / late[2][0], 1, 1e-12);
  EXPECT_EQ(first[0][0], late[0][0]);
}

TEST(Balance, KindsOfTerms) {
  const problem::Problem problem = heat();
  EXPECT_EQ(kind_of(problem, problem.terms[0]), TermKind::Equation);
  EXPECT_EQ(kind_of(problem, problem.terms[1]), TermKind::Condition);
  EXPECT_EQ(kind_of(problem, problem.terms[2]), TermKind::Start);
}

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

TEST(Balance, DataAreRelievedWhenTheyStallAndTakenBackWhenTheyLeaveTheirFloor) {
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

TEST(Balance, ConvergesToTheConstrainedLeastSquaresSolution) {
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

problem::Problem balanced_heat(const std::vector<std::string>& more = {}) {
  std::vector<std::string> overrides = {"penalty={strategy=\"balance\"}",
                                        "phase=[{optimizer=\"lbfgs\", epochs=3}, {optimizer=\"lm\", epochs=20}]"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return heat(overrides);
}

TEST(Balance, AResumedTrainingHasTheSameBits) {
  const problem::Problem problem = balanced_heat({"held_out.keep=best", "term.pde.points={sobol=40, redraw=5}"});
  Trainer whole(problem, 4);
  whole.run();
  for (const long stop : {1L, 4L, 9L}) {
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
    EXPECT_EQ(whole.last_record().updates, second.last_record().updates);
  }
}

TEST(Balance, AFactorOfAnEquationChangesNextToNothing) {
  const auto error = [](const std::string& pde, const std::string& start) {
    const problem::Problem problem = balanced_heat({"term.pde.equation=" + pde, "term.start.equation=" + start});
    Trainer trainer(problem, 2);
    trainer.run();
    return trainer.measure_errors()[0].relative_l2;
  };
  const std::string pde = "u_t = nu*u_xx + (nu*pi^2 - 1)*exact.u", start = "u = exact.u";
  const double plain = error(pde, start);
  EXPECT_LT(plain, 0.05);
  EXPECT_NEAR(error("1000*u_t = 1000*(nu*u_xx + (nu*pi^2 - 1)*exact.u)", start) / plain, 1, 0.05);
  EXPECT_NEAR(error(pde, "0.001*u = 0.001*exact.u") / plain, 1, 0.05);
}

TEST(Balance, RecordsAreInTheUnitsOfTheEquationsAndSharesSumToOne) {
  const problem::Problem problem = balanced_heat();
  Rows rows;
  Trainer trainer(problem, 4);
  trainer.add_observer(rows);
  trainer.run();
  const EpochRecord& last = rows.rows.back();
  double sum = 0;
  for (const double share : last.shares) sum += share;
  EXPECT_NEAR(sum, 1, 1e-12);
  ASSERT_EQ(last.weights.size(), 3u);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_DOUBLE_EQ(last.constraints[c].multiplier, last.weights[c + 1]);
    EXPECT_NEAR(last.constraints[c].multiplier * last.constraints[c].value / last.loss, last.shares[c + 1], 1e-12);
  }
  EXPECT_GT(last.updates, 5);
}

}  // namespace
}  // namespace pecann::train
