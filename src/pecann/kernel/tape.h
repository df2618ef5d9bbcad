// A tape: a short straight-line program over columns of points. Register r holds `points` doubles; every instruction
// writes one register from at most three others, for all points of a tile at once. The reverse sweep turns adjoints of
// the outputs into adjoints of the inputs.
//
// Registers 0 … num_inputs-1 are the inputs (the caller's arrays); the rest live in the caller's scratch memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pecann::kernel {

enum class TapeOp : std::uint8_t {
  Constant,      // value
  Add,           // a + b
  Subtract,      // a - b
  Multiply,      // a * b
  Divide,        // a / b
  Negate,        // -a
  PowerInteger,  // a ^ n, n = integer in `value`
  Power,         // a ^ b
  Sin,           // Sin to Erf: functions of a
  Cos,
  Tan,
  Exp,
  Log,
  Sqrt,
  Tanh,
  Abs,
  Sign,
  Sinh,
  Cosh,
  Asin,
  Acos,
  Atan,
  Erf,
  Min,  // Min, Max: of a and b
  Max,
  Less,  // Less to Equal: a compared with b, 1 or 0; derivative 0
  LessEqual,
  Equal,
  Select  // a != 0 ? b : c
};

struct TapeInstruction {
  TapeOp op;
  std::int32_t result;
  std::int32_t a = -1, b = -1, c = -1;
  double value = 0;
};

struct Tape {
  int num_inputs = 0;
  int num_registers = 0;  // inputs included; every register is written once (the reverse sweep needs all of them)
  std::vector<TapeInstruction> instructions;
  std::vector<std::int32_t> outputs;  // registers
};

/// Doubles of scratch that forward needs for tiles of at most `points` points; backward needs as many again.
std::size_t tape_scratch(const Tape& tape, std::size_t points);

/// Runs the tape. inputs[i] and scratch are aligned to a cache line, points is a multiple of kLanes.
/// Register r >= num_inputs is at scratch + (r - num_inputs) * points.
void tape_forward(const Tape& tape, std::span<const double* const> inputs, double* scratch, std::size_t points);

/// The values of output o after tape_forward.
const double* tape_output(const Tape& tape, std::span<const double* const> inputs, const double* scratch,
                          std::size_t points, std::size_t o);

/// Reverse sweep after tape_forward. output_adjoints[o] holds dL/d(output o) for every point; dL/d(input i) is ADDED to
/// input_adjoints[i] where that is not null. A zero adjoint stays zero even where a partial derivative is not finite
/// (the branch of an `if` that was not taken). adjoint_scratch has room for tape_scratch(tape, points) doubles.
void tape_backward(const Tape& tape, std::span<const double* const> inputs, const double* scratch, std::size_t points,
                   std::span<const double* const> output_adjoints, std::span<double* const> input_adjoints,
                   double* adjoint_scratch);

}  // namespace pecann::kernel
