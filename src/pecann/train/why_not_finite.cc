#include "pecann/train/why_not_finite.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "pecann/base/not_finite.h"
#include "pecann/expr/integral.h"

namespace pecann::train {
namespace {

constexpr const char* kBeforeTheStep = "before the step already";

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

std::string place(const problem::Problem& problem, std::size_t point, std::span<const double> coordinates) {
  std::string text = fmt::format("point {} (", point + 1);
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    text += fmt::format("{}{} = {:.6g}", i ? ", " : "", problem.box.names[i], coordinates[i]);
  return text + ")";
}

/// A term that fails at a point.
struct Failure {
  std::string term, what;
  std::vector<double> coordinates;
};

/// The first point whose residual is a number but its derivative by the parameters is none, as of sqrt(u) at u = 0.
std::optional<Failure> bad_derivative(evaluate::Evaluator& evaluator, const problem::Problem& problem,
                                      std::span<const double> parameters) {
  std::vector<double> seeds(evaluator.num_rows()), gradient(parameters.size());
  // An adjoint of zero stays zero (kernel/tape.h): only rows with a seed count.
  const auto broken = [&](std::size_t begin, std::size_t end) {
    std::ranges::fill(seeds, 0.0);
    std::fill(seeds.begin() + static_cast<std::ptrdiff_t>(begin), seeds.begin() + static_cast<std::ptrdiff_t>(end),
              1.0);
    evaluator.pull_back(parameters, seeds, gradient);
    return !all_finite(gradient);
  };
  if (!broken(0, seeds.size())) return std::nullopt;
  std::size_t begin = 0, end = seeds.size();
  while (end - begin > 1) {
    const std::size_t middle = begin + (end - begin) / 2;
    broken(begin, middle) ? end = middle : begin = middle;
  }
  for (const evaluate::Evaluator::RowRun& run : evaluator.row_runs()) {
    if (begin < run.first_row || begin >= run.first_row + run.count) continue;
    const evaluate::Term& term = evaluator.terms()[run.term];
    const std::size_t point = run.first_point + begin - run.first_row;
    std::vector<double> coordinates;
    if (expr::has_integrals(term.residuals))
      return Failure{term.name,
                     fmt::format("the derivative of term '{}', an integral, by the network is infinite or NaN, {}",
                                 term.name, kBeforeTheStep),
                     {}};
    for (const auto& column : evaluator.program(term.point_set).points().coordinates)
      coordinates.push_back(column[point]);
    std::string what = fmt::format("the derivative of term '{}' by the network is infinite or NaN at {}, {}", term.name,
                                   place(problem, point, coordinates), kBeforeTheStep);
    return Failure{term.name, std::move(what), std::move(coordinates)};
  }
  return std::nullopt;
}

/// The constraint that adds most to a Lagrangian that is not finite though all residuals are.
std::string largest_share(evaluate::Evaluator& evaluator, std::span<const double> parameters,
                          const penalty::DualState& duals) {
  const evaluate::TermValues& values = evaluator.values(parameters);
  std::string text = " there are no constraints";
  double largest = -1;
  for (const evaluate::ConstraintEntries& entries : evaluator.constraints()) {
    for (std::size_t e = entries.first; e < entries.first + entries.count; ++e) {
      const double c = values.constraints[e];
      const double share = std::abs(duals.multiplier[e] * c) + 0.5 * std::abs(duals.penalty[e]) * c * c;
      if (!(share > largest)) continue;
      largest = share;
      text = fmt::format(" most of it is constraint '{}' = {:.3g} with multiplier {:.3g} and penalty {:.3g}",
                         entries.name, c, duals.multiplier[e], duals.penalty[e]);
    }
  }
  return text;
}

}  // namespace

WhyNotFinite why_not_finite(evaluate::Evaluator& evaluator, const problem::Problem& problem,
                            std::span<const double> before, std::span<const double> after,
                            const penalty::DualState& duals) {
  const auto residual = [&](const evaluate::NotFinite& found) {
    if (found.coordinates.empty())
      return fmt::format("the integral of term '{}' is {}", found.term, words_of_not_finite(found.residual));
    return fmt::format("term '{}' is {} at {}", found.term, words_of_not_finite(found.residual),
                       place(problem, found.point, found.coordinates));
  };
  if (const auto found = evaluator.find_not_finite(before))
    return {fmt::format("{}, {}", residual(*found), kBeforeTheStep),
            "Look for a division, root or logarithm that fails at this point: guard it (max(x, 1e-9), if(x > "
            "0, …)), leave the "
            "point out, or begin from other parameters",
            {Cause::Kind::EquationFails, found->term, found->coordinates}};
  const bool number = all_finite(after);
  if (number)
    if (const auto found = evaluator.find_not_finite(after))
      return {residual(*found) + ", where the step has taken it",
              "Try a smaller learning rate, or guard divisions, roots and logarithms of fields",
              {Cause::Kind::StepFails, found->term, found->coordinates}};
  if (const std::optional<Failure> found = bad_derivative(evaluator, problem, before))
    return {found->what,
            "Look for a root or a power whose slope is infinite there, as sqrt(u) at u = 0: guard it, as in "
            "sqrt(u + 1e-12)",
            {Cause::Kind::EquationFails, found->term, found->coordinates}};
  if (!number)
    return {
        "the step made parameters infinite or NaN", "Try a smaller learning rate", {Cause::Kind::StepFails, "", {}}};
  return {"the Lagrangian or its gradient is too large for a number though every residual is one;" +
              largest_share(evaluator, after, duals),
          "Try a smaller learning rate, a smaller penalty.eta or penalty.penalty_max, or divide the equation "
          "by its typical size",
          {Cause::Kind::TooLarge, "", {}}};
}

}  // namespace pecann::train
