// The domain that fills the box of the coordinates' ranges.
#pragma once

#include "pecann/sampling/domain.h"

namespace pecann::sampling {

DomainPointer box_domain(const Box& box);

}  // namespace pecann::sampling
