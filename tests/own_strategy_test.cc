// The strategy of examples/own_capu.h against the built-in rule that it repeats, and both against PyTorch's history.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "../examples/own_capu.h"

namespace pecann {
namespace {

std::vector<Epoch> history(const Problem& problem, TrainOptions options) {
  std::vector<Epoch> epochs;
  options.observer = [&](const Epoch& epoch) {
    epochs.push_back(epoch);
    return Directive::Continue;
  };
  problem.train(options);
  return epochs;
}

TEST(OwnStrategyTest, TheSameRuleGivesTheSameGoldenHistory) {
  std::ifstream file("tests/golden/burgers_66x33_adam_capu.json");
  const nlohmann::json golden = nlohmann::json::parse(file);
  constexpr int kEpochs = 150;
  const Problem problem = Problem::load(
      "burgers-rarefaction-coarse", {"phase.1.epochs=" + std::to_string(kEpochs), "evaluate.every=1000000"}, "paper");
  TrainOptions options{.start = golden.at("initial_parameters").get<std::vector<double>>()};
  const std::vector<Epoch> builtin = history(problem, options);
  options.penalty_strategy = [] { return std::make_unique<OwnCapu>(); };
  const std::vector<Epoch> own = history(problem, options);

  ASSERT_EQ(own.size(), static_cast<std::size_t>(kEpochs));
  bool duals_moved = false;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const nlohmann::json& row = golden.at("history")[i];
    EXPECT_EQ(own[i].loss, builtin[i].loss) << "epoch " << i + 1;
    EXPECT_NEAR(own[i].loss, row["loss"].get<double>(), 1e-9 * std::abs(row["loss"].get<double>()));
    for (std::size_t c = 0; c < own[i].constraints.size(); ++c) {
      EXPECT_EQ(own[i].constraints[c].multiplier, builtin[i].constraints[c].multiplier);
      EXPECT_EQ(own[i].constraints[c].penalty, builtin[i].constraints[c].penalty);
      EXPECT_NEAR(own[i].constraints[c].multiplier, row["multipliers"][c].get<double>(),
                  1e-9 * row["multipliers"][c].get<double>());
      duals_moved = duals_moved || own[i].constraints[c].multiplier != 1;
    }
  }
  EXPECT_TRUE(duals_moved);  // otherwise the strategies had nothing to do
}

}  // namespace
}  // namespace pecann
