// What a person sees while a trial trains: one line that is rewritten on a terminal, a plain line every
// now and then in a log.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/train/record.h"

namespace pecann::cli {

enum class ProgressStyle { Terminal, Log, Quiet };

/// Quiet when asked for; else Terminal when standard error is one, or Log.
ProgressStyle progress_style(bool quiet);

/// A piece of a line. Where a line is too long, pieces of the highest rank are left out first; rank 0 always stays.
struct Part {
  std::string text;
  int rank;
};
/// The parts with two blanks between them, in at most `width` columns.
std::string joined(std::vector<Part> parts, std::size_t width);

class Progress final : public train::EpochObserver {
 public:
  /// `label` stands before every line ("trial 2/5"), empty for a single trial.
  Progress(const problem::Problem& problem, std::string label, ProgressStyle style);
  ~Progress() override;
  train::Directive on_epoch(const train::EpochRecord& record) override;
  /// Prints a line that stays: for a window that failed its check, and in a log for every window.
  void on_window(const train::WindowReport& report) override;

 private:
  std::string line(const train::EpochRecord& record) const;
  void show(const std::string& text);

  const problem::Problem& problem_;
  std::string label_;
  ProgressStyle style_;
  std::chrono::steady_clock::time_point started_, last_;
  long epochs_seen_ = 0;
  double spent_seconds_ = 0;  // that stop.seconds does not count
  double interval_ = 0.2;     // seconds to the next line
  double last_error_ = -1;    // none yet
  bool line_open_ = false;
};

}  // namespace pecann::cli
