// A problem solved to an accuracy: attempts (next_attempt.h), each with an estimate of its error, until one is trusted
// and small enough, the time is over, nothing helps or is left to try, or noise in the data decides.
//
// Every attempt is a run of its own in DIR/attempt-1, DIR/attempt-2, …, so that a search that was stopped goes on where
// it was: attempts that have ended are read, the one that had begun is resumed. The best one becomes the answer of DIR.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pecann/accuracy/attempt.h"
#include "pecann/results/estimate.h"
#include "pecann/results/run_facts.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/run_folder.h"
#include "pecann/train/trial.h"

namespace pecann::accuracy {

inline constexpr double kUsualSeconds = 600;  // for a search whose problem has no stop.seconds

struct SearchOptions {
  double seconds = kUsualSeconds;  // for all attempts and estimates together
  bool resume = false;
  double checkpoint_seconds = 30;
  double view_seconds = 0;  // as of a trial (train/trial.h)
  results::RunFacts facts;
  /// Makes the observer of an attempt's training.
  std::function<std::unique_ptr<train::EpochObserver>(const problem::Problem&, int attempt)> observer;
  std::function<void(const std::string&)> tell;  // hears one line for every decision
};

enum class Ending { Reached, TimeUp, NothingLeft, NothingHelps, NoiseDecides, Interrupted };

/// An attempt that has ended, with all that is told of it.
struct Ended {
  Tried tried;
  train::TrialSummary trial;
  results::RunEstimate estimate;
};

struct SearchResult {
  Ending ending = Ending::NothingLeft;
  std::vector<Ended> attempts;
  int best = -1;         // of `attempts`; -1 where no attempt ended
  std::string evidence;  // what an end before the time is judged by (no_more.h)
};

/// `folder` is locked and holds the problem, which asks for an accuracy.
SearchResult search(const problem::Problem& problem, const train::RunFolder& folder, const SearchOptions& options);

/// Makes the best attempt the answer of the folder: its problem, and its trial as trial 1.
void adopt(const SearchResult& result, const train::RunFolder& folder);

/// One sentence on how the search ended: what was asked, what is estimated, and why it stopped.
std::string ending_text(const problem::Problem& problem, const SearchResult& result);

/// The search as summary.json tells of it.
results::AccuracyAnswer answer_of(const problem::Problem& problem, const SearchResult& result);

}  // namespace pecann::accuracy
