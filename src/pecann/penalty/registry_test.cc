#include "pecann/penalty/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "pecann/base/input_error.h"

namespace pecann::penalty {
namespace {

TEST(StrategyRegistryTest, EveryRowMakesAStrategyThatRuns) {
  std::vector<std::string> names;
  for (const StrategyRow& row : strategy_table()) {
    names.emplace_back(row.name);
    EXPECT_GT(std::string(row.description).size(), 10u);
    const auto strategy = make_strategy({.strategy = row.name});
    DualState duals = strategy->start(3);
    EXPECT_EQ(duals.size(), 3u);
    strategy->update(std::vector<double>{1, 2, 3}, 1, std::vector<double>{1, 1, 1}, duals);
    EXPECT_EQ(duals.size(), 3u);
    for (const std::string_view option : row.option_names)
      EXPECT_TRUE(std::ranges::any_of(penalty_options(),
                                      [&](const PenaltyOption& known) { return option == known.description.name; }))
          << row.name << " " << option;
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("capu", "balance", "mpu", "cpu", "rmsprop", "fixed", "sa"));
}

TEST(StrategyRegistryTest, DefaultStartsByName) {
  for (const char* name : {"capu", "mpu", "cpu", "rmsprop"}) {
    const DualState duals = make_strategy({.strategy = name})->start(1);
    EXPECT_EQ(duals.multiplier[0], 1) << name;
    EXPECT_EQ(duals.penalty[0], 1) << name;
  }
  for (const char* name : {"fixed", "sa"}) EXPECT_EQ(make_strategy({.strategy = name})->start(1).penalty[0], 0) << name;
}

TEST(StrategyRegistryTest, AWrongNameGetsTheNearestOne) {
  try {
    make_strategy({.strategy = "cappu"});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.parts().value, "cappu");
    EXPECT_THAT(error.what(), testing::HasSubstr("'capu'"));
  }
}

TEST(StrategyRegistryTest, EveryOptionIsDescribedWithItsDefaultAndUsed) {
  for (const PenaltyOption& option : penalty_options()) {
    const OptionDescription& description = option.description;
    if (const auto value = option.value({})) EXPECT_EQ(*value, description.usual) << description.name;
    EXPECT_TRUE(std::ranges::any_of(strategy_table(), [&](const StrategyRow& row) {
      return row.uses(description.name);
    })) << description.name;
  }
}

TEST(StrategyRegistryTest, ValuesOutOfRangeAreRefusedByName) {
  const auto refused = [](const StrategyOptions& options) {
    try {
      make_strategy(options);
    } catch (const InputError& error) {
      return error.parts().key;
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused({.beta = 0.5}), "penalty.beta");
  EXPECT_EQ(refused({.zeta = 1}), "penalty.zeta");
  EXPECT_EQ(refused({.epsilon = 0}), "penalty.epsilon");
  EXPECT_EQ(refused({.multiplier = -1}), "penalty.multiplier");
  EXPECT_EQ(refused({.sa_power = 0}), "penalty.sa_power");
}

}  // namespace
}  // namespace pecann::penalty
