// Conditions that the equations need and nobody gives. An equation with the highest derivative of order k of a field in
// a coordinate has a family of solutions with k free functions, one condition each: two for u_xx, an initial state and
// an initial velocity for u_tt, four for a beam. With fewer the residuals can all vanish and the field be anything.
//
// What is counted are equations that mention the field where the coordinate has its first or last value (a condition on
// the boundary, a periodic one, points of a file that lie there), whatever their role. Not asked for are conditions
//   - on a face where the coefficient of the highest derivative vanishes (the S = 0 of Black–Scholes, r = 0, an ansatz
//     that is zero there),
//   - of fields that are measured inside the domain,
//   - for first derivatives in space, where any field has a condition on one of the two faces: which one is a matter of
//     the flow, and in systems of first order a matter of all fields,
//   - on regions that the problem calls free.
#pragma once

#include <string>
#include <vector>

#include "pecann/problem/problem.h"

namespace pecann::train {

struct MissingCondition {
  std::string field;
  std::string coordinate;
  int order = 0;                   // of the highest derivative in the coordinate
  int needed = 0;                  // so many conditions, without those of free and degenerate faces
  int found = 0;                   // so many are there
  std::string term;                // that has this derivative
  std::vector<std::string> faces;  // the regions without any: "x = 1", "initial", the name of a shape

  std::string text() const;  // sentences for people, with what to do
};

std::vector<MissingCondition> missing_conditions(const problem::Problem& problem);

}  // namespace pecann::train
