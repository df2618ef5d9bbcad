#include "pecann/train/window_check.h"

#include <fmt/format.h>

#include "pecann/expr/integral.h"
#include "pecann/train/assembly.h"
#include "pecann/train/held_out.h"

namespace pecann::train {
namespace {

std::string listed(const std::vector<int>& windows) {
  std::string text = windows.size() == 1 ? "window" : "windows";
  for (std::size_t i = 0; i < windows.size(); ++i) text += fmt::format("{} {}", i ? "," : "", windows[i] + 1);
  return text;
}

}  // namespace

std::vector<CheckValue> check_window(const problem::Problem& problem, std::uint64_t seed, const Window& window,
                                     const Solution& finished, std::span<const double> parameters) {
  problem::Problem fresh = problem;
  for (problem::TermSpec& term : fresh.terms) {
    term.aggregate = problem::Aggregate::Mean;
    term.batch = 0;
    if (expr::has_integrals(term.residuals)) {
      term.points = fresh_quadrature(term.points);
      continue;
    }
    if (!term.points.is_product() || !term.points_file.empty()) continue;
    term.points = {.kind = sampling::PointRule::Kind::Sobol,
                   .count = static_cast<std::size_t>(problem.windows.check_points)};
  }
  Assembly assembly(fresh, seed, window, finished, "check");
  assembly.redraw(1, parameters);
  const evaluate::TermValues& values = assembly.evaluator().values(parameters);
  std::vector<CheckValue> checks;
  for (std::size_t t = 0; t < fresh.terms.size(); ++t)
    if (const auto limit = problem.windows.check.find(fresh.terms[t].name); limit != problem.windows.check.end())
      checks.push_back({fresh.terms[t].name, values.terms[t], limit->second});
  return checks;
}

std::string second_tries(std::span<const WindowReport> reports) {
  std::vector<int> tried, failed;
  for (const WindowReport& report : reports) {
    if (report.attempt == 0) continue;
    tried.push_back(report.window);
    if (!report.passed()) failed.push_back(report.window);
  }
  std::string text;
  if (!tried.empty()) text += "; second tries: " + listed(tried);
  if (!failed.empty()) text += "; failed twice: " + listed(failed);
  return text;
}

}  // namespace pecann::train
