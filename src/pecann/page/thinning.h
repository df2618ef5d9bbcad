// Fewer points for a picture, without losing what one looks for in it. The x axis is cut into buckets that are narrow
// both on a linear and on a logarithmic axis; of every bucket the smallest and the largest value stay, at their own x.
// A spike of one epoch among a hundred thousand is still there.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pecann::page {

/// Ascending indices of at most about `limit` samples; NaN are left out; the first and the last sample stay. x
/// ascends and is positive.
std::vector<std::size_t> thinned_rows(std::span<const double> x, std::span<const double> y, std::size_t limit);

struct Series {
  std::vector<double> x, y;
};
Series thinned(std::span<const double> x, std::span<const double> y, std::size_t limit);

/// Mean and mean ± standard deviation over trials at the x that all of them have. Where mean − std is not positive
/// though all values are, the lower edge is their minimum, for a logarithmic axis has no place for the other.
struct Band {
  std::vector<double> x, mean, low, high;
};
Band band_over_trials(std::span<const Series> trials, std::size_t limit);

}  // namespace pecann::page
