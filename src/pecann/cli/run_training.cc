#include "pecann/cli/run_training.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "pecann/base/communicator.h"
#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/base/state_archive.h"
#include "pecann/cli/estimate_run.h"
#include "pecann/cli/progress.h"
#include "pecann/cli/terminal.h"
#include "pecann/estimate/standard_errors.h"
#include "pecann/kernel/simd_target.h"
#include "pecann/mpi/ranks.h"
#include "pecann/optim/dense_gram.h"
#include "pecann/page/live_server.h"
#include "pecann/page/page.h"
#include "pecann/results/npz_file.h"
#include "pecann/results/over_trials.h"
#include "pecann/results/run.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/checkpoint.h"
#include "pecann/train/trials.h"
#include "pecann/verdict/run_report.h"
#include "pecann/verdict/summary_text.h"
#include "pecann/verdict/text_report.h"
#include "pecann/verdict/wrapped_text.h"

namespace pecann::cli {
namespace {

constexpr std::size_t kLongestNote = 400;

void print_run_header(const problem::Problem& problem, const train::RunFolder& folder) {
  say(stderr, shortened(problem.title, verdict::kTextWidth - 4) + "\n");
  if (!problem.recommendation.empty())
    say(stderr, "training chosen: " + shortened(problem.recommendation, kLongestNote) + "\n");
  std::string training;
  for (const problem::PhaseSpec& phase : problem.phases)
    training += fmt::format("{}{} {}", training.empty() ? "" : ", then ", phase.optimizer, phase.epochs);
  say(stderr, fmt::format("{}{}; penalty {}\n{} thread{}, {}; {}; writing to {}\n",
                          problem.recipe.empty() ? "" : "recipe " + shortened(problem.recipe) + ": ", training,
                          problem.penalty.strategy, thread_count(), thread_count() == 1 ? "" : "s",
                          kernel::simd_target(), optim::blas_description(), shortened(folder.path(), kLongestPath)));
}

/// Where the trials of a resumed run go on. A checkpoint that cannot be read is told of by who needs it.
void print_places(const problem::Problem& problem, const train::RunFolder& folder) {
  constexpr int kPlacesShown = 8;
  for (int trial = 1; trial <= std::min(problem.trials, kPlacesShown); ++trial) {
    const train::TrialFolder own = folder.trial(trial);
    if (!own.has_checkpoint()) continue;
    try {
      const std::string payload = train::read_checkpoint(own).payload;
      const StateReader reader(payload);
      std::string place =
          fmt::format("epoch {}", reader.get_integer("epoch", std::numeric_limits<std::int64_t>::max()));
      if (problem.windows.count > 1)
        place += fmt::format(" of window {}/{}", reader.get_integer("window", 1'000'000) + 1, problem.windows.count);
      say(stderr,
          fmt::format("{}goes on after {}\n", problem.trials > 1 ? fmt::format("trial {} ", trial) : "", place));
    } catch (const std::exception&) {
      continue;
    }
  }
}

/// The summaries of trials that ranks have run apart, in the order of the trials, at the first rank.
std::vector<train::TrialSummary> gathered(const problem::Problem& problem,
                                          const std::vector<train::TrialSummary>& own) {
  std::vector<train::TrialSummary> all;
  for (const std::string& text : communicator().gather(results::summary_json(problem, own, {})))
    for (train::TrialSummary& summary : results::parse_summary(text, problem, "summary of a rank").trials)
      all.push_back(std::move(summary));
  std::ranges::sort(all, {}, &train::TrialSummary::trial);
  return all;
}

/// True when the ranks train whole trials, each its own.
bool divided(const RunOptions& options) { return options.parallel == "trials" && communicator().size() > 1; }

std::vector<train::TrialSummary> train_all(const problem::Problem& problem, const train::RunFolder& folder,
                                           const RunOptions& options, const std::optional<std::vector<double>>& start,
                                           bool resume) {
  const bool talks = !options.quiet && (divided(options) || first_rank());
  const bool side_by_side = divided(options) || std::min(options.jobs, problem.trials) > 1;
  train::TrialsOptions trials{.resume = resume,
                              .more_time = options.more_time,
                              .jobs = options.jobs,
                              .divided_among_ranks = divided(options),
                              .checkpoint_seconds = options.checkpoint_seconds,
                              .view_seconds = options.live ? kViewSeconds : 0,
                              .start = start};
  trials.extensions.head_start = options.head_start;
  trials.observer = [&](int trial) {
    return std::make_unique<Progress>(problem,
                                      problem.trials > 1 ? fmt::format("trial {}/{}", trial, problem.trials) : "",
                                      side_by_side && talks ? ProgressStyle::Log : progress_style(!talks));
  };
  if (!options.no_estimate) trials.extensions.standard_errors = estimate::watched_scalars();
  trials.warn = [](const std::string& text) { say(stderr, "pecann: " + shortened(text, kLongestPath) + "\n"); };
  return train::run_trials(problem, folder, trials);
}

/// Writes the summary; false when it could not be written. The checkpoints hold all that it is made from.
bool write_summary(const problem::Problem& problem, const train::RunFolder& folder, const TrainedRun& run) {
  try {
    results::write_summary(folder, problem, run.trials, run.facts, run.assessment);
    return true;
  } catch (const std::exception& error) {
    say(stderr, fmt::format("pecann: {}\npecann: the training is safe in its checkpoint; `pecann resume {}` writes its "
                            "results\n",
                            shortened(error.what(), kLongestPath), shortened(folder.path(), kLongestPath)));
    return false;
  }
}

/// The error estimate of the best trial, where it is wanted and has something to estimate. A run does not fail for it.
std::optional<results::RunEstimate> estimate_best(const problem::Problem& problem, const train::RunFolder& folder,
                                                  const std::vector<train::TrialSummary>& summaries,
                                                  const RunOptions& options) {
  if (options.no_estimate || train::stop_requested()) return std::nullopt;
  try {
    const results::Run run{folder, "", problem, folder.trials(), results::RunSummary{summaries, {}, {}}};
    const int trial = results::best_trial(run);
    const auto summary = std::ranges::find(summaries, trial, &train::TrialSummary::trial);
    if (summary == summaries.end() || results::failed(*summary)) return std::nullopt;
    const train::Solution solution = train::load_solution(problem, folder, trial);
    return estimate::estimate_error(problem, solution, summary->seed,
                                    {.trial = trial, .most_seconds = affordable_seconds(problem, summary->seconds)})
        .summary();
  } catch (const std::exception& error) {
    say(stderr, "pecann: no estimate of the error: " + shortened(error.what(), kLongestPath) + "\n");
    return std::nullopt;
  }
}

/// Writes the solution file of every trial, the page, and the summary once more with the page's verdict, which it
/// returns; nothing where one of these cannot be written, which is said.
std::optional<verdict::Verdict> write_results(const problem::Problem& problem, const train::RunFolder& folder,
                                              TrainedRun& run) {
  try {
    for (const train::TrialSummary& summary : run.trials)
      if (!results::untrained(summary))
        results::write_solution_npz(problem, train::load_solution(problem, folder, summary.trial),
                                    folder.trial(summary.trial).solution_file("npz"));
    const std::string folders[] = {folder.path()};
    const verdict::RunReport report = std::move(page::write_report(folders, folder.report_file()).front());
    run.assessment.conclusion = verdict::conclusion_of(report);
    results::write_summary(folder, problem, run.trials, run.facts, run.assessment);
    return report.verdict;
  } catch (const std::exception& error) {
    say(stderr, "pecann: the report is incomplete: " + shortened(error.what(), kLongestPath) + "\n");
    return std::nullopt;
  }
}

[[noreturn]] void throw_with_way_on(const std::string& what, const train::RunFolder& folder) {
  throw std::runtime_error(fmt::format(
      "{}; what was trained is safe up to the last checkpoint: go on with `pecann resume {}`", what, folder.path()));
}

}  // namespace

bool first_rank() { return communicator().rank() == 0; }

results::RunFacts facts_of_this_run() {
  results::RunFacts facts = results::facts_of_this_machine();
  facts.simd = kernel::simd_target();
  facts.blas = optim::blas_description();
  facts.threads = thread_count();
  return facts;
}

Reported report_run(const problem::Problem& problem, const train::RunFolder& folder, const RunOptions& options,
                    TrainedRun& run) {
  Reported reported;
  reported.written = write_summary(problem, folder, run);
  if (!run.assessment.estimate) {
    run.assessment.estimate = estimate_best(problem, folder, run.trials, options);
    if (run.assessment.estimate) reported.written = write_summary(problem, folder, run) && reported.written;
  }
  reported.verdict = write_results(problem, folder, run);
  reported.written = reported.written && reported.verdict.has_value();
  if (options.quiet) return reported;
  std::fputs(verdict::summary_text(problem, run.trials, folder.path(), colour_for(stdout)).c_str(), stdout);
  if (run.assessment.estimate) {
    const auto trial = std::ranges::find(run.trials, run.assessment.estimate->trial, &train::TrialSummary::trial);
    std::fputs(("\n" + estimate_text(problem, *run.assessment.estimate, trial->errors)).c_str(), stdout);
  }
  if (reported.verdict)
    std::fputs(("\n" + verdict::verdict_text(*reported.verdict, colour_for(stdout))).c_str(), stdout);
  return reported;
}

page::LiveServer::Options live_options(const RunOptions& options) {
  return {.stop = train::request_stop, .estimates = !options.no_estimate};
}

int strict_exit_code(const RunOptions& options, const Reported& reported, int exit_code) {
  const bool trusted = reported.verdict && reported.verdict->grade <= verdict::Grade::Usable;
  return options.strict && !trusted ? 3 : exit_code;
}

int train_and_report(const problem::Problem& problem, const train::RunFolder& folder, const RunOptions& options,
                     const std::optional<std::vector<double>>& start, bool resume) {
  if (!options.quiet && first_rank()) print_run_header(problem, folder);
  if (resume && !options.quiet && first_rank()) print_places(problem, folder);
  train::catch_stop_signals();
  std::optional<page::LiveServer> live;
  if (options.live && first_rank()) {
    live.emplace(folder.path(), live_options(options));
    std::fprintf(stderr, "live page: %s\n", live->address().c_str());
  }
  TrainedRun trained{.facts = facts_of_this_run()};
  std::vector<train::TrialSummary>& summaries = trained.trials;
  try {
    summaries = train_all(problem, folder, options, start, resume);
    if (divided(options)) summaries = gathered(problem, summaries);
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {  // a disk that is full, a folder that has gone
    if (!folder.trial(1).has_checkpoint()) throw;
    throw_with_way_on(error.what(), folder);
  } catch (const std::bad_alloc&) {
    if (!folder.trial(1).has_checkpoint()) throw;
    throw_with_way_on("not enough memory", folder);
  }
  if (!first_rank()) return 0;
  if (live) live->training_ended();
  const std::size_t not_begun = static_cast<std::size_t>(problem.trials) - summaries.size();
  const int ranks = communicator().size();
  const UseCommunicator alone(serial_communicator());  // the report evaluates without the others, which have gone
  if (!options.quiet && mpi::traffic().megabytes > 0) {
    const double epochs = std::max(1.0, static_cast<double>(summaries.front().epochs));
    std::fprintf(stderr, "%d ranks, exchanged per epoch: %.3g MB in %.3g ms, waiting for each other included\n", ranks,
                 mpi::traffic().megabytes / epochs, 1e3 * mpi::traffic().seconds / epochs);
  }
  const Reported reported = report_run(problem, folder, options, trained);
  if (live) live->finish(std::filesystem::absolute(folder.report_file()).string());
  const bool wants_target = problem.stop.loss || problem.stop.violation || problem.stop.error;
  int exit_code = not_begun > 0 || !reported.written ? 1 : 0;
  bool interrupted = not_begun > 0;
  for (const train::TrialSummary& summary : summaries) {
    const train::Termination end = summary.outcome.termination;
    interrupted = interrupted || end == train::Termination::Interrupted;
    if (end == train::Termination::NotFinite || end == train::Termination::Interrupted ||
        end == train::Termination::CheckFailed || (wants_target && end != train::Termination::TargetReached))
      exit_code = 1;
  }
  if (interrupted)
    say(stderr,
        fmt::format("pecann: stopped{}; go on with `pecann resume {}`\n",
                    not_begun > 0 ? fmt::format(", {} trial{} not begun", not_begun, not_begun == 1 ? "" : "s") : "",
                    shortened(folder.path(), kLongestPath)));
  return strict_exit_code(options, reported, exit_code);
}

}  // namespace pecann::cli
