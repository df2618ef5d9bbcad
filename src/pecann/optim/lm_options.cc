#include "pecann/optim/lm_options.h"

#include <algorithm>
#include <string>
#include <vector>

#include "pecann/base/input_error.h"
#include "pecann/optim/option_reader.h"
#include "pecann/optim/refuse.h"

namespace pecann::optim {

LmOptions lm_options(const OptimizerOptions& options) {
  const std::vector<std::string> known = {"initial_damping",    "min_damping",       "max_trials",
                                          "acceleration_limit", "acceleration_step", "memory_limit"};
  for (const auto& [name, value] : options.options)
    if (std::ranges::find(known, name) == known.end())
      refuse(name, value, "no such option of optimizer lm", hint_for(name, known));
  if (!options.mode.empty()) refuse("mode", options.mode, "this optimizer has no modes");
  const OptionReader read(options);
  LmOptions lm;
  lm.initial_damping = read.positive("initial_damping", lm.initial_damping);
  lm.min_damping = read.not_negative("min_damping", lm.min_damping);
  lm.max_trials = read.positive_integer("max_trials", lm.max_trials);
  lm.acceleration_limit = read.not_negative("acceleration_limit", lm.acceleration_limit);
  lm.acceleration_step = read.positive("acceleration_step", lm.acceleration_step);
  lm.memory_limit = read.positive("memory_limit", lm.memory_limit);
  return lm;
}

}  // namespace pecann::optim
