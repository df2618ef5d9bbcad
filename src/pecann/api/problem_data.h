// What a Problem holds: a draft of problem::Problem. The draft becomes a problem by being written and read, so that C++
// users meet the same checks, defaults and bits as users of problem files.
#pragma once

#include <set>

#include "pecann/api/expression_data.h"
#include "pecann/problem/problem.h"

namespace pecann::api {

struct ProblemData {
  problem::Problem draft;  // the texts of equations, not their trees
  Leaves leaves;           // of all equations
  std::set<std::string> terms_without_role;

  /// The draft, with overrides, as a checked problem. Throws InputError naming key, value and rule; the error has no
  /// file and no line.
  problem::Problem finished(const std::vector<std::string>& overrides = {}) const;
};

}  // namespace pecann::api
