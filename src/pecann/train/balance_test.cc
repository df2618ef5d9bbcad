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
