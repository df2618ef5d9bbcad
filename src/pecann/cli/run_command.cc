// pecann run, pecann resume
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "pecann/base/communicator.h"
#include "pecann/base/input_error.h"
#include "pecann/base/npy.h"
#include "pecann/base/parallel.h"
#include "pecann/check/memory_estimate.h"
#include "pecann/cli/commands.h"
#include "pecann/cli/option_checks.h"
#include "pecann/cli/run_accuracy.h"
#include "pecann/cli/run_training.h"
#include "pecann/cli/terminal.h"
#include "pecann/problem/catalogue.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/dependencies.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/check_training.h"
#include "pecann/train/choose_training.h"
#include "pecann/train/run_inputs.h"
#include "pecann/train/start_file.h"
#include "pecann/train/trial.h"

namespace pecann::cli {
namespace {

std::optional<FileLock> locked_by_first_rank(const train::RunFolder& folder) {
  if (!first_rank()) return std::nullopt;
  return folder.lock();
}

/// A search has one trial, its own starts, and all ranks would do the same.
void require_one_search(const problem::Problem& problem, const RunOptions& options) {
  const auto refuse = [](const char* key, const std::string& value, const char* rule) {
    throw InputError({.key = key, .value = value, .rule = rule, .hint = "leave out one of the two"});
  };
  if (problem.trials > 1)
    refuse("trials", std::to_string(problem.trials),
           "a search for an accuracy has one trial: it tries other ways itself");
  if (!options.init.empty()) refuse("--init", options.init, "a search for an accuracy begins by itself");
  if (communicator().size() > 1)
    refuse("accuracy", fmt::format("{:g}", *problem.accuracy), "a search for an accuracy runs on one rank");
}

/// Writes the problem of a folder with copies of the files that it names, and what the run depends on.
void write_run(const train::RunFolder& folder, const problem::Problem& problem) {
  std::vector<train::RunInput> inputs = train::keep_inputs(folder, problem);
  const problem::FileNames names = train::input_names(folder, problem);
  if (problem.accuracy)
    folder.write_asked_problem(problem::write_asked(problem, names));
  else
    folder.write_problem(problem::write_problem(problem, names));
  results::record_dependencies(folder, facts_of_this_run(), std::move(inputs));
}

/// Refuses to go on with a run when something that it depends on has changed, unless that is wanted.
void check_dependencies(const train::RunFolder& folder, const RunOptions& options) {
  std::string changes;
  if (first_rank())
    for (const std::string& change : results::changed_dependencies(folder, facts_of_this_run()))
      changes += (changes.empty() ? "" : "; ") + change;
  changes = communicator().broadcast_text(changes);
  if (changes.empty()) return;
  if (!options.anyway)
    throw InputError({.place = {.file = folder.path()},
                      .rule = "not as it was when the run was begun: " + shortened(changes, 2000),
                      .hint = "`pecann resume --anyway` goes on all the same; for other data begin a new run"});
  if (first_rank()) say(stderr, "pecann: going on although " + shortened(changes, 2000) + "\n");
}

/// Shows what the search for features tries, once it takes longer than a person waits without a word.
train::Tell tell_of_search(const RunOptions& options) {
  if (options.quiet || !first_rank()) return {};
  return [began = std::chrono::steady_clock::now()](const std::string& what) {
    constexpr std::chrono::seconds kPatience(2);
    if (std::chrono::steady_clock::now() - began > kPatience) say(stderr, fmt::format("tried: {}\n", what));
  };
}

int run(RunOptions options) {
  if (options.trials > 0) options.overrides.push_back("trials=" + std::to_string(options.trials));
  if (options.seconds > 0) options.overrides.push_back(fmt::format("stop.seconds={}", options.seconds));
  if (options.seed) options.overrides.push_back("seed=" + std::to_string(*options.seed));
  if (options.accuracy > 0) options.overrides.push_back(fmt::format("accuracy={}", options.accuracy));
  problem::Problem problem = problem::load_problem(options.problem, options.overrides, options.recipe);
  if (options.threads > 0) set_thread_count(options.threads);
  // What is wrong is refused before a folder is made.
  check::require_memory(problem, check::estimate_memory(problem, options.jobs));
  train::check_training(problem);
  if (problem.accuracy) {
    require_one_search(problem, options);
    const train::RunFolder folder = train::RunFolder::create(options.folder, options.problem);
    const FileLock lock = folder.lock();
    write_run(folder, problem);
    // The attempts name the files that the folder keeps.
    problem = problem::read_problem(folder.read_asked_problem(), folder.asked_file());
    return solve_to_accuracy(problem, folder, options, false);
  }
  if (options.init.empty()) {  // start parameters are those of the networks
    train::ChosenTraining chosen = train::choose_training(problem, tell_of_search(options));
    problem = std::move(chosen.problem);
    options.head_start = std::move(chosen.head_start);
  }
  std::optional<std::vector<double>> start;
  if (!options.init.empty()) start = train::start_parameters(read_npy(options.init), options.init, "--init", problem);
  if (communicator().size() > 1 && options.parallel == "points") options.jobs = 1;
  const train::RunFolder folder = communicator().broadcast_text(
      first_rank() ? train::RunFolder::create(options.folder, options.problem).path() : "");
  const std::optional<FileLock> lock = locked_by_first_rank(folder);
  if (start && first_rank()) train::write_start(folder, *start);
  if (first_rank()) write_run(folder, problem);
  return train_and_report(problem, folder, options, start, false);
}

/// True when every trial has come to an end: whoever resumes such a run wants those whose time was up to go on. Of one
/// that was stopped, they wait for the others.
bool is_over(const problem::Problem& problem, const train::RunFolder& folder) {
  bool over = false;
  if (first_rank()) {
    const std::optional<results::RunSummary> summary = results::read_sound_summary(folder, problem);
    over = summary && static_cast<int>(summary->trials.size()) >= problem.trials &&
           std::ranges::none_of(summary->trials, [](const train::TrialSummary& trial) {
             return trial.outcome.termination == train::Termination::Interrupted;
           });
  }
  return communicator().broadcast_text(over ? "over" : "") == "over";
}

/// What has changed and is wanted is what the run depends on from here on.
void record_again(const train::RunFolder& folder, const problem::Problem& problem, const RunOptions& options) {
  if (options.anyway) results::record_dependencies(folder, facts_of_this_run(), train::keep_inputs(folder, problem));
}

/// The problem of a search that goes on: as it was asked, with another accuracy or more time where that is wanted.
/// Attempts that have ended belong to the rest of it.
problem::Problem asked_again(const train::RunFolder& folder, const RunOptions& options) {
  const std::string text = folder.read_asked_problem();
  problem::Problem asked = problem::read_problem(text, folder.asked_file(), options.overrides);
  problem::Problem before = problem::read_problem(text, folder.asked_file());
  before.accuracy = asked.accuracy;
  before.stop.seconds = asked.stop.seconds;
  if (problem::write_asked(before) != problem::write_asked(asked))
    throw InputError({.place = {.file = folder.path()},
                      .key = "--set",
                      .rule = "a search that goes on keeps its problem: only accuracy and stop.seconds can change",
                      .hint = "begin a new one with `pecann run`"});
  return asked;
}

int resume(RunOptions options) {
  const train::RunFolder folder = train::RunFolder::open(options.folder);
  check_dependencies(folder, options);
  if (folder.has_asked_problem()) {
    const problem::Problem asked = asked_again(folder, options);
    if (options.threads > 0) set_thread_count(options.threads);
    require_one_search(asked, options);
    const FileLock lock = folder.lock();
    if (options.overrides.empty())
      record_again(folder, asked, options);
    else
      write_run(folder, asked);
    return solve_to_accuracy(asked, folder, options, true);
  }
  // All ranks take the first one's text: it may replace the file before others have read it.
  const std::string text = communicator().broadcast_text(folder.read_problem());
  const problem::Problem problem = problem::read_problem(text, folder.problem_file(), options.overrides);
  if (options.threads > 0) set_thread_count(options.threads);
  if (communicator().size() > 1 && options.parallel == "points") options.jobs = 1;
  check::require_memory(problem, check::estimate_memory(problem, options.jobs));
  const std::optional<FileLock> lock = locked_by_first_rank(folder);
  if (!options.overrides.empty()) {  // the folder keeps its problem unless every trial can go on with the new one
    for (int trial = 1; trial <= problem.trials; ++trial) train::check_resume(problem, folder, trial);
    if (first_rank()) write_run(folder, problem);
  } else if (first_rank()) {
    record_again(folder, problem, options);
  }
  options.more_time = is_over(problem, folder);
  return train_and_report(problem, folder, options, train::read_start(folder, problem), true);  // for trials not begun
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
  command.add_flag("--no-estimate", options.no_estimate, "no estimate of the error after training");
  command.add_flag("--strict", options.strict, "exit code 3 when the verdict is doubtful or bad");
  command.add_flag("--quiet", options.quiet, "no progress and no summary");
}

}  // namespace

void add_run_command(CLI::App& app, Result& result) {
  CLI::App* const command = app.add_subcommand("run", "Trains a problem: a catalogue name or a problem file");
  auto options = std::make_shared<RunOptions>();
  command->add_option("problem", options->problem, "catalogue name (`pecann list`) or file")->required();
  command->add_option("--recipe", options->recipe, "a named recipe of the problem, e.g. paper");
  command->add_option("--trials", options->trials, "number of independent seeds")->check(count_up_to(kMostTrials));
  command->add_option("--seed", options->seed, "seed of the first trial; trial k has seed + k - 1")
      ->check(seed_number());
  command->add_option("--seconds", options->seconds, "end every trial after this time (stop.seconds)")
      ->check(positive_number());
  command
      ->add_option("--accuracy", options->accuracy,
                   "largest relative l2 error asked for, e.g. 1e-4: means are tried until the estimate is below")
      ->check(share_of_one());
  command->add_option("--out", options->folder, "folder for the results (default: runs/NAME)");
  command->add_option("--init", options->init, "start parameters, .npy");
  add_common_options(*command, *options);
  command->callback([options, &result] { result.exit_code = run(*options); });
}

void add_resume_command(CLI::App& app, Result& result) {
  CLI::App* const command = app.add_subcommand("resume", "Goes on with a run after a stop, a kill, or for more epochs");
  auto options = std::make_shared<RunOptions>();
  command->add_option("folder", options->folder, "folder of the run")->required();
  command->add_flag("--anyway", options->anyway,
                    "go on although the problem, its files, the program or the instructions have changed");
  add_common_options(*command, *options);
  command->callback([options, &result] { result.exit_code = resume(*options); });
}

}  // namespace pecann::cli
