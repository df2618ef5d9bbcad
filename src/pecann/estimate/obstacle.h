// What stands against any estimate of the error of fields.
#pragma once

#include <string>

#include "pecann/problem/problem.h"
#include "pecann/train/solution.h"

namespace pecann::estimate {

/// Why fields have no estimate whatever is computed; "" where they may have.
std::string obstacle_to_estimate(const problem::Problem& problem, const train::Solution& solution);

}  // namespace pecann::estimate
