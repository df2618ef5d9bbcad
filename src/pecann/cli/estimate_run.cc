#include "pecann/cli/estimate_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/problem/joints.h"
#include "pecann/verdict/problem_text.h"
#include "pecann/verdict/wrapped_text.h"

namespace pecann::cli {

double affordable_seconds(const problem::Problem& problem, double seconds) {
  return std::max(3.0, problem::count_parts(problem) > 1 ? 3 * seconds : seconds / 5);
}

std::string estimate_text(const problem::Problem& problem, const results::RunEstimate& estimate,
                          std::span<const train::FieldError> errors) {
  std::string text = fmt::format("estimated error without the exact solution (trial {}, {:.1f} s)\n", estimate.trial,
                                 estimate.seconds);
  for (const results::FieldEstimate& field : estimate.fields) {
    text += fmt::format("  {}: relative l2 ", shortened(field.field));
    text += field.trusted                      ? fmt::format("{:.2e}, {} {:.1e} .. {:.1e}", field.relative_l2,
                                        field.good ? "good:" : "trusted:", field.low, field.high)
            : std::isfinite(field.relative_l2) ? fmt::format("not trusted ({:.0e})", field.relative_l2)
                                               : "not known";
    for (const train::FieldError& error : errors)
      if (error.field == field.field && std::isfinite(error.relative_l2))
        text += fmt::format("; true {:.2e}", error.relative_l2);
    text += "\n" + verdict::wrapped("    " + field.decided, 4);
  }
  if (!estimate.decided.empty()) text += verdict::wrapped("  " + estimate.decided, 4);
  for (const results::ScalarEstimate& scalar : estimate.scalars) {
    const std::string unit = verdict::unit_text(problem, scalar.name);
    text += fmt::format("  {} = {:.6g}", shortened(scalar.name), scalar.value);
    if (std::isfinite(scalar.standard_error)) text += fmt::format(" ± {:.1e}", scalar.standard_error);
    text += unit;
    if (std::isfinite(scalar.standard_error)) text += " (standard error)";
    for (const problem::ParameterSpec& parameter : problem.parameters)
      if (parameter.name == scalar.name && parameter.exact) text += fmt::format("; true {:.6g}", *parameter.exact);
    text += "\n";
  }
  return text;
}

}  // namespace pecann::cli
