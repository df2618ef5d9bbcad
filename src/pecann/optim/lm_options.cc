#include "pecann/optim/lm_options.h"

#include "pecann/optim/option_reader.h"

namespace pecann::optim {

LmOptions lm_options(const OptimizerOptions& options) {
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
