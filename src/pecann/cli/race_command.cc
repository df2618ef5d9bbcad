// pecann race: recipes and strategies side by side on one problem, each within the same time.
//
// A race writes DIR/race.csv, race.txt and race.html; DIR/RECIPE/ is the folder of an ordinary run (problem.toml,
// summary.json, trial-1/, …). Trials are taken in turns, first trial 1 of every recipe, so that what is there after a
// stop can be compared. With --out of an earlier race its finished trials are kept, and only the others are run.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/base/plain_file.h"
#include "pecann/base/reason.h"
#include "pecann/cli/commands.h"
#include "pecann/cli/option_checks.h"
#include "pecann/cli/progress.h"
#include "pecann/cli/race_search.h"
#include "pecann/cli/terminal.h"
#include "pecann/kernel/simd_target.h"
#include "pecann/optim/dense_gram.h"
#include "pecann/page/page_race.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/check_training.h"
#include "pecann/train/race_entries.h"
#include "pecann/train/run_inputs.h"
#include "pecann/train/trials.h"
#include "pecann/verdict/number_text.h"
#include "pecann/verdict/race_table.h"

namespace pecann::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTableFile = "race.csv";  // also tells that a folder is a race's
constexpr const char* kTextFile = "race.txt";
constexpr const char* kPageFile = "race.html";

struct RaceOptions {
  train::RaceRequest request;
  std::string folder;
  std::vector<double> levels;
  int threads = 0;
  std::optional<std::uint64_t> seed;
  bool quiet = false;
};

struct Runner {
  const train::RaceEntry* entry;
  train::RunFolder folder;
  std::vector<train::TrialSummary> finished;  // by trial
  std::optional<RacedSearch> searched;        // of an entry that asks for an accuracy

  bool searches() const { return entry->problem.accuracy.has_value(); }
  void keep(std::optional<RacedSearch> search) {
    searched = std::move(search);
    if (searched) finished = {searched->trial};
  }
  bool has(int trial) const {
    return std::any_of(finished.begin(), finished.end(),
                       [&](const train::TrialSummary& s) { return s.trial == trial; });
  }
};

std::string race_folder(const RaceOptions& options) {
  std::error_code ignored;  // a folder that cannot be looked into is refused below
  if (!options.folder.empty() && fs::exists(options.folder + "/" + kTableFile, ignored)) {
    for (const char* const file : {kTableFile, kTextFile, kPageFile})
      train::run_file_exists(options.folder + "/" + file);
    return options.folder;
  }
  return train::RunFolder::create(options.folder, fs::path(options.request.problem).stem().string() + "-race").path();
}

/// The folder of an entry, with the trials that an earlier race finished there.
Runner open_runner(const train::RaceEntry& entry, const std::string& race) {
  std::string name = entry.name;
  std::replace(name.begin(), name.end(), '/', '_');
  Runner runner{&entry, {race + "/" + name}, {}, {}};
  refuse_link(runner.folder.path());
  const problem::FileNames names = train::input_names(runner.folder, entry.problem);
  const std::string text =
      runner.searches() ? problem::write_asked(entry.problem, names) : problem::write_problem(entry.problem, names);
  if (runner.folder.has_problem() || runner.folder.has_asked_problem()) {
    const train::RunFolder opened = train::RunFolder::open(runner.folder.path());
    if ((runner.searches() ? opened.read_asked_problem() : opened.read_problem()) != text)
      throw InputError({.place = {.file = runner.folder.problem_file()},
                        .rule = "belongs to a race with other settings (problem, seconds, trials or --set)",
                        .hint = "name another --out folder"});
    if (runner.searches())
      runner.keep(ended_search(runner.folder));
    else if (const auto summary = results::read_sound_summary(runner.folder, entry.problem))
      runner.finished = summary->trials;
  } else {
    train::keep_inputs(runner.folder, entry.problem);
    runner.searches() ? runner.folder.write_asked_problem(text) : runner.folder.write_problem(text);
  }
  return runner;
}

