#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "pecann/base/toml_number.h"
#include "pecann/sampling/patches.h"
#include "pecann/sampling/sphere.h"

namespace pecann::sampling {
namespace {

using Gauss = boost::math::quadrature::gauss<double, 30>;

/// An ellipse by its arc length. The angle as a function of the length is tabulated with its derivative and
/// interpolated by cubics; a point is always on the ellipse, and the error of the length is below 1e-12 of the
/// perimeter for axes up to 1 : 10.
class EllipsePatch final : public Patch {
 public:
  EllipsePatch(const SpacePoint& centre, const SpacePoint& radii) : EllipsePatch(centre, radii, lengths_of(radii)) {}

  void place(const Columns& unit, std::size_t count, Columns& space) const override {
    space.assign(2, std::vector<double>(count));
    for (std::size_t i = 0; i < count; ++i) {
      const double angle = angle_at(unit[0][i] * measure());
      space[0][i] = centre_[0] + radii_[0] * std::cos(angle);
      space[1][i] = centre_[1] + radii_[1] * std::sin(angle);
    }
  }

 private:
  static constexpr int kPanels = 4096;

  EllipsePatch(const SpacePoint& centre, const SpacePoint& radii, std::vector<double> lengths)
      : Patch(1, lengths.back()), centre_(centre), radii_(radii), lengths_(std::move(lengths)) {}

  static double speed(const SpacePoint& radii, double angle) {
    return std::hypot(radii[0] * std::sin(angle), radii[1] * std::cos(angle));
  }

  static std::vector<double> lengths_of(const SpacePoint& radii) {
    const double panel = 2 * std::numbers::pi / kPanels;
    std::vector<double> lengths = {0};
    for (int k = 0; k < kPanels; ++k)
      lengths.push_back(lengths.back() + Gauss::integrate([&](double angle) { return speed(radii, angle); }, k * panel,
                                                          (k + 1) * panel));
    return lengths;
  }

  double angle_at(double length) const {
    const auto next = std::upper_bound(lengths_.begin() + 1, lengths_.end() - 1, length);
    const auto panel = static_cast<std::size_t>(next - lengths_.begin());
    const double step = 2 * std::numbers::pi / kPanels, begin = static_cast<double>(panel - 1) * step;
    const double h = lengths_[panel] - lengths_[panel - 1], s = (length - lengths_[panel - 1]) / h;
    const double first = h / speed(radii_, begin), second = h / speed(radii_, begin + step);
    return begin + step * (s * s * (3 - 2 * s)) + first * (s * (1 - s) * (1 - s)) - second * (s * s * (1 - s));
  }

  SpacePoint centre_, radii_;
  std::vector<double> lengths_;  // from angle 0 to the end of each panel
};

/// An ellipsoid (three dimensions) as the image of the sphere. The map stretches area at the point p of the sphere by
///   abc |(p_x/a, p_y/b, p_z/c)|,
/// and points are thinned out by its ratio to the largest value.
class EllipsoidPatch final : public Patch {
 public:
  EllipsoidPatch(const SpacePoint& centre, const SpacePoint& radii)
      : Patch(2, area(radii)), centre_(centre), radii_(radii), least_(*std::min_element(radii.begin(), radii.end())) {}

  void place(const Columns& unit, std::size_t count, Columns& space) const override {
    place_on_sphere(unit, count, 3, space);
    for (int c = 0; c < 3; ++c)
      for (std::size_t i = 0; i < count; ++i) space[c][i] = centre_[c] + radii_[c] * space[c][i];
  }

  bool is_thinned() const override { return true; }
  std::vector<double> kept_share(const Columns& unit, std::size_t count) const override {
    Columns sphere;
    place_on_sphere(unit, count, 3, sphere);
    std::vector<double> share(count);
    for (std::size_t i = 0; i < count; ++i)
      share[i] = least_ * std::hypot(sphere[0][i] / radii_[0], sphere[1][i] / radii_[1], sphere[2][i] / radii_[2]);
    return share;
  }

