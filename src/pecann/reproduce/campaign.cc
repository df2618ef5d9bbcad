#include "pecann/reproduce/campaign.h"

#include <stdlib.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "pecann/base/file_lock.h"
#include "pecann/base/input_error.h"
#include "pecann/problem/problem_file.h"
#include "pecann/reproduce/search_unit.h"
#include "pecann/results/run.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/trials.h"
#include "pecann/verdict/number_text.h"

namespace pecann::reproduce {
namespace {

namespace fs = std::filesystem;

double run_queue_length() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : std::numeric_limits<double>::quiet_NaN();
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string first_error(const train::TrialSummary& trial, const problem::Problem& problem) {
  if (trial.errors.empty()) return "";
  return fmt::format(", {} {} {:.2e}", trial.errors[0].field, problem.evaluate.measures[0],
                     train::measure_of(trial.errors[0], problem.evaluate.measures[0]));
}

/// Claims a unit of work; nothing when another process has it.
std::optional<FileLock> claim(const std::string& path) {
  try {
    return FileLock::take(path, FileLock::AtEnd::RemoveFile);
  } catch (const std::system_error& error) {
    throw InputError({.place = {.file = path}, .rule = "cannot be made: " + error.code().message()});
  }
}

class Campaign {
 public:
  explicit Campaign(const CampaignOptions& options) : options_(options), store_(options.results) {}

  void run_row(const Row& row, CampaignOutcome& outcome) {
    const std::optional<problem::Problem> problem = problem_of(row, options_.budget);
    if (!problem) {
      ++outcome.not_offered;
      return;
    }
    const int trials = options_.trials > 0 ? options_.trials : row.trials;
    const train::RunFolder folder = run_folder(row);
    prepare(row, *problem, folder);
    bool trained = false;
    for (int trial = 1; trial <= trials && !train::stop_requested(); ++trial)
      trained |= run_unit(row, *problem, folder, trial, outcome);
    outcome.interrupted = outcome.interrupted || train::stop_requested();
    if (trained && options_.budget != Budget::Accuracy) write_run_summary(row, *problem, folder);
  }

  /// Completes the folder of a row's runs for `pecann report`, after its trials came from elsewhere.
  void finish_row(const Row& row, const problem::Problem& problem) {
    const train::RunFolder folder = run_folder(row);
    prepare(row, problem, folder);
    write_run_summary(row, problem, folder);
  }

 private:
  train::RunFolder run_folder(const Row& row) const {
    return options_.out + "/" + row.store + "/" + name_of(options_.budget);
  }

  void prepare(const Row& row, const problem::Problem& problem, const train::RunFolder& folder) {
    // One process at a time decides whether there are results of an earlier problem, and moves them.
    std::error_code ignored;  // the lock below is refused where there is no folder for it
    fs::create_directories(fs::path(store_.folder(row, options_.budget)).parent_path(), ignored);
    for (;;) {
      const std::optional<FileLock> own = claim(store_.lock_file(row, options_.budget));
      if (!own) {
        const timespec moment{0, 20'000'000};
        ::nanosleep(&moment, nullptr);
        continue;
      }
      for (const std::string& aside :
           {store_.prepare(row, options_.budget, problem), move_aside_if_other(folder.path(), problem)})
        if (!aside.empty()) options_.say(row.id() + ": the recipe has changed; what there was is now " + aside);
      folder.write_problem(problem::write_problem(problem));
      return;
    }
  }

