#include "pecann/optim/vector_algebra.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "pecann/base/require.h"

namespace pecann::optim {
namespace {

constexpr std::size_t kPartial = 8;

double total(const double* partial) {
  return ((partial[0] + partial[4]) + (partial[2] + partial[6])) +
         ((partial[1] + partial[5]) + (partial[3] + partial[7]));
}

template <class Term>
double interleaved_sum(std::size_t size, const Term& term) {
  double partial[kPartial] = {};
  const std::size_t whole = size / kPartial * kPartial;
  for (std::size_t i = 0; i < whole; i += kPartial)
    for (std::size_t lane = 0; lane < kPartial; ++lane) partial[lane] += term(i + lane);
  for (std::size_t i = whole; i < size; ++i) partial[i - whole] += term(i);
  return total(partial);
}

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  require(a.size() == b.size(), "dot: sizes differ");
  const double* p = a.data();
  const double* q = b.data();
  return interleaved_sum(a.size(), [p, q](std::size_t i) { return p[i] * q[i]; });
}

double sum_abs(std::span<const double> a) {
  const double* p = a.data();
  return interleaved_sum(a.size(), [p](std::size_t i) { return std::abs(p[i]); });
}

double max_abs(std::span<const double> a) {
  double largest[kPartial] = {};
  double poison[kPartial] = {};  // 0·value is NaN where value is NaN or infinite; a maximum alone would lose a NaN
  const std::size_t whole = a.size() / kPartial * kPartial;
  const auto take = [&](std::size_t lane, double value) {
    const double size = std::abs(value);
    largest[lane] = largest[lane] < size ? size : largest[lane];
    poison[lane] += 0 * value;
  };
  for (std::size_t i = 0; i < whole; i += kPartial)
    for (std::size_t lane = 0; lane < kPartial; ++lane) take(lane, a[i + lane]);
  for (std::size_t i = whole; i < a.size(); ++i) take(i - whole, a[i]);
  const double result = *std::max_element(largest, largest + kPartial);
  // An infinity poisons too, but it is then the maximum and stays itself.
  return std::isnan(total(poison)) && std::isfinite(result) ? std::numeric_limits<double>::quiet_NaN() : result;
}

void add_scaled(double factor, std::span<const double> a, std::span<double> y) {
  require(a.size() == y.size(), "add_scaled: sizes differ");
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * a[i];
}

void along(std::span<const double> x, double step, std::span<const double> direction, std::span<double> point) {
  require(x.size() == direction.size() && x.size() == point.size(), "along: sizes differ");
  for (std::size_t i = 0; i < x.size(); ++i) point[i] = x[i] + step * direction[i];
}

bool all_finite(std::span<const double> a) { return std::isfinite(max_abs(a)); }

}  // namespace pecann::optim
