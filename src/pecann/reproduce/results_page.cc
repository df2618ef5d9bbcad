#include "pecann/reproduce/results_page.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "pecann/results/statistics.h"
#include "pecann/verdict/number_text.h"

namespace pecann::reproduce {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

std::string best_text(const Published& published) { return published.best ? figure_text(*published.best, kNan) : "–"; }

std::string our_text(const std::vector<double>& errors, const Published& published) {
  const results::Spread spread = results::spread_of(errors);
  const std::string text = figure_text(spread.mean, spread.std);
  const std::optional<double> aim = published.mean ? published.mean : published.best ? published.best : published.below;
  return aim && spread.mean <= *aim ? "**" + text + "**" : text;
}

std::string count_text(double count) {
  return count < 1e5 ? fmt::format("{:.0f}", count) : fmt::format("{:.2g}", count);
}

std::string time_text(const RowFigures& figures) {
  return verdict::duration_text(figures.seconds) + (figures.wall ? " wall" : "");
}

/// What a reader must know about the figures of a row.
std::string state_text(const RowFigures& figures, const Row& row, Budget budget) {
  std::string text =
      fmt::format("{} of {}, {} {}", figures.trials, row.trials, figures.trials == 1 ? "seed" : "seeds", figures.seeds);
  if (budget == Budget::Quick) text += "; **smoke run: its errors say nothing**";
  if (figures.superseded) text += "; **of an earlier recipe**";
  return text;
}

/// True for the budgets at which our errors stand beside the published ones.
bool comparable(Budget budget) { return budget == Budget::Paper || budget == Budget::Best; }

std::string not_run_text(const Row& row, Budget budget, const Estimates& estimates) {
  if (budget != Budget::Paper) return "not run";
  const auto estimate = estimates.find(row.id());
  return "not run at the paper's budget" +
         (estimate == estimates.end() ? "" : " (about " + verdict::duration_text(estimate->second) + " a trial)");
}

/// What the budget `short` changes, for the paragraph of a table that has it.
std::string short_text(const Table& table) {
  if (table.rows.empty() || table.rows[0].short_set.empty()) return "";
  return fmt::format(" Budget `short`: `{}`.", fmt::join(table.rows[0].short_set, " "));
}

class Page {
 public:
  Page(const std::vector<Table>& tables, const ResultStore& store, const Estimates& estimates)
      : tables_(tables), store_(store), estimates_(estimates) {}

  void add_overview() {
    document.blocks.push_back(Heading{2, "Overview"});
    document.blocks.push_back(
        Paragraph{"Rows for which we have a recipe of our own. Times are per trial on one thread; that of "
                  "the paper's recipe is an estimate on this machine: its evaluations times the "
                  "measured time of one. **Bold** errors reach or beat the published mean, or the bound that the paper "
                  "gives instead."});
    CellTable cells{{"row", "published", "ours, paper's recipe", "its time, estimated", "ours, recipe `best`",
                     "its time, measured"},
                    {}};
    for (const Table& table : tables_)
      for (const Row& row : table.rows)
        if (row.best) cells.rows.push_back(overview_row(table, row));
    document.blocks.push_back(std::move(cells));
    add_whole_time();
  }

  void add_table(const Table& table, const std::string& figures_page) {
    document.blocks.push_back(Heading{2, table.title});
    document.blocks.push_back(Paragraph{"Paper: " + table.source + ". Command: `pecann reproduce " + table.name +
                                        "`. Error: `" + table.measure + "`. " + table.text + short_text(table)});
    CellTable cells{{"row", "budget", "published", "ours", "published best", "our best"}, {}};
    for (const std::string& measure : table.also) cells.head.push_back("`" + measure + "`");
    for (const char* name : {"trials", "epochs", "evaluations", "time per trial", "load", "commit"})
      cells.head.emplace_back(name);
    BulletList notes;
    for (const Row& row : table.rows) {
      for (const Budget budget : {Budget::Paper, Budget::Short, Budget::Best, Budget::Accuracy, Budget::Quick})
        add_row(table, row, budget, cells);
      if (!row.notes.empty()) notes.items.push_back("**" + row.title + "**: " + row.notes);
    }
    for (const Cited& cited : table.cited) {
      cells.rows.push_back({cited.title, "cited", published_text(cited.published), "", best_text(cited.published)});
      cells.rows.back().resize(cells.head.size());
    }
    document.blocks.push_back(std::move(cells));
    if (!notes.items.empty()) document.blocks.push_back(std::move(notes));
    if (!figures_page.empty())
      document.blocks.push_back(
          Paragraph{"Histories, fields and multipliers of these runs: [" + figures_page + "](" + figures_page + ")."});
  }

