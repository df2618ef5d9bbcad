// The first problem: u'' = f on a line, zero at both ends.
//
// Run:      ./01_poisson
// Look at:  the error (below 1e-3 after a second; else the program ends with 1), and that no weight was chosen between
//           the equation and the ends.
// See:      docs/library.md; the same problem as a text file is what the program prints at the end.
#include <pecann/pecann.h>

#include <cstdio>

using namespace pecann;

int main() {
  const Coordinate x("x", 0, 1);
  const Field u("u", {x});
  const Expression exact = sin(2 * pi * x);

  Problem problem("Poisson equation on a line", {x});
  problem.network({u}, {.hidden = {20, 20}})
      .exact(u, exact)
      .objective("pde", d(u, x, x) == d(exact, x, x), interior(), grid({66}))
      .constraint("ends", u == exact, boundary(), grid({66}))
      .phase({.optimizer = "lbfgs", .epochs = 60});

  const auto [summary, solution] = problem.train();
  std::printf("%s\n", summary.text.c_str());
  std::printf("u(1/4) = %.6f, u'(1/4) = %.6f\n\n%s", solution.value(u, {0.25}), solution.value(d(u, x), {0.25}),
              problem.text().c_str());
  return summary.errors.at(0).relative_l2 < 1e-3 ? 0 : 1;
}
