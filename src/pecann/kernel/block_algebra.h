// Dense algebra on blocks of 24 × 24 numbers: what a Gram matrix and its Cholesky factor are made of.
//
// A panel is 24 rows of a matrix, column after column: panel[k·24 + i] is the entry of row i and column k. Both factors
// of a product A Bᵀ have this one layout, and so has its result: nothing is copied between a Gram matrix, its factor
// and the operands of the factorisation. 24 is the least common multiple of three registers of 8, 4, 2 and 1 numbers:
// three registers of rows times eight (four, where there are 16 registers) broadcast columns keep both multiply-add
// units busy from the second-level cache.
#pragma once

#include <cstddef>

namespace pecann::kernel {

inline constexpr std::size_t kBlockRows = 24;
inline constexpr std::size_t kBlockSize = kBlockRows * kBlockRows;

/// c[j·24 + i] += Σ_k a[k·24 + i] b[k·24 + j] for i, j < 24 and k < depth. The 24 · depth numbers at `next`
/// are brought into the second-level cache meanwhile: an operand of a product to come, or `a`.
void add_block_product(const double* a, const double* b, std::size_t depth, double* c, const double* next);
/// The same with −=.
void subtract_block_product(const double* a, const double* b, std::size_t depth, double* c, const double* next);

/// The lower triangle of a 24 × 24 block becomes its Cholesky factor; false when a pivot is not positive or not finite.
[[nodiscard]] bool factor_block(double* c);
/// C ← C L⁻ᵀ with the lower triangle L of `factor`.
void solve_block(const double* factor, double* c);
/// y ← L⁻¹ y and y ← L⁻ᵀ y.
void solve_lower(const double* factor, double* y);
void solve_lower_transposed(const double* factor, double* y);

/// y_i −= Σ_k panel[k·24 + i] x_k for i < 24 and k < depth.
void subtract_panel_product(const double* panel, std::size_t depth, const double* x, double* y);
/// y_k −= Σ_i panel[k·24 + i] x_i for k < depth.
void subtract_panel_transposed(const double* panel, std::size_t depth, const double* x, double* y);

/// panel[k·24 + i] = a[i·stride + k] for i < rows, 0 for the other i.
void pack_rows(const double* a, std::size_t stride, std::size_t rows, std::size_t depth, double* panel);
/// panel[k·24 + i] = a[k·stride + i] for i < rows, 0 for the other i.
void pack_columns(const double* a, std::size_t stride, std::size_t rows, std::size_t depth, double* panel);

}  // namespace pecann::kernel
