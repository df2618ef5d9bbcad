// The folder of a run: what its files are called, how they are opened, and that one process at a time writes to it.
//
//   DIR/problem.toml            the effective problem
//   DIR/asked.toml              the problem as it was asked, where an accuracy was (accuracy/search.h)
//   DIR/depends.json            what the run depends on (results/dependencies.h)
//   DIR/inputs/                 copies of the files that the problem names (run_inputs.h)
//   DIR/start.npy               the parameters to begin with, where some were given
//   DIR/summary.json            results/summary_json.h
//   DIR/estimated-error.json    results/error_maps.h
//   DIR/report.html             page/page.h
//   DIR/lock                    holds the number of the process that trains here
//   DIR/attempt-1/              of a run that is asked for an accuracy: a run of its own (accuracy/search.h)
//   DIR/trial-1/history.csv     history.h
//   DIR/trial-1/checkpoint      checkpoint.h, and checkpoint.previous
//   DIR/trial-1/solution.npz    results/npz_file.h
//
// These names are spelled here and nowhere else (tools/check_layers.py).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pecann/base/file_lock.h"
#include "pecann/base/plain_file.h"

namespace pecann::train {

/// The folder of one trial. The object is only a name: nothing is opened or made until create().
class TrialFolder {
 public:
  TrialFolder() = default;
  TrialFolder(std::string path) : path_(std::move(path)) {}
  const std::string& path() const { return path_; }
  std::string history_file() const;
  std::string checkpoint_file() const;
  std::string previous_checkpoint_file() const;  // the one before, for when the other is damaged
  std::string new_checkpoint_file() const;       // while it is written
  std::string solution_file(const std::string& extension) const;
  std::string lock_file() const;  // for campaigns, whose processes share the trials of a run

  // These throw InputError where the folder is a symbolic link or a file that is asked for is no plain file.
  bool exists() const;
  bool has_checkpoint() const;  // usable or not
  void create() const;          // also the folders above it; nothing where it exists
  void require_plain_files() const;
  /// Copies history, checkpoint and solution to another trial folder, which is made where it does not exist.
  void copy_to(const TrialFolder& other) const;

 private:
  std::string path_;
};

class RunFolder {
 public:
  /// Names a folder; nothing is opened or made.
  RunFolder() = default;
  RunFolder(std::string path) : path_(std::move(path)) {}

  /// How messages call the choice of a folder, and what to do where it holds a run already.
  struct Words {
    std::string key = "--out";
    std::string go_on = "go on with `pecann resume {}`";  // {}: the folder
  };
  /// Makes a new folder: `wanted` when it is given (must not exist or be empty, else InputError), or runs/NAME,
  /// runs/NAME-2, … with the stem of `problem_name`.
  static RunFolder create(const std::string& wanted, const std::string& problem_name, const Words& words);
  static RunFolder create(const std::string& wanted, const std::string& problem_name);
  /// Throws InputError when the folder holds no problem, and so no run, or when one of the files that a run has is
  /// something else: the folder may come from a stranger, whose links and pipes must not be followed or waited for.
  static RunFolder open(const std::string& path);

  const std::string& path() const { return path_; }
  std::string problem_file() const;
  std::string asked_file() const;
  std::string depends_file() const;
  std::string inputs_folder() const;  // that of the run around it, where there is one
  std::string start_file() const;
  std::string summary_file() const;
  std::string error_maps_file() const;
  std::string report_file() const;
  std::string lock_file() const;
  TrialFolder trial(int number) const;  // from 1
  /// A run inside this one; from 1.
  RunFolder attempt(int number) const;
  /// Makes the folder of a run inside another one; nothing where it exists.
  void make() const;

  /// The trials that have begun (those with a checkpoint), ascending.
  std::vector<int> trials() const;
  /// Takes the lock of the folder. While it lives, no other process and no other training of this process works here.
  /// Throws InputError naming the process that holds it.
  FileLock lock() const;

  bool has_asked_problem() const;
  std::string read_asked_problem() const;
  /// Writes the problem that was asked, which stands for the problem of the run until an attempt is adopted.
  void write_asked_problem(std::string_view text) const;

  bool has_problem() const;
  std::string read_problem() const;
  void write_problem(std::string_view text) const;

 private:
  void require_plain_files() const;

  std::string path_;
  std::string inputs_;  // empty: its own
};

/// The most bytes that are read of files whose size the problem does not give: some ten million rows, ten thousand
/// trials.
constexpr double kLongestHistory = 2e9, kLongestSummary = 2.5e8, kLongestErrorMaps = 1e8;

/// Whole files of run folders are read and written through these: InputError names the file that is no plain file, too
/// large, or cannot be read or written. What a run cannot go on without is durable; results are made anew by `resume`.
bool run_file_exists(const std::string& path);
std::string read_run_file(const std::string& path, double most);
void write_run_file(const std::string& path, std::string_view text, Durable durable = Durable::No);

}  // namespace pecann::train
