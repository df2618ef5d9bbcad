// The regions of a box: its interior, its faces in space (the boundary), its first and last time, and planes across it.
//
// `interior` and `boundary` mean space, at all times after the first (interior) or at all times (boundary); `initial`
// is the first time, inside in space; `final` the last time, inside in space; a plane fixes one coordinate anywhere in
// its range, inside in space. GridChoice changes what is taken at the rim. A random rule draws its number of points on
// every face of a boundary, in the order lower x, upper x, lower y, …; grids have the first coordinate fastest and take
// the corners that belong to two faces once, with the first one's normal.
#pragma once

#include "pecann/sampling/region.h"

namespace pecann::sampling {

RegionPointer box_interior(const Box& box, GridChoice choice);
RegionPointer box_boundary(const Box& box, GridChoice choice);
/// In a box without time these two can be named and written, but they refuse (InputError) to give points.
RegionPointer box_initial(const Box& box, GridChoice choice);
RegionPointer box_final(const Box& box, GridChoice choice);
RegionPointer box_plane(const Box& box, int coordinate, double value, GridChoice choice);

}  // namespace pecann::sampling
