#include "pecann/sampling/domain.h"

#include <limits>

#include "pecann/base/require.h"
#include "pecann/base/toml_number.h"
#include "pecann/sampling/grid.h"
#include "pecann/sampling/point_region.h"

namespace pecann::sampling {
namespace {

constexpr RegionWord kRegionWords[] = {{"interior", &Domain::interior, false, false},
                                       {"boundary", &Domain::boundary, false, true},
                                       {"initial", &Domain::at_start, true, false},
                                       {"final", &Domain::at_end, true, false}};

}  // namespace

std::span<const RegionWord> region_words() { return kRegionWords; }

RegionPointer Domain::on_shape(const std::string&, GridChoice) const { return nullptr; }
RegionPointer Domain::inside_shape(const std::string&, GridChoice) const { return nullptr; }
std::shared_ptr<const mesh::Mesh> Domain::mesh(const std::string&) const { return nullptr; }
RegionPointer Domain::point(const FlatPart& place) const { return point_region(box_, place); }

std::string Domain::cpp_condition(std::span<const std::string> names) const {
  std::string all;
  for (int c = 0; c < box_.dimension(); ++c)
    if (c != box_.time)
      all += (all.empty() ? "" : " && ") + names[c] + " >= " + toml_number(box_.lower[c]) + " && " + names[c] +
             " <= " + toml_number(box_.upper[c]);
  return all.empty() ? "true" : all;
}

bool Domain::contains(std::span<const double> point) const {
  for (int c = 0; c < box_.dimension(); ++c)
    if (!(point[c] >= box_.lower[c] && point[c] <= box_.upper[c])) return false;
  const std::vector<char> inside = mask(single_point(point));
  return inside.empty() || inside[0] != 0;
}

PointSet Domain::evaluation_points(std::span<const int> grid, bool at_last_time) const {
  require(static_cast<int>(grid.size()) == box_.dimension(), "the evaluation grid has one number per coordinate");
  std::vector<std::vector<double>> axes(grid.size());
  for (std::size_t c = 0; c < grid.size(); ++c) {
    const bool last = at_last_time && static_cast<int>(c) == box_.time;
    for (int node = 0; node < grid[c]; ++node) {
      const double share = last ? 1.0 : (grid[c] == 1 ? 0.5 : static_cast<double>(node) / (grid[c] - 1));
      axes[c].push_back(box_.lower[c] + share * (box_.upper[c] - box_.lower[c]));
    }
  }
  return points_within(*this, grid_points(axes));
}

double Domain::evaluation_cell(std::span<const int> grid) const {
  double cell = 1;
  for (std::size_t c = 0; c < grid.size(); ++c)
    if (grid[c] > 1) cell *= (box_.upper[c] - box_.lower[c]) / (grid[c] - 1);
  return cell;
}

PointSet points_within(const Domain& domain, const PointSet& points) {
  const std::vector<char> inside = domain.mask(points);
  if (inside.empty()) return points;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < inside.size(); ++i)
    if (inside[i] != 0) chosen.push_back(i);
  return subset(points, chosen);
}

void hide_outside(const Domain& domain, const PointSet& points, std::span<std::vector<double>> values) {
  const std::vector<char> inside = domain.mask(points);
  for (std::vector<double>& column : values)
    for (std::size_t i = 0; i < inside.size(); ++i)
      if (inside[i] == 0) column[i] = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace pecann::sampling
