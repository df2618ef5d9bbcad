// Integrals and means in equations: integral(f) and mean(f) are over the region and points of their term, with
// quadrature weights w_i of its points,
//
//     integral(f) = Σ w_i f(x_i),   mean(f) = Σ w_i f(x_i) / Σ w_i,
//
// over time too where the region has it. integral(f, over = space) is one number for every time.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "pecann/expr/expr.h"

namespace pecann::expr {

/// What stands behind `over =`; nothing: the whole region.
inline constexpr const char* kOverSpace = "space";

/// Refuses integrals of integrals.
Expr integral(const Expr& a, const std::string& over = "");
Expr mean(const Expr& a, const std::string& over = "");

inline bool has_integrals(const Expr& a) { return a->integrates; }
bool has_integrals(std::span<const Expr> residuals);
/// True where the integrals are over space alone: one residual for every time.
bool integrates_space(std::span<const Expr> residuals);

/// Equations of integrals taken apart: r_e = outer_e(I_1, I_2, …), I_k the integral (or mean) of integrands[k].
struct IntegralEquations {
  struct Integrand {
    Expr expression;
    bool mean;
  };
  std::vector<Integrand> integrands;
  std::vector<std::string> scalars;  // trainable ones outside of integrals

  /// Expressions of coordinates alone: I_k is the coordinate integral_name(k), a scalar the coordinate scalar_name(i),
  /// and t, in integrals over space, is t.
  std::vector<Expr> outer;
  std::vector<std::vector<Expr>> by_integral, by_scalar;  // [equation][k]: the partial derivatives of outer
};
std::string integral_name(std::size_t k);
std::string scalar_name(std::size_t i);

/// Refuses (InputError) what has no value outside of an integral: fields, data, and coordinates other than `time` in
/// integrals over space; and equations of which only some are integrals, or over space.
IntegralEquations separate_integrals(std::span<const Expr> residuals, const std::string& time);

/// What must be computed at the points of a term: its residuals, or the integrands of its equations.
std::vector<Expr> point_expressions(std::span<const Expr> residuals, const std::string& time);

}  // namespace pecann::expr
