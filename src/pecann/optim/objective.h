// What an optimiser sees of the world: the value and gradient of a vector, and its squares where it has some.
#pragma once

#include <cstddef>
#include <span>

#include "pecann/optim/least_squares.h"
#include "pecann/optim/residuals.h"

namespace pecann::optim {

class Objective {
 public:
  virtual ~Objective() = default;
  virtual std::size_t size() const = 0;
  virtual double value_and_gradient(std::span<const double> x, std::span<double> gradient) = 0;
  virtual double value(std::span<const double> x) = 0;
  /// The same function as a sum of squares, for Gauss–Newton methods; null where it is none.
  virtual LeastSquares* least_squares() { return nullptr; }
  /// The residuals that it is made of, for methods that weigh them themselves; null where it has none.
  virtual Residuals* residuals() { return nullptr; }
};

}  // namespace pecann::optim
