#include "pecann/api/folder_training.h"

#include <cstdlib>
#include <filesystem>

#include "pecann/accuracy/search.h"
#include "pecann/api/extension_adapters.h"
#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/estimate/estimate.h"
#include "pecann/kernel/simd_target.h"
#include "pecann/optim/dense_gram.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/dependencies.h"
#include "pecann/results/over_trials.h"
#include "pecann/results/summary_json.h"
#include "pecann/results/table_text.h"
#include "pecann/train/run_inputs.h"
#include "pecann/train/trials.h"
#include "pecann/verdict/run_report.h"

namespace pecann::api {
namespace {

/// The tables of the program, where the problem's text looks for them.
void write_tables(const train::RunFolder& folder, const problem::Problem& problem) {
  for (const auto& [name, table] : problem.tables)
    train::write_run_file(folder.path() + "/" + name, results::csv_text(table->names, table->columns));
}

/// Writes the summary, and once more with the verdict that the report of it gives.
void write_summary_with_verdict(const train::RunFolder& folder, const problem::Problem& problem,
                                const train::TrialSummary& trial, results::Assessment found) {
  const results::RunFacts facts = facts_of_a_training();
  results::write_summary(folder, problem, {&trial, 1}, facts, found);
  found.conclusion = verdict::conclusion_of(verdict::gather_report(folder.path()));
  results::write_summary(folder, problem, {&trial, 1}, facts, found);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code unknown;
  path_ = (std::filesystem::temp_directory_path(unknown) / "pecann-XXXXXX").string();
  if (unknown || mkdtemp(path_.data()) == nullptr)
    throw InputError({.key = "folder",
                      .rule = "the search for an accuracy needs a folder, and none can be made among temporary files",
                      .hint = "name one"});
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code unknown;
  std::filesystem::remove_all(path_, unknown);
}

results::RunFacts facts_of_a_training() {
  results::RunFacts facts = results::facts_of_this_machine();
  facts.simd = kernel::simd_target();
  facts.blas = optim::blas_description();
  facts.threads = thread_count();
  return facts;
}

void train_in_folder(const problem::Problem& problem, const train::RunFolder& folder, const TrainOptions& options,
                     std::shared_ptr<const train::HeadStart> head_start, std::exception_ptr& failure) {
  if (!options.resume) {
    write_tables(folder, problem);
    std::vector<train::RunInput> inputs = train::keep_inputs(folder, problem);
    folder.write_problem(problem::write_problem(problem, train::input_names(folder, problem)));
    results::record_dependencies(folder, facts_of_a_training(), std::move(inputs));
  }
  train::TrialsOptions trials{.trials = {1},
                              .resume = options.resume,
                              .more_time = true,
                              .checkpoint_seconds = options.checkpoint_seconds,
                              .extensions = extensions_of(options, &failure)};
  trials.extensions.head_start = std::move(head_start);
  if (!options.start.empty()) trials.start = options.start;
  trials.observer = [&](int) { return std::make_unique<Watcher>(options, problem, failure); };
  const train::TrialSummary trial = train::run_trials(problem, folder, trials).front();
  results::Assessment found;
  if (options.estimate && !failure && !results::failed(trial) && !results::untrained(trial))
    found.estimate = estimate::estimate_error(problem, train::load_solution(problem, folder, 1), trial.seed).summary();
  write_summary_with_verdict(folder, problem, trial, std::move(found));
}

void search_in_folder(problem::Problem problem, const train::RunFolder& folder, const TrainOptions& options,
                      std::exception_ptr& failure) {
  if (!options.resume) {
    write_tables(folder, problem);
    train::keep_inputs(folder, problem);
    folder.write_asked_problem(problem::write_asked(problem, train::input_names(folder, problem)));
  } else if (!folder.has_asked_problem()) {
    throw InputError({.key = "folder", .value = options.folder, .rule = "holds no search that could go on"});
  }
  // The attempts lie in folders of their own, where the tables of the program are found by their whole paths.
  if (!problem.tables.empty()) problem = problem::read_problem(folder.read_asked_problem(), folder.asked_file());
  if (!options.resume) results::record_dependencies(folder, facts_of_a_training(), train::keep_inputs(folder, problem));
  accuracy::SearchOptions search{.seconds = problem.stop.seconds.value_or(accuracy::kUsualSeconds),
                                 .resume = options.resume,
                                 .checkpoint_seconds = options.checkpoint_seconds,
                                 .facts = facts_of_a_training(),
                                 .observer = {},
                                 .tell = [](const std::string&) {}};
  search.observer = [&](const problem::Problem& attempted, int) {
    return std::make_unique<Watcher>(options, attempted, failure);
  };
  const accuracy::SearchResult found = accuracy::search(problem, folder, search);
  if (failure) return;
  if (found.best < 0) throw InputError({.key = "accuracy", .rule = accuracy::ending_text(problem, found)});
  accuracy::adopt(found, folder);
  const accuracy::Ended& best = found.attempts[found.best];
  write_summary_with_verdict(folder, best.tried.attempt.problem, best.trial,
                             {.estimate = best.estimate, .accuracy = accuracy::answer_of(problem, found)});
}

}  // namespace pecann::api
