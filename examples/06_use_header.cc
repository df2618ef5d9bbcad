// A trained field in another program: nothing of pecann is linked, the answer is one header. The program integrates
// the heat that leaves a plate through its hot edge.
//
// Run:      pecann run 06_plate.toml --out plate && pecann export plate --header plate.hpp
//           c++ -std=c++17 06_use_header.cc -o 06_use_header && ./06_use_header
// Look at:  plate_solution::u(x, y), plate_solution::u_y(x, y): plain functions of doubles. The header holds the
//           weights and needs only <cmath>.
// See:      docs/commands.md (export).
#include <cmath>
#include <cstdio>

#include "plate.hpp"

int main() {
  // Simpson's rule along y = 1; exact: ∫ u_y dx = 2 / tanh(π).
  constexpr int intervals = 100;
  double flux = 0;
  for (int i = 0; i <= intervals; ++i) {
    const double weight = i == 0 || i == intervals ? 1 : i % 2 ? 4 : 2;
    flux += weight / (3.0 * intervals) * plate_solution::u_y(static_cast<double>(i) / intervals, 1.0);
  }
  const double exact = 2 / std::tanh(std::acos(-1.0));
  std::printf("heat through the edge: %.5f (exact %.5f)\nmiddle of the plate: %.5f\n", flux, exact,
              plate_solution::u(0.5, 0.5));
  return std::abs(flux - exact) < 0.02 * exact ? 0 : 1;
}
