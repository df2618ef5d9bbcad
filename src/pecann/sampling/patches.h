// Patches that several shapes have.
#pragma once

#include "pecann/sampling/shapes.h"

namespace pecann::sampling {

/// A single point.
PatchPointer point_patch(const SpacePoint& point);
/// origin + Σ u_k edges[k]; the edges are perpendicular to each other.
PatchPointer flat_patch(const SpacePoint& origin, const std::vector<SpacePoint>& edges);
/// The box itself, as a patch with as many parameters as coordinates.
PatchPointer box_patch(const Bounds& bounds);
/// Straight pieces from corner to corner.
PatchPointer polyline_patch(const std::vector<std::array<double, 2>>& corners);

/// Perpendicular unit vectors that span the plane perpendicular to a unit vector.
std::vector<SpacePoint> basis_of_plane(const SpacePoint& normal);

}  // namespace pecann::sampling
