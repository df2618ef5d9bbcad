// Fields on the surface of a body and inside of it, for a view that people can turn and cut.
#pragma once

#include <nlohmann/json.hpp>

#include "pecann/verdict/run_report.h"

namespace pecann::page {

/// The object {"bodies": […]}: one entry for a problem with three coordinates in space, none for others. It has the
/// surface (vertices, facets), the nodes of a grid through the box, the times, and for every field that depends on all
/// three coordinates its values, and where an exact solution is known its errors, on both.
nlohmann::ordered_json page_surface(const verdict::RunReport& report);

}  // namespace pecann::page
