// Names and numbers of a problem as C++ that compiles, whatever the problem calls its fields.
#pragma once

#include <set>
#include <string>

namespace pecann::results {

/// Letters, digits and underscores of `text`. What C++ or a macro may take for its own gets an underscore at its end:
/// keywords up to C++20, macros of compilers and the standard library in small letters, and names of two capitals or
/// more without a small letter (NAN, M_PI: macros are named so).
std::string cpp_name(const std::string& text);

/// The names of one scope, each given once.
class CppNames {
 public:
  explicit CppNames(std::set<std::string> taken) : taken_(std::move(taken)) {}

  /// cpp_name(text), with as many more underscores as make it a name that is not taken.
  std::string take(const std::string& text);

 private:
  std::set<std::string> taken_;
};

/// A double that reads back with the same bits, infinities and NaN included (these need <limits>).
std::string cpp_number(double value);

}  // namespace pecann::results
