#include "pecann/evaluate/channel_plan.h"

#include <cmath>

#include <gtest/gtest.h>

namespace pecann::evaluate {
namespace {

const std::vector<std::string> kInputs = {"x", "y", "t"};

expr::JetInput jet(expr::MultiIndex index) { return {.field = "u", .index = std::move(index)}; }

int channels_for(std::vector<expr::JetInput> jets, std::vector<expr::LinearOperator> operators = {}) {
  return plan_channels(jets, operators, kInputs).channels.size();
}

TEST(ChannelPlan, NoMoreChannelsThanNeeded) {
  EXPECT_EQ(channels_for({jet({})}), 1);
  EXPECT_EQ(channels_for({jet({{"x", 1}}), jet({{"x", 1}})}), 2);
  EXPECT_EQ(channels_for({jet({{"x", 2}})}), 3);
  EXPECT_EQ(channels_for({jet({{"x", 1}, {"y", 1}})}), 4);
  EXPECT_EQ(channels_for({jet({{"x", 4}})}), 5);
  EXPECT_EQ(channels_for({jet({{"x", 4}}), jet({{"x", 2}}), jet({{"y", 1}})}), 6);
  // u_xxy along (1, 1), (1, -1) and (0, 1): ∂_xxy = (D³_(1,1) − D³_(1,−1))/6 − ∂³_y/3.
  EXPECT_EQ(channels_for({jet({{"x", 2}, {"y", 1}})}), 1 + 3 * 3);
}

TEST(ChannelPlan, AnOperatorIsOneChannelBesidesItsFirstDerivatives) {
  const expr::LinearOperator laplacian{{{{{"x", 2}}, 1.0}, {{{"y", 2}}, 1.0}}};
  const expr::LinearOperator transport{
      {{{{"t", 1}}, 1.0}, {{{"x", 1}}, expr::coordinate("y")}, {{{"y", 1}}, expr::coordinate("x")}}};
  EXPECT_EQ(channels_for({{.field = "u", .linear_operator = 0}}, {laplacian}), 4);
  EXPECT_EQ(channels_for({{.field = "u", .linear_operator = 0}}, {transport}), 2);
  const std::vector<expr::JetInput> jets = {{.field = "u", .linear_operator = 0}};
  const std::vector<expr::LinearOperator> operators = {transport};
  const ChannelPlan plan = plan_channels(jets, operators, kInputs);
  ASSERT_EQ(plan.columns.size(), 2);
  EXPECT_TRUE(expr::same(plan.columns[0], expr::coordinate("y")));
  EXPECT_TRUE(plan.sources[0].direct());
}

TEST(ChannelPlan, PolarisationReproducesMonomials) {
  // D_v^k of x^a y^b t^c (a + b + c = k) at 0 is k! v_x^a v_y^b v_t^c; the combination must give a! b! c! for
  // the monomial of the derivative and 0 for every other of that order.
  const std::vector<expr::MultiIndex> indices = {{{"x", 2}, {"y", 1}},
                                                 {{"x", 1}, {"y", 1}, {"t", 1}},
                                                 {{"x", 2}, {"y", 2}},
                                                 {{"x", 3}, {"t", 1}},
                                                 {{"x", 1}, {"y", 2}, {"t", 1}}};
  for (const expr::MultiIndex& index : indices) {
    const int k = expr::order_of(index);
    const std::vector<expr::JetInput> jets = {jet(index)};
    const ChannelPlan plan = plan_channels(jets, {}, kInputs);
    for (int a = 0; a <= k; ++a) {
      for (int b = 0; a + b <= k; ++b) {
        const int powers[] = {a, b, k - a - b};
        double sum = 0;
        for (const auto& [channel, factor] : plan.sources[0].parts) {
          const auto& line = plan.channels.channels[plan.channels.channels[channel].first];
          double value = factor * std::tgamma(k + 1);
          for (int i = 0; i < 3; ++i) value *= std::pow(line.seed[i].constant, powers[i]);
          sum += value;
        }
        double expected = 1;
        for (int i = 0; i < 3; ++i) {
          const auto order = index.find(kInputs[i]);
          expected *= (order == index.end() ? 0 : order->second) == powers[i] ? std::tgamma(powers[i] + 1) : 0;
        }
        EXPECT_NEAR(sum, expected, 1e-13) << "x^" << powers[0] << " y^" << powers[1] << " t^" << powers[2];
      }
    }
  }
}

}  // namespace
}  // namespace pecann::evaluate
