// The training of a run and what a person reads of it: header, progress, results, advice. `run` and `resume` share it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pecann/page/live_server.h"
#include "pecann/problem/problem.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/head_start.h"
#include "pecann/train/run_folder.h"
#include "pecann/verdict/verdict.h"

namespace pecann::cli {

inline constexpr double kViewSeconds = 1.5;  // the fields of a live page are at most about so old

struct RunOptions {
  std::string problem, recipe, folder, init;
  std::vector<std::string> overrides;
  int trials = 0, threads = 0, jobs = 1;
  std::optional<std::uint64_t> seed;
  double checkpoint_seconds = 30, seconds = 0, accuracy = 0;
  bool quiet = false, live = false, no_estimate = false;
  bool more_time = false;  // trials whose stop.seconds were over have as many again
  bool anyway = false;     // resume: goes on although what the run depends on has changed
  bool strict = false;     // exit code 3 for an answer that is doubtful or bad
  std::shared_ptr<const train::HeadStart> head_start = nullptr;  // what the choice of the training has of it
  std::string parallel = "points";  // what ranks share: the points of every term, or the trials
};

/// Trials that have ended, and what was found out of them.
struct TrainedRun {
  std::vector<train::TrialSummary> trials = {};
  results::RunFacts facts = {};
  results::Assessment assessment = {};
};

struct Reported {
  bool written = false;  // summary, solutions and page
  std::optional<verdict::Verdict> verdict = {};
};

results::RunFacts facts_of_this_run();
page::LiveServer::Options live_options(const RunOptions& options);

/// Estimates the error where the run has no estimate, writes summary, solutions and page, and prints what came out.
Reported report_run(const problem::Problem& problem, const train::RunFolder& folder, const RunOptions& options,
                    TrainedRun& run);
/// The exit code, or 3 where `strict` asks for a better verdict.
int strict_exit_code(const RunOptions& options, const Reported& reported, int exit_code);

/// True on the rank that writes files and talks to the user.
bool first_rank();

/// Trains all trials in the folder, which is locked, and writes and prints what came out. Returns the exit code, which
/// is 1 where a trial did not reach its target, was stopped, or its results could not be written; with `strict` 3
/// where the verdict is doubtful or bad, or could not be made.
int train_and_report(const problem::Problem& problem, const train::RunFolder& folder, const RunOptions& options,
                     const std::optional<std::vector<double>>& start, bool resume);

}  // namespace pecann::cli
