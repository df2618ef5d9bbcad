// Points of the union of regions.
#pragma once

#include "pecann/sampling/region.h"

namespace pecann::sampling {

/// Points of the union of the regions, in their order; nodes of a grid that belong to two of them are taken once.
/// Throws InputError when no point results, and where there would be more than kMostPoints.
PointSet sample(const Regions& regions, const PointRule& rule, RandomStream& stream, const WantedColumns& wanted = {});

/// How many points sample() would give, at most (shared nodes of a grid count once per piece), with the same refusals.
double count_points(const Regions& regions, const PointRule& rule);

/// True where both lists write the same regions.
bool same_regions(const Regions& a, const Regions& b);

}  // namespace pecann::sampling
