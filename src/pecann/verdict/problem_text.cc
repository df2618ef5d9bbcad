#include "pecann/verdict/problem_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pecann/base/input_error.h"
#include "pecann/problem/joints.h"
#include "pecann/verdict/number_text.h"
#include "pecann/verdict/solve_text.h"
#include "pecann/verdict/wrapped_text.h"

namespace pecann::verdict {
namespace {

constexpr int kEpochsWithoutEnd = 100'000'000;  // of a training that its time ends
constexpr std::size_t kLabelWidth = 10, kMostNetworks = 6, kLongestName = 22;

/// What the parts of train/timings.h are to people, in their order.
constexpr const char* kParts[] = {"networks and equations",       "optimiser",
                                  "multipliers and penalties",    "points near the residual, drawn anew",
                                  "error norms, standard errors", "history, checkpoints, progress"};
static_assert(std::size(kParts) == train::kTimingNames.size());

std::string labelled(const char* label, const std::string& text) {
  return wrapped(fmt::format("{:<{}}{}", label, kLabelWidth, text), kLabelWidth);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + shortened(name, kLongestName);
  return text;
}

std::string counted(std::size_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string size_text(const problem::Problem& problem, std::span<const train::TrialSummary> trials) {
  std::string ranges;
  for (int c = 0; c < problem.box.dimension(); ++c)
    ranges += fmt::format("{}{} in [{:.4g}, {:.4g}]{}", ranges.empty() ? "" : ", ",
                          shortened(problem.box.names[c], kLongestName), problem.box.lower[c], problem.box.upper[c],
                          unit_text(problem, problem.box.names[c]));
  std::size_t equations = 0, objectives = 0;
  for (const problem::TermSpec& term : problem.terms) {
    equations += term.residuals.size();
    if (term.role == problem::Role::Objective) ++objectives;
  }
  std::string text =
      fmt::format("{}; {} ({}, {})", ranges, counted(equations, "equation"), counted(objectives, "objective"),
                  counted(problem.terms.size() - objectives, "constraint"));
  if (!problem.parameters.empty()) text += ", " + counted(problem.parameters.size(), "unknown number");
  if (trials[0].points > 0) text += fmt::format(" at {} points", trials[0].points);
  return text;
}

std::string windows_text(const problem::Problem& problem, std::span<const train::TrialSummary> trials) {
  int done = problem.windows.count, again = 0;
  for (const train::TrialSummary& trial : trials) {
    done = std::min(done, trial.windows_done);
    again += static_cast<int>(
        std::ranges::count_if(trial.windows, [](const train::WindowReport& report) { return report.attempt > 0; }));
  }
  return fmt::format("{} of {} in {} are trained{}", done, problem.windows.count, problem.box.names[problem.box.time],
                     again > 0 ? fmt::format(", {} tried again", again) : "");
}

}  // namespace

std::string unit_text(const problem::Problem& problem, const std::string& name) {
  const auto unit = problem.units.find(name);
  return unit == problem.units.end() ? "" : " " + shortened(unit->second);
}

std::string network_text(const problem::NetworkSpec& network) {
  std::string widths;
  for (const int width : network.hidden) widths += (widths.empty() ? "" : " × ") + std::to_string(width);
  std::string text = network.features
                         ? fmt::format("{} random features, {}", widths, word_of(network.activation))
                         : fmt::format("hidden {}, {}", widths.empty() ? "none" : widths, word_of(network.activation));
  if (network.fourier_sigma) text += fmt::format(", Fourier layer σ = {:g}", *network.fourier_sigma);
  return network.inputs.empty() ? text : text + " of " + listed(network.inputs);
}

std::string training_text(const problem::Problem& problem) {
  if (is_solve(problem)) return "solve for the coefficients of the features";
  std::string text;
  for (const problem::PhaseSpec& phase : problem.phases) {
    text += (text.empty() ? "" : ", then ") + phase.optimizer;
    if (phase.epochs < kEpochsWithoutEnd) text += fmt::format(" {}", phase.epochs);
  }
  return text;
}

std::string problem_block(const problem::Problem& problem, std::span<const train::TrialSummary> trials) {
  std::string text = labelled("problem", size_text(problem, trials));
  for (std::size_t n = 0; n < std::min(problem.networks.size(), kMostNetworks); ++n) {
    const problem::NetworkSpec& network = problem.networks[n];
    const bool last = n + 1 == std::min(problem.networks.size(), kMostNetworks);
    text +=
        labelled(n == 0 ? "network" : "", fmt::format("{}: {}{}", listed(network.fields), network_text(network),
                                                      last ? fmt::format("; {} parameters{}", trials[0].parameters,
                                                                         problem.networks.size() > 1 ? " in all" : "")
                                                           : ""));
  }
  if (const std::string parts = problem::parts_words(problem); !parts.empty())
    text += labelled("parts", fmt::format("{} with {} of their own, joined by conditions", parts,
                                          is_solve(problem) ? "features" : "networks"));
  text +=
      labelled("method", training_text(problem) + (is_solve(problem) ? "" : "; penalty " + problem.penalty.strategy) +
                             (problem.recipe.empty() ? "" : "; recipe " + problem.recipe));
  if (problem.windows.count > 1) text += labelled("windows", windows_text(problem, trials));
  return text;
}

std::string time_block(std::span<const train::TrialSummary> trials) {
  std::array<double, std::size(kParts)> sums{};
  double total = 0;
  for (const train::TrialSummary& trial : trials) {
    total += trial.seconds;
    for (std::size_t p = 0; p < sums.size(); ++p) sums[p] += trial.timings.seconds[p];
  }
  const double known = std::accumulate(sums.begin(), sums.end(), 0.0);
  if (!(known > 0 && total > 0)) return "";
  total = std::max(total, known);  // error norms after the last epoch are no part of the training's seconds
  const auto line = [&](const char* name, double seconds) {
    return fmt::format("  {:<38}{:>14}{:>8.1f} %\n", name, duration_text(seconds), 100 * seconds / total);
  };
  std::string text = "\ntime by part\n";
  double rest = std::max(0.0, total - known);
  for (std::size_t p = 0; p < sums.size(); ++p) {
    if (sums[p] < 5e-4 * total)
      rest += sums[p];
    else
      text += line(kParts[p], sums[p]);
  }
  return rest < 5e-4 * total ? text : text + line("the rest", rest);
}

}  // namespace pecann::verdict
