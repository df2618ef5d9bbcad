// A penalty strategy of one's own in 30 lines: here the rule that is built in as "capu", so that it can be compared
// with it [Hu, Basir, Senocak 2026, algorithm 3].
//   v̄ ← ζ v̄ + (1-ζ) C²;  when L ≥ ω L_prev:  λ += μ C,  μ = max(μ, η/√(v̄ + ε))
#pragma once

#include <pecann/pecann.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

class OwnCapu final : public pecann::PenaltyStrategy {
 public:
  bool update(const pecann::DualInput& in, pecann::Duals duals) override {
    average_.resize(in.constraints.size(), 0.0);
    for (std::size_t i = 0; i < average_.size(); ++i)
      average_[i] = zeta * average_[i] + (1 - zeta) * in.constraints[i] * in.constraints[i];
    const bool due = in.loss >= omega * previous_loss_;
    previous_loss_ = in.loss;
    for (std::size_t i = 0; due && i < average_.size(); ++i) {
      duals.multiplier[i] += duals.penalty[i] * in.constraints[i];
      duals.penalty[i] = std::max(duals.penalty[i], in.eta[i] / std::sqrt(average_[i] + epsilon));
    }
    return due;
  }
  std::vector<double> state() const override {
    std::vector<double> all = average_;
    all.push_back(previous_loss_);
    return all;
  }
  void restore(std::span<const double> state) override {
    average_.assign(state.begin(), state.end() - 1);
    previous_loss_ = state.back();
  }

 private:
  static constexpr double zeta = 0.99, omega = 0.999, epsilon = 1e-16;
  std::vector<double> average_;
  double previous_loss_ = std::numeric_limits<double>::infinity();
};
