#include "pecann/verdict/phase_rows.h"

namespace pecann::verdict {
namespace {

/// Rows [first, end) of one window.
class WindowPhases {
 public:
  WindowPhases(const problem::Problem& problem, const results::HistoryTable& history, std::size_t first,
               std::size_t end)
      : phases_(problem.phases),
        epochs_(*history.find("epoch")),
        rates_(history.find("learning_rate")),
        first_(first),
        end_(end) {}

  /// The row that phase p + 1 begins with; `begin` is that of phase p.
  std::size_t next(std::size_t p, std::size_t begin) const {
    const problem::PhaseSpec &now = phases_[p], &then = phases_[p + 1];
    const bool steady = now.optimizer != "lm" && now.schedule.kind == "constant";
    for (std::size_t i = begin + 1; rates_ != nullptr && i < end_; ++i) {
      const double rate = (*rates_)[i], before = (*rates_)[i - 1];
      if (then.optimizer != "lm" && rate == then.learning_rate && before != rate) return i;
      if (then.optimizer == "lm" && steady && rate != now.learning_rate) return i;
    }
    const double before = begin == first_ ? 0 : epochs_[begin - 1];
    std::size_t row = begin;
    while (row < end_ && epochs_[row] <= before + now.epochs) ++row;
    return row;
  }

 private:
  const std::vector<problem::PhaseSpec>& phases_;
  const std::vector<double>& epochs_;
  const std::vector<double>* rates_;
  std::size_t first_, end_;
};

}  // namespace

std::vector<std::size_t> window_starts(const results::HistoryTable& history) {
  std::vector<std::size_t> starts = {0};
  if (const std::vector<double>* const windows = history.find("window"))
    for (std::size_t i = 1; i < windows->size(); ++i)
      if ((*windows)[i] != (*windows)[i - 1]) starts.push_back(i);
  starts.push_back(history.rows());
  return starts;
}

std::vector<int> phases_of_rows(const problem::Problem& problem, const results::HistoryTable& history) {
  std::vector<int> result(history.rows(), 0);
  if (history.find("epoch") == nullptr) return result;
  const std::vector<std::size_t> starts = window_starts(history);
  for (std::size_t w = 0; w + 1 < starts.size(); ++w) {
    const WindowPhases window(problem, history, starts[w], starts[w + 1]);
    std::size_t begin = starts[w];
    for (std::size_t p = 0; p + 1 < problem.phases.size() && begin < starts[w + 1]; ++p) {
      begin = window.next(p, begin);
      for (std::size_t i = begin; i < starts[w + 1]; ++i) result[i] = static_cast<int>(p + 1);
    }
  }
  return result;
}

}  // namespace pecann::verdict