  /// Trains one unit unless it is finished or busy; true when it trained.
  bool run_unit(const Row& row, const problem::Problem& problem, const train::RunFolder& folder, int trial,
                CampaignOutcome& outcome) {
    if (store_.has(row, options_.budget, trial)) return ++outcome.kept, false;
    const train::TrialFolder own = folder.trial(trial);
    own.create();
    const std::optional<FileLock> result_claim = claim(store_.lock_file(row, options_.budget, trial));
    const std::optional<FileLock> folder_claim = result_claim ? claim(own.lock_file()) : std::nullopt;
    if (!folder_claim) return ++outcome.busy, false;
    if (store_.has(row, options_.budget, trial)) return ++outcome.kept, false;  // finished while we looked

    UnitResult result;
    result.facts = results::facts_of_this_machine();
    result.facts.simd = options_.simd;
    const bool resume = own.has_checkpoint();
    const std::string label = fmt::format("{} {} trial {}", row.id(), name_of(options_.budget), trial);
    options_.say(label + (resume ? ": going on" : ": begins"));
    const double begin = processor_seconds();
    train::TrialsOptions training{
        .trials = {trial}, .resume = true, .checkpoint_seconds = options_.checkpoint_seconds, .warn = options_.say};
    training.observer = [&](int) { return options_.progress(problem, label); };
    if (options_.budget == Budget::Accuracy) {
      const std::optional<train::TrialSummary> found = search_unit(problem, folder, trial, options_);
      if (!found) return false;
      result.trial = *found;
    } else {
      result.trial = train::run_trials(problem, folder, training).front();
    }
    if (result.trial.outcome.termination == train::Termination::Interrupted) return false;
    if (!resume) result.processor_seconds = processor_seconds() - begin;
    result.load = run_queue_length();
    store_.write(row, options_.budget, problem, result);
    ++outcome.done;
    options_.say(fmt::format("{}: done, {} epochs in {}{}", label, result.trial.epochs,
                             verdict::duration_text(result.trial.seconds), first_error(result.trial, problem)));
    return true;
  }

  /// Writes the summary of the run's folder from the finished units, for `pecann report`.
  void write_run_summary(const Row& row, const problem::Problem& problem, const train::RunFolder& folder) {
    const RowResults results = store_.read(row, options_.budget);
    std::vector<train::TrialSummary> trials;
    for (const UnitResult& unit : results.units)
      if (folder.trial(unit.trial.trial).has_checkpoint()) trials.push_back(unit.trial);
    if (!trials.empty()) results::write_summary(folder, problem, trials, results.units.back().facts);
  }

  const CampaignOptions& options_;
  ResultStore store_;
};

}  // namespace

CampaignOutcome run_campaign(const std::vector<Table>& tables, const CampaignOptions& options) {
  CampaignOutcome outcome;
  Campaign campaign(options);
  for (const Table& table : tables)
    for (const Row& row : table.rows) {
      if (train::stop_requested()) {
        outcome.interrupted = true;
        return outcome;
      }
      campaign.run_row(row, outcome);
    }
  return outcome;
}

namespace {

/// Copies what a trial left to the campaign's own folder of the run, where figures are drawn from.
void keep_run(const train::RunFolder& from, int trial, const train::RunFolder& to, int number) {
  const train::TrialFolder target = to.trial(number);
  if (!target.exists()) from.trial(trial).copy_to(target);
}

}  // namespace

int adopt_runs(const std::vector<Table>& tables, const std::vector<std::string>& folders,
               const CampaignOptions& options) {
  const ResultStore store(options.results);
  Campaign campaign(options);
  int adopted = 0;
  for (const std::string& folder : folders) {
    const results::Run run = results::open_run(folder);
    if (!run.summary)
      throw InputError({.place = {.file = folder}, .rule = "has no summary.json: only a finished run can be adopted"});
    bool fits = false;
    for (const Table& table : tables) {
      for (const Row& row : table.rows) {
        const std::optional<problem::Problem> problem = problem_of(row, options.budget);
        if (row.store != row.id() || !problem || !same_training(*problem, run.problem)) continue;
        fits = true;
        store.prepare(row, options.budget, *problem);
        for (const train::TrialSummary& given : run.summary->trials) {
          UnitResult result;
          result.trial = given;
          result.trial.trial = static_cast<int>(given.seed);  // trial k of a campaign has seed k
          result.facts = run.summary->facts;
          result.load = std::numeric_limits<double>::quiet_NaN();
          if (given.seed < 1 || given.seed > 1000 || given.outcome.termination == train::Termination::Interrupted ||
              store.has(row, options.budget, result.trial.trial))
            continue;
          store.write(row, options.budget, *problem, result);
          keep_run(folder, given.trial, options.out + "/" + row.store + "/" + name_of(options.budget),
                   result.trial.trial);
          options.say(fmt::format("{}: trial {} of {}", folder, result.trial.trial, row.id()));
          ++adopted;
        }
        campaign.finish_row(row, *problem);
      }
    }
    if (!fits)
      options.say(fmt::format("{}: no chosen row trains like this at budget {}", folder, name_of(options.budget)));
  }
  return adopted;
}

}  // namespace pecann::reproduce
