#include <cmath>
#include <numbers>

#include "pecann/base/toml_number.h"
#include "pecann/sampling/patches.h"

namespace pecann::sampling {
namespace {

/// The side of a cylinder (along, around), or one of its ends (area within the radius, around).
class CylinderPatch final : public Patch {
 public:
  enum class Part { Side, End };
  CylinderPatch(Part part, SpacePoint origin, SpacePoint axis, double radius, double length)
      : Patch(2, part == Part::Side ? 2 * std::numbers::pi * radius * length : std::numbers::pi * radius * radius),
        part_(part),
        origin_(std::move(origin)),
        axis_(std::move(axis)),
        across_(basis_of_plane(axis_)),
        radius_(radius),
        length_(length) {}

  void place(const Columns& unit, std::size_t count, Columns& space) const override {
    space.assign(3, std::vector<double>(count));
    for (std::size_t i = 0; i < count; ++i) {
      const bool side = part_ == Part::Side;
      const double along = side ? length_ * unit[0][i] : 0, distance = side ? radius_ : radius_ * std::sqrt(unit[0][i]);
      const double angle = 2 * std::numbers::pi * unit[1][i];
      for (int c = 0; c < 3; ++c)
        space[c][i] = origin_[c] + along * axis_[c] +
                      distance * (std::cos(angle) * across_[0][c] + std::sin(angle) * across_[1][c]);
    }
  }

 private:
  Part part_;
  SpacePoint origin_, axis_;
  std::vector<SpacePoint> across_;
  double radius_, length_;
};

class Cylinder final : public Shape {
 public:
  Cylinder(SpacePoint from, SpacePoint to, double radius)
      : from_(std::move(from)), to_(std::move(to)), axis_(3), radius_(radius) {
    length_ = std::hypot(to_[0] - from_[0], to_[1] - from_[1], to_[2] - from_[2]);
    for (int c = 0; c < 3; ++c) axis_[c] = (to_[c] - from_[c]) / length_;
  }

  int dimension() const override { return 3; }

  void levels(const SpacePoints& points, std::span<double> levels) const override {
    for (std::size_t i = 0; i < points.count; ++i) {
      const Place place = place_of(points, i);
      const double beyond = std::max(-place.along, place.along - length_), aside = place.distance - radius_;
      levels[i] = beyond > 0 && aside > 0 ? std::hypot(beyond, aside) : std::max(beyond, aside);
    }
  }

  void normals(const SpacePoints& points, Columns& normals) const override {
    normals.assign(3, std::vector<double>(points.count));
    for (std::size_t i = 0; i < points.count; ++i) {
      const Place place = place_of(points, i);
      const double beyond = std::max(-place.along, place.along - length_), aside = place.distance - radius_;
      const bool side = aside >= beyond && place.distance > 0;  // the rim belongs to the side
      for (int c = 0; c < 3; ++c)
        normals[c][i] = side ? place.outward[c] / place.distance : (2 * place.along < length_ ? -1 : 1) * axis_[c];
    }
  }

  Bounds bounds() const override {
    Bounds bounds{from_, to_};
    for (int c = 0; c < 3; ++c) {
      const double reach = radius_ * std::sqrt(std::max(0.0, 1 - axis_[c] * axis_[c]));
      bounds.lower[c] = std::min(from_[c], to_[c]) - reach;
      bounds.upper[c] = std::max(from_[c], to_[c]) + reach;
    }
    return bounds;
  }

  std::optional<double> volume() const override { return std::numbers::pi * radius_ * radius_ * length_; }

  std::vector<PatchPointer> surface(const Bounds&) const override {
    using Part = CylinderPatch::Part;
    return {std::make_shared<CylinderPatch>(Part::Side, from_, axis_, radius_, length_),
            std::make_shared<CylinderPatch>(Part::End, from_, axis_, radius_, length_),
            std::make_shared<CylinderPatch>(Part::End, to_, axis_, radius_, length_)};
  }

  std::string text() const override {
    return "{ cylinder = { from = " + toml_numbers(from_) + ", to = " + toml_numbers(to_) +
           ", radius = " + toml_number(radius_) + " } }";
  }

  std::string cpp_condition(std::span<const std::string> names) const override {
    std::string along, square;
    for (int c = 0; c < 3; ++c) {
      const std::string difference = "(" + names[c] + " - (" + toml_number(from_[c]) + "))";
      along += (c == 0 ? "" : " + ") + difference + " * (" + toml_number(axis_[c]) + ")";
      square += (c == 0 ? "" : " + ") + difference + " * " + difference;
    }
    return "(" + along + ") >= 0 && (" + along + ") <= " + toml_number(length_) + " && (" + square + ") - (" + along +
           ") * (" + along + ") <= " + toml_number(radius_) + " * " + toml_number(radius_);
  }

 private:
  /// A point in the coordinates of the cylinder.
  struct Place {
    double along, distance;  // from the first end; from the axis
    double outward[3];       // from the axis to the point
  };

  Place place_of(const SpacePoints& points, std::size_t i) const {
    Place place{};
    for (int c = 0; c < 3; ++c) place.along += (points[c][i] - from_[c]) * axis_[c];
    for (int c = 0; c < 3; ++c) place.outward[c] = points[c][i] - from_[c] - place.along * axis_[c];
    place.distance = std::hypot(place.outward[0], place.outward[1], place.outward[2]);
    return place;
  }

  SpacePoint from_, to_, axis_;
  double radius_, length_ = 0;
};

}  // namespace

ShapePointer cylinder(const SpacePoint& from, const SpacePoint& to, double radius) {
  return std::make_shared<Cylinder>(from, to, radius);
}

}  // namespace pecann::sampling
