// pecann estimate: how large the error of a run is, without the exact solution.
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "pecann/base/parallel.h"
#include "pecann/cli/commands.h"
#include "pecann/cli/estimate_run.h"
#include "pecann/cli/option_checks.h"
#include "pecann/cli/terminal.h"
#include "pecann/page/page.h"
#include "pecann/results/run.h"
#include "pecann/train/trial.h"
#include "pecann/verdict/run_report.h"

namespace pecann::cli {

void add_estimate_command(CLI::App& app, Result&) {
  CLI::App* const command =
      app.add_subcommand("estimate", "How large the error of a run is, without the exact solution");
  struct Options {
    std::string folder;
    int trial = 0, threads = 0;
    double seconds = std::numeric_limits<double>::infinity();
  };
  auto options = std::make_shared<Options>();
  command->add_option("folder", options->folder, "folder of the run")->required();
  command->add_option("--trial", options->trial, "which trial (default: the best)")->check(count_up_to(kMostTrials));
  command->add_option("--seconds", options->seconds, "leaves out what would take longer (default: nothing)")
      ->check(positive_number());
  command
      ->add_option("--threads", options->threads, "number of threads (default: all cores); results do not depend on it")
      ->check(count_up_to(kMostThreads));
  command->callback([options] {
    if (options->threads > 0) set_thread_count(options->threads);
    results::Run run = results::open_run(options->folder);
    const int trial = results::chosen_trial(run, options->trial);
    const train::Solution solution = train::load_solution(run.problem, run.folder, trial);
    const estimate::ErrorEstimate estimate =
        estimate::estimate_error(run.problem, solution, train::trial_seed(run.problem, trial),
                                 {.trial = trial, .most_seconds = options->seconds});
    std::vector<train::FieldError> errors;
    if (run.summary)
      for (const train::TrialSummary& summary : run.summary->trials)
        if (summary.trial == trial) errors = summary.errors;
    std::fputs(estimate_text(run.problem, estimate.summary(), errors).c_str(), stdout);
    if (run.summary && options->trial == 0) {
      results::Assessment assessment{.estimate = estimate.summary(), .accuracy = run.summary->accuracy};
      const auto write = [&] {
        results::write_summary(run.folder, run.problem, run.summary->trials, run.summary->facts, assessment);
      };
      write();  // page and verdict read it
      const std::string folders[] = {run.folder.path()};
      assessment.conclusion = verdict::conclusion_of(page::write_report(folders, run.folder.report_file()).front());
      write();
    }
  });
}

}  // namespace pecann::cli
