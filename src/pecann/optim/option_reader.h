// Reads the numbers of OptimizerOptions::options for a factory of the registry: each one has a default and a
// range, and a value outside is an InputError that says which. Names are checked before, against the row's
// list.
#pragma once

#include <string_view>

#include "pecann/optim/registry.h"

namespace pecann::optim {

class OptionReader {
 public:
  explicit OptionReader(const OptimizerOptions& options) : options_(options) {}

  int positive_integer(std::string_view name, int fallback) const;    // 1 … 1 000 000 000
  double positive(std::string_view name, double fallback) const;      // (0, ∞)
  double not_negative(std::string_view name, double fallback) const;  // [0, ∞)
  double below_one(std::string_view name, double fallback) const;     // [0, 1)

 private:
  double number(std::string_view name, double fallback) const;
  const OptimizerOptions& options_;  // not owned; outlives the reader
};

}  // namespace pecann::optim
