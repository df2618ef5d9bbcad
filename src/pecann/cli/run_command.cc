// pecann run, pecann resume
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "pecann/base/communicator.h"
#include "pecann/base/input_error.h"
#include "pecann/base/npy.h"
#include "pecann/base/parallel.h"
#include "pecann/base/read_file.h"
#include "pecann/check/memory_estimate.h"
#include "pecann/cli/commands.h"
#include "pecann/cli/option_checks.h"
#include "pecann/cli/progress.h"
#include "pecann/cli/run_folder.h"
#include "pecann/cli/terminal.h"
#include "pecann/evaluate/model.h"
#include "pecann/kernel/fma_peak.h"
#include "pecann/mpi/ranks.h"
#include "pecann/optim/dense_gram.h"
#include "pecann/page/live_server.h"
#include "pecann/page/page.h"
#include "pecann/problem/catalogue.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/npz_file.h"
#include "pecann/results/summary_json.h"
#include "pecann/results/text_file.h"
#include "pecann/train/check_training.h"
#include "pecann/train/checkpoint.h"
#include "pecann/train/trial.h"
#include "pecann/train/window.h"
#include "pecann/verdict/summary_text.h"
#include "pecann/verdict/text_report.h"
#include "pecann/verdict/wrapped_text.h"

namespace pecann::cli {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string problem, recipe, folder, init;
  std::vector<std::string> overrides;
  int trials = 0, threads = 0, jobs = 1;
  std::optional<std::uint64_t> seed;
  double checkpoint_seconds = 30, seconds = 0;
  bool quiet = false, live = false;
  std::string parallel = "points";  // what ranks share: the points of every term, or the trials
};

/// The rank that writes files and talks.
bool first_rank() { return communicator().rank() == 0; }

constexpr double kViewSeconds = 1.5;             // the fields of a live page are at most about so old
constexpr const char* kStartFile = "start.npy";  // in the run's folder: the parameters of --init

std::vector<double> start_parameters(const std::string& path, const problem::Problem& problem) {
  const NpyArray array = read_npy(path);
  const evaluate::Model model(problem, train::normalisation_box(problem, {0, problem.windows.count}), problem.seed);
  if (array.data.size() != model.num_parameters())
    throw InputError({.place = {.file = path},
                      .key = "--init",
                      .value = std::to_string(array.data.size()) + " numbers",
                      .rule = "the problem has " + std::to_string(model.num_parameters()) + " parameters",
                      .hint = "layer by layer: weight row-major [out][in], then bias"});
  return array.data;
}

