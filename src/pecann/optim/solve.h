// Gauss–Newton by least squares over all residuals: for equations that are linear in the parameters (random features)
// one step is the solution.
//
// Every equation e with N_e rows of length ‖J_j‖ is measured in its own unit, so that no weights need be chosen:
//
//   ω_e = β_e / √(Σ_j ‖J_j‖²),   β = √weight for the term of an objective, `conditions` for constraints,
//   y   = argmin Σ_e ω_e² ‖J_e y + r_e − J_e x‖²   (streamed_qr.h),
//   x  ← x + s(y − x) with the first s = 1, ½, ¼, … that makes √(Σ ω_e² ‖r_e(x)‖²) fall by a share of kLeastGain·s.
//
// Option `each_row` divides each row by its own length instead, ω_j = β_e / (‖J_j‖ √N_e).
//
// The solve is for the new point y and not for the step: coefficients of features that are nearly dependent grow large
// and cancel, and a step could not take back what an earlier linearisation, perhaps of worse data, left in them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "pecann/optim/optimizer.h"
#include "pecann/optim/residuals.h"
#include "pecann/optim/streamed_qr.h"

namespace pecann::optim {

struct SolveOptions {
  double cut = 1e-14;         // shift of columns of length 1; one within 3 times this of others is left out
  double conditions = 1;      // β of constraints
  bool each_row = false;      // rows are measured one by one, not by equation (weights_by_row)
  int max_halvings = 10;      // of a step that does not lower the sum
  double memory_limit = 4e9;  // bytes of matrices; beyond it the problem is refused (InputError)
};

/// ω by equation, with the Jacobian at x; zero for an equation that does not depend on the parameters there.
std::vector<double> equation_weights(Residuals& residuals, std::span<const double> x, double conditions);
/// Where rows depend on blocks, those of one tile and equation are measured together: parts may be of unlike sizes, and
/// rows of derivatives in a narrow part are long. By row; with blocks of one size these are the weights by equation.
std::vector<double> weights_by_run(Residuals& residuals, std::span<const double> x, double conditions);
/// Every row in the unit of its own length, 0 where it does not depend on the parameters: in layers derivatives of
/// steep features make rows many powers of ten longer than elsewhere, and the others would be lost in rounding. Rows of
/// one length get the weights by equation.
std::vector<double> weights_by_row(Residuals& residuals, std::span<const double> x, double conditions);
/// ‖r_e‖² by equation.
std::vector<double> equation_squares(const Residuals& residuals, std::span<const double> rows);

/// The steps of a solve that was made elsewhere, of the same residuals: x before the first one and after each.
struct KnownSteps {
  struct Step {
    std::vector<double> after;
    StepSummary summary;
    double settled;  // Solve's memory
  };
  std::vector<double> start;
  std::vector<Step> steps;
};

/// Memory of a solve.
double solve_bytes(const MatrixSizes& sizes);

class Solve final : public Optimizer {
 public:
  explicit Solve(const SolveOptions& options = {}) : options_(options) {}

  StepSummary step(Objective& objective, std::span<double> x) override;
  StepSummary step(Residuals& residuals, std::span<double> x);

  /// From here on a step from an x that is known to the last bit is taken over. The residuals must be the same.
  void know(std::shared_ptr<const KnownSteps> steps) { known_ = std::move(steps); }
  /// Makes a step and keeps it with those before it.
  StepSummary step_and_keep(Residuals& residuals, std::span<double> x, KnownSteps& steps);

  bool needs_squares() const override { return true; }
  void check_sizes(const MatrixSizes& sizes) const override;
  std::optional<double> learning_rate() const override { return std::nullopt; }
  void set_learning_rate(double) override {}
  void save(StateWriter& writer) const override { writer.put("solve.settled", settled_); }
  void load(const StateReader& reader) override {
    if (reader.has("solve.settled")) settled_ = reader.get_number("solve.settled");
  }

 private:
  SolveOptions options_;
  std::shared_ptr<const KnownSteps> known_;
  double settled_ = -1;  // ‖r‖ where a whole step came out as linear equations would, so that another is of no use
};

}  // namespace pecann::optim
