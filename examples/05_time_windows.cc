// Time in windows: a wave travels around a ring,  u_t + u_x = 0, periodic. Each window has its own small network and
// takes its initial condition from the window before.
//
// Run:      ./05_time_windows
// Look at:  the observer prints one line at the end of each window; the solution is one function over all of them.
//           05_wave.csv holds it as a table.
// See:      docs/tutorial-windows.md; the catalogue's `vortex` has forty windows.
#include <pecann/pecann.h>

#include <cstdio>

using namespace pecann;

int main() {
  const Coordinate x("x", 0, 1), t("t", 0, 1);
  const Field u("u", {x, t});
  const Expression exact = sin(2 * pi * (x - t));

  Problem problem("A wave on a ring", {x, t});
  problem.network({u}, {.hidden = {12, 12}})
      .exact(u, exact)
      .objective("advection", d(u, t) + d(u, x) == 0, interior(), sobol(200))
      .constraint("ring", {u == at(u, x = 1), d(u, x) == at(d(u, x), x = 1)}, face(x, 0), sobol(30))
      .constraint("start", u == exact, initial_time(), grid({41, 2}))
      .windows({.count = 4, .normalise = "window"})
      .phase({.optimizer = "lm", .epochs = 25})
      .evaluation_grid({51, 41});

  const auto [summary, solution] = problem.train({.observer = [](const Epoch& epoch) {
    if (epoch.number == 25)
      std::printf("window %d: loss %.2e after %.2f s\n", epoch.window + 1, epoch.loss, epoch.seconds);
    return Directive::Continue;
  }});
  solution.write("05_wave.csv", {u, d(u, x)}, {41, 9});
  std::printf("\n%s\nu(1/4, 1/2) = %.5f (exact -1)\n", summary.text.c_str(), solution.value(u, {0.25, 0.5}));
  return summary.errors.at(0).relative_l2 < 0.02 ? 0 : 1;
}
