// Solids: unions (+), differences (−) and intersections (&) of shapes, and which points belong to them.
//
// What a point is, is decided by formulas of the shapes alone, with a tolerance of 1e-10 of the size of things. A point
// within it of the surface of a shape has two sides, that along the surface's normal and that against it; another shape
// whose surface passes through the same point has a side each too, by the direction of its own normal. So faces that
// coincide are treated as they are meant: two boxes that touch have no boundary between them, and a notch that ends on
// the face of a box opens it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pecann/sampling/shape.h"

namespace pecann::sampling {

struct NamedShape {
  std::string name;
  ShapePointer shape;
  std::string mesh = {};   // the shape of whose mesh this is a group of cells; files do not write it
  std::string group = {};  // what the group is called
};

class Solid {
 public:
  /// Reads "box - hole & pin": the names are those of `shapes`. The solid lies within the last of them, which is the
  /// box around everything. Throws InputError where the text is wrong. An & beside + or − needs parentheses.
  Solid(std::string text, std::vector<NamedShape> shapes);

  const std::string& text() const { return text_; }
  const std::vector<NamedShape>& shapes() const { return shapes_; }
  int dimension() const { return shapes_.back().shape->dimension(); }
  /// True where the text names the shape (or it is the box around everything).
  bool has(int shape) const;
  int index_of(const std::string& name) const;  // -1 when unknown
  /// The box around everything, without what the shapes show to be outside.
  Bounds bounds() const;
  double tolerance() const { return tolerance_; }

  enum class Place : char { Outside, Boundary, Inside };
  std::vector<Place> places(const SpacePoints& points) const;

  /// Points of a surface with these normals.
  struct Surface {
    const SpacePoints& points;
    const Columns& normals;
    int shape = -1;  // whose surface it is; -1: none of the solid's
  };
  /// What lies beside points of a surface: against its normal and along it, and whether another shape's surface cuts it
  /// there at an angle.
  struct Sides {
    std::vector<char> behind, ahead, cut;
    std::vector<int> first;  // the first shape with the same tangent plane there; the surface's own if none before
  };
  Sides sides(const Surface& surface) const;

  /// For every point the radius of a ball around it that meets no surface of the shapes, but for `except`; zero where a
  /// shape does not know.
  void clearances(const SpacePoints& points, int except, std::span<double> radii) const;

  /// A condition of C++ that holds at the solid's points, as Shape::cpp_condition.
  std::string cpp_condition(std::span<const std::string> names) const;

 private:
  enum Operation { kUnion = -1, kDifference = -2, kIntersection = -3 };
  class TextReader;

  /// The truth of the solid from the truth of its shapes, truth[shape][point].
  std::vector<char> combined(const std::vector<std::vector<char>>& truth, std::size_t count) const;
  void probe_around(const SpacePoints& points, const std::vector<std::vector<std::size_t>>& on,
                    std::vector<char>& some_in, std::vector<char>& some_out) const;
  std::vector<std::vector<double>> levels(const SpacePoints& points) const;

  std::string text_;
  std::vector<NamedShape> shapes_;
  std::vector<int> program_;  // shapes by number and operations, each behind its two operands
  double tolerance_;
};

}  // namespace pecann::sampling
