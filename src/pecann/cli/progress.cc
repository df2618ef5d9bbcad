#include "pecann/cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace pecann::cli {
namespace {

constexpr double kTerminalInterval = 0.2, kLogInterval = 2, kLogIntervalLong = 60;  // seconds

std::string duration(double seconds) {
  const long s = static_cast<long>(seconds + 0.5);
  if (s < 60) return fmt::format("{}s", s);
  if (s < 3600) return fmt::format("{}m{:02}s", s / 60, s % 60);
  return fmt::format("{}h{:02}m", s / 3600, s % 3600 / 60);
}

}  // namespace

ProgressStyle progress_style(bool quiet) {
  if (quiet) return ProgressStyle::Quiet;
  return ::isatty(STDERR_FILENO) ? ProgressStyle::Terminal : ProgressStyle::Log;
}

Progress::Progress(const problem::Problem& problem, std::string label, ProgressStyle style)
    : problem_(problem), label_(std::move(label)), style_(style), started_(std::chrono::steady_clock::now()), last_(started_) {
  for (const problem::PhaseSpec& phase : problem.phases) epochs_per_window_ += phase.epochs;
  interval_ = style == ProgressStyle::Terminal ? kTerminalInterval : kLogInterval;
}

Progress::~Progress() {
  if (line_open_) std::fputc('\n', stderr);
}

train::Directive Progress::on_epoch(const train::EpochRecord& record) {
  if (style_ == ProgressStyle::Quiet) return train::Directive::Continue;
  if (first_epoch_ < 0) first_epoch_ = record.window * epochs_per_window_ + record.epoch - 1;
  for (const train::FieldError& error : record.errors) last_error_ = &error == &record.errors[0] ? error.relative_l2 : std::max(last_error_, error.relative_l2);
  const auto now = std::chrono::steady_clock::now();
  const bool due = std::chrono::duration<double>(now - last_).count() >= interval_;
  const bool phase_ended = record.phase_ends && style_ == ProgressStyle::Log;
  if (!due && !phase_ended) return train::Directive::Continue;
  last_ = now;
  // A log of a long run should not be long: lines come less and less often.
  if (style_ == ProgressStyle::Log) interval_ = std::min(kLogIntervalLong, interval_ * 1.2);
  show(line(record));
  return train::Directive::Continue;
}

std::string Progress::line(const train::EpochRecord& record) const {
  const long done = record.window * epochs_per_window_ + record.epoch, all = epochs_per_window_ * problem_.windows.count;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
  const double rate = static_cast<double>(done - first_epoch_) / std::max(elapsed.count(), 1e-9);
  double violation = 0;
  for (const train::ConstraintRecord& c : record.constraints) violation = std::max(violation, std::sqrt(c.value));
  std::string text = label_.empty() ? "" : label_ + "  ";
  if (problem_.windows.count > 1) text += fmt::format("window {}/{} ", record.window + 1, problem_.windows.count);
  if (problem_.phases.size() > 1) text += fmt::format("{} ", problem_.phases[record.phase].optimizer);
  text += fmt::format("{}/{}  L {:.2e}  J {:.2e}", record.epoch, epochs_per_window_, record.loss, record.objective);
  if (!record.constraints.empty()) text += fmt::format("  viol {:.1e}", violation);
  if (last_error_ >= 0) text += fmt::format("  err {:.1e}", last_error_);
  text += fmt::format("  {:.3g}/s", rate);
  if (rate > 0) text += fmt::format("  ETA {}", duration(static_cast<double>(all - done) / rate));
  return text;
}

void Progress::show(const std::string& text) {
  if (style_ == ProgressStyle::Terminal) {
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    line_open_ = true;
  } else {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
  std::fflush(stderr);
}

}  // namespace pecann::cli
