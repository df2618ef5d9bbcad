#include "pecann/check/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/base/not_finite.h"
#include "pecann/check/lint_conditions.h"
#include "pecann/check/lint_exact.h"
#include "pecann/check/lint_missing.h"
#include "pecann/check/lint_names.h"
#include "pecann/check/lint_values.h"
#include "pecann/expr/integral.h"

namespace pecann::check {
namespace {

constexpr double kScaleRatio = 1e6;

/// Where a term's residuals are infinite or NaN: the first point, and how many there are.
std::string not_finite_text(const problem::Problem& problem, const evaluate::Evaluator& evaluator,
                            std::span<const double> rows, int term) {
  std::string first;
  std::size_t count = 0, all = 0;
  for (const evaluate::Evaluator::RowRun& run : evaluator.row_runs()) {
    if (run.term != term) continue;
    for (std::size_t i = 0; i < run.count; ++i) {
      ++all;
      const double residual = rows[run.first_row + i];
      if (std::isfinite(residual)) continue;
      ++count;
      if (!first.empty()) continue;
      if (expr::has_integrals(evaluator.terms()[term].residuals)) {
        first = words_of_not_finite(residual);
        continue;
      }
      const sampling::PointSet& points = evaluator.program(evaluator.terms()[term].point_set).points();
      first = fmt::format("{} at {}", words_of_not_finite(residual),
                          place_text(problem.box, point_at(points, run.first_point + i)));
    }
  }
  if (count == 0)
    return fmt::format("The residual of term '{}' is too large: its square overflows.", problem.terms[term].name);
  return fmt::format(
      "The residual of term '{}' is {} at the initial network ({} of {} values are no numbers): training "
      "would "
      "end in its first epoch. Look for a division, root or logarithm that fails there; guard it (max(x, "
      "1e-9), "
      "if(x > 0, …)) or leave the point out.",
      problem.terms[term].name, first, count, all);
}

}  // namespace

bool has_warning(std::span<const Finding> findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.level == Finding::Level::Warning; });
}

std::string place_text(const sampling::Box& box, std::span<const double> point) {
  std::string text;
  for (std::size_t c = 0; c < point.size(); ++c)
    text += fmt::format("{}{} = {:.6g}", c == 0 ? "" : ", ", box.names[c], point[c]);
  return text;
}

void lint_regions(const problem::Problem& problem, Findings& findings) {
  for (const problem::TermSpec& term : problem.terms) {
    if (term.points.kind != sampling::PointRule::Kind::Grid || term.points.grid.empty() || !term.points_file.empty())
      continue;
    for (const sampling::RegionPointer& region : term.regions) {
      // A boundary of which some faces are bare, say because the grid has two nodes along a coordinate, is bare there.
      const std::vector<double> counts = region->piece_counts(term.points);
      const auto bare = static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0.0));
      if (bare == 0) continue;
      const std::string where = bare == counts.size()
                                    ? fmt::format("region \"{}\"", region->name())
                                    : fmt::format("{} of the {} faces of \"{}\"", bare, counts.size(), region->name());
      findings.push_back(
          {Finding::Level::Warning, fmt::format("Term '{}' has no points on {}: its grid has no nodes there. "
                                                "Use more nodes, or closed = true to "
                                                "take the nodes of the edges.",
                                                term.name, where)});
    }
  }
}

void lint_scales(const problem::Problem& problem, train::Assembly& assembly, Findings& findings) {
  evaluate::Evaluator& evaluator = assembly.evaluator();
  std::vector<double> rows(evaluator.num_rows());
  evaluator.residuals(assembly.model().initial_parameters(problem.seed), rows);
  std::vector<double> squares(problem.terms.size()), counts(problem.terms.size());
  for (const evaluate::Evaluator::RowRun& run : evaluator.row_runs()) {
    for (std::size_t i = 0; i < run.count; ++i) squares[run.term] += rows[run.first_row + i] * rows[run.first_row + i];
    counts[run.term] += static_cast<double>(run.count);
  }
  int smallest = -1, largest = -1;
  std::vector<double> rms(problem.terms.size());
  for (int t = 0; t < static_cast<int>(rms.size()); ++t) {
    rms[t] = std::sqrt(squares[t] / std::max(counts[t], 1.0));
    if (!std::isfinite(rms[t])) {
      findings.push_back({Finding::Level::Warning, not_finite_text(problem, evaluator, rows, t)});
      continue;
    }
    if (rms[t] == 0) continue;
    if (smallest < 0 || rms[t] < rms[smallest]) smallest = t;
    if (largest < 0 || rms[t] > rms[largest]) largest = t;
  }
  if (largest < 0 || rms[largest] < kScaleRatio * rms[smallest]) return;
  findings.push_back(
      {Finding::Level::Note,
       fmt::format("Residuals differ much in size: rms {:.2e} of term '{}' against {:.2e} of term '{}' at "
                   "the initial network. Divide the "
                   "equation by its typical size, or give its constraint an eta of its own.",
                   rms[largest], problem.terms[largest].name, rms[smallest], problem.terms[smallest].name)});
}

Findings lint(const problem::Problem& problem, const std::string& text, std::span<const std::string> overrides,
              train::Assembly& assembly) {
  Findings findings;
  lint_regions(problem, findings);
  lint_names(problem, text, overrides, findings);
  lint_missing(problem, findings);
  lint_jumps(problem, findings);
  lint_exact_values(problem, findings);
  lint_conditions(problem, findings);
  lint_exact(problem, assembly, findings);
  lint_scales(problem, assembly, findings);
  return findings;
}

}  // namespace pecann::check
