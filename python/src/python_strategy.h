// A penalty strategy written in Python (pecann.PenaltyStrategy) as the library calls it.
#pragma once

#include "bindings.h"

namespace pecann::python {

/// The arrays that Python sees are its own: what it changes in them is copied back, and what it keeps of them stays
/// valid.
class PythonStrategy final : public PenaltyStrategy {
 public:
  /// The interpreter's lock is held.
  explicit PythonStrategy(py::object strategy) : strategy_(held(std::move(strategy))) {}

  void start(Duals duals) override;
  bool update(const DualInput& input, Duals duals) override;
  std::vector<double> state() const override;
  void restore(std::span<const double> state) override;

 private:
  std::shared_ptr<py::object> strategy_;
};

}  // namespace pecann::python
