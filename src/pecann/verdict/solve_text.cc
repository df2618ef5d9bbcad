#include "pecann/verdict/solve_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "pecann/base/input_error.h"
#include "pecann/problem/joints.h"

namespace pecann::verdict {
namespace {

constexpr std::size_t kLongestNames = 60;

/// "800 sin features of u, v and 400 tanh features of p"
std::string features_text(const problem::Problem& problem) {
  std::vector<std::pair<std::string, std::string>> kinds;  // what they are, of which fields
  for (const problem::NetworkSpec& network : problem.networks) {
    std::string kind = fmt::format("{} {} features", network.hidden.at(0), word_of(network.activation));
    auto same = std::ranges::find(kinds, kind, &std::pair<std::string, std::string>::first);
    if (same == kinds.end()) same = kinds.insert(same, {std::move(kind), ""});
    for (const std::string& field : network.fields) same->second += (same->second.empty() ? "" : ", ") + field;
  }
  std::string text;
  for (const auto& [kind, fields] : kinds) {
    const bool several = fields.find(',') != std::string::npos;
    text += fmt::format("{}{} of {}{}", text.empty() ? "" : " and ", kind, several ? "each of " : "",
                        shortened(fields, kLongestNames));
  }
  return text;
}

}  // namespace

bool is_solve(const problem::Problem& problem) {
  return !problem.phases.empty() && std::ranges::all_of(problem.phases, [](const problem::PhaseSpec& phase) {
    return phase.optimizer == "solve";
  }) && std::ranges::all_of(problem.networks, [](const problem::NetworkSpec& network) {
    return network.features.has_value();
  });
}

bool solved_whole(const problem::Problem& problem, const train::TrialSummary& trial) {
  if (!is_solve(problem)) return false;
  if (trial.outcome.termination == train::Termination::EpochsDone) return true;
  long steps = 0;
  for (const problem::PhaseSpec& phase : problem.phases) steps += phase.epochs;
  return trial.outcome.termination == train::Termination::TimeUp && trial.epochs >= steps * problem.windows.count;
}

std::string solve_text(const problem::Problem& problem, std::span<const train::TrialSummary> trials) {
  const int windows = problem.windows.count;
  const long steps = trials.empty() ? 0 : trials[0].epochs;
  std::string text = "solved";
  if (steps > 0 && steps <= std::max(1, trials[0].windows_done))
    text += windows > 1 ? fmt::format(" in one step for each of {} windows of time", windows) : " in one step";
  else if (steps > 0)
    text += fmt::format(" in {} Gauss-Newton steps{}", steps,
                        windows > 1 ? fmt::format(" over {} windows of time", windows) : "");
  else if (windows > 1)
    text += fmt::format(" in {} windows of time", windows);
  text += " by " + features_text(problem);
  const std::string parts = problem::parts_words(problem);
  return parts.empty() ? text : text + " in each of " + parts;
}

}  // namespace pecann::verdict
