// Numbers and texts as TOML writes them.
#pragma once

#include <span>
#include <string>

namespace pecann {

/// The shortest text that reads back to the same number.
std::string toml_number(double value);
/// "[1, 2.5]"
std::string toml_numbers(std::span<const double> values);
/// A text in quotation marks.
std::string toml_text(const std::string& text);

}  // namespace pecann