void print_header(const problem::Problem& problem, const std::string& folder) {
  std::fprintf(stderr, "%s\n", shortened(problem.title, verdict::kTextWidth - 4).c_str());
  if (!problem.recommendation.empty()) std::fprintf(stderr, "training chosen: %s\n", problem.recommendation.c_str());
  std::string training;
  for (const problem::PhaseSpec& phase : problem.phases)
    training += fmt::format("{}{} {}", training.empty() ? "" : ", then ", phase.optimizer, phase.epochs);
  std::fprintf(stderr, "%s%s; penalty %s\n%d thread%s, %s; %s; writing to %s\n",
               problem.recipe.empty() ? "" : ("recipe " + problem.recipe + ": ").c_str(), training.c_str(),
               problem.penalty.strategy.c_str(), thread_count(), thread_count() == 1 ? "" : "s", kernel::simd_target(),
               optim::blas_description().c_str(), folder.c_str());
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

/// Ranks agree on it: a signal reaches them at different moments.
bool all_stop() {
  double stop = train::stop_requested() ? 1 : 0;
  communicator().broadcast({&stop, 1}, 0);
  return stop != 0;
}

/// All trials of a run, `jobs` at a time.
std::vector<train::TrialSummary> train_all(const problem::Problem& problem, const std::string& folder,
                                           const RunOptions& options, const std::optional<std::vector<double>>& start,
                                           bool resume) {
  const Communicator& ranks = communicator();
  const bool by_trials = options.parallel == "trials" && ranks.size() > 1;
  const bool talks = !options.quiet && (by_trials || first_rank());
  const int trials = problem.trials, jobs = std::clamp(options.jobs, 1, trials);
  std::vector<train::TrialSummary> summaries(trials);
  std::vector<std::exception_ptr> failures(trials);
  std::atomic<int> next{1};
  std::atomic<bool> failed{false};
  const auto work = [&](int threads) {
    set_own_thread_count(threads);
    std::optional<UseCommunicator> alone;
    if (by_trials) alone.emplace(serial_communicator());
    for (int trial = next++; trial <= trials && !failed; trial = next++) {
      if (by_trials && (trial - 1) % ranks.size() != ranks.rank()) continue;
      if (all_stop() && trial > 1) return;  // the summary of a trial that was not begun stays empty
      Progress progress(problem, trials > 1 ? fmt::format("trial {}/{}", trial, trials) : "",
                        (jobs > 1 || by_trials) && talks ? ProgressStyle::Log : progress_style(!talks));
      const std::string own = train::trial_folder(folder, trial);
      try {
        fs::create_directories(own);
        summaries[trial - 1] = train::run_trial(
            problem, trial,
            {.folder = own,
             .resume = resume && train::has_checkpoint(own),
             .checkpoint_seconds = options.checkpoint_seconds,
             .view_seconds = options.live ? kViewSeconds : 0,
             .start = start,
             .observers = {&progress},
             .warn = [](const std::string& text) { std::fprintf(stderr, "pecann: %s\n", text.c_str()); }});
      } catch (...) {
        failures[trial - 1] = std::current_exception();
        failed = true;
      }
    }
  };
  const int threads = std::max(1, thread_count() / jobs);
  std::vector<std::jthread> others;  // joined also where one more cannot be started
  for (int job = 1; job < jobs; ++job) others.emplace_back(work, threads);
  work(threads);
  others.clear();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return summaries;
}

/// False when it could not be written; the checkpoints hold all that it is made from.
bool write_summary(const problem::Problem& problem, const std::string& folder,
                   const std::vector<train::TrialSummary>& summaries, const results::RunFacts& facts) {
  try {
    results::write_summary(folder, problem, summaries, facts);
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "pecann: %s\npecann: the training is safe in its checkpoint; `pecann resume %s` writes its results\n",
                 error.what(), folder.c_str());
    return false;
  }
}

/// solution.npz of every trial and the page, whose verdict it returns; a run whose results are safe does not fail for
/// them.
std::optional<verdict::Verdict> write_results(const problem::Problem& problem, const std::string& folder,
                                              const std::vector<train::TrialSummary>& summaries) {
  try {
    for (const train::TrialSummary& summary : summaries)
      results::write_solution_npz(problem, train::load_solution(problem, folder, summary.trial),
                                  train::trial_folder(folder, summary.trial) + "/solution.npz");
    const std::string folders[] = {folder};
    return page::write_report(folders, folder + "/report.html").front();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pecann: the report is incomplete: %s\n", error.what());
    return std::nullopt;
  }
}

