// history.csv has one row per recorded epoch. Recorded are every epoch up to 10,000, then every 10th up to 100,000,
// every 100th up to a million, …, the last epoch of every phase and every epoch whose errors, or standard errors of
// scalars, were taken.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/train/history_columns.h"
#include "pecann/train/record.h"

namespace pecann::train {

class HistoryWriter final : public EpochObserver {
 public:
  /// Creates the file with its header line, or, with position > 0, cuts an existing one to the whole lines within that
  /// length and goes on behind them with the columns that it has. Throws std::runtime_error when the file cannot be
  /// written, InputError when what is there is no plain file.
  HistoryWriter(const std::string& path, const problem::Problem& problem, std::uint64_t position);
  ~HistoryWriter() override;

  /// Writes the row of the epoch, if it is kept. It reaches the file within a second or so, where a live page
  /// or `tail -f` sees it.
  Directive on_epoch(const EpochRecord& record) override;

  /// Brings everything written so far to the disk and returns the length of the file.
  std::uint64_t flush();

 private:
  std::string path_;
  std::vector<HistoryColumn> columns_;
  std::FILE* file_;
  std::string line_;
  std::chrono::steady_clock::time_point handed_over_ = std::chrono::steady_clock::now();
};

/// The text of the file, for a training without a folder.
class HistoryText final : public EpochObserver {
 public:
  explicit HistoryText(const problem::Problem& problem);
  Directive on_epoch(const EpochRecord& record) override;
  const std::string& text() const { return text_; }

 private:
  std::vector<HistoryColumn> columns_;
  std::string text_;
};

/// True when the history keeps this epoch.
bool history_keeps(const EpochRecord& record);

}  // namespace pecann::train
