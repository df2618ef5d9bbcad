// When a search ends before its time: noise in the data, or attempts that do not help.
#include "pecann/accuracy/no_more.h"

#include <gtest/gtest.h>

#include <limits>

namespace pecann::accuracy {
namespace {

Tried with_data(double misfit, double physics, double data) {
  Tried tried;
  tried.outcome.evidence.misfit = misfit;
  tried.outcome.evidence.physics = physics;
  tried.outcome.evidence.data = data;
  return tried;
}

TEST(NoMoreTest, StandardErrorsDecide) {
  std::vector<Tried> tried = {with_data(1e-2, 1e-4, 1e6)};
  EXPECT_EQ(noise_decides(tried, 1e-3), "");
  tried[0].outcome.scalar = "D";
  tried[0].outcome.scalar_error = 4e-3;
  EXPECT_NE(noise_decides(tried, 1e-3).find("standard error of D is 4.0e-03"), std::string::npos);
  EXPECT_EQ(noise_decides(tried, 1e-2), "") << "it is known well enough";
  tried[0].outcome.evidence.physics = 1e-2;
  EXPECT_EQ(noise_decides(tried, 1e-3), "") << "the equations are not met yet: training decides";
}

TEST(NoMoreTest, FewNoisyDataTellNothingBetter) {
  const std::vector<Tried> tried = {with_data(0.05, 1e-3, 100)};
  EXPECT_NE(noise_decides(tried, 1e-3).find("100 of them tell nothing better than 5.0e-03"), std::string::npos);
  EXPECT_EQ(noise_decides(tried, 1e-2), "");
}

TEST(NoMoreTest, AttemptsThatMissTheDataAlikeHaveFoundTheNoise) {
  std::vector<Tried> tried = {with_data(0.0501, 1e-3, 1e6), with_data(0.05, 1e-3, 1e6)};
  EXPECT_NE(noise_decides(tried, 1e-3), "");
  tried[0].outcome.evidence.misfit = 0.06;
  EXPECT_EQ(noise_decides(tried, 1e-3), "");
}

TEST(NoMoreTest, ProblemsWithoutDataHaveNoNoise) {
  EXPECT_EQ(noise_decides(std::vector{with_data(0, 1e-3, 0)}, 1e-9), "");
  EXPECT_EQ(noise_decides({}, 1e-9), "");
}

TEST(NoMoreTest, ThreeAttemptsWithoutUseAreEnough) {
  const auto trusted = [](double error) {
    Tried tried;
    tried.outcome = {.trusted = true, .error = error};
    return tried;
  };
  std::vector<Tried> tried = {trusted(1e-2), trusted(9e-3), trusted(8e-3)};
  EXPECT_EQ(nothing_helps(tried), "");
  tried.push_back(trusted(2e-2));
  EXPECT_NE(nothing_helps(tried), "");
  tried.push_back(trusted(1e-3));
  EXPECT_EQ(nothing_helps(tried), "");
  const auto residual = [](double left) {
    Tried tried;
    tried.outcome = {.error = 1, .evidence = {.residual = left}};
    return tried;
  };
  EXPECT_EQ(nothing_helps(std::vector{residual(1), residual(0.9), residual(0.3), residual(0.2)}), "");
  EXPECT_NE(nothing_helps(std::vector{residual(1), residual(0.9), residual(0.8), residual(0.7)}), "");
}

TEST(NoMoreTest, DataThatAreMissedByNoNumberAreNotNoise) {
  const double none = std::numeric_limits<double>::infinity();
  EXPECT_EQ(noise_decides(std::vector{with_data(none, none, 100)}, 1e-3), "");
  EXPECT_EQ(noise_decides(std::vector{with_data(none, 1e-3, 100)}, 1e-3), "");
}

}  // namespace
}  // namespace pecann::accuracy
