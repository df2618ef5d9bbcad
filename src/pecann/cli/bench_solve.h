// How fast least-squares solves of features run (optim/streamed_qr.h).
#pragma once

#include <cstddef>

namespace pecann::cli {

struct SolveRate {
  double rows_seconds = 0, solve_seconds = 0;  // elimination of all rows, then the solve
  double flops = 0;                            // of the elimination, per second: 2 · rows · columns²
};

/// One solve with three random rows a column.
SolveRate measure_solve(std::size_t columns);

}  // namespace pecann::cli
