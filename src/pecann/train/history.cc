#include "pecann/train/history.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "pecann/problem/scope.h"

namespace pecann::train {
namespace {

constexpr const char* kHeldOutColumns = ",held_out,held_out_residual";
constexpr std::chrono::milliseconds kLongestBuffering{1000};

[[noreturn]] void cannot_write_history(const std::string& path) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

/// A name as a CSV field: quoted where it has a comma, a quote or a line end.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// Length of the lines of a file that end within its first `limit` bytes. A file that is shorter than it was
/// (a crash of the machine, an editor) loses rows and nothing else.
std::uint64_t whole_lines(const std::string& path, std::uint64_t limit) {
  std::ifstream file(path, std::ios::binary);
  std::uint64_t length = 0, read = 0;
  std::string block(std::size_t{1} << 16, '\0');
  while (file && read < limit) {
    file.read(block.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(block.size(), limit - read)));
    const auto count = static_cast<std::size_t>(file.gcount());
    const std::size_t end = std::string_view(block.data(), count).rfind('\n');
    if (end != std::string_view::npos) length = read + end + 1;
    read += count;
  }
  return length;
}

}  // namespace

bool history_keeps(const EpochRecord& record) {
  long stride = 1;
  while (record.epoch > stride * 10000) stride *= 10;
  return record.epoch % stride == 0 || record.phase_ends || !record.errors.empty();
}

HistoryWriter::HistoryWriter(const std::string& path, const problem::Problem& problem, std::uint64_t position)
    : path_(path),
      windows_(problem.windows.count > 1),
      held_out_(problem.held_out.watch),
      measures_(problem.evaluate.measures) {
  for (const std::string& name : problem::quantity_names(problem))
    if (problem.exact.contains(name) || !problem.reference.empty()) fields_.push_back(name);
  std::sort(fields_.begin(), fields_.end());
  const std::uint64_t kept = whole_lines(path, position);
  if (kept > 0 && ::truncate(path.c_str(), static_cast<off_t>(kept)) != 0) cannot_write_history(path);
  file_ = std::fopen(path.c_str(), kept > 0 ? "ab" : "wb");
  if (file_ == nullptr) cannot_write_history(path);
  if (kept > 0) {  // a resumed run may have been begun with or without held-out points
    std::string header;
    std::getline(std::ifstream(path), header);
    held_out_ = header.ends_with(kHeldOutColumns);
    return;
  }
  std::string header = windows_ ? "window,epoch,seconds,loss,objective" : "epoch,seconds,loss,objective";
  for (const char* kind : {"constraint", "multiplier", "penalty"})
    for (const problem::TermSpec& term : problem.terms)
      if (term.role == problem::Role::Constraint) header += "," + csv_field(std::string(kind) + "." + term.name);
  header += ",learning_rate,evaluations";
  for (const std::string& field : fields_)
    for (const problem::Measure measure : measures_)
      header += "," + csv_field("error." + field + "." + word_of(measure));
  if (held_out_) header += kHeldOutColumns;
  header += "\n";
  if (std::fwrite(header.data(), 1, header.size(), file_) != header.size()) cannot_write_history(path);
}

HistoryWriter::~HistoryWriter() { std::fclose(file_); }

Directive HistoryWriter::on_epoch(const EpochRecord& record) {
  if (history_keeps(record)) write_row(record);
  if (const auto now = std::chrono::steady_clock::now(); now - handed_over_ >= kLongestBuffering) {
    if (std::fflush(file_) != 0) cannot_write_history(path_);
    handed_over_ = now;
  }
  return Directive::Continue;
}

void HistoryWriter::write_row(const EpochRecord& record) {
  line_.clear();
  const auto out = std::back_inserter(line_);
  if (windows_) fmt::format_to(out, "{},", record.window + 1);
  fmt::format_to(out, "{},{:.3f},{},{}", record.epoch, record.seconds, record.loss, record.objective);
  for (const ConstraintRecord& c : record.constraints) fmt::format_to(out, ",{}", c.value);
  for (const ConstraintRecord& c : record.constraints) fmt::format_to(out, ",{}", c.multiplier);
  for (const ConstraintRecord& c : record.constraints) fmt::format_to(out, ",{}", c.penalty);
  fmt::format_to(out, ",{},{}", record.learning_rate, record.evaluations);
  for (const std::string& field : fields_) {
    const auto error =
        std::find_if(record.errors.begin(), record.errors.end(), [&](const FieldError& e) { return e.field == field; });
    for (const problem::Measure measure : measures_) {
      line_ += ',';
      if (error != record.errors.end()) fmt::format_to(out, "{:.6e}", measure_of(*error, measure));
    }
  }
  if (held_out_)
    line_ += record.held_out ? fmt::format(",{},{:.6e}", record.held_out->loss, record.held_out->residual) : ",,";
  line_ += '\n';
  if (std::fwrite(line_.data(), 1, line_.size(), file_) != line_.size()) cannot_write_history(path_);
}

std::uint64_t HistoryWriter::flush() {
  if (std::fflush(file_) != 0 || ::fdatasync(::fileno(file_)) != 0) cannot_write_history(path_);
  return static_cast<std::uint64_t>(std::ftell(file_));
}

}  // namespace pecann::train
