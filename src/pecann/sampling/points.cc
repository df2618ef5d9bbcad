#include "pecann/sampling/points.h"

#include <algorithm>

namespace pecann::sampling {

int Box::index_of(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace pecann::sampling
