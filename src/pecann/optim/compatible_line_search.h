// The strong Wolfe search of torch.optim.LBFGS, decision by decision, so that a published training can be repeated with
// the same number of evaluations. Its habits that line_search.h does not share: c₁, c₂, the tolerance 1e-9 and the
// limit of 25 are fixed; the interval is given up when it is shorter than 1e-9 in x, however small x and f are; the
// lower end is returned even when the conditions do not hold there; a value that is not finite is not recognised.
#pragma once

#include <span>
#include <vector>

#include "pecann/optim/objective.h"

namespace pecann::optim {

struct CompatibleSearchResult {
  double step = 0;
  double value = 0;
  int evaluations = 0;
};

class CompatibleLineSearch {
 public:
  explicit CompatibleLineSearch(std::size_t size) : point_(size) {}

  /// `gradient` is the one at x on entry and the one at x + step·direction on return; slope = gradient·direction at x.
  CompatibleSearchResult search(Objective& objective, std::span<const double> x, double first_step,
                                std::span<const double> direction, double value, double slope,
                                std::span<double> gradient);

 private:
  struct Trial {
    double step = 0, value = 0, slope = 0;
    std::vector<double> gradient;
  };
  void evaluate(Objective& objective, std::span<const double> x, std::span<const double> direction, double step,
                Trial& trial);

  std::vector<double> point_;
  Trial previous_, trial_, low_, high_;  // members only to keep their memory from search to search
};

}  // namespace pecann::optim
