/// \file
/// The points of a training in the hands of a program, between epochs (TrainOptions::change_points).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pecann/export.h"

namespace pecann {

/// What TrainOptions::change_points is given after every epoch; it is valid during that call only. Points are
/// [point][coordinate], in the problem's order. What cannot be done throws (errors.h) and changes nothing.
class PECANN_API TrainingPoints {
 public:
  virtual ~TrainingPoints();
  virtual int window() const = 0;  ///< from 0
  virtual long epoch() const = 0;  ///< finished epochs, over the phases of a window
  /// The points of a term, as they stand.
  virtual std::vector<double> points(const std::string& term) const = 0;
  /// The size of the residual, √Σ r² over the term's equations, at points of its region with the present parameters.
  virtual std::vector<double> residual(const std::string& term, std::span<const double> points) const = 0;
  /// Gives the term, and those that share its points, other points of its region, as many as one likes. They stay until
  /// they are changed again, the term's `redraw` is due, or a new time window begins.
  virtual void set(const std::string& term, std::span<const double> points) = 0;
  /// Draws the term's random points anew.
  virtual void redraw(const std::string& term) = 0;
};

}  // namespace pecann
