// A region is a part of the domain where equations hold; this is what the rest of the program asks of it. Regions are
// immutable and shared; those of a box are in sampling/box_region.h.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pecann/base/random_stream.h"
#include "pecann/sampling/point_rule.h"
#include "pecann/sampling/points.h"

namespace pecann::sampling {

/// Which nodes of a grid a region takes at its rim.
struct GridChoice {
  bool closed = false;       // nodes on edges too (initial: with the sides; faces: with their ends; interior: with t0)
  bool after_start = false;  // no nodes at the first time (boundary of the vortex)
};

/// The columns that sampled points are to carry.
struct WantedColumns {
  bool normals = false;  // kNormalColumn + name of each coordinate in space
  bool weights = false;  // kWeightColumn
  bool slices = false;   // weights are of space alone, at every time; products of nodes only
};

/// The times at which a region's equations hold.
enum class Times { All, Start, Later };  // Start: the first time alone; Later: one later time alone

/// A closed flat part of a region: the coordinates that are fixed there; the others run over their ranges.
using FlatPart = std::vector<std::optional<double>>;

class Region {
 public:
  Region(Box box, GridChoice choice) : box_(std::move(box)), choice_(choice) {}
  virtual ~Region() = default;

  const Box& box() const { return box_; }  // the coordinates' ranges

  /// The name that problem files use: "interior", "x = 0".
  virtual std::string name() const = 0;
  /// The text that problem files write: the quoted name, or a table of the name and the choices on grids. Regions of
  /// one problem are the same where their texts are.
  virtual std::string text() const;
  GridChoice choice() const { return choice_; }

  virtual Times times() const = 0;
  /// The number of directions within the region, time included: 0 for single points.
  virtual int dimension() const = 0;
  /// Length, area or volume in all coordinates, time included; single points count 1 each.
  virtual double measure() const = 0;
  /// Which of the points lie in the region, one entry per real point: the points that a grid with nodes
  /// there would take.
  virtual std::vector<char> contains(const PointSet& points) const = 0;
  bool contains(std::span<const double> point) const { return contains(single_point(point))[0] != 0; }

  /// True where the region bounds the domain in space, or parts it (a plane inside).
  virtual bool has_normals() const = 0;
  /// Adds the columns kNormalColumn + name to points of the region: the unit normal that points out of the domain, on a
  /// plane inside it towards larger values of the coordinate.
  virtual void add_normals(PointSet& points) const = 0;

  /// The same region of a domain with these ranges (a time window). What holds at the first time moves to the beginning
  /// of the window.
  virtual std::shared_ptr<const Region> within(const Box& window) const = 0;

  /// How many points each piece of the region would get by this rule (shared nodes of a grid count once per piece).
  /// Throws InputError naming the memory where they are more than kMostPoints, before anything is allocated for them.
  virtual std::vector<double> piece_counts(const PointRule& rule) const = 0;
  double count(const PointRule& rule) const;
  /// The points of the region, each once, in an order that the rule and the stream fix; none where a grid has
  /// no nodes here.
  virtual PointSet sample(const PointRule& rule, RandomStream& stream, const WantedColumns& wanted = {}) const = 0;

  /// The flat parts that the region consists of; empty for a curved region.
  virtual std::vector<FlatPart> flat_parts() const = 0;

 private:
  Box box_;
  GridChoice choice_;
};

using RegionPointer = std::shared_ptr<const Region>;
using Regions = std::vector<RegionPointer>;

inline constexpr double kMostPoints = 1e8;

/// Refuses (InputError) more than kMostPoints points of so many coordinates, naming the memory that they would need.
void require_reasonable(double count, int dimension);

/// Refuses (InputError, key "points") what a rule asks of a region.
[[noreturn]] void refuse_points(std::string value, std::string rule, std::string hint = "");

}  // namespace pecann::sampling
