// What a Solution holds; the trained networks refer to the problem, so both live together.
#pragma once

#include <memory>

#include "pecann/problem/problem.h"
#include "pecann/train/solution.h"

namespace pecann::api {

struct SolutionData {
  std::shared_ptr<const problem::Problem> problem;
  train::Solution solution;
};

}  // namespace pecann::api
