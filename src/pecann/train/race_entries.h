// Who takes part in a race: recipes of the problem and words for plain trainings that fit any problem, each with its
// own penalty strategy or with those that are asked for.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/train/head_start.h"

namespace pecann::train {

/// A training that needs no recipe in the file.
struct PlainRecipe {
  std::string name;
  std::string text;                    // one line for `pecann race --help`
  std::vector<std::string> overrides;  // phases and penalty, as --set
};
/// There is one plain recipe for every optimiser that trains networks, one for the solve of features, and one for each
/// baseline without a penalty. The last phase lasts until the time is over, but for `accuracy`, whose entry has a
/// problem with an accuracy and an open training: a search (accuracy/search.h) is its training. In a problem with
/// windows it has 3000 epochs per window where an epoch is one gradient, else 300. All but `auto` report the last
/// iterate.
const std::vector<PlainRecipe>& plain_recipes();

struct RaceEntry {
  std::string name;  // "best", "lm+mpu"
  problem::Problem problem;
  std::shared_ptr<const HeadStart> head_start = nullptr;  // of `solve`, whose search counts
};

struct RaceRequest {
  std::string problem;  // catalogue name or file
  /// Without recipes those of the file take part, else auto and adam, and in both cases fixed and sa. Without
  /// strategies each recipe has its own.
  std::vector<std::string> recipes, strategies;
  std::vector<std::string> overrides;  // --set
  double seconds = 0;                  // per trial
  int trials = 0;                      // 0: the problem's
};

/// The entries that a request asks for. Throws InputError with the nearest known name for recipes and
/// strategies that do not exist, and with the reason where no solve of features answers the problem.
std::vector<RaceEntry> race_entries(const RaceRequest& request);

}  // namespace pecann::train
