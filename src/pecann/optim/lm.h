// Levenberg–Marquardt on a LeastSquares problem; one step() is one accepted step.
//
// At x, with ∇L = Ĵᵀr̂ and the Gauss–Newton matrix G = ĴᵀĴ (least_squares.h):
//
//   velocity       (G + νI) d = −∇L
//   acceleration   (G + νI) a = −Ĵᵀ ρ'',   ρ'' = (ρ(x + h d) − 2 ρ(x) + ρ(x − h d)) / h²   [Transtrum & Sethna 2012]
//   step           d + a/2 where 2‖a‖ < limit·‖d‖, else d.
//
// The acceleration bends the step along the valley of the residuals: ρ(x + d + a/2) ≈ ρ + Ĵd + ½(ρ'' + Ĵa), and a makes
// the bracket as small as ν allows. The second difference is central: no Jacobian product, and no error from third
// derivatives. Then, after [Nielsen 1999],
//
//   gain ratio     q = (L(x) − L(x + step)) / ½(ν d·d − ∇L·d)
//   accepted       (L falls)  ν ← ν max(⅓, 1 − (2q − 1)³)
//   rejected       ν ← 2ν, 4ν, 8ν, … and a new trial.
//
// A factorisation that fails counts as a rejected trial. ν is kept from step to step, also when multipliers change.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pecann/base/state_archive.h"
#include "pecann/optim/least_squares.h"
#include "pecann/optim/lm_equations.h"
#include "pecann/optim/optimizer.h"

namespace pecann::optim {

struct LmOptions {
  double initial_damping = 1e-3;  // ν = initial_damping · trace(G)/P at the first step; Nielsen's rule corrects it fast
  double min_damping = 1e-16;     // ν ≥ min_damping · trace(G)/(size of the matrix), the rounding of its entries
  int max_trials = 14;            // factorisations per step
  double acceleration_limit = 0.75;  // the a/2 is used where 2‖a‖ < limit·‖d‖; 0 turns the acceleration off
  double acceleration_step = 0.1;    // h of the second difference
  double gradient_tolerance = 0;     // stationary when ‖∇L‖∞ ≤ this
  std::optional<NormalForm> form;    // none: the form with the smaller matrix that fits
  double memory_limit = 4e9;         // bytes of matrices; beyond it the problem is refused (InputError)
};

class LevenbergMarquardt final : public Optimizer {
 public:
  explicit LevenbergMarquardt(const LmOptions& options = {});

  /// One accepted step, or Stalled with x unchanged when no trial lowered L. `iterations` counts trials.
  StepSummary step(Objective& objective, std::span<double> x) override;
  StepSummary step(LeastSquares& problem, std::span<double> x);

  bool needs_squares() const override { return true; }
  void check_sizes(const MatrixSizes& sizes) const override;  // a normal form within the memory limit
  std::optional<double> learning_rate() const override { return std::nullopt; }
  void set_learning_rate(double) override {}
  /// The damping ν; nothing before the first step.
  std::optional<double> damping() const override { return damping_; }
  /// ν stays the same relative to the trace of the Gauss–Newton matrix.
  void objective_changed(double) override { rescales_ = true; }
  /// "primal 3441 x 3441"; empty before the first step.
  std::string description() const;
  /// Of all steps since the sizes changed last.
  DenseSeconds dense_seconds() const { return equations_ ? equations_->seconds() : DenseSeconds{}; }

  void save(StateWriter& writer) const override;
  void load(const StateReader& reader) override;

 private:
  struct Trial {
    double value;      // L at x + step
    double predicted;  // decrease by the quadratic model, of d alone
  };
  void prepare(LeastSquares& problem);
  std::optional<Trial> try_damping(LeastSquares& problem, std::span<const double> x, double damping,
                                   StepSummary& summary);
  void accelerate(LeastSquares& problem, std::span<const double> x, StepSummary& summary);

  LmOptions options_;
  std::optional<double> damping_;
  double trace_ = 0;       // tr G of the last step; 0 before it
  bool rescales_ = false;  // the next step multiplies ν by the change of tr G
  std::optional<NormalEquations> equations_;
  bool base_rows_known_ = false;
  std::vector<double> gradient_, step_, acceleration_, point_;           // P
  std::vector<double> right_side_, base_rows_, ahead_rows_, curvature_;  // N
};

}  // namespace pecann::optim
