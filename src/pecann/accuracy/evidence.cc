#include "pecann/accuracy/evidence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/problem/integral_terms.h"
#include "pecann/train/held_out.h"

namespace pecann::accuracy {
namespace {

constexpr double kLastQuarter = 0.75;

/// True where a term has a residual at points of the whole domain.
bool fills_domain(const problem::Problem& problem, const problem::TermSpec& term) {
  return !term.regions.empty() && !problem::is_integral(term) &&
         std::ranges::all_of(term.regions, [&](const sampling::RegionPointer& region) {
           return region->dimension() == problem.box.dimension();
         });
}

double late_share(const problem::Problem& problem, const results::TrainedState& state) {
  const int time = problem.box.time;
  if (time < 0 || problem.windows.count > 1) return 0;
  const problem::Problem fresh =
      train::held_out_problem(problem, results::kLeastFreshPoints, std::numeric_limits<double>::infinity());
  const train::Solution nothing(problem, state.seed);
  train::Assembly assembly(fresh, state.seed, state.window, nothing);
  evaluate::Evaluator& evaluator = assembly.evaluator();
  std::vector<double> rows(evaluator.num_rows());
  evaluator.residuals(state.parameters, rows);
  const double begin = problem.box.lower[time], end = problem.box.upper[time];
  double late = 0, all = 0;
  for (const evaluate::Evaluator::RowRun& run : evaluator.row_runs()) {
    if (!fills_domain(problem, problem.terms[run.term])) continue;
    const auto& times = assembly.points_of(evaluator.terms()[run.term].point_set).coordinates[time];
    for (std::size_t i = 0; i < run.count; ++i) {
      const double square = rows[run.first_row + i] * rows[run.first_row + i];
      all += square;
      if (times[run.first_point + i] > begin + kLastQuarter * (end - begin)) late += square;
    }
  }
  return all > 0 ? late / all : 0;
}

}  // namespace

Evidence evidence_of(const problem::Problem& problem, results::TrainedState& state) {
  Evidence evidence;
  const std::vector<results::TermResidual> residuals = results::term_residuals(problem, state);
  for (const results::TermResidual& term : residuals) {
    evidence.residual = std::fmax(evidence.residual, term.relative);
    const bool measured = term.kind == train::TermKind::Data;
    if (measured) evidence.data += static_cast<double>(term.points);
    double& share = measured ? evidence.misfit : evidence.physics;
    share = std::fmax(share, term.relative);
  }
  for (std::size_t t = 0; t < residuals.size(); ++t)
    if (fills_domain(problem, problem.terms[t]))
      evidence.fresh_over_trained = std::max(evidence.fresh_over_trained, residuals[t].ratio().value_or(1));
  evidence.late_share = late_share(problem, state);
  return evidence;
}

}  // namespace pecann::accuracy
