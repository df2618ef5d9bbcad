// Adam [Kingma & Ba 2015] in the form and rounding order of torch.optim.Adam:
//   m = β₁ m + (1−β₁) g,   v = β₂ v + (1−β₂) g²,   θ −= lr/(1−β₁ᵗ) · m / (√v/√(1−β₂ᵗ) + ε)
// One step is one evaluation and one update.
#pragma once

#include <cstdint>
#include <vector>

#include "pecann/optim/optimizer_row.h"

namespace pecann::optim {

struct AdamOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
};

class Adam final : public Optimizer {
 public:
  explicit Adam(std::size_t size, const AdamOptions& options = {});

  StepSummary step(Objective& objective, std::span<double> x) override;
  std::optional<double> learning_rate() const override { return options_.learning_rate; }
  void set_learning_rate(double rate) override { options_.learning_rate = rate; }
  void save(StateWriter& writer) const override;
  void load(const StateReader& reader) override;

 private:
  void update(std::span<double> x);

  AdamOptions options_;
  std::uint64_t steps_ = 0;  // t
  std::vector<double> gradient_, first_moment_, second_moment_;
};

OptimizerRow adam_row();

}  // namespace pecann::optim