int train_and_report(const problem::Problem& problem, const std::string& folder, const RunOptions& options,
                     const std::optional<std::vector<double>>& start, bool resume) {
  results::RunFacts facts = results::facts_of_this_machine();
  facts.simd = kernel::simd_target();
  facts.threads = thread_count();
  train::catch_stop_signals();
  std::optional<page::LiveServer> live;
  if (options.live && first_rank()) {
    live.emplace(folder);
    std::fprintf(stderr, "live page: %s\n", live->address().c_str());
  }
  std::vector<train::TrialSummary> summaries;
  try {
    summaries = train_all(problem, folder, options, start, resume);
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {  // a disk that is full, a folder that has gone
    if (!train::has_checkpoint(train::trial_folder(folder, 1))) throw;
    throw std::runtime_error(fmt::format(
        "{}; what was trained is safe up to the last checkpoint: go on with `pecann resume {}`", error.what(), folder));
  }
  std::size_t not_begun =
      std::erase_if(summaries, [](const train::TrialSummary& summary) { return summary.parameters == 0; });
  if (options.parallel == "trials" && communicator().size() > 1) {
    summaries = gathered(problem, summaries);
    not_begun = static_cast<std::size_t>(problem.trials) - summaries.size();
  }
  if (!first_rank()) return 0;
  const int ranks = communicator().size();
  const UseCommunicator alone(serial_communicator());  // the report evaluates without the others, which have gone
  const bool written = write_summary(problem, folder, summaries, facts);
  if (!options.quiet && mpi::traffic().megabytes > 0) {
    const double epochs = std::max(1.0, static_cast<double>(summaries.front().epochs));
    std::fprintf(stderr, "%d ranks, exchanged per epoch: %.3g MB in %.3g ms, waiting for each other included\n", ranks,
                 mpi::traffic().megabytes / epochs, 1e3 * mpi::traffic().seconds / epochs);
  }
  const std::optional<verdict::Verdict> verdict = write_results(problem, folder, summaries);
  if (!options.quiet) {
    std::fputs(verdict::summary_text(problem, summaries, folder, colour_for(stdout)).c_str(), stdout);
    if (verdict) std::fputs(("\n" + verdict::verdict_text(*verdict, colour_for(stdout))).c_str(), stdout);
  }
  const bool wants_target = problem.stop.loss || problem.stop.violation || problem.stop.error;
  int exit_code = not_begun > 0 || !written ? 1 : 0;
  bool interrupted = not_begun > 0;
  for (const train::TrialSummary& summary : summaries) {
    const train::Termination end = summary.outcome.termination;
    interrupted = interrupted || end == train::Termination::Interrupted;
    if (end == train::Termination::NotFinite || end == train::Termination::Interrupted ||
        end == train::Termination::CheckFailed || (wants_target && end != train::Termination::TargetReached))
      exit_code = 1;
  }
  if (interrupted)
    std::fprintf(
        stderr, "pecann: stopped%s; go on with `pecann resume %s`\n",
        not_begun > 0 ? fmt::format(", {} trial{} not begun", not_begun, not_begun == 1 ? "" : "s").c_str() : "",
        folder.c_str());
  return exit_code;
}

int run(RunOptions options) {
  if (options.trials > 0) options.overrides.push_back("trials=" + std::to_string(options.trials));
  if (options.seconds > 0) options.overrides.push_back(fmt::format("stop.seconds={}", options.seconds));
  if (options.seed) options.overrides.push_back("seed=" + std::to_string(*options.seed));
  const problem::Problem problem = problem::load_problem(options.problem, options.overrides, options.recipe);
  if (options.threads > 0) set_thread_count(options.threads);
  // What is wrong is refused before a folder is made.
  check::require_memory(problem, check::estimate_memory(problem, options.jobs));
  train::check_training(problem);
  std::optional<std::vector<double>> start;
  if (!options.init.empty()) start = start_parameters(options.init, problem);
  if (communicator().size() > 1 && options.parallel == "points") options.jobs = 1;
  const std::string folder =
      communicator().broadcast_text(first_rank() ? make_run_folder(options.folder, options.problem) : "");
  std::optional<FolderLock> lock;
  if (first_rank()) lock.emplace(folder);
  if (start && first_rank()) {
    const std::size_t shape[] = {start->size()};
    write_npy(folder + "/" + kStartFile, shape, *start);
  }
  if (first_rank()) results::write_text_file(folder + "/problem.toml", problem::write_problem(problem));
  if (!options.quiet && first_rank()) print_header(problem, folder);
  return train_and_report(problem, folder, options, start, false);
}

int resume(RunOptions options) {
  const std::string file = options.folder + "/problem.toml";
  if (!fs::exists(file))
    throw InputError(
        {.place = {.file = file}, .rule = "cannot be read", .hint = "resume takes the folder that `pecann run` wrote"});
  // All ranks take the first one's text: it may replace the file before others have read it.
  const std::string text = communicator().broadcast_text(read_file(file, problem::kLongestFile));
  const problem::Problem problem = problem::read_problem(text, file, options.overrides);
  if (options.threads > 0) set_thread_count(options.threads);
  if (communicator().size() > 1 && options.parallel == "points") options.jobs = 1;
  check::require_memory(problem, check::estimate_memory(problem, options.jobs));
  std::optional<FolderLock> lock;
  if (first_rank()) lock.emplace(options.folder);
  if (!options.overrides.empty()) {  // the folder keeps its problem unless every trial can go on with the new one
    for (int trial = 1; trial <= problem.trials; ++trial) train::check_resume(problem, options.folder, trial);
    if (first_rank()) results::write_text_file(file, problem::write_problem(problem));
  }
  std::optional<std::vector<double>> start;  // of trials that were not begun
  if (const std::string path = options.folder + "/" + kStartFile; fs::exists(path))
    start = start_parameters(path, problem);
  if (!options.quiet && first_rank()) print_header(problem, options.folder);
  return train_and_report(problem, options.folder, options, start, true);
}

void add_common_options(CLI::App& command, RunOptions& options) {
  command.add_option("--set", options.overrides, "key=value: changes the problem, e.g. --set constants.b=32")
      ->allow_extra_args(false);
  command
      .add_option("--threads", options.threads, "number of threads (default: all cores); results do not depend on it")
      ->check(count_up_to(kMostThreads));
  command.add_option("--jobs", options.jobs, "trials that run side by side, sharing the threads")
      ->capture_default_str()
      ->check(count_up_to(kMostThreads));
  command.add_option("--parallel", options.parallel, "what the ranks of mpirun share: points or trials")
      ->capture_default_str()
      ->check(CLI::IsMember({"points", "trials"}));
  command.add_option("--checkpoint-seconds", options.checkpoint_seconds, "time between checkpoints")
      ->capture_default_str()
      ->check(not_negative_number());
  command.add_flag("--live", options.live, "serve the report on this machine while training");
  command.add_flag("--quiet", options.quiet, "no progress and no summary");
}

}  // namespace

