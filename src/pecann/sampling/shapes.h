// The shapes with formulas, by the words of problem files. Whoever calls has checked sizes and numbers: radii are
// positive, all points have the same number of coordinates.
#pragma once

#include <array>
#include <vector>

#include "pecann/sampling/shape.h"

namespace pecann::sampling {

using SpacePoint = std::vector<double>;

/// A disc (two coordinates), a ball, or an interval (one coordinate).
ShapePointer ball(const SpacePoint& centre, double radius);
/// A box with sides parallel to the axes, of any dimension.
ShapePointer box_shape(const SpacePoint& lower, const SpacePoint& upper);
/// An ellipse or ellipsoid with axes parallel to the coordinates', in two or three dimensions.
ShapePointer ellipsoid(const SpacePoint& centre, const SpacePoint& radii);
/// The polygon with these corners, in either sense. It must not cross itself (polygon_fault).
ShapePointer polygon(const std::vector<std::array<double, 2>>& corners);
inline constexpr std::size_t kMostCorners = 2000;  // every level asks all sides
/// What is wrong with a list of corners, in words; empty: nothing.
std::string polygon_fault(const std::vector<std::array<double, 2>>& corners);
/// A cylinder in three dimensions: the points within `radius` of the axis between the middles of its ends.
ShapePointer cylinder(const SpacePoint& from, const SpacePoint& to, double radius);
/// The points p with (p − point)·normal ≤ 0, of any dimension. The normal need not be a unit vector.
ShapePointer half_space(const SpacePoint& point, const SpacePoint& normal);

/// A turn by an angle in radians: in the plane from the first coordinate towards the second, in space round an axis, as
/// a right-handed screw.
struct Turn {
  double angle = 0;
  SpacePoint axis;   // three dimensions; of any length but zero
  SpacePoint about;  // the point that stays
};
/// A bounded shape of two or three dimensions, turned. It is not a mesh.
ShapePointer turned(ShapePointer shape, const Turn& turn);

}  // namespace pecann::sampling
