#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

#include "pecann/base/toml_number.h"
#include "pecann/sampling/patches.h"
#include "pecann/sampling/sphere.h"

namespace pecann::sampling {
namespace {

class SpherePatch final : public Patch {
 public:
  SpherePatch(SpacePoint centre, double radius)
      : Patch(static_cast<int>(centre.size()) - 1,
              sphere_area(static_cast<int>(centre.size())) * std::pow(radius, static_cast<double>(centre.size()) - 1)),
        centre_(std::move(centre)),
        radius_(radius) {}

  void place(const Columns& unit, std::size_t count, Columns& space) const override {
    place_on_sphere(unit, count, static_cast<int>(centre_.size()), space);
    for (std::size_t c = 0; c < centre_.size(); ++c)
      for (std::size_t i = 0; i < count; ++i) space[c][i] = centre_[c] + radius_ * space[c][i];
  }

 private:
  SpacePoint centre_;
  double radius_;
};

class Ball final : public Shape {
 public:
  Ball(SpacePoint centre, double radius) : centre_(std::move(centre)), radius_(radius) {}

  int dimension() const override { return static_cast<int>(centre_.size()); }

  void levels(const SpacePoints& points, std::span<double> levels) const override {
    for (std::size_t i = 0; i < points.count; ++i) levels[i] = 0;
    for (int c = 0; c < dimension(); ++c) {
      const double* const x = points[c];
      const double middle = centre_[c];
      for (std::size_t i = 0; i < points.count; ++i) levels[i] += (x[i] - middle) * (x[i] - middle);
    }
    for (std::size_t i = 0; i < points.count; ++i) levels[i] = std::sqrt(levels[i]) - radius_;
  }

  void normals(const SpacePoints& points, Columns& normals) const override {
    std::vector<double> distance(points.count);
    levels(points, distance);
    normals.assign(centre_.size(), std::vector<double>(points.count));
    for (std::size_t i = 0; i < points.count; ++i) {
      const double length = distance[i] + radius_;
      for (int c = 0; c < dimension(); ++c)
        normals[c][i] = length > 0 ? (points[c][i] - centre_[c]) / length : (c == 0 ? 1.0 : 0.0);
    }
  }

  Bounds bounds() const override {
    Bounds bounds{centre_, centre_};
    for (std::size_t c = 0; c < centre_.size(); ++c) {
      bounds.lower[c] -= radius_;
      bounds.upper[c] += radius_;
    }
    return bounds;
  }

  std::optional<double> volume() const override {
    return sphere_area(dimension()) / dimension() * std::pow(radius_, dimension());
  }

  std::vector<PatchPointer> surface(const Bounds&) const override {
    if (dimension() == 1) return {point_patch({centre_[0] - radius_}), point_patch({centre_[0] + radius_})};
    return {std::make_shared<SpherePatch>(centre_, radius_)};
  }

  std::string text() const override {
    return std::string(dimension() == 2 ? "{ disc" : "{ ball") + " = { centre = " + toml_numbers(centre_) +
           ", radius = " + toml_number(radius_) + " } }";
  }

  std::string cpp_condition(std::span<const std::string> names) const override {
    std::string sum;
    for (std::size_t c = 0; c < centre_.size(); ++c) {
      const std::string difference = "(" + names[c] + " - (" + toml_number(centre_[c]) + "))";
      sum += (c == 0 ? "" : " + ") + difference + " * " + difference;
    }
    return sum + " <= " + toml_number(radius_) + " * " + toml_number(radius_);
  }

 private:
  SpacePoint centre_;
  double radius_;
};

}  // namespace

double sphere_area(int dimension) {
  return 2 * std::pow(std::numbers::pi, 0.5 * dimension) / boost::math::tgamma(0.5 * dimension);
}

void place_on_sphere(const Columns& unit, std::size_t count, int dimension, Columns& space) {
  space.assign(static_cast<std::size_t>(dimension), std::vector<double>(count));
  for (std::size_t i = 0; i < count; ++i) {
    double rest = 1;  // the radius of the sphere of fewer dimensions that the point lies on
    for (int k = 0; k < dimension - 2; ++k) {
      const double half = 0.5 * (dimension - 1 - k);
      const double height = 1 - 2 * (half == 1 ? unit[k][i] : boost::math::ibeta_inv(half, half, unit[k][i]));
      space[k][i] = rest * height;
      rest *= std::sqrt((1 - height) * (1 + height));
    }
    const double angle = 2 * std::numbers::pi * unit[dimension - 2][i];
    space[dimension - 2][i] = rest * std::cos(angle);
    space[dimension - 1][i] = rest * std::sin(angle);
  }
}

ShapePointer ball(const SpacePoint& centre, double radius) { return std::make_shared<Ball>(centre, radius); }

}  // namespace pecann::sampling
