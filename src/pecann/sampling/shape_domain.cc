#include "pecann/sampling/shape_domain.h"

#include <algorithm>
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

/// A named part of a shape's surface, and the shape's number.
struct NamedSide {
  SidePointer side;
  int shape;
};
using NamedSides = std::vector<NamedSide>;

class ShapeDomain final : public Domain {
 public:
  ShapeDomain(const Box& box, SolidPointer solid, SpaceSetPointer interior, std::shared_ptr<const NamedSides> sides)
      : Domain(box),
        solid_(std::move(solid)),
        interior_(std::move(interior)),
        sides_(std::move(sides)),
        whole_(box_domain(box)) {}

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
    int shape = shape_called(name, false);
    if (shape < 0) {
      const NamedSide* found = nullptr;
      for (const NamedSide& side : *sides_) {
        const std::string& of = solid_->shapes()[side.shape].name;
        if (name != side.side->name() && name != of + "." + side.side->name()) continue;
        if (found != nullptr) refuse_double(name, of);
        found = &side;
      }
      if (found != nullptr) {
        const bool bounds = solid_->has(found->shape) && !found->side->is_inner();
        return region(name, choice,
                      {.kind = bounds ? SolidPlace::Kind::Boundary : SolidPlace::Kind::Surface,
                       .shape = found->shape,
                       .side = found->side});
      }
      shape = shape_called(name, true);
    }
    if (shape < 0) return nullptr;
    const bool bounds = solid_->has(shape);
    return region(name, choice,
                  {.kind = bounds ? SolidPlace::Kind::Boundary : SolidPlace::Kind::Surface, .shape = shape});
  }

  RegionPointer inside_shape(const std::string& name, GridChoice choice) const override {
    int shape = shape_called(name, false);
    if (shape < 0) shape = shape_called(name, true);
    if (shape < 0) return nullptr;
    // The text of the domain does not mention shapes whose names it could not write: they get another one.
    std::vector<NamedShape> shapes = solid_->shapes();
    if (!solid_->has(shape)) shapes[shape].name = "inside";
    // A group of cells lies in its mesh, and needs not be cut with it.
    const bool within = !shapes[shape].mesh.empty() && solid_->text() == shapes[shape].mesh;
    const std::string text = within ? shapes[shape].name : "(" + solid_->text() + ") & " + shapes[shape].name;
    const auto both = std::make_shared<const Solid>(text, shapes);
    return shape_region(box(), choice, "inside " + name, space_set(both, {}, "inside " + name), {});
  }

  std::vector<std::string> shape_names() const override {
    std::vector<std::string> names;
    for (const NamedShape& shape : solid_->shapes()) names.push_back(shape.name);
    for (const NamedSide& side : *sides_)
      if (std::find(names.begin(), names.end(), side.side->name()) == names.end()) names.push_back(side.side->name());
    return names;
  }

  std::shared_ptr<const mesh::Mesh> mesh(const std::string& name) const override {
    for (int s = 0; s < static_cast<int>(solid_->shapes().size()); ++s) {
      const NamedShape& shape = solid_->shapes()[s];
      if (name.empty() ? solid_->has(s) && shape.shape->mesh() : shape.name == name) return shape.shape->mesh();
    }
    return nullptr;
  }

  std::string text() const override { return solid_->text(); }

  std::vector<std::pair<std::string, std::string>> shape_texts() const override {
    std::vector<std::pair<std::string, std::string>> texts;
    for (const NamedShape& shape : solid_->shapes())
      if (shape.name != kBoxName && shape.mesh.empty()) texts.emplace_back(shape.name, shape.shape->text());
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
    return std::make_shared<ShapeDomain>(window, solid_, interior_, sides_);
  }

 private:
  /// The number of a shape, or of a group of cells ("core", "part.core"); -1 where there is none.
  int shape_called(const std::string& name, bool groups) const {
    int found = -1;
    for (int s = 0; s < static_cast<int>(solid_->shapes().size()); ++s) {
      const NamedShape& shape = solid_->shapes()[s];
      if (shape.mesh.empty() == groups) continue;
      if (!groups && name != shape.name) continue;
      if (groups && name != shape.group && name != shape.mesh + "." + shape.group) continue;
      if (found >= 0) refuse_double(name, shape.mesh);
      found = s;
    }
    return found;
  }

  [[noreturn]] static void refuse_double(const std::string& name, const std::string& mesh) {
    throw InputError({.key = "region",
                      .value = name,
                      .rule = "two groups of meshes have this name",
                      .hint = "say of which mesh, as in \"" + mesh + "." + name + "\""});
  }

  /// True where the shapes cut nothing off: regions are those of the box, with its points.
  bool is_box() const { return solid_->text() == kBoxName; }

  RegionPointer region(const std::string& name, GridChoice choice, const SolidPlace& place) const {
    return shape_region(box(), choice, name, space_set(solid_, place, name), {});
  }

  SolidPointer solid_;
  SpaceSetPointer interior_;
  std::shared_ptr<const NamedSides> sides_;
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
  auto sides = std::make_shared<NamedSides>();
  for (int s = 0; s < static_cast<int>(solid->shapes().size()); ++s)
    for (const SidePointer& side : solid->shapes()[s].shape->sides()) sides->push_back({side, s});
  try {
    return std::make_shared<ShapeDomain>(box, solid, space_set(solid, {}, "interior"), sides);
  } catch (const InputError&) {
    throw InputError({.key = "domain",
                      .value = text,
                      .rule = "the domain is empty: no point of the coordinates' ranges belongs to it",
                      .hint = "look at the places of the shapes"});
  }
}

}  // namespace pecann::sampling
