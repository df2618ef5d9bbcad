// The training of a problem that names none: chosen by its size, and said in words.
#pragma once

#include <string>

#include "pecann/problem/problem.h"

namespace pecann::problem {

/// Number of trainable parameters of a network.
double count_parameters(const NetworkSpec& network);

/// Fills problem.phases and Problem::recommendation. Levenberg–Marquardt where its matrix is small (the smaller of parameters and
/// residuals up to 3,500), self-scaled Broyden where its dense matrix still fits (10,000 parameters), else Adam and L-BFGS.
void recommend_training(Problem& problem);

}  // namespace pecann::problem
