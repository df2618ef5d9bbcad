// Some points of a set, padded like any other.
#pragma once

#include <span>

#include "pecann/sampling/points.h"

namespace pecann::sampling {

PointSet subset(const PointSet& points, std::span<const std::size_t> chosen);

}  // namespace pecann::sampling
