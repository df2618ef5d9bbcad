// Householder reflectors of 24 columns, on panels in the layout of block_algebra.h with the roles exchanged: 24 columns
// of a matrix, row after row, panel[k·24 + j] for row k and column j.
#pragma once

#include <cstddef>

#include "pecann/kernel/block_algebra.h"

namespace pecann::kernel {

/// Eliminates `rows` rows against an upper triangle above them:
///
///   [R; B] ← H₂₃ … H₀ [R; B] = [R'; 0],   H_c = I − τ_c [e_c; v_c] [e_c; v_c]ᵀ
///
/// triangle[c·24 + j], j ≥ c, is R and becomes R'; what lies below its diagonal is neither read nor changed. The panel
/// is B and becomes the v_c, column by column. A column whose squares are lost to underflow counts as zero:
/// τ = 0, v = 0.
void reflect_block(double* triangle, double* panel, std::size_t rows, double* tau);

/// The T of H₀ H₁ … H₂₃ = I − V T Vᵀ, from the products gram[l·24 + i] = v_lᵀ v_i, l < i: t[l·24 + i] for l ≤ i, zeros
/// for the others.
void reflector_triangle(const double* gram, const double* tau, double* t);

}  // namespace pecann::kernel
