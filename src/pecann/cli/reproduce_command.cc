// pecann reproduce: the paper's tables, trained as a campaign, with the published figures beside ours.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "pecann/base/communicator.h"
#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/base/text_file.h"
#include "pecann/cli/commands.h"
#include "pecann/cli/option_checks.h"
#include "pecann/cli/progress.h"
#include "pecann/cli/terminal.h"
#include "pecann/kernel/simd_target.h"
#include "pecann/page/page.h"
#include "pecann/reproduce/campaign.h"
#include "pecann/reproduce/results_page.h"
#include "pecann/results/statistics.h"
#include "pecann/verdict/number_text.h"

namespace pecann::cli {
namespace {

struct ReproduceOptions {
  std::vector<std::string> tables, adopt;
  std::string budget = "paper", results = "results", out = "runs/reproduce", docs, page;
  int trials = 0, threads = 0;
  double checkpoint_seconds = 30;
  bool list = false, keep_estimates = false, quiet = false;
};

constexpr double kTimingSeconds = 0.1;  // per row of --list

/// Prints a row with fmt, which counts characters where printf counts bytes.
void print_row(const std::string& name, const std::string& published, const std::string& rest) {
  say(stdout, fmt::format("{:<38} {:<24} {}\n", name, published, rest));
}

bool offers(const reproduce::Table& table, reproduce::Budget budget) {
  return std::ranges::any_of(table.rows,
                             [&](const reproduce::Row& row) { return reproduce::problem_of(row, budget).has_value(); });
}

/// Throws InputError, with the tables of the paper that offer the budget, where no row of `tables` does.
void require_budget(const std::vector<reproduce::Table>& tables, reproduce::Budget budget) {
  const auto offered = [&](const reproduce::Table& table) { return offers(table, budget); };
  if (std::ranges::any_of(tables, offered)) return;
  std::string names;
  for (const reproduce::Table& table : reproduce::select_tables({}))
    if (offered(table)) names += (names.empty() ? "" : ", ") + table.name;
  throw InputError({.place = {.file = "command line"},
                    .key = "--budget",
                    .value = reproduce::name_of(budget),
                    .rule = "no chosen row has this budget; tables with rows that do: " + names});
}

/// Lists the rows with the time of the paper's recipe on this machine, and the results that there are.
void list_rows(const std::vector<reproduce::Table>& tables, const ReproduceOptions& options) {
  std::fprintf(stderr, "timing every row, %.1f s each\n", kTimingSeconds);
  const reproduce::Estimates estimates = reproduce::measure_estimates(tables, kTimingSeconds);
  if (options.keep_estimates) {
    reproduce::Estimates kept = reproduce::read_estimates(options.results);
    for (const auto& [row, seconds] : estimates) kept[row] = seconds;
    reproduce::write_estimates(options.results, kept);
  }
  const reproduce::ResultStore store(options.results);
  print_row("row", "published", "paper's recipe, one thread    results (paper, best)");
  double total = 0;
  for (const reproduce::Table& table : tables)
    for (const reproduce::Row& row : table.rows) {
      const double seconds = estimates.at(row.id());
      total += seconds * row.trials;
      const std::string best = reproduce::problem_of(row, reproduce::Budget::Best)
                                   ? fmt::format(", {}", store.read(row, reproduce::Budget::Best).units.size())
                                   : "";
      print_row(row.id(), reproduce::published_text(row.published),
                fmt::format("{:>2} × {:<24} {}{}", row.trials, verdict::duration_text(seconds),
                            store.read(row, reproduce::Budget::Paper).units.size(), best));
    }
  std::printf("\nall of them with the paper's recipe: about %s on one thread\n", verdict::duration_text(total).c_str());
}

void print_results(const std::vector<reproduce::Table>& tables, reproduce::Budget budget,
                   const reproduce::ResultStore& store) {
  print_row("row", "published",
            fmt::format("ours, budget {}{}", reproduce::name_of(budget),
                        budget == reproduce::Budget::Quick ? " (a smoke run: says nothing)" : "")
                .c_str());
  for (const reproduce::Table& table : tables)
    for (const reproduce::Row& row : table.rows) {
      const reproduce::RowFigures figures = reproduce::figures_of(store.read(row, budget), {table.measure});
      if (figures.trials == 0) continue;
      const results::Spread spread = results::spread_of(figures.errors[0]);
      print_row(row.id(), reproduce::published_text(row.published),
                fmt::format("{:<24} {} of {} trials, {} each", reproduce::figure_text(spread.mean, spread.std),
                            figures.trials, row.trials, verdict::duration_text(figures.seconds)));
    }
}

/// Ranks of mpirun take whole units, each for itself: claims keep them apart as they do other processes. The first
/// rank's outcome is that of all, when the last one is ready.
reproduce::CampaignOutcome train_units(const std::vector<reproduce::Table>& tables,
                                       const reproduce::CampaignOptions& campaign) {
  reproduce::CampaignOutcome outcome;
  {
    const UseCommunicator alone(serial_communicator());
    outcome = reproduce::run_campaign(tables, campaign);
  }
  Communicator& ranks = communicator();
  std::vector<double> done(ranks.size());
  done[ranks.rank()] = outcome.done;
  ranks.share(done, equal_bounds(done.size(), ranks.size()));
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (rank == ranks.rank()) continue;
    const int others = static_cast<int>(done[rank]);  // seen by us as busy or, later, as kept
    const int busy = std::min(outcome.busy, others);
    outcome.done += others;
    outcome.busy -= busy;
    outcome.kept -= others - busy;
  }
  return outcome;
}

int train(const std::vector<reproduce::Table>& tables, const ReproduceOptions& options,
          const reproduce::CampaignOptions& campaign) {
  train::catch_stop_signals();
  const reproduce::CampaignOutcome outcome = train_units(tables, campaign);
  if (communicator().rank() > 0) return 0;
  if (!options.quiet) print_results(tables, campaign.budget, reproduce::ResultStore(options.results));
  std::fprintf(stderr, "%d unit%s trained, %d kept%s%s\n", outcome.done, outcome.done == 1 ? "" : "s", outcome.kept,
               outcome.busy > 0 ? fmt::format(", {} with other processes", outcome.busy).c_str() : "",
               outcome.not_offered > 0 ? fmt::format(", {} row{} without budget {}", outcome.not_offered,
                                                     outcome.not_offered == 1 ? "" : "s", options.budget)
                                             .c_str()
                                       : "");
  if (outcome.interrupted) std::fprintf(stderr, "pecann: stopped; the same command goes on\n");
  return outcome.interrupted ? 1 : 0;
}

/// Writes, beside the page, one with figures for every table whose runs are in --out. Returns the names of
/// these pages by table.
std::map<std::string, std::string> write_figures(const std::vector<reproduce::Table>& tables, const std::string& page,
                                                 const std::string& out) {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> names;
  for (const reproduce::Table& table : tables) {
    std::vector<std::string> folders;
    for (const reproduce::Row& row : table.rows)
      for (const reproduce::Budget budget :
           {reproduce::Budget::Paper, reproduce::Budget::Short, reproduce::Budget::Best}) {
        const std::string folder = out + "/" + row.store + "/" + reproduce::name_of(budget);
        if (train::run_file_exists(train::RunFolder(folder).summary_file())) folders.push_back(folder);
      }
    if (folders.empty()) continue;
    names[table.name] = fs::path(page).stem().string() + "-" + table.name + ".html";
    page::write_report(folders, (fs::path(page).parent_path() / names[table.name]).string());
  }
  return names;
}

void write_pages(const std::vector<reproduce::Table>& tables, const ReproduceOptions& options,
                 const reproduce::CampaignOptions& campaign) {
  const reproduce::ResultStore store(options.results);
  const reproduce::Estimates estimates = reproduce::read_estimates(options.results);
  if (!options.docs.empty())
    write_text_file(options.docs, reproduce::markdown(
                                      reproduce::results_page(tables, reproduce::paper_findings(), store, estimates)));
  if (options.page.empty()) return;
  const std::map<std::string, std::string> figures = write_figures(tables, options.page, campaign.out);
  write_text_file(options.page, reproduce::html_page(reproduce::results_page(tables, reproduce::paper_findings(), store,
                                                                             estimates, figures),
                                                     "The paper, reproduced"));
}

int run_reproduce(const ReproduceOptions& options) {
  const std::vector<reproduce::Table> tables = reproduce::select_tables(options.tables);
  reproduce::CampaignOptions campaign;
  campaign.budget = reproduce::budget_of(options.budget);
  campaign.results = options.results;
  campaign.out = options.out;
  campaign.trials = options.trials;
  campaign.checkpoint_seconds = options.checkpoint_seconds;
  campaign.simd = kernel::simd_target();
  const int ranks = communicator().size();
  campaign.progress = [&](const problem::Problem& problem,
                          const std::string& label) -> std::unique_ptr<train::EpochObserver> {
    return std::make_unique<Progress>(problem, label,
                                      ranks > 1 && !options.quiet ? ProgressStyle::Log : progress_style(options.quiet));
  };
  campaign.say = [](const std::string& line) { say(stderr, shortened(line, kLongestPath) + "\n"); };
  if (options.threads > 0) set_thread_count(options.threads);
  const bool trains = !options.list && options.adopt.empty() && options.docs.empty() && options.page.empty();
  if (trains) {
    require_budget(tables, campaign.budget);
    return train(tables, options, campaign);
  }
  if (communicator().rank() > 0) return 0;
  const UseCommunicator alone(serial_communicator());
  if (options.list) return list_rows(tables, options), 0;
  if (!options.adopt.empty()) {
    const int adopted = reproduce::adopt_runs(tables, options.adopt, campaign);
    std::printf("%d trial%s adopted\n", adopted, adopted == 1 ? "" : "s");
    return 0;
  }
  write_pages(tables, options, campaign);
  return 0;
}

}  // namespace

