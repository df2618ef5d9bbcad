// A larger network that starts as the same function as a smaller one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pecann/problem/problem.h"

namespace pecann::accuracy {

/// True where the networks of `after` are those of `before` with as many or more units in every hidden layer, and no
/// layer is frozen: then grown_parameters has a meaning.
bool can_grow(const problem::Problem& before, const problem::Problem& after);

/// Parameters of `after` with which its networks have the values of those of `before`, but for rounding: old units keep
/// their weights, what comes from new units to old ones and to the outputs is zero, and new units have the incoming
/// weights and biases of a fresh start with this seed. Trainable scalars stay. One time window.
std::vector<double> grown_parameters(const problem::Problem& before, std::span<const double> parameters,
                                     const problem::Problem& after, std::uint64_t seed);

}  // namespace pecann::accuracy
