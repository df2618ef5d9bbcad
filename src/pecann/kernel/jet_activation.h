// An activation function applied to the jets of a whole layer, and its adjoint. The rules of the channels,
// with z the pre-activation, h = σ(z) and σ', σ'', … taken at the value channel of z:
//
//   Value    h = σ
//   First    h_D = σ' z_D
//   Second   h_D = σ' z_D + σ'' Q,  Q = Σ coefficient z_p z_q
//   Third    h_3 = σ' z_3 + 3σ'' z_1 z_2 + σ''' z_1³
//   Fourth   h_4 = σ' z_4 + σ''(4 z_1 z_3 + 3 z_2²) + 6σ''' z_1² z_2 + σ'''' z_1⁴
//
// Matrices have neurons as rows and channel * points + point as columns.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/kernel/activation.h"

namespace pecann::kernel {

struct JetProduct {
  int p, q;                        // First channels
  double constant = 1;             // the coefficient at all points
  const double* column = nullptr;  // where not null: the coefficient of each point instead
};

struct JetChannel {
  enum class Kind { Value, First, Second, Third, Fourth };
  Kind kind = Kind::Value;
  std::vector<JetProduct> products;         // Second
  int first = -1, second = -1, third = -1;  // Third, Fourth: the lower derivatives along the same line
};

/// h = jets of σ(z + bias), bias[row] on the value channel. The value channel of z is replaced by what the adjoint
/// needs besides h. z and h have `rows` rows at distance stride; points is a multiple of kLanes; channels[0] is Value.
void activate(Activation function, std::span<const JetChannel> channels, std::size_t rows, std::size_t points,
              const double* bias, double* z, double* h, std::size_t stride);

/// Turns `adjoint` from dL/dh into dL/dz; z and h must be as activate left them.
void activate_adjoint(Activation function, std::span<const JetChannel> channels, std::size_t rows, std::size_t points,
                      const double* z, const double* h, double* adjoint, std::size_t stride);

}  // namespace pecann::kernel
