// Shapes: closed sets of points of space that domains are built of (sampling/solid.h). A shape says by formulas which
// points it has, its outward normals, and patches that cover its surface. Shapes are immutable and shared; those that
// problem files name are made in sampling/shapes.h.
//
// Points are asked for in sets, never one by one in a loop.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pecann::mesh {
struct Mesh;
}

namespace pecann::sampling {

/// Numbers of points, [coordinate][point].
using Columns = std::vector<std::vector<double>>;

/// A view of points of space: one array per coordinate in space.
struct SpacePoints {
  SpacePoints(std::vector<const double*> arrays, std::size_t size) : columns(std::move(arrays)), count(size) {}
  SpacePoints(const Columns& points);  // NOLINT: columns are points

  int dimension() const { return static_cast<int>(columns.size()); }
  const double* operator[](int coordinate) const { return columns[static_cast<std::size_t>(coordinate)]; }
  /// The points first, first + 1, … of these.
  SpacePoints part(std::size_t first, std::size_t size) const;

  std::vector<const double*> columns;
  std::size_t count;
};

/// A box with sides parallel to the axes; ends may be infinite.
struct Bounds {
  std::vector<double> lower, upper;

  int dimension() const { return static_cast<int>(lower.size()); }
  double diagonal() const;
  double volume() const;
};

/// A part of a surface, or of space: the image of the unit cube under a map that keeps the ratio of measures, so that
/// points spread evenly over the cube are spread evenly over the patch.
class Patch {
 public:
  Patch(int parameters, double measure) : parameters_(parameters), measure_(measure) {}
  virtual ~Patch() = default;

  int parameters() const { return parameters_; }  // 0: a single point, which counts 1
  double measure() const { return measure_; }     // length, area or volume
  /// unit[parameter][point] → space[coordinate][point]; `count` points.
  virtual void place(const Columns& unit, std::size_t count, Columns& space) const = 0;
  /// Where a curve (one parameter) has corners: between neighbours of these it is smooth. From 0 to 1.
  virtual std::vector<double> corners() const { return {0, 1}; }
  /// False where neighbours in the cube may lie far apart on the patch.
  virtual bool is_continuous() const { return true; }
  /// Where the map does not keep the ratio of measures, points are thinned out: of points spread evenly over the cube
  /// each is kept with the probability kept_share.
  virtual bool is_thinned() const { return false; }
  virtual std::vector<double> kept_share(const Columns& /*unit*/, std::size_t count) const {
    return std::vector<double>(count, 1.0);
  }

 private:
  int parameters_;
  double measure_;
};

using PatchPointer = std::shared_ptr<const Patch>;

/// A part of a shape's surface that has a name of its own: a group of a mesh.
class Side {
 public:
  virtual ~Side() = default;

  virtual std::string name() const = 0;
  /// True where it lies inside the shape, as between two materials.
  virtual bool is_inner() const = 0;
  /// Patches that cover it, each part once.
  virtual std::vector<PatchPointer> patches() const = 0;
  virtual void distances(const SpacePoints& points, std::span<double> distances) const = 0;
  /// As Shape::normals; those of an inner side point where the file lets them.
  virtual void normals(const SpacePoints& points, Columns& normals) const = 0;
};

using SidePointer = std::shared_ptr<const Side>;

class Shape {
 public:
  virtual ~Shape() = default;

  virtual int dimension() const = 0;
  /// The level of points: negative inside, positive outside, zero on the surface.
  virtual void levels(const SpacePoints& points, std::span<double> levels) const = 0;
  /// True where no level is larger than the distance from the surface: then a ball around a point that is smaller than
  /// its level does not meet the surface.
  virtual bool levels_are_distances() const { return true; }
  /// The unit normals that point out of the shape, normals[coordinate][point], at points of its surface; near it the
  /// direction in which the level rises fastest. Where two smooth parts meet it is that of the first of them.
  virtual void normals(const SpacePoints& points, Columns& normals) const = 0;

  /// A box around the shape.
  virtual Bounds bounds() const = 0;
  /// Length, area or volume; nothing where there is no formula.
  virtual std::optional<double> volume() const = 0;
  /// Patches that cover the surface within a box, each part of it once.
  virtual std::vector<PatchPointer> surface(const Bounds& within) const = 0;

  /// The parts of the surface that have names.
  virtual std::vector<SidePointer> sides() const { return {}; }
  /// The mesh that the shape was made of; null for all others.
  virtual std::shared_ptr<const mesh::Mesh> mesh() const { return nullptr; }

  /// The shape as problem files write it: { disc = { centre = [0, 0], radius = 1 } }.
  virtual std::string text() const = 0;
  /// A condition of C++ that holds at the points of the shape. names[c] is what the coordinate c is called there.
  virtual std::string cpp_condition(std::span<const std::string> names) const = 0;
};

using ShapePointer = std::shared_ptr<const Shape>;

}  // namespace pecann::sampling
