#include "pecann/optim/refuse.h"

#include <fmt/format.h>

#include <utility>

#include "pecann/base/input_error.h"

namespace pecann::optim {

void refuse(std::string key, std::string value, std::string rule, std::string hint) {
  InputError::Parts parts;
  parts.key = std::move(key);
  parts.value = std::move(value);
  parts.rule = std::move(rule);
  parts.hint = std::move(hint);
  throw InputError(std::move(parts));
}

void refuse(std::string key, double value, std::string rule, std::string hint) {
  refuse(std::move(key), fmt::format("{}", value), std::move(rule), std::move(hint));
}

}  // namespace pecann::optim
