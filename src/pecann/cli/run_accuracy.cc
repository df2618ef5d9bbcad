#include "pecann/cli/run_accuracy.h"

#include <cstdio>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "pecann/accuracy/search.h"
#include "pecann/base/input_error.h"
#include "pecann/cli/progress.h"
#include "pecann/cli/terminal.h"
#include "pecann/page/live_server.h"
#include "pecann/verdict/wrapped_text.h"

namespace pecann::cli {

int solve_to_accuracy(const problem::Problem& problem, const train::RunFolder& folder, const RunOptions& options,
                      bool resume) {
  std::optional<page::LiveServer> live;
  const auto tell = [&](const std::string& text) {
    if (!options.quiet) say(stderr, shortened(text, 300) + "\n");
    if (live) live->tell(shortened(text, 300));
  };
  accuracy::SearchOptions search{.seconds = problem.stop.seconds.value_or(accuracy::kUsualSeconds),
                                 .resume = resume,
                                 .checkpoint_seconds = options.checkpoint_seconds,
                                 .view_seconds = options.live ? kViewSeconds : 0,
                                 .facts = facts_of_this_run(),
                                 .observer = {},
                                 .tell = tell};
  search.observer = [&](const problem::Problem& attempted, int attempt) {
    if (live) live->follow(folder.attempt(attempt).path());
    return std::make_unique<Progress>(attempted, fmt::format("attempt {}", attempt), progress_style(options.quiet));
  };
  tell(shortened(problem.title, verdict::kTextWidth - 4));
  tell(fmt::format("accuracy {:g} asked, at most {:.0f} s; writing to {}", *problem.accuracy, search.seconds,
                   shortened(folder.path(), kLongestPath)));
  train::catch_stop_signals();
  if (options.live) {
    live.emplace(folder.path(), live_options(options));
    std::fprintf(stderr, "live page: %s\n", live->address().c_str());
  }
  const accuracy::SearchResult found = accuracy::search(problem, folder, search);
  if (live) live->training_ended();
  if (found.best < 0) {
    const std::string shown = shortened(folder.path(), kLongestPath);
    tell("pecann: " + accuracy::ending_text(problem, found));
    if (found.ending == accuracy::Ending::Interrupted)
      tell(fmt::format("pecann: go on with `pecann resume {}`", shown));
    else if (found.ending == accuracy::Ending::TimeUp)
      tell(fmt::format("pecann: with more time: `pecann resume {} --set stop.seconds={:g}`", shown,
                       10 * search.seconds));
    return 1;
  }
  accuracy::adopt(found, folder);
  if (live) live->follow(folder.path());
  const accuracy::Ended& best = found.attempts[found.best];
  TrainedRun run{.trials = {best.trial},
                 .facts = search.facts,
                 .assessment = {.estimate = best.estimate, .accuracy = accuracy::answer_of(problem, found)}};
  const Reported reported = report_run(best.tried.attempt.problem, folder, options, run);
  if (live) live->finish(std::filesystem::absolute(folder.report_file()).string());
  if (!options.quiet) std::fputs(("\n" + verdict::wrapped(run.assessment.accuracy->ending + ".", 0)).c_str(), stdout);
  if (found.ending == accuracy::Ending::Interrupted)
    tell(fmt::format("pecann: stopped; go on with `pecann resume {}`", shortened(folder.path(), kLongestPath)));
  const bool reached = found.ending == accuracy::Ending::Reached && reported.written;
  return strict_exit_code(options, reported, reached ? 0 : 1);
}

}  // namespace pecann::cli
