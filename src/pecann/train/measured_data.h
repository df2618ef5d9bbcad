// Data terms: points and values from a file, or values synthesised from the exact solution with noise.
#pragma once

#include "pecann/base/random_stream.h"
#include "pecann/problem/problem.h"

namespace pecann::train {

/// The points of a term that names a file of coordinates.
sampling::PointSet points_from_file(const problem::TermSpec& term, const sampling::Box& box);

/// Adds the columns `data.NAME` of a data term to its points. Noise is drawn from the stream, one
/// number per point and name.
void measured_data(const problem::TermSpec& term, const problem::Problem& problem, RandomStream& noise,
                   sampling::PointSet& points);

}  // namespace pecann::train
