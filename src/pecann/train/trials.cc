#include "pecann/train/trials.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>
#include <system_error>
#include <thread>

#include "pecann/base/communicator.h"
#include "pecann/base/parallel.h"

namespace pecann::train {
namespace {

/// True when a signal has asked to stop. The ranks agree on it, for a signal reaches them at different moments.
bool all_stop() {
  double stop = stop_requested() ? 1 : 0;
  communicator().broadcast({&stop, 1}, 0);
  return stop != 0;
}

TrialSummary run_one(const problem::Problem& problem, int trial, const TrialFolder& folder,
                     const TrialsOptions& options) {
  const std::unique_ptr<EpochObserver> observer = options.observer ? options.observer(trial) : nullptr;
  folder.create();
  TrialOptions own{.folder = folder,
                   .resume = options.resume && folder.has_checkpoint(),
                   .more_time = options.more_time,
                   .checkpoint_seconds = options.checkpoint_seconds,
                   .view_seconds = options.view_seconds,
                   .start = options.start,
                   .warn = options.warn,
                   .extensions = options.extensions};
  if (observer) own.observers.push_back(observer.get());
  return run_trial(problem, trial, own);
}

}  // namespace

std::vector<TrialSummary> run_trials(const problem::Problem& problem, const RunFolder& folder,
                                     const TrialsOptions& options) {
  const Communicator& ranks = communicator();
  const bool divided = options.divided_among_ranks && ranks.size() > 1;
  std::vector<int> trials = options.trials;
  if (trials.empty()) {
    trials.resize(static_cast<std::size_t>(problem.trials));
    std::iota(trials.begin(), trials.end(), 1);
  }
  const int count = static_cast<int>(trials.size());
  const int jobs = ranks.size() > 1 && !divided ? 1 : std::clamp(options.jobs, 1, count);

  std::vector<std::optional<TrialSummary>> summaries(trials.size());
  std::vector<std::exception_ptr> failures(trials.size());
  std::atomic<int> next{0};
  std::atomic<bool> failed{false};
  const auto work = [&](int threads) {
    const ThreadShare share(threads);
    std::optional<UseCommunicator> alone;
    if (divided) alone.emplace(serial_communicator());
    for (int i = next++; i < count && !failed; i = next++) {
      if (divided && i % ranks.size() != ranks.rank()) continue;
      if (all_stop() && i > 0) return;
      try {
        summaries[i] = run_one(problem, trials[i], folder.trial(trials[i]), options);
      } catch (...) {
        failures[i] = std::current_exception();
        failed = true;
      }
    }
  };
  const int threads = jobs == 1 ? 0 : std::max(1, thread_count() / jobs);
  std::vector<std::jthread> others;  // joined also where one more cannot be started
  try {
    for (int job = 1; job < jobs; ++job) others.emplace_back(work, threads);
  } catch (const std::system_error&) {  // the system gives no more threads: the others take the trials that are left
  }
  work(threads);
  others.clear();

  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  std::vector<TrialSummary> begun;
  for (std::optional<TrialSummary>& summary : summaries)
    if (summary) begun.push_back(std::move(*summary));
  return begun;
}

}  // namespace pecann::train
