#include "pecann/sampling/level_set.h"

#include <algorithm>
#include <cmath>

#include "pecann/sampling/lattice_surface.h"

namespace pecann::sampling {
namespace {

/// The length of the gradient at a point and of `more`, whose squares may lie beyond the range of numbers.
double gradient_length(const Columns& gradient, std::size_t point, double more = 0) {
  double largest = std::abs(more), square = 0;
  for (const std::vector<double>& component : gradient) largest = std::max(largest, std::abs(component[point]));
  if (!(largest > 0) || !std::isfinite(largest)) return largest;
  for (const std::vector<double>& component : gradient) square += std::pow(component[point] / largest, 2);
  return largest * std::sqrt(square + std::pow(more / largest, 2));
}

/// Puts points on the zeros of a function by Newton steps along its gradient, none longer than `reach`.
void project(const LevelFunction& function, double reach, Columns& points) {
  const std::size_t count = points[0].size();
  std::vector<double> values;
  Columns gradient;
  for (int step = 0; step < 12; ++step) {
    function(points, values, gradient);
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double slope = gradient_length(gradient, i), way = values[i] / slope;
      if (!(slope > 0) || !std::isfinite(slope) || !std::isfinite(way)) continue;
      for (std::size_t c = 0; c < points.size(); ++c)
        points[c][i] -= std::clamp(way, -reach, reach) * (gradient[c][i] / slope);
      largest = std::max(largest, std::abs(way));
    }
    if (largest < 1e-14 * reach) return;
  }
}

/// Simplices (segments or triangles) with all their points put on the zeros of a function.
class SimplexPatch final : public Patch {
 public:
  SimplexPatch(LatticeSurface surface, LevelFunction function, double reach, std::vector<double> ends)
      : Patch(static_cast<int>(surface.vertices.size()) - 1, ends.back()),
        surface_(std::move(surface)),
        function_(std::move(function)),
        reach_(reach),
        ends_(std::move(ends)) {}

  void place(const Columns& unit, std::size_t count, Columns& space) const override {
    space.assign(surface_.vertices.size(), std::vector<double>(count));
    for (std::size_t i = 0; i < count; ++i) {
      const double along = unit[0][i] * measure();
      const auto at = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end() - 1, along) - ends_.begin());
      const double begin = at == 0 ? 0 : ends_[at - 1];
      const double rest = std::min(1.0, std::max(0.0, (along - begin) / (ends_[at] - begin)));
      double share[3] = {1 - rest, rest, 0};
      if (parameters() == 2) {  // true to area: Turk, Graphics Gems, 1990
        const double root = std::sqrt(rest);
        share[0] = 1 - root;
        share[1] = root * (1 - unit[1][i]);
        share[2] = root * unit[1][i];
      }
      for (std::size_t c = 0; c < space.size(); ++c)
        for (std::size_t k = 0; k < surface_.vertices.size(); ++k)
          space[c][i] += share[k] * surface_.vertices[c][surface_.simplices[at][k]];
    }
    project(function_, reach_, space);
  }

  std::vector<double> corners() const override {
    std::vector<double> places = {0};
    for (const double end : ends_) places.push_back(end / measure());
    return places;
  }
  bool is_continuous() const override { return parameters() == 1; }

 private:
  LatticeSurface surface_;
  LevelFunction function_;
  double reach_;
  std::vector<double> ends_;  // cumulative measure of the simplices
};

class LevelSet final : public Shape {
 public:
  using Cpp = std::function<std::string(std::span<const std::string>)>;
  LevelSet(LevelFunction function, Bounds around, std::string text, Cpp cpp)
      : function_(std::move(function)), around_(std::move(around)), text_(std::move(text)), cpp_(std::move(cpp)) {}

  int dimension() const override { return around_.dimension(); }

  /// f / √(|∇f|² + (f/D)²) with the diagonal D of the box: near the surface the distance to first order.
  void levels(const SpacePoints& points, std::span<double> levels) const override {
    std::vector<double> values;
    Columns gradient;
    function_(points, values, gradient);
    const double diagonal = around_.diagonal();
    for (std::size_t i = 0; i < points.count; ++i) {
      const double level = values[i] / gradient_length(gradient, i, values[i] / diagonal);
      levels[i] = std::isnan(level) ? (values[i] < 0 ? -diagonal : diagonal) : level;
    }
  }
  bool levels_are_distances() const override { return false; }

  void normals(const SpacePoints& points, Columns& normals) const override {
    std::vector<double> values;
    function_(points, values, normals);
    for (std::size_t i = 0; i < points.count; ++i) {
      const double length = gradient_length(normals, i);
      for (std::vector<double>& component : normals) component[i] = length > 0 ? component[i] / length : 0;
    }
  }

  Bounds bounds() const override { return around_; }
  std::optional<double> volume() const override { return std::nullopt; }

  std::vector<PatchPointer> surface(const Bounds& within) const override {
    const auto values_at = [&](const Columns& points) {
      std::vector<double> values;
      Columns gradient;
      function_(points, values, gradient);
      return values;
    };
    const double mesh = within.diagonal() / kLatticeNodes[dimension()];
    const auto onto = [&](Columns& points) { project(function_, mesh, points); };
    std::vector<PatchPointer> patches;
    for (LatticeSurface& part : lattice_surface(within, values_at, onto)) {
      std::vector<double> ends = part.cumulative_measures();
      if (ends.empty() || !(ends.back() > 0)) continue;
      patches.push_back(std::make_shared<SimplexPatch>(std::move(part), function_, mesh, std::move(ends)));
    }
    return patches;
  }

  std::string text() const override {
    std::string one_line = text_;
    std::replace(one_line.begin(), one_line.end(), '\n', ' ');
    return "{ where = \"" + one_line + "\" }";
  }

  std::string cpp_condition(std::span<const std::string> names) const override { return cpp_(names); }

 private:
  LevelFunction function_;
  Bounds around_;
  std::string text_;
  Cpp cpp_;
};

}  // namespace

ShapePointer level_set(LevelFunction function, const Bounds& around, std::string text,
                       std::function<std::string(std::span<const std::string>)> cpp) {
  return std::make_shared<LevelSet>(std::move(function), around, std::move(text), std::move(cpp));
}

}  // namespace pecann::sampling
