// The domain of a problem: what lies inside the box of the coordinates' ranges, the regions that problem files name,
// and the points that errors are taken on. Domains are immutable and shared; the box itself is in box_domain.h.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pecann/sampling/region.h"

namespace pecann::mesh {
struct Mesh;
}

namespace pecann::sampling {

class Domain {
 public:
  explicit Domain(Box box) : box_(std::move(box)) {}
  virtual ~Domain() = default;

  const Box& box() const { return box_; }  // the box around the domain: the ranges of the coordinates

  /// The domain's interior and its boundary in space, at all times (the interior: at all times after the first).
  virtual RegionPointer interior(GridChoice choice) const = 0;
  virtual RegionPointer boundary(GridChoice choice) const = 0;
  /// The domain's interior in space at the first and at the last time.
  virtual RegionPointer at_start(GridChoice choice) const = 0;
  virtual RegionPointer at_end(GridChoice choice) const = 0;
  /// The part of the domain where a coordinate has this value.
  virtual RegionPointer plane(int coordinate, double value, GridChoice choice) const = 0;

  /// Regions of domains that have shapes, by the names of problem files: "hole", the part of the boundary on that
  /// shape (of a shape that does not bound the domain: its surface within); "inside hole", the shape within the domain.
  /// A point in space, at all times unless one is given. Null where the domain has no such shape.
  virtual RegionPointer on_shape(const std::string& name, GridChoice choice) const;
  virtual RegionPointer inside_shape(const std::string& name, GridChoice choice) const;
  RegionPointer point(const FlatPart& place) const;
  /// The names of the shapes, that of the box included, and of the groups of meshes; none where the domain has no
  /// shapes.
  virtual std::vector<std::string> shape_names() const { return {}; }
  /// The mesh that a shape is made of; the empty name stands for the first shape of the domain that has one. Null where
  /// there is none.
  virtual std::shared_ptr<const mesh::Mesh> mesh(const std::string& shape) const;
  /// What problem files write: the solid, empty for a box without shapes, and every shape with its text.
  virtual std::string text() const { return ""; }
  virtual std::vector<std::pair<std::string, std::string>> shape_texts() const { return {}; }
  /// The curves that bound a domain with two coordinates in space, each as [coordinate][point]; none for a box.
  virtual std::vector<std::vector<std::vector<double>>> outline() const { return {}; }
  /// A condition of C++ that holds at the domain's points, in space; names[c] is what the coordinate c is called there.
  virtual std::string cpp_condition(std::span<const std::string> names) const;

  /// Which points of the box belong to the domain (its boundary does), one entry per real point; an empty list means
  /// all of them.
  virtual std::vector<char> mask(const PointSet& points) const = 0;
  bool contains(std::span<const double> point) const;

  /// The same domain at the times of a window.
  virtual std::shared_ptr<const Domain> within(const Box& window) const = 0;

  /// The points where errors are taken: the nodes of a uniform grid over the box that belong to the domain, ends
  /// included, first coordinate fastest (a single node of a coordinate is its middle); with `at_last_time` all at
  /// the last time.
  virtual PointSet evaluation_points(std::span<const int> grid, bool at_last_time) const;
  /// The measure that each of these points stands for: Σ f · cell estimates the integral of f.
  virtual double evaluation_cell(std::span<const int> grid) const;

 private:
  Box box_;
};

using DomainPointer = std::shared_ptr<const Domain>;

/// The words that name a region in problem files.
struct RegionWord {
  const char* word;
  RegionPointer (Domain::*region)(GridChoice) const;
  bool needs_time, needs_space;
};
std::span<const RegionWord> region_words();

/// Those of the points that belong to the domain.
PointSet points_within(const Domain& domain, const PointSet& points);
/// Values at points outside the domain become NaN. values[i] has one value per real point.
void hide_outside(const Domain& domain, const PointSet& points, std::span<std::vector<double>> values);

}  // namespace pecann::sampling
