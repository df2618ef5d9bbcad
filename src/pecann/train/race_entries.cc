#include "pecann/train/race_entries.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "pecann/base/input_error.h"
#include "pecann/optim/registry.h"
#include "pecann/penalty/registry.h"
#include "pecann/problem/catalogue.h"
#include "pecann/problem/recommended.h"
#include "pecann/train/choose_training.h"

namespace pecann::train {
namespace {

constexpr int kUntilTimeIsOver = 1'000'000'000;                    // epochs
constexpr int kGradientsOfAWindow = 3000, kEpochsOfAWindow = 300;  // limits, so that the next window has its turn
constexpr const char* kOwn = "own";                                // the file's phases
constexpr const char* kAccuracy = "accuracy";                      // a search
constexpr const char* kSolve = "solve";  // features, whatever they leave to training otherwise
constexpr double kUsualAccuracy = 1e-6;  // of a problem that asks for none

/// The training of an optimiser alone, or after a warm-up by L-BFGS where it wants one, with CAPU.
PlainRecipe plain_recipe(const optim::OptimizerRow& row) {
  const std::string warm_up = row.warm_up ? "{optimizer=\"lbfgs\", epochs=15}, " : "";
  const std::string schedule = row.one_gradient ? ", schedule=\"plateau\"" : "";
  const std::string capu = *row.capu.keys == '\0' ? "" : std::string(", ") + row.capu.keys;
  std::string text = row.warm_up ? "15 epochs of L-BFGS, then " : "";
  text += row.title;
  if (row.one_gradient) text += " " + short_number_text(row.learning_rate) + " with plateaus";
  text += ", CAPU";
  if (*row.capu.words != '\0') text += std::string(" with ") + row.capu.words;
  return {row.name,
          std::move(text),
          {fmt::format("phase=[{}{{optimizer=\"{}\", epochs=1{}}}]", warm_up, row.name, schedule),
           fmt::format("penalty={{strategy=\"capu\"{}}}", capu)}};
}

const PlainRecipe* find_plain(const std::string& name) {
  for (const PlainRecipe& recipe : plain_recipes())
    if (name == recipe.name) return &recipe;
  return nullptr;
}

/// The problem with the features that a search finds for it.
ChosenTraining solved_by_features(problem::Problem problem) {
  if (problem.exact.empty() && problem.reference.empty()) problem.held_out.watch = true;
  ChosenTraining chosen = choose_training(problem);
  const bool solved = std::ranges::all_of(chosen.problem.phases, [](const problem::PhaseSpec& phase) {
    return optim::optimizer_row(phase.optimizer, phase.mode).features_only;
  });
  if (!solved) {
    const std::string& words = chosen.problem.recommendation;
    const std::size_t reason = words.find("no solve of features");
    throw InputError(
        {.place = {.file = "command line"},
         .key = "--recipes",
         .value = kSolve,
         .rule = reason == std::string::npos ? "no solve of features answers the problem" : words.substr(reason),
         .hint = "leave it out"});
  }
  return chosen;
}

ChosenTraining load_entry(const RaceRequest& request, const std::vector<std::string>& offered,
                          const std::string& recipe, const std::string& strategy) {
  const bool of_file = std::ranges::find(offered, recipe) != offered.end();
  const PlainRecipe* const plain = of_file ? nullptr : find_plain(recipe);
  std::vector<std::string> overrides;
  if (plain != nullptr) overrides = plain->overrides;
  if (!strategy.empty()) overrides.push_back("penalty.strategy=" + strategy);
  overrides.push_back(fmt::format("stop.seconds={}", request.seconds));
  if (request.trials > 0) overrides.push_back(fmt::format("trials={}", request.trials));
  overrides.insert(overrides.end(), request.overrides.begin(), request.overrides.end());
  problem::Problem problem = problem::load_problem(request.problem, overrides, of_file ? recipe : "none");
  if (plain != nullptr && recipe == kAccuracy) {
    problem.accuracy = problem.accuracy.value_or(kUsualAccuracy);
    problem.trials = 1;
    return {std::move(problem), nullptr};
  }
  problem.accuracy.reset();  // recipes train once
  if (plain != nullptr && recipe == kSolve) return solved_by_features(std::move(problem));
  if (plain != nullptr && recipe != kOwn) {
    problem::PhaseSpec& last = problem.phases.back();
    last.epochs = problem.windows.count == 1                          ? kUntilTimeIsOver
                  : optim::optimizer_row(last.optimizer).one_gradient ? kGradientsOfAWindow
                                                                      : kEpochsOfAWindow;
  }
  // Without an exact solution the race is run on held-out points, whatever is reported.
  if (problem.exact.empty() && problem.reference.empty()) problem.held_out.watch = true;
  return {std::move(problem), nullptr};
}

}  // namespace

const std::vector<PlainRecipe>& plain_recipes() {
  static const std::vector<PlainRecipe> recipes = [] {
    std::vector<PlainRecipe> all = {
        {kOwn, "the phases of the file itself", {}},
        {problem::kAuto, "what is recommended for the problem's size", {"phase=[{optimizer=\"auto\"}]"}},
        {kAccuracy,
         "means are tried until the estimated error is below `accuracy` (1e-6), one trial",
         {"phase=[{optimizer=\"auto\"}]", "windows={count=1}", "penalty={}"}},
        {kSolve,
         "random features instead of networks, in parts or windows where those are better; refused where none are "
         "found",
         {"phase=[{optimizer=\"auto\"}]", "windows={count=1}", "penalty={}"}}};
    for (const optim::OptimizerRow& row : optim::optimizer_table())
      if (*row.mode == '\0' && !row.features_only) all.push_back(plain_recipe(row));
    const std::string adam = "phase=[{optimizer=\"adam\", epochs=1, schedule=\"plateau\"}]";
    all.push_back(
        {"fixed", "the classical PINN: Adam as above, all weights one", {adam, "penalty={strategy=\"fixed\"}"}});
    all.push_back(
        {"sa", "self-adaptive PINN: Adam as above, weights by gradient ascent", {adam, "penalty={strategy=\"sa\"}"}});
    return all;
  }();
  return recipes;
}

std::vector<RaceEntry> race_entries(const RaceRequest& request) {
  const std::vector<std::string> offered = problem::load_problem(request.problem, request.overrides, "none").recipes;
  std::vector<std::string> recipes = request.recipes;
  if (recipes.empty()) {
    recipes = offered.empty() ? std::vector<std::string>{"auto", "adam"} : offered;
    recipes.insert(recipes.end(), {"fixed", "sa"});
  }
  std::vector<std::string> known = offered;
  for (const PlainRecipe& plain : plain_recipes())
    if (std::ranges::find(known, plain.name) == known.end()) known.push_back(plain.name);
  const auto require = [](const char* key, const std::string& name, const std::vector<std::string>& among,
                          const char* rule) {
    if (std::ranges::find(among, name) == among.end())
      throw InputError(
          {.place = {.file = "command line"}, .key = key, .value = name, .rule = rule, .hint = hint_for(name, among)});
  };
  for (const std::string& recipe : recipes)
    require("--recipes", recipe, known, "neither a recipe of the problem nor a plain one");
  for (const std::string& strategy : request.strategies)
    require("--strategies", strategy, penalty::strategy_names(), "no such penalty strategy");

  std::vector<RaceEntry> entries;
  const auto add = [&](const std::string& name, const std::string& recipe, const std::string& strategy) {
    const bool twice =
        std::any_of(entries.begin(), entries.end(), [&](const RaceEntry& other) { return other.name == name; });
    if (twice) return;
    ChosenTraining loaded = load_entry(request, offered, recipe, strategy);
    entries.push_back({name, std::move(loaded.problem), std::move(loaded.head_start)});
  };
  for (const std::string& recipe : recipes) {
    if (request.strategies.empty()) add(recipe, recipe, "");
    for (const std::string& strategy : request.strategies) add(recipe + "+" + strategy, recipe, strategy);
  }
  return entries;
}

}  // namespace pecann::train
