#include "pecann/page/history_follower.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "pecann/base/plain_file.h"
#include "pecann/page/thinning.h"

namespace pecann::page {
namespace {

constexpr std::size_t kBytesAtOnce = 1 << 18;
constexpr std::size_t kFewestExtremes = 16;  // of a column, however many columns there are

}  // namespace

HistoryFollower::HistoryFollower(std::string file, std::size_t most_rows)
    : file_(std::move(file)), most_rows_(most_rows) {}

const results::HistoryTable& HistoryFollower::update() {
  const Descriptor file(open_plain_file(file_, O_RDONLY));
  struct stat facts {};
  const bool there = file.number() >= 0 && ::fstat(file.number(), &facts) == 0;
  if (!there || static_cast<std::uintmax_t>(facts.st_size) < offset_) *this = HistoryFollower(file_, most_rows_);
  if (!there) return table_;
  std::string text;
  while (true) {
    // A line longer than a block (a header of many terms) needs more of the file.
    const std::size_t wanted = text.size() + kBytesAtOnce;
    text.resize(wanted);
    const ssize_t count = ::pread(file.number(), text.data(), wanted, static_cast<off_t>(offset_));
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    const bool end = text.size() < wanted;
    const std::uintmax_t before = offset_;
    try {
      read_more(text);
    } catch (...) {  // a row that is no row: whoever mends the file finds it read from its beginning
      *this = HistoryFollower(file_, most_rows_);
      throw;
    }
    if (end) break;
    if (offset_ != before) text.clear();
  }
  return table_;
}

void HistoryFollower::read_more(std::string_view text) {
  const std::size_t before = table_.rows();
  const int line = table_.names.empty() ? 1 : static_cast<int>(rows_read_) + 2;
  offset_ += results::append_history(text, file_, line, table_);
  for (std::size_t i = before; i < table_.rows(); ++i) numbers_.push_back(rows_read_++);
  if (table_.rows() > most_rows_) thin();
}

void HistoryFollower::thin() {
  const std::size_t rows = table_.rows();
  while (rows_read_ / stride_ > most_rows_ / 4) stride_ *= 2;
  std::vector<bool> keep(rows, false);
  for (std::size_t i = 0; i < rows; ++i) keep[i] = numbers_[i] % stride_ == 0;
  for (const char* const place : {"window", "phase"}) {
    const std::vector<std::size_t> starts = table_.starts_of(place);
    for (std::size_t s = 1; s + 1 < starts.size(); ++s) keep[starts[s] - 1] = keep[starts[s]] = true;
  }
  const std::vector<double> epochs = table_.running_epochs();
  const std::size_t extremes = std::max(kFewestExtremes, most_rows_ / 4 / table_.columns.size());
  for (const std::vector<double>& column : table_.columns)
    for (const std::size_t i : thinned_rows(epochs, column, extremes)) keep[i] = true;
  keep.front() = keep.back() = true;

  const auto take = [&](auto& values) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows; ++i)
      if (keep[i]) values[kept++] = values[i];
    values.resize(kept);
  };
  for (std::vector<double>& column : table_.columns) take(column);
  take(numbers_);
}

}  // namespace pecann::page
