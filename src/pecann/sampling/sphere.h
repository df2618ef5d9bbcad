// Points spread evenly over unit spheres.
#pragma once

#include "pecann/sampling/shape.h"

namespace pecann::sampling {

/// The area of the unit sphere in so many dimensions: 2 π^(n/2) / Γ(n/2).
double sphere_area(int dimension);

/// Points of the unit sphere in n ≥ 2 dimensions from n − 1 numbers in [0, 1] by area. The first coordinate h of a
/// point spread evenly over the sphere has the density (1 − h²)^((n−3)/2), so (1 − h)/2 a Beta distribution with both
/// parameters (n − 1)/2 (in three dimensions h is even: Archimedes); the others lie on a sphere of one dimension less.
void place_on_sphere(const Columns& unit, std::size_t count, int dimension, Columns& space);

}  // namespace pecann::sampling
