// What to say of a file that is not there.
#pragma once

#include <string>

namespace pecann {

/// "did you mean 'plate.toml'?" where the folder of the path has a file of a similar name, "there is no folder 'x'"
/// where that folder is missing; else "".
std::string hint_for_file(const std::string& path);

}  // namespace pecann
