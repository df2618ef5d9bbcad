// Quasi-Newton with the whole inverse Hessian: self-scaled Broyden (ssbroyden_update.h), and BFGS as its special case.
//
// One iteration: a strong Wolfe search along p = −Hg gives s, g⁺ and y = g⁺ − g; one sweep over H gives q = Hg⁺, hence
// Hy = q + p without another product; the next direction −H⁺g⁺ follows from q, s and Hy alone, and the update itself
// waits for the next sweep. Cost: the gradients of the search and P²/2 entries read and written.
//
// One step() is an epoch of up to `iterations` iterations. s and y always belong to one and the same
// objective; H is kept when multipliers or points change, and p = −Hg begins anew with the changed gradient.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/optim/line_search.h"
#include "pecann/optim/optimizer_row.h"
#include "pecann/optim/ssbroyden_matrix.h"
#include "pecann/optim/ssbroyden_update.h"

namespace pecann::optim {

enum class BroydenUpdate { SelfScaled, Bfgs };

struct SsBroydenOptions {
  BroydenUpdate update = BroydenUpdate::SelfScaled;
  int iterations = 20;        // per step(), at most
  double learning_rate = 1;   // factor of the first trial of every line search; 1 unless there is a reason
  double memory_limit = 4e9;  // bytes of H: P(P+1)/2 doubles; beyond it the problem is refused (InputError)
  LineSearchOptions line_search;
};

class SsBroyden final : public Optimizer {
 public:
  explicit SsBroyden(std::size_t size, const SsBroydenOptions& options = {});

  StepSummary step(Objective& objective, std::span<double> x) override;
  std::optional<double> learning_rate() const override { return options_.learning_rate; }
  void set_learning_rate(double rate) override { options_.learning_rate = rate; }
  /// Curvature of another function misleads.
  void objective_changed(double factor) override {
    if (factor > kOtherFunction) forget();
  }
  void save(StateWriter& writer) const override;
  void load(const StateReader& reader) override;

  bool has_curvature() const { return has_curvature_; }
  /// result = H v with all updates so far (before the first one H = I, the gradient's own length scale).
  void multiply(std::span<const double> v, std::span<double> result);

 private:
  void forget();
  double first_step(double value, double slope) const;
  LineSearchResult search(Objective& objective, std::span<const double> x, double value, StepSummary& summary);
  LineSearchResult search_along(Objective& objective, std::span<const double> x, double value);
  void learn(std::span<const double> x, double step_length);

  SsBroydenOptions options_;
  std::size_t size_;
  LineSearch line_search_;
  bool has_curvature_ = false;
  PackedMatrix inverse_hessian_;  // without the pending update
  SpanUpdate pending_;            // with s_ and hy_
  std::vector<double> s_, hy_;
  // State of the running epoch only:
  double previous_decrease_ = 0;  // f(x_k) − f(x_{k−1}), negative; 0 = none yet
  std::vector<double> gradient_, direction_, y_, product_;
};

OptimizerRow ssbroyden_row();
OptimizerRow bfgs_row();

}  // namespace pecann::optim
