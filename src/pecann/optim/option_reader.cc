#include "pecann/optim/option_reader.h"

#include <cmath>
#include <string>

#include "pecann/optim/refuse.h"

namespace pecann::optim {
namespace {

constexpr double kMostCount = 1e9;  // of iterations, evaluations, pairs

double checked(std::string_view name, double value, bool fits, const char* rule) {
  if (!fits) refuse(std::string(name), value, rule);
  return value;
}

}  // namespace

double OptionReader::number(std::string_view name, double fallback) const {
  const auto found = options_.options.find(std::string(name));
  return found == options_.options.end() ? fallback : found->second;
}

int OptionReader::positive_integer(std::string_view name, int fallback) const {
  const double value = number(name, fallback);
  checked(name, value, value >= 1 && value <= kMostCount && value == std::floor(value),
          "must be a whole number, from 1 to 1e9");
  return static_cast<int>(value);
}

double OptionReader::positive(std::string_view name, double fallback) const {
  const double value = number(name, fallback);
  return checked(name, value, value > 0 && std::isfinite(value), "must be positive");
}

double OptionReader::not_negative(std::string_view name, double fallback) const {
  const double value = number(name, fallback);
  return checked(name, value, value >= 0 && std::isfinite(value), "must not be negative");
}

double OptionReader::below_one(std::string_view name, double fallback) const {
  const double value = number(name, fallback);
  return checked(name, value, value >= 0 && value < 1, "must be in [0, 1)");
}

}  // namespace pecann::optim
