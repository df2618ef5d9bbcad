#include "pecann/sampling/quadrature.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <boost/math/special_functions/legendre.hpp>

#include "pecann/base/require.h"

namespace pecann::sampling {
namespace {

constexpr std::size_t kMostCorrections = 4;
/// B_1 … B_4 at 0 and at 1.
constexpr std::array<double, kMostCorrections> kBernoulliAtZero = {-0.5, 1.0 / 6, 0, -1.0 / 30};
constexpr std::array<double, kMostCorrections> kBernoulliAtOne = {0.5, 1.0 / 6, 0, -1.0 / 30};

/// The corrections a_j of one end, by elimination on the Vandermonde matrix of the first nodes.
std::vector<double> end_corrections(std::size_t count, bool has_end) {
  const double first = has_end ? 0 : 1;
  std::vector<std::vector<double>> rows(count, std::vector<double>(count + 1));
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t j = 0; j < count; ++j)
      rows[k][j] = std::pow(first + static_cast<double>(j), static_cast<double>(k));
    rows[k][count] = (has_end ? kBernoulliAtZero : kBernoulliAtOne)[k] / static_cast<double>(k + 1);
  }
  for (std::size_t p = 0; p < count; ++p) {
    std::size_t best = p;
    for (std::size_t k = p; k < count; ++k)
      if (std::abs(rows[k][p]) > std::abs(rows[best][p])) best = k;
    std::swap(rows[p], rows[best]);
    for (std::size_t k = 0; k < count; ++k) {
      if (k == p) continue;
      const double factor = rows[k][p] / rows[p][p];
      for (std::size_t j = p; j <= count; ++j) rows[k][j] -= factor * rows[p][j];
    }
  }
  std::vector<double> corrections(count);
  for (std::size_t p = 0; p < count; ++p) corrections[p] = rows[p][count] / rows[p][p];
  return corrections;
}

}  // namespace

LineRule gauss_rule(double lower, double upper, int count) {
  require(count >= 1, "a rule has a node");
  LineRule rule;
  const std::vector<double> zeros = boost::math::legendre_p_zeros<double>(count);  // those that are not negative
  const double middle = 0.5 * (lower + upper), half = 0.5 * (upper - lower);
  const auto weight = [&](double zero) {
    const double slope = boost::math::legendre_p_prime(count, zero);
    return half * 2 / ((1 - zero * zero) * slope * slope);
  };
  for (auto zero = zeros.rbegin(); zero != zeros.rend(); ++zero) {
    if (*zero == 0) continue;
    rule.nodes.push_back(middle - half * *zero);
    rule.weights.push_back(weight(*zero));
  }
  if (count % 2 == 1) {
    rule.nodes.push_back(middle);
    rule.weights.push_back(weight(0));
  }
  for (const double zero : zeros) {
    if (zero == 0) continue;
    rule.nodes.push_back(middle + half * zero);
    rule.weights.push_back(weight(zero));
  }
  return rule;
}

std::vector<double> grid_weights(double spacing, std::size_t nodes, bool has_first, bool has_last) {
  std::vector<double> weights(nodes, spacing);
  const std::size_t count = std::min(nodes, kMostCorrections);
  const std::vector<double> first = end_corrections(count, has_first), last = end_corrections(count, has_last);
  for (std::size_t j = 0; j < count; ++j) {
    weights[j] += spacing * first[j];
    weights[nodes - 1 - j] += spacing * last[j];
  }
  return weights;
}

}  // namespace pecann::sampling
