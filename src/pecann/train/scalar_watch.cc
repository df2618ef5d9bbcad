#include "pecann/train/scalar_watch.h"

#include <algorithm>
#include <cmath>

#include "pecann/optim/registry.h"
#include "pecann/train/window.h"

namespace pecann::train {
namespace {

/// About how many operations the phases of a window take, and how many epochs they have.
struct WindowCost {
  double flops = 0, epochs = 0;
};

WindowCost cost_of(const problem::Problem& problem, const problem::WindowTry& window,
                   const evaluate::Evaluator& evaluator) {
  WindowCost all;
  for (const problem::PhaseSpec& phase : problem.phases) {
    const optim::OptimizerRow& row = optim::optimizer_row(phase.optimizer, phase.mode);
    const double epochs = planned_epochs(phase, window);
    const optim::EpochCost cost = row.cost(OptionValues(row.options, phase.options),
                                           {.parameters = static_cast<double>(evaluator.model().num_parameters()),
                                            .rows = static_cast<double>(evaluator.num_rows()),
                                            .epochs = epochs,
                                            .front = static_cast<double>(evaluator.model().front())});
    all.flops += epochs * (cost.evaluations * evaluator.flops() + cost.operations);
    all.epochs += epochs;
  }
  return all;
}

}  // namespace

ScalarWatch::ScalarWatch(const problem::Problem& problem, const evaluate::Evaluator& evaluator, double flops) {
  if (flops <= 0) return;
  if (problem.stop.seconds) {
    seconds_ = *problem.stop.seconds / kMostTimes;
    return;
  }
  const WindowCost first = cost_of(problem, problem.windows.first, evaluator),
                   usual = cost_of(problem, problem.windows.usual, evaluator);
  const double later = problem.windows.count - 1;
  const double training = first.flops + later * usual.flops;
  const double times = std::min(kMostTimes, std::max(kFree, kShare * training) / flops);
  if (times < 1) return;
  interval_ = std::max(1L, std::lround(std::ceil((first.epochs + later * usual.epochs) / times)));
}

bool ScalarWatch::due(const EpochRecord& record, long total_epochs) const {
  if (seconds_) return record.seconds - at_ >= std::max(*seconds_, cost_ / kShare);
  return interval_ && total_epochs % *interval_ == 0;
}

}  // namespace pecann::train
