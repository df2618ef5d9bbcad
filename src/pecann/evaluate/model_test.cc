#include "pecann/evaluate/model.h"

#include <cmath>

#include <gtest/gtest.h>

namespace pecann::evaluate {
namespace {

struct BoundCase {
  const char* name;
  problem::ParameterSpec spec;
};

problem::ParameterSpec spec(double initial, std::optional<double> lower, std::optional<double> upper, bool log_scale) {
  return {.name = "nu", .initial = initial, .lower = lower, .upper = upper, .log_scale = log_scale};
}

class ScalarBounds : public ::testing::TestWithParam<BoundCase> {};

TEST_P(ScalarBounds, StartSlopeAndRange) {
  const problem::ParameterSpec& s = GetParam().spec;
  EXPECT_NEAR(scalar_value(s, unbounded_start(s)).value, s.initial, 1e-14 * std::abs(s.initial));
  for (const double xi : {-3.0, -0.4, 0.0, 0.9, 2.5}) {
    const double h = 1e-5;
    const double difference = (scalar_value(s, xi + h).value - scalar_value(s, xi - h).value) / (2 * h);
    EXPECT_NEAR(scalar_value(s, xi).slope, difference, 1e-8 * std::max(1.0, std::abs(difference))) << "xi = " << xi;
    if (s.lower) {
      EXPECT_GT(scalar_value(s, xi).value, *s.lower);
    }
    if (s.upper) {
      EXPECT_LT(scalar_value(s, xi).value, *s.upper);
    }
    if (s.log_scale) {
      EXPECT_GT(scalar_value(s, xi).value, 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ScalarBounds,
    ::testing::Values(BoundCase{"Free", spec(-1.5, {}, {}, false)}, BoundCase{"Log", spec(0.02, {}, {}, true)},
                      BoundCase{"Lower", spec(3, 2.5, {}, false)}, BoundCase{"Upper", spec(-3, {}, -2.5, false)},
                      BoundCase{"Both", spec(0.2, 0.1, 0.9, false)}, BoundCase{"LogBoth", spec(0.2, 0.001, 10, true)}),
    [](const auto& info) { return info.param.name; });

problem::Problem two_networks() {
  problem::Problem problem;
  problem.box = {{"x", "t"}, {0, 0}, {1, 2}, 1};
  problem.networks = {{.name = "first", .fields = {"u", "v"}, .inputs = {"x", "t"}, .hidden = {3}},
                      {.name = "second", .fields = {"a"}, .inputs = {"t"}, .hidden = {4, 2}}};
  problem.parameters = {spec(0.5, {}, {}, false)};
  return problem;
}

TEST(Model, LayoutOfTheParameterVector) {
  const problem::Problem problem = two_networks();
  const Model model(problem, problem.box, 1);
  EXPECT_EQ(model.network_offset(0), 0);
  EXPECT_EQ(model.network_offset(1), 3 * 3 + 2 * 4);             // (2+1)·3 + (3+1)·2
  EXPECT_EQ(model.scalar_offset(), 17 + 2 * 4 + 5 * 2 + 3 * 1);  // (1+1)·4 + (4+1)·2 + (2+1)·1
  EXPECT_EQ(model.num_parameters(), 39);
  EXPECT_EQ(model.fields().at("v").network, 0);
  EXPECT_EQ(model.fields().at("v").output, 1);
  EXPECT_EQ(model.fields().at("a").network, 1);
  EXPECT_EQ(model.initial_parameters(3).back(), 0.5);
}

TEST(Model, ANewNetworkChangesNoOtherStart) {
  problem::Problem problem = two_networks();
  const Model both(problem, problem.box, 1);
  const std::vector<double> start_of_both = both.initial_parameters(5);
  std::swap(problem.networks[0], problem.networks[1]);
  const Model swapped(problem, problem.box, 1);
  const std::vector<double> start = swapped.initial_parameters(5);
  for (std::size_t i = 0; i < 17; ++i) EXPECT_EQ(start[swapped.network_offset(1) + i], start_of_both[i]);
  EXPECT_NE(both.initial_parameters(6), start_of_both);
}

}  // namespace
}  // namespace pecann::evaluate
