// What a program may do to the points of a training between epochs: look at the residuals anywhere, give a term other
// points, or have them drawn anew. Everything that cannot be done is refused (InputError) before anything changes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pecann/train/assembly.h"

namespace pecann::train {

class PointChanges {
 public:
  PointChanges(const problem::Problem& problem, Assembly& assembly, std::span<const double> parameters, int window,
               long epoch)
      : problem_(problem), assembly_(assembly), parameters_(parameters), window_(window), epoch_(epoch) {}

  int window() const { return window_; }  // from 0
  long epoch() const { return epoch_; }   // finished epochs of the window
  /// All points of a term, also where training takes them in batches.
  const sampling::PointSet& points(const std::string& term) const;
  /// √Σ r² over the term's equations at points of its region, given by coordinate.
  std::vector<double> residual(const std::string& term, const std::vector<std::vector<double>>& coordinates) const;
  /// Gives a term, and those that share its points, other points of its region.
  void set(const std::string& term, const std::vector<std::vector<double>>& coordinates);
  /// Draws the points of a term anew by its own rule.
  void redraw(const std::string& term);
  bool any() const { return any_; }

 private:
  std::size_t index_of(const std::string& term) const;
  std::size_t set_of(const std::string& term) const;
  void require_movable(const std::string& term) const;
  sampling::PointSet located(const std::string& term, const std::vector<std::vector<double>>& coordinates) const;

  const problem::Problem& problem_;
  Assembly& assembly_;
  std::span<const double> parameters_;
  int window_;
  long epoch_;
  bool any_ = false;
};

}  // namespace pecann::train
