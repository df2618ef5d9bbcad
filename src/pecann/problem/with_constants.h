// A problem with other values of its constants, as in the phases of a continuation.
#pragma once

#include <map>
#include <string>

#include "pecann/problem/problem.h"

namespace pecann::problem {

/// The problem as if [constants] had these numbers, which must be names that it has: equations, exact solutions,
/// functions and densities follow. What was a number when the problem was read stays as it is: other constants, ranges,
/// planes, weights, exact values of parameters.
///
/// The expressions are made from their texts again, not by putting numbers into trees: sums and products gather their
/// constants in the order of the text, (0.1·a)·0.3 and not (0.1·0.3)·a, and the last bits of a result depend on it.
///
/// Throws InputError where an equation has no meaning with these values (a division by zero, no field left).
Problem with_constants(const Problem& problem, const std::map<std::string, double>& values);

}  // namespace pecann::problem
