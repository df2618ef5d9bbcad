#include "pecann/verdict/remedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/base/input_error.h"
#include "pecann/base/toml_number.h"
#include "pecann/penalty/registry.h"
#include "pecann/sampling/sampler.h"

namespace pecann::verdict {
namespace {

constexpr double kStillFalling = 2;    // loss before the last fifth of the epochs over the last loss
constexpr std::size_t kFewRows = 10;   // of a history, from which nothing is read
constexpr double kPeak = 10;           // largest residual over its rms: concentrated in a place
constexpr double kNeighbourhood = 20;  // ranges over this are the width of points near a place

/// Where the problem came from, as a command names it.
std::string source_of(const problem::Problem& problem) {
  const std::string source = problem.origin.empty() ? problem.source : problem.origin;
  return source.empty() ? "FILE" : shortened(source, kLongestPath);
}

std::string run_with(const problem::Problem& problem, const std::string& assignment) {
  return fmt::format("`pecann run {} --set '{}'`", source_of(problem), assignment);
}

const problem::TermSpec* term_of(const problem::Problem& problem, const std::string& name) {
  for (const problem::TermSpec& term : problem.terms)
    if (term.name == name) return &term;
  return nullptr;
}

/// True where a rule of its own says which points a term has, and nothing is added to it: not those of a file, of data
/// or of another term.
bool has_plain_rule(const problem::TermSpec& term) {
  return term.points_file.empty() && !term.data && term.points_of.empty() && !term.near;
}

/// The rule of a term's points as a file writes it, with `more` points.
std::string points_text(const problem::TermSpec& term, double more, const std::string& near) {
  std::string text;
  if (term.points.is_product()) {
    const double factor = std::pow(more, 1.0 / static_cast<double>(term.points.grid.size()));
    for (const int nodes : term.points.grid)
      text += fmt::format("{}{:.0f}", text.empty() ? "" : ",", std::ceil(factor * nodes));
    text = (term.points.kind == sampling::PointRule::Kind::Grid ? "grid=[" : "gauss=[") + text + "]";
  } else {
    const char* const word = term.points.kind == sampling::PointRule::Kind::Sobol     ? "sobol"
                             : term.points.kind == sampling::PointRule::Kind::Uniform ? "uniform"
                                                                                      : "latin";
    text = fmt::format("{}={:.0f}", word, std::ceil(more * static_cast<double>(term.points.count)));
  }
  return "{" + text + near + "}";
}

/// More points around a place: a density that falls off within a twentieth of every range.
std::string near_text(const problem::Problem& problem, const problem::TermSpec& term, std::span<const double> place) {
  std::string exponent;
  for (int c = 0; c < problem.box.dimension(); ++c) {
    const double width = (problem.box.upper[c] - problem.box.lower[c]) / kNeighbourhood;
    exponent +=
        fmt::format("{}(({} - {:.4g})/{:.3g})^2", exponent.empty() ? "" : " + ", problem.box.names[c], place[c], width);
  }
  const double count = std::max(100.0, std::ceil(sampling::count_points(term.regions, term.points) / 2));
  return fmt::format(", near={:.0f}, density=\"exp(-({}))\"", count, exponent);
}

bool has_unknown_coefficients(const problem::Problem& problem) {
  return !problem.parameters.empty() || problem.networks.size() > 1;
}

}  // namespace

std::string place_text(const problem::Problem& problem, std::span<const double> place) {
  std::string text;
  for (std::size_t c = 0; c < place.size() && c < problem.box.names.size(); ++c)
    text += fmt::format("{}{} = {:.4g}", text.empty() ? "" : ", ", problem.box.names[c], place[c]);
  return text;
}

LossTrend loss_trend(std::span<const results::HistoryTable> histories) {
  LossTrend trend;
  for (const results::HistoryTable& history : histories) {
    const std::vector<double>* const loss = history.find("loss");
    const std::vector<double> epochs = history.running_epochs();
    if (loss == nullptr || epochs.size() < kFewRows) continue;
    const std::size_t first = history.starts_of("window").end()[-2];  // of the last window
    const double start = epochs[first], border = start + 0.8 * (epochs.back() - start);
    double before = std::numeric_limits<double>::infinity(), after = before;
    for (std::size_t i = first; i < epochs.size(); ++i) {
      double& best = epochs[i] <= border ? before : after;
      best = std::min(best, (*loss)[i]);
    }
    trend.falling = trend.falling || (std::isfinite(before) && after > 0 && before > kStillFalling * after);
    trend.risen = trend.risen || loss->back() > (*loss)[first];
  }
  return trend;
}

std::string search_goes_on(const Evidence& evidence) {
  const std::string folder = shortened(evidence.folder, kLongestPath);
  if (evidence.search->stopped_by == "signal")
    return fmt::format("`pecann resume {}` goes on with the search.", folder);
  if (evidence.search->stopped_by != "time") return "";
  return fmt::format("More time: `pecann resume {} --set stop.seconds={:g}` goes on with the search.", folder,
                     10 * evidence.search->seconds);
}

std::string remedy_for(const problem::Problem& problem, const Evidence& evidence, const results::TermResidual* worst) {
  const std::string resume = fmt::format("`pecann resume {}`", shortened(evidence.folder, kLongestPath));
  const auto ended = [&](train::Termination termination) {
    return std::ranges::any_of(
        evidence.trials, [&](const train::TrialSummary& trial) { return trial.outcome.termination == termination; });
  };
  const LossTrend trend = loss_trend(evidence.histories);
  if (trend.risen && problem.phases.back().optimizer == "adam")
    return "The loss rose: take a smaller learning rate, " +
           run_with(problem, fmt::format("phase.{}.learning_rate={}", problem.phases.size(),
                                         toml_number(problem.phases.back().learning_rate / 10))) +
           ".";
  if (evidence.search != nullptr) {
    if (const std::string more = search_goes_on(evidence); !more.empty()) return more;
  } else if (ended(train::Termination::TimeUp) || ended(train::Termination::Interrupted)) {
    return "More time: " + resume + " goes on" +
           (problem.stop.seconds ? fmt::format(" for another {:g} s.", *problem.stop.seconds) : ".");
  } else if (trend.falling) {
    return fmt::format("The loss was still falling: `pecann resume {} --set phase.{}.epochs={}`.",
                       shortened(evidence.folder, kLongestPath), problem.phases.size(),
                       std::max(2 * problem.phases.back().epochs, 100));
  }
  const problem::TermSpec* const term = worst == nullptr ? nullptr : term_of(problem, worst->name);
  if (term != nullptr && has_plain_rule(*term) && worst->ratio() && *worst->ratio() > results::kLargeRatio) {
    const bool peak = worst->fresh_largest > kPeak * *worst->held_out_rms && !worst->place.empty();
    const std::string near = peak ? near_text(problem, *term, worst->place) : "";
    return fmt::format(
        "{}: {}.", peak ? "Points near the place where the equation fails" : "More points",
        run_with(problem, fmt::format("term.{}.points={}", term->name, points_text(*term, peak ? 1 : 4, near))));
  }
  if (!penalty::strategy_row(problem.penalty.strategy).balances)
    return "Weigh the equations against each other from the start: " + run_with(problem, "penalty.strategy=balance") +
           ".";
  const bool data = std::ranges::any_of(problem.terms, [](const problem::TermSpec& t) { return t.data.has_value(); });
  if (data && has_unknown_coefficients(problem))
    return "Fit the data first, then the equations: docs/faq.md, \"The unknown coefficient comes out wrong\".";
  if (problem.box.time >= 0 && problem.windows.count == 1)
    return "Train the times one after the other: " + run_with(problem, "windows.count=4") + ".";
  if (problem.windows.count > 1)
    return "Shorter windows: " + run_with(problem, fmt::format("windows.count={}", 2 * problem.windows.count)) + ".";
  if (!problem.networks[0].fourier_sigma && !problem.networks[0].features)
    return "Steeper features, for a solution that oscillates or has layers: " +
           run_with(problem,
                    fmt::format("network.1.first_scale={}", toml_number(4 * problem.networks[0].first_scale))) +
           ".";
  return "Another start: " + run_with(problem, "trials=5") + ".";
}

}  // namespace pecann::verdict
