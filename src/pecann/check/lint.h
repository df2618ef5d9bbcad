// What can be said against a problem before it is trained. Reading has refused what is wrong by itself; here are the
// mistakes that only show when the parts are seen together, or when numbers are put in.
//
// A warning says that training would be pointless as the problem stands; a note is worth a look.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/train/assembly.h"

namespace pecann::check {

struct Finding {
  enum class Level { Note, Warning };
  Level level;
  std::string text;  // whole sentences on one line
};
using Findings = std::vector<Finding>;

bool has_warning(std::span<const Finding> findings);

/// All findings but the gradient check (lint_gradient.h), in the order of the checks below. `text` is the problem file
/// as written and `overrides` the changes made to it: names may occur in places that a Problem keeps as numbers only.
Findings lint(const problem::Problem& problem, const std::string& text, std::span<const std::string> overrides,
              train::Assembly& assembly);

/// Finds pieces of a term's region that have no points while others have some: the condition is
/// silently not imposed there.
void lint_regions(const problem::Problem& problem, Findings& findings);

/// Finds terms whose residuals are 1e6 times those of another where training begins.
void lint_scales(const problem::Problem& problem, train::Assembly& assembly, Findings& findings);

/// A point with the names of its coordinates: "x = 0, t = 0.5".
std::string place_text(const sampling::Box& box, std::span<const double> point);

}  // namespace pecann::check
