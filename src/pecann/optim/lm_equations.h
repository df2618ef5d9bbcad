// The damped normal equations of a Gauss–Newton step, in the smaller of two equal forms (push-through identity):
//   primal  d = −(ĴᵀĴ + νI)⁻¹ Ĵᵀ v         P × P, accumulated panel by panel, the Jacobian is never stored
//   dual    d = −Ĵᵀ (ĴĴᵀ + νI)⁻¹ v         N × N, needs the whole Jacobian while ĴĴᵀ is formed
// for a vector v of rows. Products with Ĵᵀ are the problem's reverse pass.
#pragma once

#include <cstddef>
#include <span>

#include "pecann/base/aligned_vector.h"
#include "pecann/optim/dense_cholesky.h"
#include "pecann/optim/dense_gram.h"
#include "pecann/optim/least_squares.h"
#include "pecann/optim/lower_blocks.h"

namespace pecann::optim {

enum class NormalForm { Primal, Dual };

/// Wall time of dense algebra so far.
struct DenseSeconds {
  double gram = 0, factor = 0, solve = 0;
};

/// Bytes of matrices that a form needs for P parameters and N rows.
double normal_form_bytes(NormalForm form, std::size_t parameters, std::size_t rows);

/// The form with the smaller matrix if it fits the limit, else the other one. Throws InputError, with the
/// bytes needed, when neither fits.
NormalForm choose_normal_form(std::size_t parameters, std::size_t rows, double memory_limit);

class NormalEquations {
 public:
  NormalEquations(NormalForm form, std::size_t parameters, std::size_t rows);

  NormalForm form() const { return form_; }
  bool fits(std::size_t parameters, std::size_t rows) const { return parameters == parameters_ && rows == rows_; }

  /// ĴᵀĴ or ĴĴᵀ at the point of the problem's last `linearise`.
  void build(LeastSquares& problem);
  /// The trace of the Gauss–Newton matrix, which is the same number in both forms.
  double trace() const { return gram_.trace(); }
  /// False when Gram + damping·I is not positive definite to working precision.
  [[nodiscard]] bool factor(double damping);
  /// The step d for the rows v; `pulled` is Ĵᵀ v where the caller has it, else empty.
  void solve(LeastSquares& problem, std::span<const double> v, std::span<const double> pulled, std::span<double> step);

  const LowerBlocks& gram() const { return gram_; }
  const DenseSeconds& seconds() const { return seconds_; }

 private:
  void build_primal(LeastSquares& problem);
  void build_dual(LeastSquares& problem);

  NormalForm form_;
  std::size_t parameters_, rows_;
  LowerBlocks gram_;
  GramProduct product_;
  DenseCholesky cholesky_;
  AlignedVector<double> columns_;  // primal: one panel of rows; dual: all rows
  AlignedVector<double> row_solution_;
  DenseSeconds seconds_;
};

}  // namespace pecann::optim