  void add_finding(const Finding& finding) {
    document.blocks.push_back(Heading{3, finding.title});
    document.blocks.push_back(Paragraph{finding.text + " Command: `" + finding.command + "`."});
    CellTable cells{{"row", "published", "ours", "budget", "trials"}, {}};
    for (const Table& table : tables_)
      for (const Row& row : table.rows)
        if (std::ranges::find(finding.rows, row.id()) != finding.rows.end()) add_finding_row(table, row, cells);
    document.blocks.push_back(std::move(cells));
  }

  /// Says how many rows have any result at the paper's budget, how many have all trials, and how many there are.
  std::string coverage() const {
    int rows = 0, begun = 0, complete = 0;
    for (const Table& table : tables_)
      for (const Row& row : table.rows) {
        const RowResults results = store_.read(row, Budget::Paper);
        const int trials = results.superseded ? 0 : static_cast<int>(results.units.size());
        ++rows;
        begun += trials > 0;
        complete += trials >= row.trials;
      }
    return fmt::format(
        "Of {} rows, {} were run at the paper's budget with all of the paper's trials and {} with fewer; the "
        "others say so.",
        rows, complete, begun - complete);
  }

  Document document;

 private:
  RowFigures figures(const Table& table, const Row& row, Budget budget) const {
    std::vector<std::string> measures = {table.measure};
    measures.insert(measures.end(), table.also.begin(), table.also.end());
    return figures_of(store_.read(row, budget), measures);
  }

  /// How long all rows of the overview take with all of the paper's trials.
  void add_whole_time() {
    double best = 0, paper = 0;
    int measured = 0, rows = 0;
    for (const Table& table : tables_)
      for (const Row& row : table.rows) {
        if (!row.best) continue;
        const RowFigures of = figures(table, row, Budget::Best);
        const auto estimate = estimates_.find(row.id());
        ++rows;
        measured += of.trials > 0;
        best += of.seconds * row.trials;
        if (estimate != estimates_.end()) paper += estimate->second * row.trials;
      }
    if (measured == 0) return;
    document.blocks.push_back(Paragraph{fmt::format(
        "All trials of {} of these {} rows take {} of one thread with `best` (`pecann reproduce --budget "
        "best`), where the paper's recipe would take {}: sums of the columns above, some of them wall times "
        "on a loaded machine; they were not run in one go.",
        measured, rows, verdict::duration_text(best), verdict::duration_text(paper))});
  }

  std::vector<std::string> overview_row(const Table& table, const Row& row) const {
    const RowFigures paper = figures(table, row, Budget::Paper), best = figures(table, row, Budget::Best);
    const auto estimate = estimates_.find(row.id());
    const auto ours = [&](const RowFigures& of) {
      return of.trials == 0
                 ? "not run"
                 : our_text(of.errors[0], row.published) +
                       (of.trials < row.trials ? fmt::format(", {} trial{}", of.trials, of.trials == 1 ? "" : "s")
                                               : "");
    };
    return {table.name + ": " + row.title,
            row.published.mean || !row.published.best ? published_text(row.published) : best_text(row.published),
            ours(paper),
            estimate == estimates_.end() ? "–" : verdict::duration_text(estimate->second),
            problem_of(row, Budget::Best) ? ours(best) : "no recipe yet",
            best.trials == 0 ? "–" : time_text(best)};
  }

