#include "pecann/results/trained_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/base/input_error.h"
#include "pecann/base/not_finite.h"
#include "pecann/base/state_archive.h"
#include "pecann/results/part_sizes.h"
#include "pecann/train/checkpoint.h"
#include "pecann/train/held_out.h"
#include "pecann/train/trial.h"

namespace pecann::results {
namespace {

/// The values √(mean over points of Σ r²) and max |r| by term, and √(mean r²) by equation.
struct Residuals {
  std::vector<double> rms, largest;
  std::vector<std::vector<double>> by_equation;
  std::vector<std::size_t> points;
  std::vector<double> rows;
};

Residuals residuals_of(evaluate::Evaluator& evaluator, std::span<const double> parameters) {
  std::vector<double> rows(evaluator.num_rows());
  evaluator.residuals(parameters, rows);
  const std::size_t terms = evaluator.terms().size();
  Residuals result{std::vector<double>(terms),
                   std::vector<double>(terms),
                   std::vector<std::vector<double>>(terms),
                   std::vector<std::size_t>(terms),
                   {}};
  for (const evaluate::Evaluator::RowRun& run : evaluator.row_runs()) {
    if (run.equation == 0) result.points[run.term] += run.count;
    std::vector<double>& own = result.by_equation[run.term];
    own.resize(std::max(own.size(), static_cast<std::size_t>(run.equation) + 1));
    for (std::size_t i = run.first_row; i < run.first_row + run.count; ++i) {
      const double residual = evaluate::violation(evaluator.terms()[run.term], rows[i]);
      result.rms[run.term] += residual * residual;
      own[run.equation] += residual * residual;
      result.largest[run.term] = larger_or_nan(result.largest[run.term], std::abs(residual));
    }
  }
  for (std::size_t t = 0; t < terms; ++t) {
    const auto count = static_cast<double>(result.points[t]);
    result.rms[t] = std::sqrt(result.rms[t] / count);
    for (double& rms : result.by_equation[t]) rms = std::sqrt(rms / count);
  }
  result.rows = std::move(rows);
  return result;
}

/// The residual of a term relative to the size of its parts, and where it is largest; the largest over windows. One
/// that is no number is infinite, so that no other window hides it.
void add_relative(const problem::Problem& problem, const train::Assembly& assembly, std::span<const double> parameters,
                  const Residuals& residuals, std::size_t t, TermResidual& result) {
  const std::vector<double> sizes = part_sizes(problem, assembly, parameters, t);
  double relative = 0;
  for (std::size_t e = 0; e < sizes.size(); ++e) {
    const double rms = residuals.by_equation[t][e];
    relative = std::max(relative, rms == 0 ? 0 : not_finite_last(rms / sizes[e]));
  }
  if (!(std::isnan(result.relative) || relative > result.relative)) return;  // an earlier window is worse
  result.relative = relative;
  const sampling::PointSet& points = assembly.evaluator().program(assembly.evaluator().terms()[t].point_set).points();
  double worst = -1;
  for (const evaluate::Evaluator::RowRun& run : assembly.evaluator().row_runs()) {
    if (static_cast<std::size_t>(run.term) != t || !(sizes[run.equation] > 0)) continue;
    for (std::size_t i = 0; i < run.count; ++i) {
      const double here = std::abs(residuals.rows[run.first_row + i]) / sizes[run.equation];
      if (!(here > worst)) continue;
      worst = here;
      result.place.clear();
      for (const auto& column : points.coordinates) result.place.push_back(column[run.first_point + i]);
    }
  }
}

}  // namespace

TrainedState load_state(const problem::Problem& problem, const train::RunFolder& folder, int trial) {
  const train::TrialFolder own = folder.trial(trial);
  return state_of(problem, train::read_last_checkpoint(own), train::trial_seed(problem, trial), own.checkpoint_file());
}

TrainedState state_of(const problem::Problem& problem, std::string_view bytes, std::uint64_t seed,
                      const std::string& file) {
  const StateReader reader(bytes);
  TrainedState state;
  state.seed = seed;
  state.window = {static_cast<int>(reader.get_integer("window", static_cast<std::uint64_t>(problem.windows.count) - 1)),
                  problem.windows.count};
  state.finished = std::make_unique<train::Solution>(problem, state.seed);
  for (int w = 0; w < state.window.index; ++w) state.finished->add_window(reader.get("finished." + std::to_string(w)));
  state.parameters = train::reported_parameters(reader);
  state.multipliers = reader.get("duals.multiplier");
  state.penalties = reader.get("duals.penalty");
  state.assembly = std::make_unique<train::Assembly>(problem, state.seed, state.window, *state.finished);
  const std::size_t parameters = state.assembly->model().num_parameters(),
                    entries = state.assembly->evaluator().num_constraint_entries();
  if (state.parameters.size() != parameters || state.multipliers.size() != entries || state.penalties.size() != entries)
    throw InputError({.place = {.file = file},
                      .rule = "does not belong to the problem.toml of its folder: other networks, terms or points",
                      .hint = "the problem must be the one that the run was begun with"});
  state.assembly->load(reader);
  return state;
}

std::optional<double> TermResidual::ratio() const {
  if (!held_out_rms || !(rms > 0) || !std::isfinite(rms) || !std::isfinite(*held_out_rms)) return std::nullopt;
  return *held_out_rms / rms;
}

std::vector<TermResidual> term_residuals(const problem::Problem& problem, TrainedState& state) {
  const Residuals trained = residuals_of(state.assembly->evaluator(), state.parameters);
  const problem::Problem fresh =
      train::held_out_problem(problem, kLeastFreshPoints, std::numeric_limits<double>::infinity());

  std::vector<TermResidual> result;
  for (std::size_t t = 0; t < problem.terms.size(); ++t) {
    const problem::TermSpec& term = problem.terms[t];
    result.push_back({term.name, term.role, trained.points[t], trained.rms[t], trained.largest[t], std::nullopt});
    result.back().kind = train::kind_of(problem, term);
  }
  train::Solution before(problem, state.seed);
  for (int w = 0; w <= state.window.index; ++w) {
    const bool last = w == state.window.index;
    const std::span<const double> parameters =
        last ? std::span<const double>(state.parameters) : state.finished->parameters(w);
    train::Assembly assembly(fresh, state.seed, {w, state.window.count}, before);
    const Residuals held_out = residuals_of(assembly.evaluator(), parameters);
    for (std::size_t t = 0; t < problem.terms.size(); ++t) {
      if (last && train::can_be_drawn_anew(problem, problem.terms[t])) {
        result[t].held_out_rms = held_out.rms[t];
        result[t].fresh_largest = held_out.largest[t];
      }
      add_relative(problem, assembly, parameters, held_out, t, result[t]);
    }
    if (!last) before.add_window({parameters.begin(), parameters.end()});
  }
  return result;
}

}  // namespace pecann::results
