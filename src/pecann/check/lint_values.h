// Values of coordinate-only expressions on points, for the checks.
#pragma once

#include <vector>

#include "pecann/expr/program.h"
#include "pecann/sampling/points.h"

namespace pecann::check {

/// The values of an expression, one per real point (padding left out).
std::vector<double> values_on(const expr::Expr& expression, const sampling::Box& box, const sampling::PointSet& points);

/// Points from one list of values per coordinate.
sampling::PointSet points_from(const std::vector<std::vector<double>>& coordinates);

/// The coordinates of one point.
std::vector<double> point_at(const sampling::PointSet& points, std::size_t index);

}  // namespace pecann::check
