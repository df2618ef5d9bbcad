// What an optimiser sees of the world: the value and gradient of a vector.
#pragma once

#include <cstddef>
#include <span>

namespace pecann::optim {

class Objective {
 public:
  virtual ~Objective() = default;
  virtual std::size_t size() const = 0;
  virtual double value_and_gradient(std::span<const double> x, std::span<double> gradient) = 0;
  virtual double value(std::span<const double> x) = 0;
};

}  // namespace pecann::optim