/// Runs one trial; false when a signal ended it.
bool run_one(Runner& runner, int trial, const results::RunFacts& facts, bool quiet) {
  const problem::Problem& problem = runner.entry->problem;
  const std::string label =
      problem.trials > 1 ? fmt::format("{} {}/{}", runner.entry->name, trial, problem.trials) : runner.entry->name;
  if (runner.searches()) {
    runner.keep(race_search(problem, runner.folder, facts, [&](const std::string& text) {
      if (!quiet) say(stderr, label + ": " + shortened(text, kLongestPath) + "\n");
    }));
    return !train::stop_requested();
  }
  train::TrialsOptions options{.trials = {trial}, .resume = true};  // one that a signal or a broken summary has cut
  options.extensions.head_start = runner.entry->head_start;
  options.observer = [&](int) { return std::make_unique<Progress>(problem, label, progress_style(quiet)); };
  options.warn = [](const std::string& text) { say(stderr, "pecann: " + shortened(text, kLongestPath) + "\n"); };
  const train::TrialSummary summary = train::run_trials(problem, runner.folder, options).front();
  if (summary.outcome.termination == train::Termination::Interrupted) return false;
  runner.finished.push_back(summary);
  std::sort(runner.finished.begin(), runner.finished.end(),
            [](const train::TrialSummary& a, const train::TrialSummary& b) { return a.trial < b.trial; });
  results::write_summary(runner.folder, problem, runner.finished, facts);
  return true;
}

