// [decompose]: parts of the box with networks of their own, and the conditions that make one solution of them.
//
// Where parts meet on a plane x = p, every field u goes on together with as many derivatives as the equations need:
//
//   ∂ᵏu/∂xᵏ (p⁺) = ∂ᵏu/∂xᵏ (p),   k = 0 … m − 1,   m the highest order of u in x in any equation.
//
// p⁺ is the next number above p: there the networks of the other part answer (problem/parts.h).
#pragma once

#include <string>
#include <vector>

#include "pecann/problem/problem.h"

namespace pecann::problem {

/// The names of these terms: kJoints and the coordinate.
inline constexpr const char* kJoints = "joints-";

/// Puts a term of such conditions for each coordinate that is cut behind the terms of the problem, in the place of
/// those that are there.
void join_parts(Problem& problem);

/// The number of parts of the whole box.
int count_parts(const Problem& problem);

/// The most parts that one of the regions crosses, or that a flat part of one does.
double parts_across(const Problem& problem, const sampling::Regions& regions);

/// "20 × 10 parts" in space, "" where there is one.
std::string parts_words(const Problem& problem);

}  // namespace pecann::problem
