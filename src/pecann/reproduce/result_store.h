// The results of a campaign: small files that can be kept in a repository.
//
//   ROOT/TABLE/ROW/BUDGET/problem.toml   the effective problem of these results
//   ROOT/TABLE/ROW/BUDGET/trial-1.json   one unit of work: errors, epochs, times, seed, commit, machine, load
//   ROOT/TABLE/ROW/BUDGET/trial-1.lock   the claim of the process that is training it (base/file_lock.h)
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pecann/reproduce/budget.h"
#include "pecann/results/run_facts.h"
#include "pecann/train/trial.h"

namespace pecann::reproduce {

struct UnitResult {
  train::TrialSummary trial;
  results::RunFacts facts;
  std::map<std::string, double>
      violations;   // of the constraint terms at the end, in units of their residuals; filled by read()
  double load = 0;  // mean length of the machine's run queue in the last minute of the unit; NaN: unknown
  std::optional<double> processor_seconds;  // all threads; unknown where the unit was killed and resumed, or adopted
};

/// The results of a row at a budget.
struct RowResults {
  std::vector<UnitResult> units;  // by trial
  bool superseded = false;        // the row or its recipe has changed since: the results are of an earlier problem
};

class ResultStore {
 public:
  explicit ResultStore(std::string root) : root_(std::move(root)) {}

  const std::string& root() const { return root_; }
  std::string folder(const Row& row, Budget budget) const;
  std::string file(const Row& row, Budget budget, int trial) const;
  std::string lock_file(const Row& row, Budget budget) const;             // held to decide whose results these are
  std::string lock_file(const Row& row, Budget budget, int trial) const;  // held while the unit is trained
  bool has(const Row& row, Budget budget, int trial) const;

  /// Makes the folder and its problem.toml. Results of an earlier problem are moved aside to FOLDER.earlier-1, …; the
  /// new name is returned, or an empty text.
  std::string prepare(const Row& row, Budget budget, const problem::Problem& problem) const;
  void write(const Row& row, Budget budget, const problem::Problem& problem, const UnitResult& result) const;
  RowResults read(const Row& row, Budget budget) const;

 private:
  std::string root_;
};

/// Moves a folder aside when its problem.toml is another training than `problem`. Returns its new name, or "".
std::string move_aside_if_other(const std::string& folder, const problem::Problem& problem);

}  // namespace pecann::reproduce
