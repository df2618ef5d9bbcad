#include <algorithm>
#include <cmath>

#include "pecann/base/toml_number.h"
#include "pecann/sampling/patches.h"

namespace pecann::sampling {
namespace {

using Corner = std::array<double, 2>;
using Corners = std::vector<Corner>;

/// Twice the signed area of the triangle a, b, c: positive where c lies to the left of the way from a to b.
double turn(const Corner& a, const Corner& b, const Corner& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Positive where the corners go round to the left.
double signed_area(const Corners& corners) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) sum += 0.5 * turn(corners[0], corners[i], corners[i + 1]);
  return sum;
}

/// True where c, which lies on the line through a and b, lies between them.
bool is_between(const Corner& a, const Corner& b, const Corner& c) {
  for (std::size_t k = 0; k < 2; ++k)
    if (c[k] < std::min(a[k], b[k]) || c[k] > std::max(a[k], b[k])) return false;
  return true;
}

bool segments_meet(const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
  const double first = turn(a, b, c), second = turn(a, b, d), third = turn(c, d, a), fourth = turn(c, d, b);
  if (((first > 0 && second < 0) || (first < 0 && second > 0)) &&
      ((third > 0 && fourth < 0) || (third < 0 && fourth > 0)))
    return true;
  return (first == 0 && is_between(a, b, c)) || (second == 0 && is_between(a, b, d)) ||
         (third == 0 && is_between(c, d, a)) || (fourth == 0 && is_between(c, d, b));
}

class Polygon final : public Shape {
 public:
  explicit Polygon(Corners corners) : written_(std::move(corners)), corners_(written_) {
    if (signed_area(corners_) < 0) std::reverse(corners_.begin(), corners_.end());
    corners_.push_back(corners_.front());
  }

  int dimension() const override { return 2; }

  /// The distance from the nearest side; a point is inside where a ray from it crosses an odd number of sides.
  void levels(const SpacePoints& points, std::span<double> levels) const override {
    std::vector<char> inside(points.count, 0);
    for (std::size_t i = 0; i < points.count; ++i) levels[i] = std::numeric_limits<double>::infinity();
    for (std::size_t side = 0; side + 1 < corners_.size(); ++side) {
      const Corner &a = corners_[side], &b = corners_[side + 1];
      for (std::size_t i = 0; i < points.count; ++i) {
        const double x = points[0][i], y = points[1][i];
        levels[i] = std::min(levels[i], square_distance(a, b, x, y));
        const bool crosses = (a[1] > y) != (b[1] > y);
        const double left = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
        inside[i] ^= static_cast<char>(crosses && (b[1] > a[1] ? left < 0 : left > 0));
      }
    }
    for (std::size_t i = 0; i < points.count; ++i) levels[i] = (inside[i] != 0 ? -1 : 1) * std::sqrt(levels[i]);
  }

  void normals(const SpacePoints& points, Columns& normals) const override {
    normals.assign(2, std::vector<double>(points.count));
    for (std::size_t i = 0; i < points.count; ++i) {
      double nearest = std::numeric_limits<double>::infinity();
      for (std::size_t side = 0; side + 1 < corners_.size(); ++side) {
        const Corner &a = corners_[side], &b = corners_[side + 1];
        const double square = square_distance(a, b, points[0][i], points[1][i]);
        if (square >= nearest) continue;
        nearest = square;
        const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
        normals[0][i] = (b[1] - a[1]) / length;
        normals[1][i] = (a[0] - b[0]) / length;
      }
    }
  }

  Bounds bounds() const override {
    Bounds bounds{{corners_[0][0], corners_[0][1]}, {corners_[0][0], corners_[0][1]}};
    for (const Corner& corner : corners_)
      for (std::size_t c = 0; c < 2; ++c) {
        bounds.lower[c] = std::min(bounds.lower[c], corner[c]);
        bounds.upper[c] = std::max(bounds.upper[c], corner[c]);
      }
    return bounds;
  }

  std::optional<double> volume() const override { return std::abs(signed_area(written_)); }
  std::vector<PatchPointer> surface(const Bounds&) const override { return {polyline_patch(corners_)}; }

  std::string text() const override {
    std::string list;
    for (const Corner& corner : written_) list += (list.empty() ? "" : ", ") + toml_numbers(corner);
    return "{ polygon = [" + list + "] }";
  }

  std::string cpp_condition(std::span<const std::string> names) const override {
    std::string list;
    for (const Corner& corner : corners_)
      list += (list.empty() ? "{" : ", {") + toml_number(corner[0]) + ", " + toml_number(corner[1]) + "}";
    return "[](double x, double y) { const double corners[][2] = {" + list +
           "}; bool inside = false; for (int i = 0; i < " + std::to_string(corners_.size() - 1) +
           "; ++i) { const double *a = corners[i], *b = corners[i + 1]; if ((a[1] > y) != (b[1] > y) && x < a[0] + (y "
           "- "
           "a[1]) / (b[1] - a[1]) * (b[0] - a[0])) inside = !inside; } return inside; }(" +
           names[0] + ", " + names[1] + ")";
  }

 private:
  static double square_distance(const Corner& a, const Corner& b, double x, double y) {
    const double along_x = b[0] - a[0], along_y = b[1] - a[1];
    const double share = ((x - a[0]) * along_x + (y - a[1]) * along_y) / (along_x * along_x + along_y * along_y);
    const double inner = std::min(1.0, std::max(0.0, share));
    const double dx = x - a[0] - inner * along_x, dy = y - a[1] - inner * along_y;
    return dx * dx + dy * dy;
  }

  Corners written_;
  Corners corners_;  // to the left around the shape, the first one again at the end
};

}  // namespace

std::string polygon_fault(const Corners& corners) {
  const std::size_t count = corners.size();
  if (count < 3) return "a polygon has at least three corners";
  if (count > kMostCorners) return "a polygon has at most " + std::to_string(kMostCorners) + " corners";
  const auto named = [](std::size_t i) { return std::to_string(i + 1); };
  for (std::size_t i = 0; i < count; ++i)
    if (corners[i] == corners[(i + 1) % count])
      return "the corners " + named(i) + " and " + named((i + 1) % count) + " are the same" +
             (i + 1 == count ? ": the polygon closes itself" : "");
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j) {
      const Corner &a = corners[i], &b = corners[(i + 1) % count], &c = corners[j], &d = corners[(j + 1) % count];
      const bool neighbours = j == i + 1 || (i == 0 && j == count - 1);
      // Neighbours share a corner; they must not turn back on each other.
      const Corner &shared = j == i + 1 ? b : a, &before = j == i + 1 ? a : b, &after = j == i + 1 ? d : c;
      const bool crosses = !neighbours ? segments_meet(a, b, c, d)
                                       : turn(before, shared, after) == 0 &&
                                             (is_between(before, shared, after) || is_between(shared, after, before));
      if (crosses) return "the sides from corner " + named(i) + " and from corner " + named(j) + " cross or touch";
    }
  return "";
}

ShapePointer polygon(const Corners& corners) { return std::make_shared<Polygon>(corners); }

}  // namespace pecann::sampling
