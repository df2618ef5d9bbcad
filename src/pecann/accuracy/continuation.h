// A way from an easy problem to a hard one: a constant of the problem takes easier values first, and the network goes
// on from each to the next (a Reynolds number, a viscosity).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"

namespace pecann::accuracy {

struct Continuation {
  std::string constant;
  std::vector<double> values;  // the easiest first; the problem's own value is not among them
  std::string why;             // what makes this constant the one, in words
};

/// The way that the file names: phases `optimizer = "train"` or "auto" with `continue`, which leave all else open.
std::optional<Continuation> named_continuation(const problem::Problem& problem);

/// A constant that makes a nonlinear problem hard, as its equations inside show: in every equation where it occurs,
///   either all parts with it have the highest derivative, and another part is not linear: easier where they are larger
///   or all parts with it are not linear, and another part is linear: easier where they are smaller;
/// parts without unknowns do not count. Of several such constants the first by its name, those at the highest
/// derivative before others. The values are `factor` times easier in all, in steps of √10. Nothing for linear problems.
std::optional<Continuation> found_continuation(const problem::Problem& problem, double factor);

/// The problem whose phases pass through the values before they are those of the problem itself: the first phases
/// short, each ended once its loss is a small part of what it was.
problem::Problem continued(problem::Problem problem, const Continuation& way);

/// "Re = 40, 126, then 400".
std::string words(const Continuation& way, const problem::Problem& problem);

}  // namespace pecann::accuracy
