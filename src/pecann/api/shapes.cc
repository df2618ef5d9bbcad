#include "pecann/shapes.h"

#include <algorithm>

#include "pecann/api/expression_data.h"
#include "pecann/base/input_error.h"
#include "pecann/base/toml_number.h"
#include "pecann/mesh/mesh.h"
#include "pecann/sampling/shape_domain.h"

namespace pecann {
namespace {

Shape named_shape(const std::string& name, const std::string& kind, const std::string& value) {
  return Shape(name, {{name, "{ " + kind + " = " + value + " }"}});
}

Shape joined(const Shape& a, const char* sign, const Shape& b) {
  std::vector<Shape::Part> parts = a.parts();
  for (const Shape::Part& part : b.parts()) {
    const auto same =
        std::find_if(parts.begin(), parts.end(), [&](const Shape::Part& other) { return other.name == part.name; });
    if (same == parts.end()) {
      parts.push_back(part);
    } else if (same->text != part.text) {
      throw InputError({.key = "shapes." + part.name, .value = part.text, .rule = "another shape has this name"});
    }
  }
  const auto operand = [](const Shape& shape) {
    return shape.text().find(' ') == std::string::npos ? shape.text() : "(" + shape.text() + ")";
  };
  return Shape(operand(a) + sign + operand(b), std::move(parts));
}

Region region_of(const Shape& shape, const char* kind) {
  if (shape.text().find(' ') != std::string::npos)
    throw InputError({.key = "region",
                      .value = shape.text(),
                      .rule = "has no name of its own",
                      .hint = "name its shapes, joined by |: on(a) | on(b)"});
  return Region({{.name = kind, .coordinate = shape.text()}});
}

}  // namespace

Shape box() { return Shape(sampling::kBoxName, {}); }
Shape disc(const std::string& name, const std::vector<double>& centre, double radius) {
  return named_shape(name, "disc", "{ centre = " + toml_numbers(centre) + ", radius = " + toml_number(radius) + " }");
}
Shape ball(const std::string& name, const std::vector<double>& centre, double radius) {
  return named_shape(name, "ball", "{ centre = " + toml_numbers(centre) + ", radius = " + toml_number(radius) + " }");
}
Shape box(const std::string& name, const std::vector<double>& lower, const std::vector<double>& upper) {
  return named_shape(name, "box", "{ lower = " + toml_numbers(lower) + ", upper = " + toml_numbers(upper) + " }");
}
Shape ellipse(const std::string& name, const std::vector<double>& centre, const std::vector<double>& radii) {
  return named_shape(name, "ellipse", "{ centre = " + toml_numbers(centre) + ", radii = " + toml_numbers(radii) + " }");
}
Shape ellipsoid(const std::string& name, const std::vector<double>& centre, const std::vector<double>& radii) {
  return named_shape(name, "ellipsoid",
                     "{ centre = " + toml_numbers(centre) + ", radii = " + toml_numbers(radii) + " }");
}
Shape polygon(const std::string& name, const std::vector<std::vector<double>>& corners) {
  std::string list;
  for (const std::vector<double>& corner : corners) list += (list.empty() ? "" : ", ") + toml_numbers(corner);
  return named_shape(name, "polygon", "[" + list + "]");
}
Shape cylinder(const std::string& name, const std::vector<double>& from, const std::vector<double>& to, double radius) {
  return named_shape(
      name, "cylinder",
      "{ from = " + toml_numbers(from) + ", to = " + toml_numbers(to) + ", radius = " + toml_number(radius) + " }");
}
Shape half_space(const std::string& name, const std::vector<double>& point, const std::vector<double>& normal) {
  return named_shape(name, "half-space",
                     "{ point = " + toml_numbers(point) + ", normal = " + toml_numbers(normal) + " }");
}
Shape where(const std::string& name, const Expression& comparison) {
  return named_shape(name, "where", "\"" + comparison.text() + "\"");
}

Shape from_file(const std::string& name, const std::string& file) { return named_shape(name, "file", toml_text(file)); }

Shape turned(const Shape& shape, double angle, const std::vector<double>& axis, const std::vector<double>& about) {
  if (shape.parts().size() != 1 || shape.text() != shape.parts()[0].name)
    throw InputError({.key = "shapes", .value = shape.text(), .rule = "only a single named shape can be turned"});
  Shape::Part part = shape.parts()[0];  // { box = { … } }
  part.text = part.text.substr(0, part.text.size() - 2) + ", angle = " + toml_number(angle) +
              (axis.empty() ? "" : ", axis = " + toml_numbers(axis)) +
              (about.empty() ? "" : ", about = " + toml_numbers(about)) + " }";
  return Shape(shape.text(), {std::move(part)});
}

Mesh Mesh::read(const std::string& name, const std::string& file) {
  const mesh::Mesh contents = mesh::read_mesh(file);
  Mesh mesh(from_file(name, file));
  mesh.dimension_ =
      std::ranges::all_of(contents.points, [&](const auto& point) { return point[2] == contents.points[0][2]; }) ? 2
                                                                                                                 : 3;
  mesh.points_ = contents.points.size();
  for (const mesh::CellKind kind : contents.kinds) mesh.cells_ += mesh::row_of(kind).dimension == mesh.dimension_;
  for (const mesh::Group& group : contents.groups) {
    if (group.dimension == mesh.dimension_) mesh.materials_.push_back(group.name);
    if (group.dimension == mesh.dimension_ - 1) mesh.boundaries_.push_back(group.name);
  }
  return mesh;
}

Shape operator+(const Shape& a, const Shape& b) { return joined(a, " + ", b); }
Shape operator-(const Shape& a, const Shape& b) { return joined(a, " - ", b); }
Shape operator&(const Shape& a, const Shape& b) { return joined(a, " & ", b); }

Region on(const Shape& shape) { return region_of(shape, "on"); }
Region inside(const Shape& shape) { return region_of(shape, "inside"); }
Region on(const std::string& name) { return Region({{.name = "on", .coordinate = name}}); }
Region inside(const std::string& name) { return Region({{.name = "inside", .coordinate = name}}); }

}  // namespace pecann
