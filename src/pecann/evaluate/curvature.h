// How strongly each equation of a problem holds the parameters: the size of its block of the Gauss–Newton matrix.
//
// An equation with residuals at N points, whose Jacobian is J, has the block A = JᵀJ/N. Its curvature is the mean
// eigenvalue of A, each eigenvalue counting by itself:
//
//     curv = ‖A‖_F² / tr A = Σ α_i² / Σ α_i.
//
// An equation times s has s² times the curvature, whatever the network. The trace alone would count every direction
// alike, and so make an equation at two points as heavy as one at thousands.
//
// A sample of m ≤ kSampledPoints points suffices, since the products of rows have the same eigenvalues:
//
//     K = J J^T/m,   ‖A‖_F² ≈ Σ K_ij²,   tr A ≈ Σ K_ii.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/evaluate/evaluator.h"

namespace pecann::evaluate {

/// Points of a set that the curvature is taken on, at most; a larger set is sampled evenly.
inline constexpr std::size_t kSampledPoints = 100;

/// The curvature of every equation, by term and equation; zero where no parameter moves the equation. The weights of
/// terms and equations and the multipliers do not enter.
std::vector<std::vector<double>> equation_curvatures(const Evaluator& evaluator, std::span<const double> parameters);

/// At most `most` of `count` indices, spread over the whole by multiples of the golden ratio, which no grid's rows
/// are in step with; in ascending order.
std::vector<std::size_t> spread_indices(std::size_t count, std::size_t most);

}  // namespace pecann::evaluate
