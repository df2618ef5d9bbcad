// Result::estimate
#include "pecann/estimate/estimate.h"

#include "pecann/api/solution_data.h"
#include "pecann/training.h"

namespace pecann {

Estimate Result::estimate() const {
  const api::SolutionData& data = *solution.data_;
  const results::RunEstimate made =
      estimate::estimate_error(*data.problem, data.solution, summary.seed, {.trial = summary.trial}).summary();
  Estimate result;
  result.decided = made.decided;
  result.seconds = made.seconds;
  for (const results::FieldEstimate& field : made.fields)
    result.fields.push_back(
        {field.field, field.relative_l2, field.low, field.high, field.trusted, field.good, field.decided});
  for (const results::ScalarEstimate& scalar : made.scalars)
    result.scalars.push_back({scalar.name, scalar.value, scalar.standard_error});
  return result;
}

}  // namespace pecann
