#include "pecann/penalty/dual_state.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/base/random_stream.h"

namespace pecann::penalty {
namespace {

std::vector<double> random_values(std::size_t count, double scale, RandomStream& stream) {
  std::vector<double> values(count);
  for (double& value : values) value = scale * stream.uniform();
  return values;
}

DualState random_duals(std::size_t count, RandomStream& stream) {
  DualState duals(count);
  duals.multiplier = random_values(count, 10, stream);
  duals.penalty = random_values(count, 100, stream);
  return duals;
}

TEST(DualStateTest, StartsAsThePaperSays) {
  const DualState duals(3);
  EXPECT_EQ(duals.multiplier, (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(duals.penalty, (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(duals.violation_average, (std::vector<double>{0, 0, 0}));
  EXPECT_TRUE(std::isinf(duals.previous_loss) && std::isinf(duals.previous_norm));
}

TEST(DualStateTest, LagrangianIsTheFormulaExactly) {
  DualState duals(2);
  duals.multiplier = {2, 0.5};
  duals.penalty = {4, 8};
  const std::vector<double> constraints = {0.25, 0.5};
  // 1 + (2·¼ + ½·½) + ½ (4/16 + 8/4)
  EXPECT_EQ(augmented_lagrangian(1, constraints, duals), 1 + 0.75 + 0.5 * 2.25);
  EXPECT_EQ(augmented_lagrangian(3, {}, DualState(0)), 3);
}

TEST(DualStateTest, LagrangianOfAnyLengthIsThePlainSum) {
  RandomStream stream(7, "lengths");
  for (const std::size_t count : {1u, 7u, 8u, 9u, 16u, 1003u}) {
    const DualState duals = random_duals(count, stream);
    const auto constraints = random_values(count, 1, stream);
    long double plain = 0.5L;
    for (std::size_t i = 0; i < count; ++i)
      plain += static_cast<long double>(duals.multiplier[i]) * constraints[i] +
               0.5L * duals.penalty[i] * constraints[i] * constraints[i];
    const auto expected = static_cast<double>(plain);
    EXPECT_NEAR(augmented_lagrangian(0.5, constraints, duals), expected, 1e-14 * expected) << count;
  }
}

TEST(DualStateTest, WeightsAreTheDerivativeByEachConstraint) {
  RandomStream stream(3, "weights");
  const std::size_t count = 19;
  const DualState duals = random_duals(count, stream);
  auto constraints = random_values(count, 1, stream);
  for (std::size_t i = 0; i < count; ++i) {
    const double at = constraints[i],
                 h = 0x1p-10;  // L is quadratic in C_i: central differences are exact but for rounding
    constraints[i] = at + h;
    const double above = augmented_lagrangian(0.25, constraints, duals);
    constraints[i] = at - h;
    const double below = augmented_lagrangian(0.25, constraints, duals);
    constraints[i] = at;
    EXPECT_NEAR(lagrangian_weight(duals.multiplier[i], duals.penalty[i], at), (above - below) / (2 * h), 1e-9) << i;
  }
}

TEST(DualStateTest, PartsAddUpToTheLagrangian) {
  RandomStream stream(4, "parts");
  const DualState duals = random_duals(11, stream);
  const auto constraints = random_values(11, 1, stream);
  double sum = 0.25, of_means = 0.25;
  for (std::size_t i = 0; i < duals.size(); ++i) {
    const double c = constraints[i];
    sum += lagrangian_part(duals.multiplier[i], duals.penalty[i], c);
    of_means += lagrangian_part_of_means(duals.multiplier[i], duals.penalty[i], c, c * c);
  }
  EXPECT_NEAR(sum, augmented_lagrangian(0.25, constraints, duals), 1e-14 * sum);
  EXPECT_NEAR(of_means, sum, 1e-14 * sum);
  EXPECT_EQ(lagrangian_part(2, 4, 3), 2 * 3 + 0.5 * 4 * 9);
  EXPECT_EQ(lagrangian_weight(2, 4, 3), 2 + 4 * 3);
}

// [paper, appendix C.2]: with λ_j = c_λ and μ_j = c_μ at all N_B points and the objective as a sum over N_F
// points, L_pointwise = N_F [ L_aggregated + ½ μ_B Var(C_B) ],  λ_B = c_λ N_B/N_F,  μ_B = c_μ N_B/N_F.
TEST(DualStateTest, PointwiseIsAggregatedPlusVariance) {
  RandomStream stream(11, "variance");
  const std::size_t interior = 313, boundary = 101;
  const auto residuals = random_values(interior, 2, stream), constraints = random_values(boundary, 3, stream);
  const double multiplier = 1.7, penalty = 4.3;
  double objective_sum = 0, constraint_sum = 0, square_sum = 0;
  for (const double r : residuals) objective_sum += r * r;
  for (const double c : constraints) constraint_sum += c, square_sum += c * c;
  const double ratio = static_cast<double>(boundary) / interior;
  const double mean = constraint_sum / boundary, variance = square_sum / boundary - mean * mean;

  DualState pointwise(boundary), aggregated(1);
  pointwise.multiplier.assign(boundary, multiplier);
  pointwise.penalty.assign(boundary, penalty);
  aggregated.multiplier = {multiplier * ratio};
  aggregated.penalty = {penalty * ratio};
  const double left = augmented_lagrangian(objective_sum, constraints, pointwise);
  const double right = augmented_lagrangian(objective_sum / interior, std::vector<double>{mean}, aggregated) +
                       0.5 * aggregated.penalty[0] * variance;
  EXPECT_NEAR(left, interior * right, 1e-12 * left);
}

TEST(DualStateTest, SavedAndLoadedIsTheSame) {
  RandomStream stream(5, "save");
  DualState duals = random_duals(6, stream);
  duals.violation_average = random_values(6, 1e-3, stream);
  duals.previous_loss = 0.1;
  StateWriter writer;
  save_duals(duals, writer);
  const StateReader reader(writer.bytes());
  DualState loaded(6), other(5);
  load_duals(reader, loaded);
  EXPECT_EQ(loaded.multiplier, duals.multiplier);
  EXPECT_EQ(loaded.penalty, duals.penalty);
  EXPECT_EQ(loaded.violation_average, duals.violation_average);
  EXPECT_EQ(loaded.previous_loss, duals.previous_loss);
  EXPECT_EQ(loaded.previous_norm, duals.previous_norm);
  EXPECT_THROW(load_duals(reader, other), InputError);
}

}  // namespace
}  // namespace pecann::penalty
