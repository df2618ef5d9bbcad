// Coupling with an own solver: half of a rod belongs to a network, half to a finite-difference code, and each takes
// its boundary value from the other (alternating Schwarz method, overlap [0.4, 0.6]).
//
// Run:      ./07_coupling
// Look at:  the network begins where it ended in the sweep before (TrainOptions::start); the error falls by about
//           (0.4/0.6)² = 0.44 a sweep, as the theory of the method says.
// See:      docs/library.md; Quarteroni & Valli, Domain Decomposition Methods, 1999, §1.4.
#include <pecann/pecann.h>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace pecann;

// u'' = -π² sin πx on [a, 1] with u(a) given and u(1) = 0: second-order differences, Thomas algorithm.
std::vector<double> differences(double a, double left, int cells) {
  const double h = (1 - a) / cells;
  std::vector<double> upper(cells + 1, 0.0), u(cells + 1, 0.0);
  u[0] = left;
  for (int i = 1; i < cells; ++i) {
    const double pivot = 2 - upper[i - 1];
    upper[i] = 1 / pivot;
    u[i] = (h * h * pi * pi * std::sin(pi * (a + i * h)) + u[i - 1]) / pivot;
  }
  for (int i = cells - 1; i > 0; --i) u[i] += upper[i] * u[i + 1];
  return u;
}

int main() {
  const Coordinate x("x", 0, 0.6);
  const Field u("u", {x});
  std::vector<double> start;
  double at_right = 0, error = 1;  // u(0.6), known to the network only through the other code

  for (int sweep = 1; sweep <= 8; ++sweep) {
    Problem problem("Left part of a rod", {x});
    problem.network({u}, {.hidden = {10}})
        .objective("pde", d(u, x, x) == -pi * pi * sin(pi * x), interior(), grid({25}))
        .constraint("left", u == 0, face(x, 0), grid({25}))
        .constraint("right", u == at_right, face(x, 0.6), grid({25}))
        .phase({.optimizer = "lm", .epochs = 30});
    const Solution left = problem.train({.start = start}).solution;
    start = left.parameters();

    const std::vector<double> right = differences(0.4, left.value(u, {0.4}), 60);
    at_right = right[20];  // x = 0.6
    error = std::abs(at_right - std::sin(0.6 * pi));
    std::printf("sweep %d: u(0.4) = %.5f from the network, u(0.6) = %.5f from the differences, error %.1e\n", sweep,
                right[0], at_right, error);
  }
  return error < 0.01 ? 0 : 1;
}