std::vector<verdict::RaceRow> rows_of(const std::vector<Runner>& runners) {
  std::vector<verdict::RaceRow> rows;
  for (const Runner& runner : runners) {
    verdict::RaceRow row{runner.entry->name, {}};
    if (runner.searched) row.trials.push_back(curve_of(*runner.searched, runner.folder));
    for (const train::TrialSummary& summary : runner.searches() ? std::vector<train::TrialSummary>{} : runner.finished)
      row.trials.push_back(verdict::race_trial(
          runner.entry->problem, summary, results::read_history(runner.folder.trial(summary.trial).history_file())));
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Writes race.csv and race.txt, and returns the text of the table.
std::string write_tables(const std::vector<Runner>& runners, const std::string& folder, std::vector<double> levels) {
  const std::vector<verdict::RaceRow> rows = rows_of(runners);
  if (levels.empty()) levels = verdict::race_levels(rows);
  const bool by_error = verdict::race_by_error(runners[0].entry->problem);
  const std::string text = verdict::race_text(rows, levels, by_error);
  train::write_run_file(folder + "/" + kTableFile, verdict::race_csv(rows, levels, by_error));
  train::write_run_file(folder + "/" + kTextFile, text);
  return text;
}

/// Writes the page that compares the recipes with results. A race whose numbers are on the disk does not fail when
/// it cannot be written.
bool write_page(const std::vector<Runner>& runners, std::vector<double> levels, double seconds,
                const std::string& path) {
  const std::vector<verdict::RaceRow> all = rows_of(runners);
  if (levels.empty()) levels = verdict::race_levels(all);
  std::vector<verdict::RaceRow> rows;
  std::vector<std::string> folders;
  for (std::size_t i = 0; i < runners.size(); ++i) {
    if (runners[i].finished.empty()) continue;
    rows.push_back(all[i]);
    folders.push_back(runners[i].folder.path());
  }
  if (folders.empty()) return false;
  try {
    train::write_run_file(path, page::race_page({.rows = rows,
                                                 .folders = folders,
                                                 .levels = levels,
                                                 .by_error = verdict::race_by_error(runners[0].entry->problem),
                                                 .seconds = seconds}));
    return true;
  } catch (const std::exception& error) {
    say(stderr, "pecann: no page: " + shortened(reason_of(error), kLongestPath) + "\n");
    return false;
  }
}

void print_header(const std::vector<Runner>& runners, double seconds, const std::string& folder) {
  int trials = 0, left = 0;
  for (const Runner& runner : runners) {
    trials += runner.entry->problem.trials;
    for (int trial = 1; trial <= runner.entry->problem.trials; ++trial) left += runner.has(trial) ? 0 : 1;
  }
  say(stderr, fmt::format("{}\nrace of {} trainings, {} trial{} of {:g} s{}: at most {}; writing to {}\n",
                          shortened(runners[0].entry->problem.title), runners.size(), trials, trials == 1 ? "" : "s",
                          seconds, left < trials ? fmt::format(", {} of them finished before", trials - left) : "",
                          verdict::duration_text(left * seconds), shortened(folder, kLongestPath)));
  for (const Runner& runner : runners) {
    const problem::Problem& problem = runner.entry->problem;
    std::string training;
    for (const problem::PhaseSpec& phase : problem.phases)
      training += (training.empty() ? "" : ", then ") + phase.optimizer;
    if (runner.searches()) training = fmt::format("a search for {:g}", *problem.accuracy);
    say(stderr, fmt::format("  {:<10} {}; penalty {}\n", shortened(runner.entry->name, 40), training,
                            problem.penalty.strategy));
  }
}

int race(RaceOptions options) {
  if (options.seed) options.request.overrides.push_back("seed=" + std::to_string(*options.seed));
  if (options.threads > 0) set_thread_count(options.threads);
  const std::vector<train::RaceEntry> entries = train::race_entries(options.request);
  // What is wrong is refused before a folder is made.
  for (const train::RaceEntry& entry : entries) train::check_training(entry.problem);
  const std::string folder = race_folder(options);
  const FileLock lock = train::RunFolder(folder).lock();
  std::vector<Runner> runners;
  for (const train::RaceEntry& entry : entries) runners.push_back(open_runner(entry, folder));
  write_tables(runners, folder, options.levels);
  if (!options.quiet) print_header(runners, options.request.seconds, folder);

  results::RunFacts facts = results::facts_of_this_machine();
  facts.simd = kernel::simd_target();
  facts.blas = optim::blas_description();
  facts.threads = thread_count();
  train::catch_stop_signals();
  int most = 0;
  for (const train::RaceEntry& entry : entries) most = std::max(most, entry.problem.trials);
  bool stopped = false;
  for (int trial = 1; trial <= most && !stopped; ++trial)
    for (Runner& runner : runners) {
      if (trial > runner.entry->problem.trials || runner.has(trial)) continue;
      stopped = train::stop_requested() || !run_one(runner, trial, facts, options.quiet);
      if (stopped) break;
      write_tables(runners, folder, options.levels);
    }
  const std::string text = write_tables(runners, folder, options.levels);
  const bool page = write_page(runners, options.levels, options.request.seconds, folder + "/" + kPageFile);
  if (!options.quiet) {
    const std::string shown = shortened(folder, kLongestPath);
    say(stdout, text + "\nfiles    " + shown + "/\n");
    if (page) say(stdout, "look     " + shown + "/race.html\n");
  }
  if (stopped)
    say(stderr, "pecann: stopped; the same command with --out " + shortened(folder, kLongestPath) +
                    " goes on, and keeps the finished trials\n");
  return stopped ? 1 : 0;
}

}  // namespace

void add_race_command(CLI::App& app, Result& result) {
  CLI::App* const command =
      app.add_subcommand("race", "Recipes and strategies side by side on one problem: error against seconds");
  auto options = std::make_shared<RaceOptions>();
  options->request.seconds = 30;
  std::string plain = "Plain recipes that fit any problem:\n";
  for (const train::PlainRecipe& recipe : train::plain_recipes())
    plain += fmt::format("  {:<10} {}\n", recipe.name, recipe.text);
  command->footer(plain);
  command->add_option("problem", options->request.problem, "catalogue name (`pecann list`) or file")->required();
  command
      ->add_option("--recipes", options->request.recipes,
                   "recipes of the problem and plain ones, e.g. paper,best,lm (default: the problem's, else "
                   "auto and adam, with fixed and sa)")
      ->delimiter(',');
  command
      ->add_option("--strategies", options->request.strategies,
                   "every recipe with each of these penalty strategies, e.g. capu,mpu,fixed,sa")
      ->delimiter(',');
  command->add_option("--seconds", options->request.seconds, "time of a trial")
      ->capture_default_str()
      ->check(positive_number());
  command->add_option("--trials", options->request.trials, "seeds per recipe")->check(count_up_to(kMostTrials));
  command->add_option("--seed", options->seed, "seed of the first trial; trial k has seed + k - 1")
      ->check(seed_number());
  command
      ->add_option("--levels", options->levels,
                   "errors whose times are shown, e.g. 1e-2,1e-3 (default: powers of ten that were reached)")
      ->delimiter(',')
      ->check(positive_number());
  command->add_option("--set", options->request.overrides, "key=value: changes the problem for all")
      ->allow_extra_args(false);
  command->add_option("--threads", options->threads, "number of threads (default: all cores)")
      ->check(count_up_to(kMostThreads));
  command->add_option("--out", options->folder,
                      "folder for the results (default: runs/NAME-race); that of an earlier race is gone on with");
  command->add_flag("--quiet", options->quiet, "no progress and no table");
  command->callback([options, &result] { result.exit_code = race(*options); });
}

}  // namespace pecann::cli
