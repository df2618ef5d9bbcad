/// \file
/// Where a term's equations hold, and on which points.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pecann/export.h"
#include "pecann/expression.h"
#include "pecann/table.h"

namespace pecann {

/// A part of the domain; `a | b` is the union.
class PECANN_API Region {
 public:
  /// A piece as problem files name it, and its choices on grids.
  struct Piece {
    std::string name;          ///< "interior", "boundary", "initial", "final", "face", "on" or "inside"
    std::string coordinate;    ///< face: the coordinate that is fixed; on, inside: the shape
    double value = 0;          ///< face: where
    bool closed = false;       ///< grids: with the nodes of its edges
    bool after_start = false;  ///< grids: without the first time
  };

  /// Not for users, who call interior(), boundary(), face(), ….
  explicit Region(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}
  /// The same region; grids take the nodes of its edges too.
  Region closed() const;
  /// The same region; grids leave out the first time.
  Region after_start() const;
  const std::vector<Piece>& pieces() const { return pieces_; }  ///< in the order of the union

 private:
  std::vector<Piece> pieces_;
};

/// The union of two regions; a grid takes shared nodes once.
PECANN_API Region operator|(const Region& a, const Region& b);
PECANN_API Region interior();                               ///< inside in space, after the first time
PECANN_API Region boundary();                               ///< all faces in space, at all times
PECANN_API Region initial_time();                           ///< first time, inside in space
PECANN_API Region final_time();                             ///< last time, inside in space
PECANN_API Region face(const Coordinate& x, double value);  ///< the plane x = value, also inside the domain
/// The region of terms whose points come from a file or from another term.
PECANN_API Region of_points();

/// A rule that chooses points of a region.
class PECANN_API Points {
 public:
  /// Kinds of rules.
  enum class Kind { Grid, Gauss, Sobol, Uniform, LatinHypercube, File, SameAs, Table, Chosen };

  /// Draws the points anew every so many epochs; not on grids.
  Points redraw(int epochs) const;
  /// Adds so many points, chosen with a probability proportional to the density: an expression of coordinates, fields,
  /// their derivatives and residual(). They are taken from `pool` random candidates (0: 16 for each point).
  Points near(std::size_t more, const Expression& density, std::size_t pool = 0) const;

  Kind kind = Kind::Grid;  ///< which rule
  std::vector<int> nodes;  ///< Grid, Gauss
  std::size_t count = 0;   ///< Sobol, Uniform, LatinHypercube
  int redraw_every = 0;    ///< 0: never
  std::string source;      ///< File: path; SameAs: name of the term

  std::vector<Column> columns;  ///< Table

  std::size_t near_count = 0;         ///< near(): how many
  std::optional<Expression> density;  ///< near(): where
  std::size_t near_pool = 0;          ///< near(): candidates
};

/// As many Sobol points as suit the problem, which training may change.
PECANN_API Points chosen_points();
/// Equidistant nodes per coordinate, ends included; a region takes the nodes that lie in it.
PECANN_API Points grid(const std::vector<int>& nodes);
/// Gauss–Legendre nodes per coordinate, all inside: for integrals of smooth functions over boxes and their sides.
PECANN_API Points gauss(const std::vector<int>& nodes);
PECANN_API Points sobol(std::size_t count);            ///< scrambled Sobol points; a boundary has so many on every face
PECANN_API Points uniform(std::size_t count);          ///< independent random points
PECANN_API Points latin_hypercube(std::size_t count);  ///< Latin hypercube
PECANN_API Points points_file(const std::string& path);  ///< .csv or .npy with the coordinates
/// Numbers of the program: a column for every coordinate, and further ones that the term's equations call data("NAME"),
/// such as a source term that is known on these points only:
///
///     problem.objective("pde", d(u, x, x) == data("f"), of_points(), points_table({{"x", xs}, {"f", fs}}));
///
/// A training in a folder keeps them there.
PECANN_API Points points_table(std::vector<Column> columns);
PECANN_API Points points_of(const std::string& term);  ///< the points of another term: one network pass for both

}  // namespace pecann
