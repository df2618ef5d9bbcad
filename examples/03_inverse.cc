// An inverse problem: how well does a rod conduct heat?  u_t = ν u_xx,  ν from 60 noisy thermometer readings.
//
// Run:      ./03_inverse
// Look at:  the misfit of the data is the objective, because noisy data cannot hold exactly; equation, ends and start
//           are constraints, because they must. ν comes out within 2 % of 0.2 though it starts five times too large.
// See:      docs/tutorial-inverse.md; Basir & Senocak, J. Comput. Phys. 463 (2022) 111301.
#include <pecann/pecann.h>

#include <cmath>
#include <cstdio>
#include <random>

using namespace pecann;

int main() {
  // 1. What a laboratory would hand over: places, times and temperatures with 2 % noise.
  constexpr double true_nu = 0.2;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> somewhere(0, 1);
  std::normal_distribution<double> noise(0, 0.02);
  Column places{"x", {}}, times{"t", {}}, readings{"kelvin", {}};
  for (int i = 0; i < 60; ++i) {
    places.second.push_back(somewhere(random));
    times.second.push_back(somewhere(random));
    readings.second.push_back(std::exp(-true_nu * pi * pi * times.second.back()) * std::sin(pi * places.second.back()) +
                              noise(random));
  }
  write_table("03_readings.csv", {places, times, readings});

  // 2. The problem. log_scale keeps ν positive.
  const Coordinate x("x", 0, 1), t("t", 0, 1);
  const Field u("u", {x, t});
  const Parameter nu("nu", {.initial = 1, .log_scale = true, .exact = true_nu});
  Problem problem("Conductivity of a rod", {x, t});
  problem.network({u}, {.hidden = {16, 16}})
      .objective("readings", u == data("u"), of_points(), points_file("03_readings.csv"),
                 {.data = Data{.file = "03_readings.csv", .columns = {{"u", "kelvin"}}}})
      .constraint("heat", d(u, t) == nu * d(u, x, x), interior(), sobol(200))
      .constraint("ends", u == 0, boundary(), sobol(30))
      .constraint("start", u == sin(pi * x), initial_time(), sobol(50))
      .phase({.optimizer = "lm", .epochs = 60});

  // 3. Train, and read the answer.
  const Summary summary = problem.train().summary;
  std::printf("%s", summary.text.c_str());
  const double found = summary.parameters.at(0).value;
  std::printf("\nnu = %.4f, true %.4f\n", found, true_nu);
  return std::abs(found - true_nu) < 0.02 * true_nu ? 0 : 1;
}
