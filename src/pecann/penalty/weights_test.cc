#include "pecann/penalty/weights.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pecann/base/random_stream.h"

namespace pecann::penalty {
namespace {

TEST(FixedWeightsTest, WeightsNeverChangeAndThereIsNoPenalty) {
  FixedWeights strategy({.multiplier = 1000, .penalty = 5});
  DualState duals = strategy.start(2);
  EXPECT_EQ(duals.multiplier, (std::vector<double>{1000, 1000}));
  EXPECT_EQ(duals.penalty, (std::vector<double>{0, 0}));
  EXPECT_FALSE(strategy.update(std::vector<double>{3, 4}, 1, std::vector<double>{1, 1}, duals));
  EXPECT_EQ(duals.multiplier, (std::vector<double>{1000, 1000}));
  EXPECT_EQ(augmented_lagrangian(1, std::vector<double>{0.5, 0.25}, duals), 751);
}

TEST(SelfAdaptiveWeightsTest, FirstStepOfAdamHasTheLengthOfTheLearningRate) {
  SelfAdaptiveWeights strategy({.multiplier = 16, .sa_scale = 4, .sa_power = 2, .sa_learning_rate = 0.25});
  DualState duals = strategy.start(2);
  EXPECT_EQ(duals.multiplier, (std::vector<double>{16, 16}));
  EXPECT_EQ(duals.penalty, (std::vector<double>{0, 0}));
  // ω₀ = (16/4)^½ = 2; ω₁ = 2 + ¼ up to Adam's ε; λ = 4·2.25². A satisfied constraint keeps its weight.
  EXPECT_TRUE(strategy.update(std::vector<double>{0.5, 0}, 1, std::vector<double>{1, 1}, duals));
  EXPECT_NEAR(duals.multiplier[0], 4 * 2.25 * 2.25, 1e-6);
  EXPECT_EQ(duals.multiplier[1], 16);
}

TEST(SelfAdaptiveWeightsTest, FollowsAdamOnTheGradientOfTheLagrangian) {
  const double c = 0.5, q = 3, rate = 0.1;
  SelfAdaptiveWeights strategy({.multiplier = 4, .sa_scale = c, .sa_power = q, .sa_learning_rate = rate});
  DualState duals = strategy.start(1);
  double omega = 2, m = 0,
         v = 0;  // an independent Adam whose gradient is a central difference of L(ω) = c ω^q C
  for (int t = 1; t <= 10; ++t) {
    const double violation = 1.0 / t, h = 1e-5;
    const auto lagrangian = [&](double w) { return c * w * w * w * violation; };
    const double ascent = (lagrangian(omega + h) - lagrangian(omega - h)) / (2 * h);
    m = 0.9 * m + 0.1 * ascent;
    v = 0.999 * v + 0.001 * ascent * ascent;
    omega += rate * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
    strategy.update(std::vector<double>{violation}, 1, std::vector<double>{1}, duals);
    EXPECT_NEAR(duals.multiplier[0], c * std::pow(omega, q), 1e-8) << t;
  }
  EXPECT_EQ(duals.penalty[0], 0);
}

TEST(SelfAdaptiveWeightsTest, ResumesBitForBit) {
  const StrategyOptions options{.strategy = "sa", .sa_learning_rate = 0.05};
  SelfAdaptiveWeights whole(options), first(options), second(options);
  DualState whole_duals = whole.start(5), duals = first.start(5);
  const std::vector<double> eta(5, 1.0);
  RandomStream stream(2, "sa");
  std::vector<std::vector<double>> script(20, std::vector<double>(5));
  for (auto& row : script)
    for (double& c : row) c = stream.uniform();
  for (const auto& row : script) whole.update(row, 1, eta, whole_duals);
  for (int k = 0; k < 10; ++k) first.update(script[k], 1, eta, duals);
  StateWriter writer;
  first.save(writer);
  second.load(StateReader(writer.bytes()));
  for (int k = 10; k < 20; ++k) second.update(script[k], 1, eta, duals);
  EXPECT_EQ(duals.multiplier, whole_duals.multiplier);
}

}  // namespace
}  // namespace pecann::penalty
