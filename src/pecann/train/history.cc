#include "pecann/train/history.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "pecann/base/csv_header.h"
#include "pecann/base/plain_file.h"
#include "pecann/train/run_folder.h"

namespace pecann::train {
namespace {

constexpr std::chrono::milliseconds kLongestBuffering{1000};
constexpr std::size_t kLongestHeader = 1 << 22;  // some thousand columns have a tenth of it

[[noreturn]] void cannot_write_history(const std::string& path) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

/// Reads a part of an open file into the block; as much as there is.
std::string_view read_part(int file, std::uint64_t from, std::string& block) {
  std::size_t length = 0;
  while (length < block.size()) {
    const ssize_t count =
        ::pread(file, block.data() + length, block.size() - length, static_cast<off_t>(from + length));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    length += static_cast<std::size_t>(count);
  }
  return {block.data(), length};
}

/// The length of the lines of a file that end within its first `limit` bytes. A file that is shorter than it was (a
/// crash of the machine, an editor) loses rows and nothing else.
std::uint64_t whole_lines(int file, std::uint64_t limit) {
  std::uint64_t length = 0, read = 0;
  std::string block(std::size_t{1} << 16, '\0');
  while (read < limit) {
    const std::string_view part = read_part(file, read, block).substr(0, limit - read);
    if (part.empty()) break;
    if (const std::size_t end = part.rfind('\n'); end != std::string_view::npos) length = read + end + 1;
    read += part.size();
  }
  return length;
}

/// The names of a file's columns.
std::vector<std::string> header_of(int file) {
  std::string block(kLongestHeader, '\0');
  std::string_view rest = read_part(file, 0, block);
  return take_csv_header(rest);
}

/// The history, open to be gone on with. One that has another name too (a copy of hard links) becomes a file of its own
/// first: the rows of this run are not those of the other folder.
int open_history(const std::string& path) {
  Descriptor file(open_plain_file(path, O_RDWR | O_CREAT));
  struct stat facts {};
  if (file.number() < 0 || ::fstat(file.number(), &facts) != 0) cannot_write_history(path);
  if (facts.st_nlink < 2) return file.release();
  if (!copy_plain_file(path, path, kLongestHistory)) cannot_write_history(path);
  return open_plain_file(path, O_RDWR);
}

std::string header_line(const std::vector<HistoryColumn>& columns) {
  std::vector<std::string> names;
  for (const HistoryColumn& column : columns) names.push_back(column.name);
  return csv_header(names);
}

void add_row(const std::vector<HistoryColumn>& columns, const EpochRecord& record, std::string& text) {
  for (const HistoryColumn& column : columns) {
    if (&column != &columns.front()) text += ',';
    column.write(record, text);
  }
  text += '\n';
}

}  // namespace

HistoryText::HistoryText(const problem::Problem& problem)
    : columns_(history_columns(problem)), text_(header_line(columns_)) {}

Directive HistoryText::on_epoch(const EpochRecord& record) {
  if (history_keeps(record)) add_row(columns_, record, text_);
  return Directive::Continue;
}

bool history_keeps(const EpochRecord& record) {
  long stride = 1;
  while (record.epoch > stride * 10000) stride *= 10;
  return record.epoch % stride == 0 || record.phase_ends || !record.errors.empty() || !record.standard_errors.empty();
}

HistoryWriter::HistoryWriter(const std::string& path, const problem::Problem& problem, std::uint64_t position)
    : path_(path), columns_(history_columns(problem)) {
  Descriptor file(open_history(path));
  if (file.number() < 0) cannot_write_history(path);
  std::uint64_t kept = whole_lines(file.number(), position);
  const std::vector<std::string> header_names = kept > 0 ? header_of(file.number()) : std::vector<std::string>();
  if (header_names.empty()) kept = 0;  // rows without names are worth nothing: it begins anew
  if (::ftruncate(file.number(), static_cast<off_t>(kept)) != 0) cannot_write_history(path);
  if (kept > 0) columns_ = chosen_columns(std::move(columns_), header_names);
  file_ = ::fdopen(file.number(), "ab");
  if (file_ == nullptr || std::fseek(file_, 0, SEEK_END) != 0) cannot_write_history(path);
  file.release();
  if (kept > 0) return;
  const std::string header = header_line(columns_);
  if (std::fwrite(header.data(), 1, header.size(), file_) != header.size()) cannot_write_history(path);
}

HistoryWriter::~HistoryWriter() { std::fclose(file_); }

Directive HistoryWriter::on_epoch(const EpochRecord& record) {
  if (history_keeps(record)) {
    line_.clear();
    add_row(columns_, record, line_);
    if (std::fwrite(line_.data(), 1, line_.size(), file_) != line_.size()) cannot_write_history(path_);
  }
  if (const auto now = std::chrono::steady_clock::now(); now - handed_over_ >= kLongestBuffering) {
    if (std::fflush(file_) != 0) cannot_write_history(path_);
    handed_over_ = now;
  }
  return Directive::Continue;
}

std::uint64_t HistoryWriter::flush() {
  if (std::fflush(file_) != 0 || ::fdatasync(::fileno(file_)) != 0) cannot_write_history(path_);
  return static_cast<std::uint64_t>(std::ftell(file_));
}

}  // namespace pecann::train