void add_run_command(CLI::App& app, Result& result) {
  CLI::App* const command = app.add_subcommand("run", "Trains a problem: a catalogue name or a problem file");
  auto options = std::make_shared<RunOptions>();
  command->add_option("problem", options->problem, "catalogue name (`pecann list`) or file")->required();
  command->add_option("--recipe", options->recipe, "a named recipe of the problem, e.g. paper");
  command->add_option("--trials", options->trials, "number of independent seeds")->check(count_up_to(kMostTrials));
  command->add_option("--seed", options->seed, "seed of the first trial; trial k has seed + k - 1");
  command->add_option("--seconds", options->seconds, "end every trial after this time (stop.seconds)")
      ->check(positive_number());
  command->add_option("--out", options->folder, "folder for the results (default: runs/NAME)");
  command->add_option("--init", options->init, "start parameters, .npy");
  add_common_options(*command, *options);
  command->callback([options, &result] { result.exit_code = run(*options); });
}

void add_resume_command(CLI::App& app, Result& result) {
  CLI::App* const command = app.add_subcommand("resume", "Goes on with a run after a stop, a kill, or for more epochs");
  auto options = std::make_shared<RunOptions>();
  command->add_option("folder", options->folder, "folder of the run")->required();
  add_common_options(*command, *options);
  command->callback([options, &result] { result.exit_code = resume(*options); });
}

}  // namespace pecann::cli
