// An own system of equations: sound in a closed tube,  p_t + v_x = 0,  v_t + p_x = 0,  pressure p and velocity v.
//
// Run:      ./02_own_system
// Look at:  two fields from one network; two equations in one term; the errors of both fields against
//           p = cos(πx) cos(πt), v = sin(πx) sin(πt), below 1 %.
// See:      docs/problem-files.md for everything that a term may say; 05_time_windows.cc for longer times.
#include <pecann/pecann.h>

#include <cstdio>

using namespace pecann;

int main() {
  const Coordinate x("x", 0, 1), t("t", 0, 0.5);
  const Field p("p", {x, t}), v("v", {x, t});
  const Expression exact_p = cos(pi * x) * cos(pi * t), exact_v = sin(pi * x) * sin(pi * t);

  Problem problem("Sound in a closed tube", {x, t});
  problem.network({p, v}, {.hidden = {12, 12}})
      .exact(p, exact_p)
      .exact(v, exact_v)
      .objective("sound", {d(p, t) + d(v, x) == 0, d(v, t) + d(p, x) == 0}, interior(), sobol(300))
      .constraint("walls", v == 0, boundary(), sobol(40))
      .constraint("start", {p == cos(pi * x), v == 0}, initial_time(), sobol(60))
      .phase({.optimizer = "lm", .epochs = 40})
      .evaluation_grid({51, 51});

  const auto [summary, solution] = problem.train();
  std::printf("%s\np at the left wall, t = 1/2: %.5f (exact 0)\n", summary.text.c_str(), solution.value(p, {0, 0.5}));
  for (const FieldError& error : summary.errors)
    if (error.relative_l2 > 0.01) return 1;
}
