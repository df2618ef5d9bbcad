#include "pecann/estimate/three_solutions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "pecann/estimate/estimate.h"

namespace pecann::estimate {
namespace {

constexpr double kUnlike = 3;  // quotient of distances between three solutions
constexpr double kDetermined =
    1e-4;  // solutions that are farther apart with residuals that are rounding are any of many

double distance(std::span<const double> a, std::span<const double> b) {
  std::vector<double> difference(a.begin(), a.end());
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= b[i];
  return size_of(difference);
}

}  // namespace

double size_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

Distances distances(std::span<const double> solution, std::span<const double> a, std::span<const double> b) {
  const double norm = size_of(a);
  return {distance(solution, a) / norm, distance(solution, b) / norm, distance(a, b) / norm};
}

void judge_by_two_others(results::FieldEstimate& field, const Distances& apart, double left, double good_left) {
  const double agree = apart.to_a > 0 ? apart.between / apart.to_a : apart.between;
  field.trusted = std::isfinite(field.relative_l2) && agree <= kTrustedAgree;
  field.good = field.trusted && left <= good_left && agree <= kGoodAgree;
  field.decided += fmt::format("; another one differs from it by {:.2g} times the estimate", agree);
}

results::FieldEstimate estimate_at_rounding(const std::string& name, const Distances& apart) {
  const auto [to_a, to_b, between] = apart;
  const double least = std::min({to_a, to_b, between}), most = std::max({to_a, to_b, between});
  const bool own = kUnlike * between <= std::min(to_a, to_b), alike = most <= kUnlike * least;
  const double middle = to_a + to_b + between - least - most;
  results::FieldEstimate field{.field = name, .relative_l2 = own ? std::min(to_a, to_b) : middle / std::numbers::sqrt2};
  field.trusted = (own || alike) && most <= kDetermined;
  field.decided =
      fmt::format("residuals are rounding; three independent solves of features differ by {:.1e}, {:.1e} and {:.1e}",
                  to_a, to_b, between);
  return field;
}

}  // namespace pecann::estimate
