// The augmented Lagrangian with frozen multipliers as the optimisers see it: L and ∇L, and its least-squares rows.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pecann/evaluate/evaluator.h"
#include "pecann/optim/least_squares.h"
#include "pecann/optim/objective.h"
#include "pecann/penalty/dual_state.h"
#include "pecann/train/residual_rows.h"

namespace pecann::train {

class LagrangianLeastSquares;

/// The constraints that L and the dual updates are made of: C, and c of point-wise inequalities (penalty/dual_state.h).
std::vector<double> multiplied_constraints(const evaluate::Evaluator& evaluator, const evaluate::TermValues& values,
                                           const penalty::DualState& duals);

/// L of these values.
double lagrangian_of(const evaluate::Evaluator& evaluator, const evaluate::TermValues& values,
                     const penalty::DualState& duals);

/// What each term adds to L: weight · J of an objective, Σ λC + ½μC² of a constraint.
std::vector<double> lagrangian_parts(const evaluate::Evaluator& evaluator, const evaluate::TermValues& values,
                                     const penalty::DualState& duals);

/// The augmented Lagrangian, which reads the duals at every call:
///     L(θ) = J + Σ λ_i C_i + ½ Σ μ_i C_i².
class LagrangianObjective final : public optim::Objective {
 public:
  LagrangianObjective(evaluate::Evaluator& evaluator, const penalty::DualState& duals);
  ~LagrangianObjective() override;
  std::size_t size() const override { return evaluator_->model().num_parameters(); }
  double value_and_gradient(std::span<const double> x, std::span<double> gradient) override;
  double value(std::span<const double> x) override;
  /// Null when a term has absolute distances, which make no sum of squares.
  optim::LeastSquares* least_squares() override;
  optim::Residuals* residuals() override { return &residuals_; }
  double seconds() const;  // spent in the evaluator so far, for squares and residuals too

 private:
  evaluate::Evaluator* evaluator_;
  const penalty::DualState* duals_;
  double seconds_ = 0;
  std::unique_ptr<LagrangianLeastSquares> least_squares_;  // null until somebody asks
  ResidualRows residuals_;
};

/// The rows of least_squares.h for this L: the evaluator's residual rows, then one row per aggregated constraint for
/// the rank-one terms μ_i g_i g_iᵀ.
///
/// A point-wise constraint of several equations, C = Σ_e r_e² at its point, has the Gauss–Newton matrix
///     Jᵀ (2w I + 4μ r rᵀ) J,  J = ∂r/∂θ.
/// Its μ term couples the rows of its equations. They are mixed by the symmetric root
///     B = √(2w) (I + β r rᵀ),  β = (√(1 + 2μC/w) − 1)/C,  BᵀB = 2w I + 4μ r rᵀ,
///     r̂ = B⁻¹ 2w r = √(2w) r/√(1 + 2μC/w).
/// A point-wise inequality with multipliers has the row √μ g, r̂ = (λ + μ g)/√μ where λ + μ g > 0, else none.
/// An equation with the weight b (Term::equation_weights) enters everything above as √b r.
class LagrangianLeastSquares final : public optim::LeastSquares {
 public:
  LagrangianLeastSquares(evaluate::Evaluator& evaluator, const penalty::DualState& duals);
  std::size_t size() const override { return evaluator_->model().num_parameters(); }
  std::span<const std::size_t> row_offsets() const override;
  double value(std::span<const double> x) override;
  double linearise(std::span<const double> x, std::span<double> gradient, std::span<double> right_side) override;
  void rows(std::span<const double> x, std::span<double> values) override;
  void jacobian(std::size_t first_tile, std::size_t num_tiles, double* columns, std::size_t stride) override;
  void pull_back(std::span<const double> seeds, std::span<double> result) override;
  double seconds() const { return seconds_ + objective_.seconds(); }  // spent in the evaluator so far

 private:
  /// The entry of the constraint that the run of rows belongs to; -1 for objectives.
  int entry_of(const evaluate::Evaluator::RowRun& run) const;

  evaluate::Evaluator* evaluator_;
  const penalty::DualState* duals_;
  LagrangianObjective objective_;
  double seconds_ = 0;                   // spent in the evaluator, without the seconds of objective_
  std::vector<std::size_t> aggregated_;  // constraint entries with a rank-one row
  mutable std::vector<std::size_t> offsets_;
  // Frozen by linearise: the point, the scale of each row, and √b r of its equation's weight b; seeds_ is scratch.
  std::vector<double> point_, scale_, residuals_, seeds_;
  std::vector<std::vector<double>> constraint_gradients_;  // √μ_i g_i

  /// The rows of a tile's points for a point-wise term of several equations. Equation e at the i-th point has the
  /// row first_rows[e] + i.
  struct MixedRows {
    std::vector<std::size_t> first_rows;
    std::size_t count;
  };
  void find_mixed_rows();
  /// Replaces v by (I + β r rᵀ) v over the equations of every point, where v is a vector of rows from first_row on. The
  /// matrix is symmetric, so that this serves rows and seeds alike.
  void mix(const MixedRows& rows, double* v, std::size_t first_row) const;
  std::vector<MixedRows> mixed_;
  std::vector<double> mixing_;  // β by row of the first equation
};

}  // namespace pecann::train
