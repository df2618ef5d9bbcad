// What a solve in parts costs, before it is tried.
#pragma once

#include "pecann/problem/problem.h"

namespace pecann::train {

/// About how many multiply-adds a solve in parts takes, over all windows with so many Gauss–Newton steps each, in units
/// of dense products: one of `rows` rows with n columns counts rows · n².
double products_of_parts(const problem::Problem& problem, double steps);

/// True where the phase's cut is large enough for the normal equations (optim/sparse_least_squares.h).
bool takes_normal_equations(const problem::Problem& problem);

}  // namespace pecann::train
