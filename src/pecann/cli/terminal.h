// What the place that a command writes to can show.
#pragma once

#include <cstdio>

#include "pecann/verdict/summary_text.h"

namespace pecann::cli {

/// Colours are used where the stream is a terminal that knows them (TERM is set and not "dumb") and NO_COLOR is unset
/// or empty (no-color.org).
verdict::Colour colour_for(std::FILE* stream);

}  // namespace pecann::cli
