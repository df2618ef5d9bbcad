// The domain that is a solid: "box - hole", extruded in time.
#pragma once

#include "pecann/sampling/domain.h"
#include "pecann/sampling/shape_region.h"

namespace pecann::sampling {

/// The box around everything, in space, and its name in problem files.
inline constexpr const char* kBoxName = "box";

/// The domain that `text` says, of the shapes; the box around everything is added. Throws InputError (keys "domain"
/// and "shapes") where the text is wrong, where the domain is empty, and where shapes and coordinates do not fit.
DomainPointer shape_domain(const Box& box, const std::string& text, std::vector<NamedShape> shapes);

}  // namespace pecann::sampling
