// The region that is one point of space, at all times or at one time.
#pragma once

#include "pecann/sampling/region.h"

namespace pecann::sampling {

/// `place` has every coordinate in space; time may be left open.
RegionPointer point_region(const Box& box, const FlatPart& place);

}  // namespace pecann::sampling
