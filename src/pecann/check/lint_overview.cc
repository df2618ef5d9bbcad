#include "pecann/check/lint_overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/optim/registry.h"
#include "pecann/penalty/dual_state.h"
#include "pecann/penalty/registry.h"
#include "pecann/problem/joints.h"
#include "pecann/train/balance.h"

namespace pecann::check {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string shape_text(const problem::NetworkSpec& spec) {
  std::string text = joined(spec.inputs, ", ");
  for (std::size_t i = 0; i < spec.hidden.size(); ++i)
    text += fmt::format(" → {}{}", spec.hidden[i],
                        i > 0                ? ""
                        : spec.fourier_sigma ? " Fourier"
                        : spec.features      ? " features"
                                             : "");
  return text + " → " + joined(spec.fields, ", ");
}

std::string region_list(const problem::TermSpec& term) {
  std::string list;
  for (const sampling::RegionPointer& region : term.regions) list += (list.empty() ? "" : ", ") + region->name();
  return term.regions.size() > 1 && term.regions.size() <= 8 ? list : term.region_text;
}

/// How many points lie on each shape, where a term is about a boundary with several.
std::vector<std::pair<std::string, std::size_t>> counts_on_shapes(const sampling::Domain& domain,
                                                                  const problem::TermSpec& term,
                                                                  const sampling::PointSet& points) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  const bool bounds =
      !term.regions.empty() && std::all_of(term.regions.begin(), term.regions.end(),
                                           [](const sampling::RegionPointer& region) { return region->has_normals(); });
  if (!bounds) return counts;
  for (const std::string& name : domain.shape_names()) {
    try {
      const std::vector<char> on = domain.on_shape(name, {})->contains(points);
      const auto count = static_cast<std::size_t>(std::count(on.begin(), on.end(), 1));
      if (count > 0) counts.emplace_back(name, count);
    } catch (const InputError&) {  // nothing of the domain lies on this shape
    }
  }
  return counts.size() > 1 ? counts : std::vector<std::pair<std::string, std::size_t>>{};
}

std::string kinds_text(const network::ChannelSet& set) {
  constexpr const char* kNames[] = {"value", "first", "second", "third", "fourth"};
  int counts[5] = {};
  for (const network::Channel& channel : set.channels) ++counts[static_cast<int>(channel.kind)];
  std::string text = "value";
  for (int k = 1; k < 5; ++k)
    if (counts[k] > 0) text += fmt::format(", {} {}", counts[k], kNames[k]);
  return text;
}

/// The shortest of a few evaluations: other work on the machine only ever adds to it.
double evaluation_seconds(const problem::Problem& problem, train::Assembly& assembly) {
  evaluate::Evaluator& evaluator = assembly.evaluator();
  const penalty::DualState duals(evaluator.num_constraint_entries());
  std::vector<double> parameters = assembly.model().initial_parameters(problem.seed), gradient(parameters.size());
  double shortest = 0, total = 0;
  for (int repeat = 0; repeat < 3 || (repeat < 20 && total < 0.2); ++repeat) {
    parameters[0] += 1e-9;  // new parameters: nothing may come from the cache
    const auto start = std::chrono::steady_clock::now();
    evaluator.gradient(parameters, {duals.multiplier, duals.penalty}, gradient);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    shortest = repeat == 0 ? seconds : std::min(shortest, seconds);
    total += seconds;
  }
  return shortest;
}

void add_passes(const problem::Problem& problem, const evaluate::Evaluator& evaluator, Overview& overview) {
  std::size_t sets = 0;
  for (const evaluate::Term& term : evaluator.terms()) sets = std::max(sets, term.point_set + 1);
  for (std::size_t set = 0; set < sets; ++set) {
    std::vector<std::string> names;
    for (const evaluate::Term& term : evaluator.terms())
      if (term.point_set == set) names.push_back(term.name);
    const evaluate::BoundProgram& bound = evaluator.program(set);
    for (const evaluate::BoundProgram::NetworkUse& use : bound.uses())
      overview.passes.push_back({joined(names, ", "), problem.networks[use.network].name, use.site != 0,
                                 use.plan.channels.size(), kinds_text(use.plan.channels), bound.points().count});
  }
}

