// What people are told where some trials failed.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <string>

#include "pecann/results/over_trials.h"

namespace pecann::verdict {

/// "Trial 2 failed: means and spreads are over the other 7."; empty where no trial failed. Of a trial that is alone,
/// only whether anything was trained.
inline std::string failed_text(std::span<const train::TrialSummary> trials) {
  const std::vector<int> failed = results::failed_trials(trials);
  if (failed.empty()) return "";
  if (trials.size() == 1)
    return results::untrained(trials[0]) ? "Nothing was trained: the numbers are those of the start." : "";
  if (failed.size() == trials.size())
    return fmt::format("All {} trials failed: the numbers are those of the states that they kept.", trials.size());
  const std::size_t others = trials.size() - failed.size();
  return fmt::format("{} {} failed: {} of the other{}.", failed.size() == 1 ? "Trial" : "Trials",
                     fmt::join(failed, ", "), others == 1 ? "the numbers are those" : "means and spreads are those",
                     others == 1 ? "" : fmt::format(" {}", others));
}

}  // namespace pecann::verdict
