// Lines for a terminal of 80 columns, coloured on request.
#pragma once

#include <string>

#include "pecann/verdict/summary_text.h"

namespace pecann::verdict {

inline constexpr std::size_t kTextWidth = 80;

/// The number of characters of a UTF-8 text, each taken to be one column wide.
std::size_t columns_of(const std::string& text);

/// The text in lines of at most kTextWidth columns, continued lines indented, each with its line end. Spaces
/// at the start stay. What a terminal would take for commands does not (`shortened`).
std::string wrapped(const std::string& text, std::size_t indent);

/// The text with the ANSI colour `code` ("1", "32") around it where colours are wanted.
std::string painted(const std::string& text, const char* code, Colour colour);

}  // namespace pecann::verdict
