// What a Gauss–Newton method sees of the world: a value L(x) and rows ρ(x) whose Jacobian carries the curvature of L.
//
// The augmented Lagrangian of mean squares has a block b = 0 for the objective and blocks i = 1..m for the constraints,
// each with N_b residuals r_bj:
//
//   C_b = (1/N_b) Σ_j r_bj²,   L = C_0 + Σ_i (λ_i C_i + ½ μ_i C_i²),
//   w_0 = 1,   w_i = ∂L/∂C_i = λ_i + μ_i C_i,   g_i = ∇C_i,
//   ∇L = Σ_b (2 w_b/N_b) J_bᵀ r_b,
//   G  = Σ_b (2 w_b/N_b) J_bᵀ J_b + Σ_i μ_i g_i g_iᵀ      (∇²L without the second derivatives of the residuals).
//
// With rows scaled by s_b = √(2 w_b/N_b), Ĵ = s J and r̂ = s r, this is G = ĴᵀĴ and ∇L = Ĵᵀ r̂. The μ terms are
// rows as well:
//
//   ρ_i(x) = √μ_i (2/N_i) Σ_j r_ij(x₀) r_ij(x)
//
// has the gradient √μ_i g_i at x₀, and its entry of r̂ is zero. A point-wise constraint C_ij = r_ij² needs no further
// row: its μ term lies along its own row,
//
//   s = √(2 w_ij + 4 μ_ij r_ij²),  ρ = s r,  r̂ = 2 w_ij r_ij / s.
//
// (One of several equations, C_ij = Σ_e r_ije², mixes the rows of its point: train/lagrangian.h.) So r̂ ("right side")
// and ρ ("rows") differ in general, while Ĵ = ∂ρ/∂x always. All scales are frozen where `linearise` was called last:
// `rows`, `jacobian` and `pull_back` mean that point's scales. L itself is never frozen, only its multipliers are.
//
// Rows come in tiles (what the evaluator computes at once, say 64 points); their order is the evaluator's choice and
// must not change between calls of one step.
#pragma once

#include <cstddef>
#include <span>

namespace pecann::optim {

class LeastSquares {
 public:
  virtual ~LeastSquares() = default;

  /// Number of parameters P.
  virtual std::size_t size() const = 0;
  /// Tile t holds the rows [offsets[t], offsets[t+1]); offsets begin with 0 and end with the number of rows N.
  virtual std::span<const std::size_t> row_offsets() const = 0;
  std::size_t num_rows() const { return row_offsets().back(); }

  /// L(x).
  virtual double value(std::span<const double> x) = 0;
  /// L(x), with ∇L and r̂; freezes the scales and makes x the point of `jacobian` and `pull_back`.
  virtual double linearise(std::span<const double> x, std::span<double> gradient, std::span<double> right_side) = 0;
  /// ρ(x) with the frozen scales; x is any point.
  virtual void rows(std::span<const double> x, std::span<double> values) = 0;
  /// Ĵ of the tiles [first_tile, first_tile + num_tiles), transposed:
  ///   columns[p·stride + j] = ∂ρ_{first row + j}/∂x_p.
  virtual void jacobian(std::size_t first_tile, std::size_t num_tiles, double* columns, std::size_t stride) = 0;
  /// result = Ĵᵀ seeds: one reverse pass, much cheaper than the Jacobian.
  virtual void pull_back(std::span<const double> seeds, std::span<double> result) = 0;
};

}  // namespace pecann::optim