 private:
  static double area(const SpacePoint& radii) {
    constexpr int kAngles = 512;  // the trapezium rule is exact for periodic functions as smooth as this one
    const auto ring = [&](double height) {
      const double rest = std::sqrt((1 - height) * (1 + height));
      double sum = 0;
      for (int k = 0; k < kAngles; ++k) {
        const double angle = 2 * std::numbers::pi * k / kAngles;
        sum += std::hypot(height / radii[0], rest * std::cos(angle) / radii[1], rest * std::sin(angle) / radii[2]);
      }
      return sum * 2 * std::numbers::pi / kAngles;
    };
    double sum = 0;
    constexpr int kPanels = 16;
    for (int k = 0; k < kPanels; ++k)
      sum += Gauss::integrate(ring, -1 + 2.0 * k / kPanels, -1 + 2.0 * (k + 1) / kPanels);
    return radii[0] * radii[1] * radii[2] * sum;
  }

  SpacePoint centre_, radii_;
  double least_;
};

class Ellipsoid final : public Shape {
 public:
  Ellipsoid(SpacePoint centre, SpacePoint radii)
      : centre_(std::move(centre)), radii_(std::move(radii)), least_(*std::min_element(radii_.begin(), radii_.end())) {}

  int dimension() const override { return static_cast<int>(centre_.size()); }

  /// (|A⁻¹p| − 1) times the least radius: its gradient is nowhere longer than 1, so it is at most the distance.
  void levels(const SpacePoints& points, std::span<double> levels) const override {
    for (std::size_t i = 0; i < points.count; ++i) levels[i] = 0;
    for (int c = 0; c < dimension(); ++c)
      for (std::size_t i = 0; i < points.count; ++i) {
        const double scaled = (points[c][i] - centre_[c]) / radii_[c];
        levels[i] += scaled * scaled;
      }
    for (std::size_t i = 0; i < points.count; ++i) levels[i] = least_ * (std::sqrt(levels[i]) - 1);
  }

  void normals(const SpacePoints& points, Columns& normals) const override {
    normals.assign(centre_.size(), std::vector<double>(points.count));
    for (std::size_t i = 0; i < points.count; ++i) {
      double square = 0;
      for (int c = 0; c < dimension(); ++c) {
        normals[c][i] = (points[c][i] - centre_[c]) / (radii_[c] * radii_[c]);
        square += normals[c][i] * normals[c][i];
      }
      for (int c = 0; c < dimension(); ++c)
        normals[c][i] = square > 0 ? normals[c][i] / std::sqrt(square) : (c == 0 ? 1.0 : 0.0);
    }
  }

  Bounds bounds() const override {
    Bounds bounds{centre_, centre_};
    for (std::size_t c = 0; c < centre_.size(); ++c) {
      bounds.lower[c] -= radii_[c];
      bounds.upper[c] += radii_[c];
    }
    return bounds;
  }

  std::optional<double> volume() const override {
    double product = sphere_area(dimension()) / dimension();
    for (const double radius : radii_) product *= radius;
    return product;
  }

  std::vector<PatchPointer> surface(const Bounds&) const override {
    if (dimension() == 2) return {std::make_shared<EllipsePatch>(centre_, radii_)};
    return {std::make_shared<EllipsoidPatch>(centre_, radii_)};
  }

  std::string text() const override {
    return std::string(dimension() == 2 ? "{ ellipse" : "{ ellipsoid") + " = { centre = " + toml_numbers(centre_) +
           ", radii = " + toml_numbers(radii_) + " } }";
  }

  std::string cpp_condition(std::span<const std::string> names) const override {
    std::string sum;
    for (std::size_t c = 0; c < centre_.size(); ++c) {
      const std::string scaled =
          "((" + names[c] + " - (" + toml_number(centre_[c]) + ")) / " + toml_number(radii_[c]) + ")";
      sum += (c == 0 ? "" : " + ") + scaled + " * " + scaled;
    }
    return sum + " <= 1";
  }

 private:
  SpacePoint centre_, radii_;
  double least_;
};

}  // namespace

ShapePointer ellipsoid(const SpacePoint& centre, const SpacePoint& radii) {
  return std::make_shared<Ellipsoid>(centre, radii);
}

}  // namespace pecann::sampling