  void add_row(const Table& table, const Row& row, Budget budget, CellTable& cells) const {
    const RowFigures of = figures(table, row, budget);
    if (of.trials == 0) {
      if (budget == Budget::Quick || budget == Budget::Accuracy ||
          (budget != Budget::Paper && !problem_of(row, budget)))
        return;
      cells.rows.push_back({row.title, name_of(budget), published_text(row.published),
                            not_run_text(row, budget, estimates_), best_text(row.published)});
      cells.rows.back().resize(cells.head.size());
      return;
    }
    std::vector<std::string> line = {row.title,
                                     name_of(budget),
                                     published_text(row.published),
                                     our_text(of.errors[0], comparable(budget) ? row.published : Published{}),
                                     best_text(row.published),
                                     figure_text(results::spread_of(of.errors[0]).best, kNan)};
    for (std::size_t m = 1; m < of.errors.size(); ++m) {
      const results::Spread spread = results::spread_of(of.errors[m]);
      line.push_back(figure_text(spread.mean, spread.std));
    }
    line.push_back(state_text(of, row, budget));
    line.push_back(count_text(of.epochs));
    line.push_back(count_text(of.evaluations));
    line.push_back(time_text(of));
    line.push_back(of.load > 0 ? fmt::format("{:.0f}", of.load) : "–");
    line.push_back(of.commits);
    cells.rows.push_back(std::move(line));
  }

  void add_finding_row(const Table& table, const Row& row, CellTable& cells) const {
    for (const Budget budget : {Budget::Paper, Budget::Short, Budget::Best}) {
      const RowFigures of = figures(table, row, budget);
      if (of.trials == 0) continue;
      cells.rows.push_back({table.name + ": " + row.title, published_text(row.published),
                            our_text(of.errors[0], comparable(budget) ? row.published : Published{}), name_of(budget),
                            state_text(of, row, budget)});
      return;
    }
    cells.rows.push_back({table.name + ": " + row.title, published_text(row.published),
                          not_run_text(row, Budget::Paper, estimates_), "paper", ""});
  }

  const std::vector<Table>& tables_;
  const ResultStore& store_;
  const Estimates& estimates_;
};

}  // namespace

Document results_page(const std::vector<Table>& tables, const std::vector<Finding>& findings, const ResultStore& store,
                      const Estimates& estimates, const std::map<std::string, std::string>& figures) {
  Page page(tables, store, estimates);
  page.document.blocks.push_back(Heading{1, "The paper, reproduced"});
  page.document.blocks.push_back(
      Paragraph{"Written by `pecann reproduce --write-docs docs/results.md` from the files in `results/`; do "
                "not edit. " +
                page.coverage()});
  page.document.blocks.push_back(
      Paragraph{"Budgets: `paper` is the paper's recipe to the letter, with an L-BFGS that repeats "
                "PyTorch's; `best` is our recipe for the same problem, with the same network and points "
                "unless a note says otherwise; `short` is the paper's recipe with fewer epochs or points, "
                "which its table names: it compares methods where all of the paper's epochs take days, and "
                "its errors are not those of the paper; `quick` would be a smoke run. Errors are means ± standard "
                "deviations over trials, relative l² unless the table says "
                "otherwise. Times are processor time on one thread where every unit was trained "
                "in one go, else wall time; **load** is the number of processes that wanted the machine's "
                "two cores at the end of a unit, so wall times above a load of 2 are too long."});
  page.add_overview();
  for (const Table& table : tables) {
    const auto link = figures.find(table.name);
    page.add_table(table, link == figures.end() ? "" : link->second);
  }
  page.document.blocks.push_back(Heading{2, "What the paper concludes"});
  for (const Finding& finding : findings) page.add_finding(finding);
  return std::move(page.document);
}

}  // namespace pecann::reproduce
