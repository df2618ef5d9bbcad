// Result::estimate
#include "pecann/estimate/estimate.h"

#include "pecann/api/public_results.h"
#include "pecann/api/solution_data.h"
#include "pecann/training.h"

namespace pecann {

Estimate Result::estimate(double most_seconds) const {
  if (summary.estimate) return *summary.estimate;
  const api::SolutionData& data = *solution.data_;
  return api::public_estimate(estimate::estimate_error(*data.problem, data.solution, summary.seed,
                                                       {.trial = summary.trial, .most_seconds = most_seconds})
                                  .summary());
}

}  // namespace pecann
