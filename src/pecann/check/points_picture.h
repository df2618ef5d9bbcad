// A picture of the points of training, before it: the domain's outline and the points of every term in a colour.
#pragma once

#include <string>

#include "pecann/train/assembly.h"

namespace pecann::check {

/// An SVG of the plane of the first two coordinates, those in space before time. Of terms with many points some are
/// shown. Throws InputError for problems with one coordinate.
std::string points_picture(const problem::Problem& problem, const train::Assembly& assembly);

}  // namespace pecann::check
