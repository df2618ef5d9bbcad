#include <algorithm>
#include <cmath>

#include "pecann/base/toml_number.h"
#include "pecann/sampling/patches.h"

namespace pecann::sampling {
namespace {

class BoxShape final : public Shape {
 public:
  BoxShape(SpacePoint lower, SpacePoint upper) : bounds_{std::move(lower), std::move(upper)} {}

  int dimension() const override { return bounds_.dimension(); }

  void levels(const SpacePoints& points, std::span<double> levels) const override {
    std::vector<double> outside(points.count, 0.0);
    for (int c = 0; c < dimension(); ++c) {
      const double* const x = points[c];
      const double low = bounds_.lower[c], high = bounds_.upper[c];
      for (std::size_t i = 0; i < points.count; ++i) {
        const double beyond = std::max(low - x[i], x[i] - high), over = std::max(beyond, 0.0);
        levels[i] = c == 0 ? beyond : std::max(levels[i], beyond);
        outside[i] += over * over;
      }
    }
    for (std::size_t i = 0; i < points.count; ++i)
      if (levels[i] > 0) levels[i] = std::sqrt(outside[i]);
  }

  void normals(const SpacePoints& points, Columns& normals) const override {
    normals.assign(bounds_.lower.size(), std::vector<double>(points.count, 0.0));
    for (std::size_t i = 0; i < points.count; ++i) {
      int face = 0;
      double largest = -std::numeric_limits<double>::infinity(), sign = 1;
      for (int c = 0; c < dimension(); ++c) {
        const double below = bounds_.lower[c] - points[c][i], above = points[c][i] - bounds_.upper[c];
        const double tie = 1e-12 * (bounds_.upper[c] - bounds_.lower[c]);  // corners belong to the first face
        if (std::max(below, above) <= largest + tie) continue;
        largest = std::max(below, above);
        face = c;
        sign = below >= above ? -1 : 1;
      }
      normals[face][i] = sign;
    }
  }

  Bounds bounds() const override { return bounds_; }
  std::optional<double> volume() const override { return bounds_.volume(); }

  std::vector<PatchPointer> surface(const Bounds&) const override {
    std::vector<PatchPointer> faces;
    for (std::size_t c = 0; c < bounds_.lower.size(); ++c)
      for (const double value : {bounds_.lower[c], bounds_.upper[c]}) {
        SpacePoint origin = bounds_.lower;
        origin[c] = value;
        std::vector<SpacePoint> edges;
        for (std::size_t k = 0; k < bounds_.lower.size(); ++k) {
          if (k == c) continue;
          edges.emplace_back(bounds_.lower.size(), 0.0);
          edges.back()[k] = bounds_.upper[k] - bounds_.lower[k];
        }
        faces.push_back(flat_patch(origin, edges));
      }
    return faces;
  }

  std::string text() const override {
    return "{ box = { lower = " + toml_numbers(bounds_.lower) + ", upper = " + toml_numbers(bounds_.upper) + " } }";
  }

  std::string cpp_condition(std::span<const std::string> names) const override {
    std::string all;
    for (std::size_t c = 0; c < names.size(); ++c)
      all += (c == 0 ? "" : " && ") + names[c] + " >= " + toml_number(bounds_.lower[c]) + " && " + names[c] +
             " <= " + toml_number(bounds_.upper[c]);
    return all;
  }

 private:
  Bounds bounds_;
};

class HalfSpace final : public Shape {
 public:
  HalfSpace(SpacePoint point, SpacePoint normal) : point_(std::move(point)), normal_(std::move(normal)) {
    double largest = 0, square = 0;  // of components as large as one: their squares stay in the range of numbers
    for (const double component : normal_) largest = std::max(largest, std::abs(component));
    for (double& component : normal_) square += std::pow(component /= largest, 2);
    for (double& component : normal_) component /= std::sqrt(square);
  }

  int dimension() const override { return static_cast<int>(point_.size()); }

  void levels(const SpacePoints& points, std::span<double> levels) const override {
    for (std::size_t i = 0; i < points.count; ++i) levels[i] = 0;
    for (int c = 0; c < dimension(); ++c)
      for (std::size_t i = 0; i < points.count; ++i) levels[i] += (points[c][i] - point_[c]) * normal_[c];
  }

  void normals(const SpacePoints& points, Columns& normals) const override {
    normals.clear();
    for (const double component : normal_) normals.emplace_back(points.count, component);
  }

  Bounds bounds() const override {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {SpacePoint(point_.size(), -kInfinity), SpacePoint(point_.size(), kInfinity)};
  }
  std::optional<double> volume() const override { return std::nullopt; }

  std::vector<PatchPointer> surface(const Bounds& within) const override {
    // A square of the plane around the foot of the box's middle that has all of the plane within the box.
    SpacePoint middle(point_.size());
    double above = 0;
    for (std::size_t c = 0; c < point_.size(); ++c) {
      middle[c] = 0.5 * (within.lower[c] + within.upper[c]);
      above += (middle[c] - point_[c]) * normal_[c];
    }
    if (dimension() == 1) return {point_patch(point_)};
    const double side = within.diagonal();
    std::vector<SpacePoint> edges = basis_of_plane(normal_);
    for (std::size_t c = 0; c < point_.size(); ++c) {
      middle[c] -= above * normal_[c];
      for (SpacePoint& edge : edges) middle[c] -= 0.5 * side * edge[c];
    }
    for (SpacePoint& edge : edges)
      for (double& component : edge) component *= side;
    return {flat_patch(middle, edges)};
  }

  std::string text() const override {
    return "{ half-space = { point = " + toml_numbers(point_) + ", normal = " + toml_numbers(normal_) + " } }";
  }

  std::string cpp_condition(std::span<const std::string> names) const override {
    std::string sum;
    for (std::size_t c = 0; c < names.size(); ++c)
      sum += std::string(c == 0 ? "" : " + ") + "(" + names[c] + " - (" + toml_number(point_[c]) + ")) * (" +
             toml_number(normal_[c]) + ")";
    return sum + " <= 0";
  }

 private:
  SpacePoint point_, normal_;
};

}  // namespace

ShapePointer box_shape(const SpacePoint& lower, const SpacePoint& upper) {
  return std::make_shared<BoxShape>(lower, upper);
}

ShapePointer half_space(const SpacePoint& point, const SpacePoint& normal) {
  return std::make_shared<HalfSpace>(point, normal);
}

}  // namespace pecann::sampling
