// Images of VTK and rows of a grid, and the interpolant made of what was accepted.
#include <cmath>

#include "fuzz/target.h"
#include "pecann/sampling/grid_table.h"

namespace pecann::fuzz {
namespace {

void check_grid(const sampling::GridTable& grid) {
  std::size_t nodes = 1;
  for (const auto& axis : grid.axes) {
    nodes *= axis.size();
    require(axis.size() >= 2, "an axis has at least two nodes");
    for (std::size_t i = 1; i < axis.size(); ++i) require(axis[i - 1] < axis[i], "nodes rise");
  }
  require(nodes == grid.values.size(), "a value for each node");
  for (const double value : grid.values) require(std::isfinite(value), "values are finite");
}

}  // namespace

void fuzz_one(std::string_view bytes) {
  accepted([&] { check_grid(sampling::parse_vti(bytes, "", "fuzz.vti")); });
  accepted([&] { check_grid(sampling::grid_of(sampling::parse_csv(bytes, "fuzz.csv"), {"x", "y"}, "")); });
  accepted([&] { check_grid(sampling::grid_of(parse_npy(bytes, "fuzz.npy", 3), {{0, 1}, {0, 1}}, "fuzz.npy")); });
}

}  // namespace pecann::fuzz
