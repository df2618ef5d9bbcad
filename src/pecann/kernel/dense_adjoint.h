// The adjoint of Z = W H + b with respect to W and b, for tiles as in dense_multiply.h (rows neurons, columns
// channels × points): sums of products along the contiguous columns, so that nothing is transposed.
#pragma once

#include <cstddef>

namespace pecann::kernel {

/// gradient[o * inputs + i] += Σ_n dz[o][n] h[i][n] over n < columns (a multiple of kLanes).
void add_weight_gradient(const double* dz, std::size_t dz_stride, std::size_t outputs, const double* h,
                         std::size_t h_stride, std::size_t inputs, std::size_t columns, double* gradient);

/// gradient[o] += Σ_t dz[o][t] over the columns of the value channel, t < points (a multiple of kLanes).
void add_bias_gradient(const double* dz, std::size_t dz_stride, std::size_t outputs, std::size_t points,
                       double* gradient);

/// One row of the Jacobian per point instead of a sum over points:
///   jacobian[(o * inputs + i) * jacobian_stride + t] = Σ_c dz[o][c * points + t] h[i][c * points + t].
void weight_jacobian(const double* dz, std::size_t dz_stride, std::size_t outputs, const double* h,
                     std::size_t h_stride, std::size_t inputs, std::size_t channels, std::size_t points,
                     double* jacobian, std::size_t jacobian_stride);

}  // namespace pecann::kernel
