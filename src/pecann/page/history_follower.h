// The history of a run that is still training, read as it grows: every call reads what was added since the last one,
// and rows are thinned so that memory stays bounded however long the run is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pecann/results/history_table.h"

namespace pecann::page {

class HistoryFollower {
 public:
  /// Of a history longer than `most_rows`, at least an eighth of `most_rows` and never many more than
  /// `most_rows` are kept.
  explicit HistoryFollower(std::string file, std::size_t most_rows);

  /// The history up to now; empty while there is no file. The kept rows are those at equal distances (the same ones in
  /// all trials, for bands over them), the extremes of every column as in thinning.h, the last row and those where a
  /// window or a phase ends or begins. A file that has become shorter was begun anew and is read anew.
  const results::HistoryTable& update();

 private:
  void read_more(std::string_view text);
  void thin();

  std::string file_;
  std::size_t most_rows_;
  std::uintmax_t offset_ = 0;  // bytes of complete lines that have been read
  std::size_t rows_read_ = 0;
  std::size_t stride_ = 1;
  results::HistoryTable table_;
  std::vector<std::size_t> numbers_;  // of the kept rows, from 0
};

}  // namespace pecann::page
