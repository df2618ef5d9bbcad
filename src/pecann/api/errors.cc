#include "pecann/errors.h"

#include "pecann/base/input_error.h"

namespace pecann {

std::optional<InputFault> input_fault(const std::exception& error) {
  const auto* const input = dynamic_cast<const InputError*>(&error);
  if (input == nullptr) return std::nullopt;
  const InputError::Parts& parts = input->parts();
  return InputFault{.file = parts.place.file,
                    .line = parts.place.line,
                    .column = parts.place.column,
                    .key = parts.key,
                    .value = parts.value,
                    .rule = parts.rule,
                    .hint = parts.hint};
}

}  // namespace pecann
