#include "pecann/sampling/unit_points.h"

#include <bit>
#include <boost/random/sobol.hpp>
#include <numeric>
#include <utility>

#include "pecann/base/require.h"

namespace pecann::sampling {
namespace {

double to_unit(std::uint64_t digits) { return (static_cast<double>(digits >> 12) + 0.5) * 0x1.0p-52; }

std::vector<double> scrambled_sobol(int dimension, std::size_t count, RandomStream& stream) {
  const std::uint64_t shift = stream.bits();
  std::vector<std::uint64_t> scrambled(64, 0);
  const std::vector<std::uint64_t> directions = sobol_directions(dimension);
  for (int row = 0; row < 64; ++row) {
    const std::uint64_t digit = std::uint64_t{1} << (63 - row);
    const std::uint64_t mask = digit | (row == 0 ? 0 : stream.bits() & ~(digit | (digit - 1)));
    for (std::size_t j = 0; j < 64; ++j) {
      if (std::popcount(directions[j] & mask) % 2 != 0) scrambled[j] |= digit;
    }
  }
  std::vector<double> values(count);
  std::uint64_t digits = shift;
  for (std::size_t n = 0; n < count; ++n) {
    if (n > 0) digits ^= scrambled[static_cast<std::size_t>(std::countr_zero(n))];
    values[n] = to_unit(digits);
  }
  return values;
}

std::vector<double> latin_hypercube(std::size_t count, RandomStream& stream) {
  std::vector<std::size_t> cell(count);
  std::iota(cell.begin(), cell.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(cell[i - 1], cell[stream.below(i)]);
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = (static_cast<double>(cell[i]) + stream.uniform()) / static_cast<double>(count);
  }
  return values;
}

}  // namespace

std::vector<std::uint64_t> sobol_directions(int dimension) {
  // Boost's engine gives x_1, x_2, … (it leaves out x_0 = 0). The Gray code of 2^j has bits j and j − 1,
  // hence x_{2^j} = v_j ⊕ v_{j−1}: the direction numbers follow from its public interface.
  boost::random::sobol engine(static_cast<std::size_t>(dimension) + 1);
  std::vector<std::uint64_t> directions(64);
  for (std::size_t j = 0; j < 64; ++j) {
    engine.seed((std::uint64_t{1} << j) - 1);
    std::uint64_t value = 0;
    for (int c = 0; c <= dimension; ++c) value = engine();
    directions[j] = j == 0 ? value : value ^ directions[j - 1];
  }
  return directions;
}

std::vector<std::vector<double>> unit_points(PointRule::Kind kind, int dimension, std::size_t count,
                                             RandomStream& stream) {
  require(kind != PointRule::Kind::Grid && kind != PointRule::Kind::Gauss, "a grid has no random points");
  std::vector<std::vector<double>> points;
  for (int c = 0; c < dimension; ++c) {
    if (kind == PointRule::Kind::Sobol) {
      points.push_back(scrambled_sobol(c, count, stream));
    } else if (kind == PointRule::Kind::LatinHypercube) {
      points.push_back(latin_hypercube(count, stream));
    } else {
      std::vector<double> values(count);
      for (double& value : values) value = stream.uniform();
      points.push_back(std::move(values));
    }
  }
  return points;
}

}  // namespace pecann::sampling
