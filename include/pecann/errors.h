/// \file
/// What the exceptions of this library say, in parts.
#pragma once

#include <exception>
#include <optional>
#include <string>

#include "pecann/export.h"

namespace pecann {

/// A mistake in a problem or in the options of a call. Parts that do not apply are empty or 0.
struct InputFault {
  std::string file;   ///< path of the file
  int line = 0;       ///< from 1
  int column = 0;     ///< from 1
  std::string key;    ///< "term.pde.equation"
  std::string value;  ///< as it was written
  std::string rule;   ///< what is wrong, and what is allowed
  std::string hint;   ///< what to do, or the nearest known name
};

/// The mistake that an exception of this library reports; nothing for exceptions of other kinds:
///
///     catch (const std::runtime_error& error) {
///       if (const auto fault = input_fault(error)) mark_line(fault->file, fault->line);
///     }
///
/// Bugs of the library are std::logic_error, whose what() begins with "internal error"; nothing aborts.
PECANN_API std::optional<InputFault> input_fault(const std::exception& error);

}  // namespace pecann
