// Trainings with integrals and inequalities: what they are asked for holds, and the bits are the same on any number of
// threads and after a stop.
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/base/parallel.h"
#include "pecann/base/state_archive.h"
#include "pecann/sampling/quadrature.h"
#include "pecann/train/lagrangian.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"

namespace pecann::train {
namespace {

using testing::Rows;

/// The lowest eigenvalue of −u'' on [0, 1] with u = 0 at the ends, π².
constexpr const char* kEigenvalue = R"toml(
title = "eigenvalue"
coordinates = { x = [0, 1] }
[parameters]
lambda = { initial = 7 }
[functions]
w = "4*x*(1 - x)*u"
[[network]]
fields = ["u"]
hidden = [10]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "-w_xx/10 = lambda/10*w"
points = { gauss = [24] }
[[term]]
name = "norm"
role = "constraint"
region = "interior"
equation = ["integral(w^2) = 1", "integral(w_x^2) = lambda*integral(w^2)"]
points = { same_as = "pde" }
[penalty]
strategy = "fixed"
[[phase]]
optimizer = "lm"
epochs = 60
)toml";

/// A membrane without load over the obstacle 1/2 − x², u(±1) = 0: the objective is its energy. Its points are many for 8
/// units: with 80 points for 12, energies at the points fall to nothing between steps that nobody sees.
constexpr const char* kObstacle = R"toml(
title = "obstacle"
coordinates = { x = [-1, 1] }
[functions]
w = "(1 - x^2)*u"
[[network]]
fields = ["u"]
hidden = [8]
[[term]]
name = "energy"
role = "objective"
region = "interior"
equation = "w_x = 0"
points = { grid = [402] }
[[term]]
name = "above"
role = "constraint"
region = "interior"
equation = "w >= 1/2 - x^2"
points = { grid = [402] }
aggregate = "pointwise"
[penalty]
strategy = "mpu"
beta = 1
penalty = 1
[[phase]]
optimizer = "lm"
epochs = 80
)toml";

problem::Problem read(const std::string& text) { return problem::read_problem(text, "test.toml"); }

TEST(IntegralTraining, FindsAnEigenvalueAndTheSizeOfItsFunction) {
  const problem::Problem problem = read(kEigenvalue);
  Trainer trainer(problem, 1);
  trainer.run();
  EXPECT_NEAR(trainer.last_record().scalars[0], std::numbers::pi * std::numbers::pi, 1e-6);
  const sampling::LineRule rule = sampling::gauss_rule(0, 1, 40);  // other nodes than those of training
  sampling::PointSet points;
  points.count = rule.nodes.size();
  points.coordinates = {sampling::padded_column(rule.nodes)};
  std::vector<std::vector<double>> values;
  const expr::Expr x = expr::coordinate("x"), w = 4 * x * (1 - x) * expr::field("u");
  trainer.solution().evaluate(std::vector<expr::Expr>{w}, points, values);
  double square = 0;
  for (std::size_t i = 0; i < points.count; ++i) square += rule.weights[i] * values[0][i] * values[0][i];
  EXPECT_NEAR(square, 1, 1e-6);
}

TEST(InequalityTraining, MultipliersAreNotNegativeAndVanishWhereNothingIsBroken) {
  const problem::Problem problem = read(kObstacle);
  Trainer trainer(problem, 1);
  trainer.run();
  const std::vector<double>& multipliers = trainer.duals().multiplier;
  ASSERT_EQ(multipliers.size(), 400u);
  const double contact = 1 - std::sqrt(0.5);
  double pressure = 0;
  for (std::size_t i = 0; i < multipliers.size(); ++i) {
    const double x = -1 + 2 * static_cast<double>(i + 1) / 401;
    EXPECT_GE(multipliers[i], 0);
    if (std::abs(x) > contact + 0.15) EXPECT_EQ(multipliers[i], 0) << x;
    pressure += multipliers[i];
  }
  // The energy is the mean of w_x² over 400 points: its contact forces add up to 2 · [w_x]/400 · 401/2,
  // [w_x] = 4 contact.
  EXPECT_NEAR(pressure, 4 * contact * 401 / 400, 0.08);
}

/// Parameters and multipliers after a training, which may have been stopped and resumed on the way.
std::vector<double> trained(const std::string& text, int threads, long stop_after) {
  set_thread_count(threads);
  const problem::Problem problem = read(text);
  const auto numbers = [](const Trainer& trainer) {
    std::vector<double> all(trainer.parameters().begin(), trainer.parameters().end());
    all.insert(all.end(), trainer.duals().multiplier.begin(), trainer.duals().multiplier.end());
    return all;
  };
  Trainer first(problem, 1);
  Rows rows(stop_after);
  first.add_observer(rows);
  first.run();
  if (stop_after < 0) return numbers(first);
  StateWriter writer;
  first.save(writer);
  const std::string bytes = writer.bytes();
  Trainer resumed(problem, 1);
  resumed.load(StateReader(bytes));
  resumed.run();
  return numbers(resumed);
}

TEST(IntegralTraining, TheSameBitsOnAnyNumberOfThreadsAndAfterAStop) {
  const int before = thread_count();
  for (const std::string text : {kEigenvalue, kObstacle}) {
    const std::string shorter = text.substr(0, text.rfind("epochs = ")) + "epochs = 8\n";
    const std::vector<double> whole = trained(shorter, 1, -1);
    EXPECT_EQ(trained(shorter, 3, -1), whole);
    EXPECT_EQ(trained(shorter, 2, 5), whole);
  }
  set_thread_count(before);
}

}  // namespace
}  // namespace pecann::train
