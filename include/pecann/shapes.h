/// \file
/// Shapes that domains are made of: `box() - hole + pin`, with names that regions use.
///
///     const Shape hole = disc("hole", {0.5, 0.5}, 0.2);
///     problem.domain(box() - hole);
///     problem.constraint("rim", dn(u) == 0, on(hole), sobol(200));
///
/// Shapes live in space, the coordinates but "t", and are extruded in time. Points of space list them in the
/// order of the problem.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pecann/export.h"
#include "pecann/regions.h"

namespace pecann {

/// A named shape, or what `+`, `-` and `&` make of several.
class PECANN_API Shape {
 public:
  /// A named shape as problem files write it.
  struct Part {
    std::string name;  ///< letters, digits and _
    std::string text;  ///< "{ disc = { centre = [0, 0], radius = 1 } }"
  };
  /// Not for users, who call disc(), polygon(), ….
  Shape(std::string text, std::vector<Part> parts) : text_(std::move(text)), parts_(std::move(parts)) {}

  const std::string& text() const { return text_; }          ///< "box - hole"
  const std::vector<Part>& parts() const { return parts_; }  ///< the shapes that it mentions, each once

 private:
  std::string text_;
  std::vector<Part> parts_;
};

/// \name Shapes
/// @{
PECANN_API Shape box();  ///< the box of the coordinates' ranges
PECANN_API Shape disc(const std::string& name, const std::vector<double>& centre, double radius);  ///< two coordinates
PECANN_API Shape ball(const std::string& name, const std::vector<double>& centre, double radius);  ///< any dimension
/// A box with sides parallel to the axes, in any dimension.
PECANN_API Shape box(const std::string& name, const std::vector<double>& lower, const std::vector<double>& upper);
/// Axes parallel to the coordinates', two of them.
PECANN_API Shape ellipse(const std::string& name, const std::vector<double>& centre, const std::vector<double>& radii);
/// Axes parallel to the coordinates', three of them.
PECANN_API Shape ellipsoid(const std::string& name, const std::vector<double>& centre,
                           const std::vector<double>& radii);
PECANN_API Shape polygon(const std::string& name,
                         const std::vector<std::vector<double>>& corners);  ///< in either sense
/// Three coordinates; `from` and `to` are the middles of the ends.
PECANN_API Shape cylinder(const std::string& name, const std::vector<double>& from, const std::vector<double>& to,
                          double radius);
/// The points p with (p - point) · normal ≤ 0, in any dimension.
PECANN_API Shape half_space(const std::string& name, const std::vector<double>& point,
                            const std::vector<double>& normal);
/// The points where a comparison of coordinates holds, as in where("blob", x * x + 2 * y * y < 0.25).
PECANN_API Shape where(const std::string& name, const Expression& comparison);
/// The mesh of a file: Gmsh's .msh, .stl, .vtu or .vtk. Its groups are regions: on("inlet"), inside("core").
PECANN_API Shape from_file(const std::string& name, const std::string& file);
/// A named box, ellipse, ellipsoid or polygon turned by an angle in radians: in the plane from the first coordinate
/// towards the second, in space round an axis. The middle of the shape stays, or the point `about`.
PECANN_API Shape turned(const Shape& shape, double angle, const std::vector<double>& axis = {},
                        const std::vector<double>& about = {});
/// @}

/// The mesh of a file as a shape, read to know its groups: Mesh::read("part", "part.msh").
class PECANN_API Mesh : public Shape {
 public:
  /// Reads a .msh, .stl, .vtu or .vtk file; throws InputError where it is none or broken.
  static Mesh read(const std::string& name, const std::string& file);

  int dimension() const { return dimension_; }                                ///< of the space that it lies in: 2 or 3
  std::size_t points() const { return points_; }                              ///< nodes of the file
  std::size_t cells() const { return cells_; }                                ///< that fill space; a surface has none
  const std::vector<std::string>& boundaries() const { return boundaries_; }  ///< groups for on(…)
  const std::vector<std::string>& materials() const { return materials_; }    ///< groups for inside(…)

 private:
  explicit Mesh(const Shape& shape) : Shape(shape) {}

  int dimension_ = 0;
  std::size_t points_ = 0, cells_ = 0;
  std::vector<std::string> boundaries_, materials_;
};

/// \name What is made of them
/// @{
PECANN_API Shape operator+(const Shape& a, const Shape& b);  ///< union
PECANN_API Shape operator-(const Shape& a, const Shape& b);  ///< difference
PECANN_API Shape operator&(const Shape& a, const Shape& b);  ///< intersection
/// @}

/// \name Regions of shapes
/// @{

/// The part of the domain's boundary that lies on a named shape; of one that does not bound the domain its surface
/// within, where the normal points out of the shape.
PECANN_API Region on(const Shape& shape);
PECANN_API Region inside(const Shape& shape);  ///< the interior of a named shape within the domain
/// The same by name, also of a group of a mesh: "inlet", or "part.inlet" where several meshes have one.
PECANN_API Region on(const std::string& name);
PECANN_API Region inside(const std::string& name);  ///< the interior of a shape or of a group of cells
/// @}

}  // namespace pecann
