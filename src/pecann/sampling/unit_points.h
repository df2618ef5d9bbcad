// Points in the unit cube, drawn by a rule. All values lie strictly inside (0, 1): half a unit of the last place is
// added to digital points, so that none falls on a face that belongs to another region.
//
// Sobol points are, digit by digit,
//
//   x_n = ⊕ v_j   over the bits j of the Gray code of n,
//
// with the direction numbers v_j of Joe and Kuo (SIAM J. Sci. Comput. 30, 2008; table of Boost.Random). They are
// scrambled after Matoušek (J. Complexity 14, 1998): the digits of each dimension are multiplied by a random
// lower-triangular binary matrix with unit diagonal, then a random digital shift is added. Both keep the net property:
// of 2^m points every dyadic interval of length 2^-m has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pecann/base/random_stream.h"
#include "pecann/sampling/point_rule.h"

namespace pecann::sampling {

/// The 64 direction numbers of dimension `dimension` (from 0); the most significant bit is the first digit.
std::vector<std::uint64_t> sobol_directions(int dimension);

/// The points as [dimension][count]; `kind` is any rule but Grid.
std::vector<std::vector<double>> unit_points(PointRule::Kind kind, int dimension, std::size_t count,
                                             RandomStream& stream);

}  // namespace pecann::sampling
