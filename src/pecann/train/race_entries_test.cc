#include "pecann/train/race_entries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"

namespace pecann::train {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names(const std::vector<RaceEntry>& entries) {
  std::vector<std::string> result;
  for (const RaceEntry& entry : entries) result.push_back(entry.name);
  return result;
}

TEST(RaceEntriesTest, RecipesOfTheProblemAndBaselinesByDefault) {
  const std::vector<RaceEntry> entries = race_entries({.problem = "helmholtz-1-4", .seconds = 7});
  EXPECT_THAT(names(entries), ElementsAre("paper", "best", "fixed", "sa"));
  for (const RaceEntry& entry : entries) EXPECT_EQ(entry.problem.stop.seconds, 7) << entry.name;
  EXPECT_EQ(entries[1].problem.penalty.strategy, "balance");
  EXPECT_EQ(entries[0].problem.phases[0].mode, "compatible");
  EXPECT_EQ(entries[0].problem.phases[0].epochs, 5000) << "a recipe ends where it ends";
  EXPECT_EQ(entries[2].problem.penalty.strategy, "fixed");
  EXPECT_EQ(entries[3].problem.penalty.strategy, "sa");
}

TEST(RaceEntriesTest, EveryPlainRecipeFitsAProblem) {
  RaceRequest request{.problem = "helmholtz-1-4", .seconds = 7, .trials = 3};
  for (const PlainRecipe& plain : plain_recipes()) request.recipes.push_back(plain.name);
  for (const RaceEntry& entry : race_entries(request)) {
    if (entry.problem.accuracy) continue;  // a search, below
    EXPECT_EQ(entry.problem.trials, 3);
    if (entry.name == "own" || entry.name == "solve") continue;  // they end where they end
    EXPECT_EQ(entry.problem.phases.back().epochs, 1'000'000'000) << entry.name;
    EXPECT_EQ(entry.problem.held_out.keep, entry.name == "auto" ? problem::Keep::Best : problem::Keep::Last);
  }
}

TEST(RaceEntriesTest, ASearchHasOneTrialAndAnOpenTraining) {
  const std::vector<RaceEntry> entries = race_entries({.problem = "gallery/advection",
                                                       .recipes = {"accuracy", "auto"},
                                                       .overrides = {"accuracy=1e-3"},
                                                       .seconds = 7,
                                                       .trials = 3});
  EXPECT_EQ(entries[0].problem.accuracy, 1e-3);
  EXPECT_EQ(entries[0].problem.trials, 1);
  EXPECT_TRUE(entries[0].problem.training_open);
  EXPECT_EQ(entries[0].problem.windows.count, 1) << "windows are among its means";
  EXPECT_EQ(entries[0].problem.stop.seconds, 7);
  EXPECT_FALSE(entries[1].problem.accuracy) << "other recipes train once";
  EXPECT_EQ(race_entries({.problem = "helmholtz-1-4", .recipes = {"accuracy"}, .seconds = 7})[0].problem.accuracy,
            1e-6);
}

TEST(RaceEntriesTest, ASolveIsFoundOrRefusedWithTheReason) {
  const auto entries = race_entries({.problem = "helmholtz-1-4", .recipes = {"solve"}, .seconds = 7, .trials = 2});
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].name, "solve");
  EXPECT_EQ(entries[0].problem.phases.at(0).optimizer, "solve");
  EXPECT_EQ(entries[0].problem.trials, 2);
  ASSERT_TRUE(entries[0].head_start);
  EXPECT_GT(entries[0].head_start->seconds, 0) << "the search counts";
  try {
    race_entries({.problem = "heat-source-inverse", .recipes = {"solve"}, .seconds = 7});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.parts().value, "solve");
    EXPECT_NE(error.parts().rule.find("no solve of features, because of "), std::string::npos) << error.parts().rule;
  }
}

TEST(RaceEntriesTest, WindowsAreNotTrainedUntilTheTimeIsOver) {
  const std::vector<RaceEntry> entries =
      race_entries({.problem = "gallery/advection", .recipes = {"adam", "lm"}, .seconds = 7});
  EXPECT_EQ(entries[0].problem.phases.back().epochs, 3000);
  EXPECT_EQ(entries[1].problem.phases.back().epochs, 300);
}

TEST(RaceEntriesTest, StrategiesMultiplyAndOverridesCount) {
  const std::vector<RaceEntry> entries = race_entries({.problem = "helmholtz-1-4",
                                                       .recipes = {"best", "lm"},
                                                       .strategies = {"capu", "fixed"},
                                                       .overrides = {"network.1.hidden=[4]", "penalty.eta=100"},
                                                       .seconds = 7});
  EXPECT_THAT(names(entries), ElementsAre("best+capu", "best+fixed", "lm+capu", "lm+fixed"));
  EXPECT_EQ(entries[1].problem.penalty.strategy, "fixed");
  EXPECT_EQ(entries[1].problem.penalty.eta, 100) << "other settings stay";
  for (const RaceEntry& entry : entries) EXPECT_EQ(entry.problem.networks[0].hidden, std::vector<int>{4});
}

TEST(RaceEntriesTest, UnknownNamesAreRefused) {
  EXPECT_THROW(race_entries({.problem = "helmholtz-1-4", .recipes = {"bst"}, .seconds = 7}), InputError);
  EXPECT_THROW(race_entries({.problem = "helmholtz-1-4", .recipes = {"best"}, .strategies = {"x"}, .seconds = 7}),
               InputError);
}

}  // namespace
}  // namespace pecann::train
