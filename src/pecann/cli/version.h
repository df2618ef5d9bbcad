// What this program is: for --version, run headers and reports.
#pragma once

#include <string>

namespace pecann::cli {

std::string version_text();

}  // namespace pecann::cli
