#include "pecann/check/lint_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "pecann/check/lint_values.h"
#include "pecann/sampling/unit_points.h"

namespace pecann::check {
namespace {

constexpr std::size_t kSamples = 64;  // points per meeting place
constexpr double kApproach = 1e-10;   // distance from the meeting place, in lengths of the coordinate's range
constexpr double kJump = 1e-4;        // of the targets' size: smaller differences are slopes, not jumps

/// A condition in the form jet = target.
struct Condition {
  const problem::TermSpec* term;
  std::size_t equation;
  expr::Expr jet, target;
};

using Piece = sampling::FlatPart;

/// The condition of an equation that has the form jet = target; else nothing.
std::optional<Condition> condition_of(const problem::TermSpec& term, std::size_t equation) {
  const expr::Expr& residual = term.residuals[equation];
  const std::vector<expr::Expr> parts = residual->kind == expr::Kind::Add ? residual->arguments : std::vector{residual};
  std::vector<expr::Expr> known, unknown;
  for (const expr::Expr& part : parts) (part->coordinate_only ? known : unknown).push_back(part);
  if (unknown.size() != 1) return std::nullopt;
  expr::Expr jet = unknown[0], factor = 1.0;
  if (jet->kind == expr::Kind::Divide && jet->arguments[1]->coordinate_only) {
    factor = 1.0 / jet->arguments[1];
    jet = expr::Expr(jet->arguments[0]);
  }
  if (jet->kind == expr::Kind::Multiply) {
    std::vector<expr::Expr> factors, fields;
    for (const expr::Expr& argument : jet->arguments)
      (argument->coordinate_only ? factors : fields).push_back(argument);
    if (fields.size() != 1) return std::nullopt;
    factor = factor * expr::product(factors);
    jet = fields[0];
  }
  if (jet->kind != expr::Kind::Field) return std::nullopt;
  const expr::Expr target = -expr::sum(known) / factor;
  if (target->reads_data) return std::nullopt;
  return Condition{&term, equation, jet, target};
}

/// The flat pieces of the regions. Curved regions have none, and are not compared.
std::vector<Piece> pieces_of(const sampling::Regions& regions) {
  std::vector<Piece> pieces;
  for (const sampling::RegionPointer& region : regions) {
    const std::vector<Piece> more = region->flat_parts();
    pieces.insert(pieces.end(), more.begin(), more.end());
  }
  return pieces;
}

std::optional<Piece> meeting_place(const Piece& a, const Piece& b) {
  Piece both = a;
  for (std::size_t c = 0; c < both.size(); ++c) {
    if (a[c] && b[c] && *a[c] != *b[c]) return std::nullopt;
    if (!both[c]) both[c] = b[c];
  }
  return both;
}

std::vector<std::vector<double>> samples_of(const Piece& piece, const sampling::Box& box) {
  RandomStream stream(1, "lint.conditions");
  std::vector<std::vector<double>> points =
      sampling::unit_points(sampling::PointRule::Kind::LatinHypercube, box.dimension(), kSamples, stream);
  for (int c = 0; c < box.dimension(); ++c)
    for (double& value : points[c]) value = piece[c] ? *piece[c] : box.lower[c] + value * (box.upper[c] - box.lower[c]);
  return points;
}

/// Values of the target close to the meeting place `both`, from within `own`.
std::vector<double> limits(const expr::Expr& target, const Piece& own, const Piece& both, const sampling::Box& box) {
  std::vector<std::vector<double>> points = samples_of(both, box);
  for (int c = 0; c < box.dimension(); ++c) {
    if (own[c] || !both[c]) continue;
    const double step = kApproach * (box.upper[c] - box.lower[c]);
    for (double& value : points[c]) value += value >= box.upper[c] ? -step : step;
  }
  return values_on(target, box, points_from(points));
}

double size_of(const std::vector<double>& values) {
  double size = 0;
  for (const double value : values)
    if (std::isfinite(value)) size = std::max(size, std::abs(value));
  return size;
}

struct Jump {
  double size = 0, first = 0, second = 0;
  std::vector<double> place;
};

/// The largest jump between two conditions, over all places where their regions meet.
std::optional<Jump> jump_between(const Condition& a, const Condition& b, const sampling::Box& box) {
  const bool same = a.term == b.term && a.equation == b.equation;
  const std::vector<Piece> of_a = pieces_of(a.term->regions), of_b = pieces_of(b.term->regions);
  std::optional<Jump> largest;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    for (std::size_t j = same ? i + 1 : 0; j < of_b.size(); ++j) {
      const std::optional<Piece> both = meeting_place(of_a[i], of_b[j]);
      if (!both) continue;
      const std::vector<double> first = limits(a.target, of_a[i], *both, box),
                                second = limits(b.target, of_b[j], *both, box);
      const double size = std::max(size_of(values_on(a.target, box, points_from(samples_of(of_a[i], box)))),
                                   size_of(values_on(b.target, box, points_from(samples_of(of_b[j], box)))));
      for (std::size_t k = 0; k < first.size(); ++k) {
        const double jump = std::abs(first[k] - second[k]);
        if (!(jump > kJump * size) || (largest && jump <= largest->size)) continue;
        largest = Jump{jump, first[k], second[k], point_at(points_from(samples_of(*both, box)), k)};
      }
    }
  }
  return largest;
}

/// The side of an equation that the user wrote, for messages: "u_x" of the field node.
std::string jet_name(const Condition& condition) { return expr::to_string(condition.jet); }

}  // namespace

void lint_conditions(const problem::Problem& problem, Findings& findings) {
  std::vector<Condition> conditions;
  for (const problem::TermSpec& term : problem.terms) {
    if (term.role != problem::Role::Constraint) continue;
    for (std::size_t e = 0; e < term.residuals.size(); ++e)
      if (std::optional<Condition> condition = condition_of(term, e)) conditions.push_back(std::move(*condition));
  }
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    for (std::size_t j = i; j < conditions.size(); ++j) {
      const Condition &a = conditions[i], &b = conditions[j];
      if (!expr::same(a.jet, b.jet)) continue;
      const std::optional<Jump> jump = jump_between(a, b, problem.box);
      if (!jump) continue;
      const std::string place = place_text(problem.box, jump->place), name = jet_name(a);
      if (i == j) {
        findings.push_back({Finding::Level::Note,
                            fmt::format("The data of term '{}' jump: {} goes from {:.4g} to {:.4g} at {}. No smooth "
                                        "network can follow there.",
                                        a.term->name, name, jump->first, jump->second, place)});
      } else {
        findings.push_back(
            {Finding::Level::Warning, fmt::format("Terms '{}' and '{}' contradict each other where they meet: at {} "
                                                  "the first wants {} = {:.4g}, the "
                                                  "second {:.4g}.",
                                                  a.term->name, b.term->name, place, name, jump->first, jump->second)});
      }
    }
  }
}

}  // namespace pecann::check