void add_reproduce_command(CLI::App& app, Result& result) {
  CLI::App* const command = app.add_subcommand(
      "reproduce", "The paper's tables: trains their rows and sets the published figures beside ours");
  auto options = std::make_shared<ReproduceOptions>();
  command->add_option("table", options->tables,
                      "tables (burgers), rows (burgers/fine-capu) or a file of a table; default: all (`--list`)");
  command
      ->add_option("--budget", options->budget,
                   "paper: its recipe to the letter; best: ours; accuracy: a search for 1e-6, without a recipe; short: "
                   "the paper's with fewer epochs, for "
                   "tables that "
                   "offer it; quick: a smoke run")
      ->capture_default_str();
  command->add_option("--trials", options->trials, "trials per row (default: as many as the paper)")
      ->check(count_up_to(kMostTrials));
  command->add_option("--out", options->out, "folder for the runs, from which a stopped one goes on")
      ->capture_default_str();
  command->add_option("--results", options->results, "folder for the results, small files to keep")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "number of threads (default: all cores)")
      ->check(count_up_to(kMostThreads));
  command->add_option("--checkpoint-seconds", options->checkpoint_seconds, "time between checkpoints")
      ->capture_default_str()
      ->check(not_negative_number());
  command->add_flag("--list", options->list, "show the rows with their time on this machine instead of training");
  command
      ->add_flag("--keep-estimates", options->keep_estimates,
                 "with --list: write the times into the folder of results, for the page")
      ->needs("--list");
  command->add_option("--adopt", options->adopt, "take over finished runs of `pecann run` that train as a row does");
  command->add_option("--write-docs", options->docs, "write the results page as Markdown instead of training");
  command->add_option("--write-page", options->page, "write the results page as HTML instead of training");
  command->add_flag("--quiet", options->quiet, "no progress and no table");
  command->callback([options, &result] { result.exit_code = run_reproduce(*options); });
}

}  // namespace pecann::cli
