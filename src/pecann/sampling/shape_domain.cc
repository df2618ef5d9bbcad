#include "pecann/sampling/shape_domain.h"

#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/sampling/box_domain.h"
#include "pecann/sampling/shapes.h"
#include "pecann/sampling/space_set.h"

namespace pecann::sampling {
namespace {

std::vector<std::string> space_names(const Box& box) {
  std::vector<std::string> names;
  for (int c = 0; c < box.dimension(); ++c)
    if (c != box.time) names.push_back(box.names[c]);
  return names;
}

NamedShape box_around(const Box& box) {
  SpacePoint lower, upper;
  for (int c = 0; c < box.dimension(); ++c) {
    if (c == box.time) continue;
    lower.push_back(box.lower[c]);
    upper.push_back(box.upper[c]);
  }
  return {kBoxName, box_shape(lower, upper)};
}

/// Refuses shapes that rounding would spoil: a point is on a surface within 1e-10 of the box's diagonal.
void check_size(const NamedShape& shape, double diagonal) {
  constexpr double kSmallest = 1e-6, kLargest = 1e4;
  const Bounds bounds = shape.shape->bounds();
  for (std::size_t c = 0; c < bounds.lower.size(); ++c) {
    const double low = bounds.lower[c], high = bounds.upper[c];
    if (std::isinf(low) && std::isinf(high)) continue;  // a half-space
    const bool fits = high - low >= kSmallest * diagonal &&
                      std::abs(low) <= kLargest * (diagonal + std::abs(high - low)) &&
                      high - low <= kLargest * diagonal;
    if (!fits)
      throw InputError({.key = "shapes." + shape.name,
                        .value = shape.shape->text(),
                        .rule = "a shape is between 1e-6 and 1e4 times as large as the box of the coordinates' ranges, "
                                "and not further away"});
  }
}

class ShapeDomain final : public Domain {
 public:
  ShapeDomain(const Box& box, SolidPointer solid, SpaceSetPointer interior)
      : Domain(box), solid_(std::move(solid)), interior_(std::move(interior)), whole_(box_domain(box)) {}

  RegionPointer interior(GridChoice choice) const override {
    return is_box() ? whole_->interior(choice) : shape_region(box(), choice, "interior", interior_, {});
  }
  RegionPointer boundary(GridChoice choice) const override {
    return is_box() ? whole_->boundary(choice) : region("boundary", choice, {.kind = SolidPlace::Kind::Boundary});
  }
  RegionPointer at_start(GridChoice choice) const override {
    if (is_box()) return whole_->at_start(choice);
    return shape_region(box(), choice, "initial", interior_, {.kind = TimePlace::Kind::First});
  }
  RegionPointer at_end(GridChoice choice) const override {
    if (is_box()) return whole_->at_end(choice);
    return shape_region(box(), choice, "final", interior_, {.kind = TimePlace::Kind::Last});
  }

  RegionPointer plane(int coordinate, double value, GridChoice choice) const override {
    const RegionPointer across = whole_->plane(coordinate, value, choice);
    if (is_box()) return across;
    if (coordinate == box().time)
      return shape_region(box(), choice, across->name(), interior_, {TimePlace::Kind::Fixed, value});
    const int in_space = coordinate - (box().time >= 0 && box().time < coordinate ? 1 : 0);
    return region(across->name(), choice, {.kind = SolidPlace::Kind::Plane, .coordinate = in_space, .value = value});
  }

  RegionPointer on_shape(const std::string& name, GridChoice choice) const override {
    const int shape = solid_->index_of(name);
    if (shape < 0) return nullptr;
    const bool bounds = solid_->has(shape);
    return region(name, choice,
                  {.kind = bounds ? SolidPlace::Kind::Boundary : SolidPlace::Kind::Surface, .shape = shape});
  }

  RegionPointer inside_shape(const std::string& name, GridChoice choice) const override {
    if (solid_->index_of(name) < 0) return nullptr;
    const auto both = std::make_shared<const Solid>("(" + solid_->text() + ") & " + name, solid_->shapes());
    return shape_region(box(), choice, "inside " + name, space_set(both, {}, "inside " + name), {});
  }

  std::vector<std::string> shape_names() const override {
    std::vector<std::string> names;
    for (const NamedShape& shape : solid_->shapes()) names.push_back(shape.name);
    return names;
  }

  std::string text() const override { return solid_->text(); }

  std::vector<std::pair<std::string, std::string>> shape_texts() const override {
    std::vector<std::pair<std::string, std::string>> texts;
    for (const NamedShape& shape : solid_->shapes())
      if (shape.name != kBoxName) texts.emplace_back(shape.name, shape.shape->text());
    return texts;
  }

  std::vector<Columns> outline() const override {
    std::vector<Columns> curves;
    if (solid_->dimension() != 2 || is_box()) return curves;
    const SpaceSet boundary(solid_, {.kind = SolidPlace::Kind::Boundary});
    for (const Piece& piece : boundary.pieces())
      for (Columns& curve : piece.curves()) curves.push_back(std::move(curve));
    return curves;
  }

  std::string cpp_condition(std::span<const std::string> names) const override {
    std::vector<std::string> in_space;
    for (int c = 0; c < box().dimension(); ++c)
      if (c != box().time) in_space.push_back(names[c]);
    return solid_->cpp_condition(in_space);
  }

  std::vector<char> mask(const PointSet& points) const override {
    if (is_box()) return {};
    std::vector<char> inside;
    for (const Solid::Place place : solid_->places(space_of(points, box())))
      inside.push_back(place == Solid::Place::Outside ? 0 : 1);
    return inside;
  }

  DomainPointer within(const Box& window) const override {
    return std::make_shared<ShapeDomain>(window, solid_, interior_);
  }

 private:
  /// True where the shapes cut nothing off: regions are those of the box, with its points.
  bool is_box() const { return solid_->text() == kBoxName; }

  RegionPointer region(const std::string& name, GridChoice choice, const SolidPlace& place) const {
    return shape_region(box(), choice, name, space_set(solid_, place, name), {});
  }

  SolidPointer solid_;
  SpaceSetPointer interior_;
  DomainPointer whole_;
};

}  // namespace

DomainPointer shape_domain(const Box& box, const std::string& text, std::vector<NamedShape> shapes) {
  const std::size_t dimension = space_names(box).size();
  if (dimension == 0)
    throw InputError({.key = "shapes", .rule = "the problem has no space for shapes", .hint = "add a coordinate"});
  const NamedShape around = box_around(box);
  for (const NamedShape& shape : shapes) {
    if (static_cast<std::size_t>(shape.shape->dimension()) != dimension)
      throw InputError({.key = "shapes." + shape.name,
                        .rule = "has " + std::to_string(shape.shape->dimension()) + " coordinates; the problem has " +
                                std::to_string(dimension) + " in space"});
    check_size(shape, around.shape->bounds().diagonal());
  }
  shapes.push_back(around);
  const auto solid = std::make_shared<const Solid>(text, std::move(shapes));
  try {
    return std::make_shared<ShapeDomain>(box, solid, space_set(solid, {}, "interior"));
  } catch (const InputError&) {
    throw InputError({.key = "domain",
                      .value = text,
                      .rule = "the domain is empty: no point of the coordinates' ranges belongs to it",
                      .hint = "look at the places of the shapes"});
  }
}

}  // namespace pecann::sampling
