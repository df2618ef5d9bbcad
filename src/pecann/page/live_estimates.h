// The error of a run that is training, estimated from its checkpoints: seldom, in a thread of its own, and with a small
// share of a processor. The training is read and never asked, so that it does the same with and without.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "pecann/results/estimate.h"
#include "pecann/train/trial.h"

namespace pecann::page {

/// Estimates may take so many seconds of a processor, and after them this share of the time since the beginning.
inline constexpr double kFirstEstimates = 0.5, kShareOfEstimates = 0.05;
inline constexpr double kLongestEstimate = 3;       // seconds of one of them, as far as that can be told before
inline constexpr double kBetweenEstimates = 5;      // seconds by the clock
inline constexpr std::size_t kMostEstimates = 200;  // that are kept for a curve; then every other one goes

/// When an estimate of some cost may be made.
class EstimateBudget {
 public:
  /// Seconds of a processor that may be spent when so many have passed by the clock.
  double allowed(double elapsed) const { return kFirstEstimates + kShareOfEstimates * elapsed - spent_; }
  /// How long to wait until an estimate of this cost is allowed; 0: no longer.
  double wait(double cost, double elapsed) const;
  void spend(double seconds) { spent_ += seconds; }

 private:
  double spent_ = 0;
};

/// The words for an estimate that is still too dear, or will not be made at all.
std::string estimate_to_come(double cost, double wait);

class LiveEstimates {
 public:
  explicit LiveEstimates(std::string run_folder);
  /// Waits for the estimate that is being made.
  ~LiveEstimates();
  LiveEstimates(const LiveEstimates&) = delete;

  /// Somebody looks at the page: the next estimate is made when it is due.
  void ask();
  /// The training has ended: no other estimate is begun. Does not wait.
  void end();
  /// Goes on with the run in another folder, and forgets the one before.
  void follow(const std::string& run_folder);

  /// What is known so far: {"trial", "epoch", "estimate" or "note", "series": [{"epoch", "fields"}]}.
  nlohmann::ordered_json json() const;

 private:
  struct Known {
    long epochs = 0;
    results::RunEstimate estimate;
  };

  void work();
  /// Makes an estimate where one is due. Returns the seconds until the next look.
  double make(const std::string& folder);
  double elapsed() const;

  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  EstimateBudget budget_;  // of the thread

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::string folder_;
  bool wanted_ = false, ended_ = false;
  std::string note_;
  std::vector<Known> known_;

  std::thread thread_;  // last: it uses all of the above
};

}  // namespace pecann::page
