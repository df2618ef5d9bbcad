// The line of names that a CSV file begins with. Names that hold a comma, a quote or a line end are quoted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pecann {

/// The header line of these names, with its line end.
std::string csv_header(const std::vector<std::string>& names);

/// Takes the header line off the text and returns its names; returns nothing while the line is not complete.
std::vector<std::string> take_csv_header(std::string_view& text);

}  // namespace pecann
