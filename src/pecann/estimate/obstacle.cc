#include "pecann/estimate/obstacle.h"

#include <fmt/format.h>

#include "pecann/estimate/fresh_points.h"
#include "pecann/problem/inequality_terms.h"
#include "pecann/train/held_out.h"

namespace pecann::estimate {

std::string obstacle_to_estimate(const problem::Problem& problem, const train::Solution& solution) {
  if (solution.num_windows() < problem.windows.count)
    return fmt::format("only {} of {} windows are begun", solution.num_windows(), problem.windows.count);
  bool drawn_inside = false;
  for (const problem::TermSpec& term : problem.terms) {
    if (problem::has_inequality(term))
      return "the inequality of term '" + term.name + "' holds or not, which the linearised equations do not know";
    drawn_inside = drawn_inside || (fills_domain(problem, term) && train::can_be_drawn_anew(problem, term));
    if (!term.data) continue;
    if (!term.data->file.empty())
      return "the data of term '" + term.name + "' may have noise, whose effect no equation shows";
    if (term.data->noise > 0) return "the data of term '" + term.name + "' have noise, whose effect no equation shows";
  }
  if (!drawn_inside)
    return "no equation holds on points that can be drawn anew inside: there are none but those of training to judge "
           "by";
  return "";
}

}  // namespace pecann::estimate
