#include "pecann/kernel/tape.h"

#include "pecann/base/require.h"

namespace pecann::kernel {

std::size_t tape_scratch(const Tape& tape, std::size_t points) {
  return static_cast<std::size_t>(tape.num_registers - tape.num_inputs) * points;
}

const double* tape_output(const Tape& tape, std::span<const double* const> inputs, const double* scratch,
                          std::size_t points, std::size_t o) {
  require(o < tape.outputs.size(), "output of a tape out of range");
  const std::int32_t r = tape.outputs[o];
  return r < tape.num_inputs ? inputs[r] : scratch + static_cast<std::size_t>(r - tape.num_inputs) * points;
}

}  // namespace pecann::kernel
