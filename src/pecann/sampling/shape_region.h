// The regions of a domain that is a solid (sampling/solid.h), extruded in time.
//
// A random rule's count is the number of points of the whole region, shared out among its pieces by length, area or
// volume; a piece that would get fewer has kLeastPoints. A grid takes its nodes that belong to the region; on curved
// boundaries it has none.
#pragma once

#include "pecann/sampling/region.h"
#include "pecann/sampling/solid.h"

namespace pecann::sampling {

inline constexpr std::size_t kLeastPoints = 4;

using SolidPointer = std::shared_ptr<const Solid>;

/// What a region takes of space.
struct SolidPlace {
  enum class Kind {
    Interior,  // inside the solid
    Boundary,  // the solid's boundary, or the part of it on one shape
    Surface,   // what of a shape's surface belongs to the solid; normals point out of the shape
    Plane      // what of a plane across the coordinates belongs to the solid
  };
  Kind kind = Kind::Interior;
  int shape = -1;       // Boundary: -1 is all of it; Surface
  int coordinate = -1;  // Plane, in space
  double value = 0;     // Plane
  SidePointer side;     // Boundary and Surface: the named part of the shape's surface; null: all of it
};

/// When a region is: at all times, or at one time that moves with windows (First) or stays (Fixed).
struct TimePlace {
  enum class Kind { All, First, Last, Fixed };
  Kind kind = Kind::All;
  double value = 0;  // Fixed
};

class SpaceSet;
using SpaceSetPointer = std::shared_ptr<const SpaceSet>;

/// What lies there. Throws InputError (key "region") with the name where nothing does.
SpaceSetPointer space_set(const SolidPointer& solid, const SolidPlace& place, const std::string& name);

/// `name` is what problem files call the region.
RegionPointer shape_region(const Box& box, GridChoice choice, std::string name, SpaceSetPointer set,
                           const TimePlace& time);

/// Points by the columns of their coordinates in space.
SpacePoints space_of(const PointSet& points, const Box& box);

/// Shares out `count` points by measure, at least kLeastPoints each.
std::vector<std::size_t> shared_out(std::size_t count, std::span<const double> measures);

}  // namespace pecann::sampling