void add_sizes(const problem::Problem& problem, train::Assembly& assembly, Overview& overview) {
  evaluate::Evaluator& evaluator = assembly.evaluator();
  std::vector<double> rows(evaluator.num_rows()), counts(overview.terms.size());
  evaluator.residuals(assembly.model().initial_parameters(problem.seed), rows);
  for (const evaluate::Evaluator::RowRun& run : evaluator.row_runs()) {
    for (std::size_t i = run.first_row; i < run.first_row + run.count; ++i)
      overview.terms[run.term].size += rows[i] * rows[i];
    counts[run.term] += static_cast<double>(run.count);
  }
  for (std::size_t t = 0; t < counts.size(); ++t)
    overview.terms[t].size = std::sqrt(overview.terms[t].size / std::max(counts[t], 1.0));
}

/// The bounds of a trial's time, from the seconds of its phases to their last epochs.
void bound_seconds(const problem::Problem& problem, Overview& overview) {
  constexpr double kShare = 0.1, kMore = 2, kBeginning = 0.5;  // seconds for files, errors and the first look
  for (std::size_t p = 0; p < overview.phases.size(); ++p)
    overview.least_seconds += problem.windows.count * (p == 0 ? 1 : kShare) * overview.phases[p].seconds;
  overview.most_seconds = kMore * overview.seconds + kBeginning;
  if (!problem.stop.seconds) return;
  overview.least_seconds = std::min(overview.least_seconds, *problem.stop.seconds);
  overview.most_seconds = std::min(overview.most_seconds, *problem.stop.seconds + kBeginning);
}

}  // namespace

Overview::Phase phase_cost(const problem::PhaseSpec& phase, const optim::MatrixSizes& sizes, double evaluation_seconds,
                           double flops_per_second) {
  const optim::OptimizerRow& row = optim::optimizer_row(phase.optimizer, phase.mode);
  const optim::EpochCost cost =
      row.cost(OptionValues(row.options, phase.options), {.parameters = static_cast<double>(sizes.parameters),
                                                          .rows = static_cast<double>(sizes.rows),
                                                          .epochs = 1.0 * phase.epochs,
                                                          .front = static_cast<double>(sizes.front)});
  const double epoch = cost.evaluations * evaluation_seconds + cost.operations / flops_per_second;
  return {phase.optimizer, phase.epochs, cost.evaluations, epoch * phase.epochs};
}

Overview look_over(const problem::Problem& problem, train::Assembly& assembly) {
  const evaluate::Evaluator& evaluator = assembly.evaluator();
  Overview overview;
  const auto parts = static_cast<std::size_t>(problem::count_parts(problem));
  const std::string in_parts = parts > 1 ? " in each of " + problem::parts_words(problem) : "";
  for (std::size_t n = 0; n < problem.networks.size(); ++n)
    overview.networks.push_back({problem.networks[n].name, shape_text(problem.networks[n]) + in_parts,
                                 parts * assembly.model().networks()[n].num_parameters()});
  for (std::size_t t = 0; t < problem.terms.size(); ++t) {
    const problem::TermSpec& term = problem.terms[t];
    const sampling::PointSet& points = evaluator.program(evaluator.terms()[t].point_set).points();
    overview.terms.push_back({term.name,
                              term.role,
                              region_list(term),
                              term.residuals.size(),
                              points.count,
                              counts_on_shapes(*problem.domain, term, points),
                              0,
                              {}});
  }
  add_sizes(problem, assembly, overview);
  if (penalty::strategy_row(problem.penalty.strategy).balances) {
    train::Balance balance(problem);
    balance.prepare(0, assembly.evaluator(), assembly.model().initial_parameters(problem.seed));
    for (std::size_t t = 0; t < problem.terms.size(); ++t)
      for (const double weight : balance.weights()[t]) overview.terms[t].weights.push_back(weight / balance.unit());
  }
  add_passes(problem, evaluator, overview);
  overview.parameters = assembly.model().num_parameters();
  overview.rows = evaluator.num_rows();
  const double seconds = evaluation_seconds(problem, assembly);
  overview.milliseconds = 1e3 * seconds;
  for (const problem::PhaseSpec& phase : problem.phases) {
    overview.phases.push_back(phase_cost(phase, {overview.parameters, overview.rows, evaluator.model().front()},
                                         seconds, evaluator.flops() / seconds));
    overview.seconds += problem.windows.count * overview.phases.back().seconds;
  }
  bound_seconds(problem, overview);
  return overview;
}

}  // namespace pecann::check
