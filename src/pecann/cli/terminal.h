// What the place that a command writes to can show.
#pragma once

#include <cstdio>
#include <string_view>

#include "pecann/verdict/summary_text.h"

namespace pecann::cli {

/// Colours are used where the stream is a terminal that knows them (TERM is set and not "dumb") and NO_COLOR is unset
/// or empty (no-color.org).
verdict::Colour colour_for(std::FILE* stream);

/// Writes lines that have texts of files, names or users in them (base/input_error.h, safe_lines); no colours.
void say(std::FILE* stream, std::string_view lines);

/// `exit_code`, or 1 with a message where it is 0 and what was written to stdout has not arrived. A reader that has
/// gone away (`pecann run … | head`) wanted no more.
int after_output(int exit_code);

}  // namespace pecann::cli
