// Activation functions: one row each. A new one is a struct of its name in activation-inl.h and a row here; networks,
// problem files, exported headers and documents follow.
#pragma once

#include "pecann/base/name_table.h"

// A row has the enumerator, which also names the struct, the name in problem files, a line of text, and the body of a
// C++ function of z that returns {σ, σ', σ''} (for exported headers).
#define PECANN_ACTIVATIONS(ROW)                                                                          \
  ROW(Tanh, "tanh", "hyperbolic tangent",                                                                \
      "const double t = std::tanh(z), slope = 1 - t * t;\n"                                              \
      "return {t, slope, -2 * t * slope};")                                                              \
  ROW(Sin, "sin", "sine, for fields that oscillate", "return {std::sin(z), std::cos(z), -std::sin(z)};") \
  ROW(Silu, "silu", "z/(1 + e^-z), smooth and unbounded",                                                \
      "const double s = 1 / (1 + std::exp(-z)), slope = s * (1 - s);\n"                                  \
      "return {z * s, s + z * slope, 2 * slope + z * slope * (1 - 2 * s)};")

// The same rows for functions that stand only at the ends of a network: Fourier features and outputs.
#define PECANN_END_FUNCTIONS(ROW)                                                                   \
  ROW(Cos, "cos", "cosine of a Fourier layer", "return {std::cos(z), -std::sin(z), -std::cos(z)};") \
  ROW(Sigmoid, "sigmoid", "1/(1 + e^-z) of an output",                                              \
      "const double s = 1 / (1 + std::exp(-z)), slope = s * (1 - s);\n"                             \
      "return {s, slope, slope * (1 - 2 * s)};")

namespace pecann::kernel {

enum class Activation {
#define PECANN_ROW(enumerator, ...) enumerator,
  PECANN_ACTIVATIONS(PECANN_ROW) PECANN_END_FUNCTIONS(PECANN_ROW)
#undef PECANN_ROW
};

struct ActivationRow {
  Activation function;
  const char* enumerator;
  const char* name;
  const char* text;
  const char* cpp;
};

#define PECANN_ROW(enumerator, name, text, cpp) {Activation::enumerator, #enumerator, name, text, cpp},
inline constexpr ActivationRow kActivations[] = {PECANN_ACTIVATIONS(PECANN_ROW)};     // functions of hidden layers
inline constexpr ActivationRow kEndFunctions[] = {PECANN_END_FUNCTIONS(PECANN_ROW)};  // functions at the ends only
#undef PECANN_ROW

}  // namespace pecann::kernel

/// The words that problem files may use: the functions of hidden layers.
template <>
struct pecann::NameTable<pecann::kernel::Activation> {
#define PECANN_ROW(enumerator, name, ...) {kernel::Activation::enumerator, name},
  static constexpr NamedValue<kernel::Activation> table[] = {PECANN_ACTIVATIONS(PECANN_ROW)};
#undef PECANN_ROW
};
