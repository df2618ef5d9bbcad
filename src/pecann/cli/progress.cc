#include "pecann/cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <fmt/format.h>

#include "pecann/base/input_error.h"
#include "pecann/base/not_finite.h"
#include "pecann/problem/constraint_terms.h"
#include "pecann/train/stop_rules.h"
#include "pecann/train/window.h"

namespace pecann::cli {
namespace {

constexpr double kTerminalInterval = 0.2, kLogInterval = 2, kLogIntervalLong = 60;  // seconds
constexpr std::size_t kLogWidth = 120, kLongestLine = 1000;
constexpr long kEpochsByTime = 100'000'000;

std::string duration(double seconds) {
  const long s = static_cast<long>(seconds + 0.5);
  if (s < 60) return fmt::format("{}s", s);
  if (s < 3600) return fmt::format("{}m{:02}s", s / 60, s % 60);
  return fmt::format("{}h{:02}m", s / 3600, s % 3600 / 60);
}

/// The present number of the terminal's columns: people change it while a run goes on.
std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

}  // namespace

std::string joined(std::vector<Part> parts, std::size_t width) {
  while (true) {
    std::string text;
    for (const Part& part : parts) text += (text.empty() ? "" : "  ") + part.text;
    const auto least =
        std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.rank < b.rank; });
    if (text.size() <= width || least == parts.end() || least->rank == 0) return text.substr(0, width);
    parts.erase(least);
  }
}

ProgressStyle progress_style(bool quiet) {
  if (quiet) return ProgressStyle::Quiet;
  return ::isatty(STDERR_FILENO) ? ProgressStyle::Terminal : ProgressStyle::Log;
}

Progress::Progress(const problem::Problem& problem, std::string label, ProgressStyle style)
    : problem_(problem),
      label_(std::move(label)),
      style_(style),
      started_(std::chrono::steady_clock::now()),
      last_(started_) {
  interval_ = style == ProgressStyle::Terminal ? kTerminalInterval : kLogInterval;
}

Progress::~Progress() {
  if (line_open_) std::fputc('\n', stderr);
}

train::Directive Progress::on_epoch(const train::EpochRecord& record) {
  if (style_ == ProgressStyle::Quiet) return train::Directive::Continue;
  if (++epochs_seen_ == 1) spent_seconds_ = train::spent_seconds(problem_.stop, record);  // of a run whose time was up
  if (!record.errors.empty()) last_error_ = 0;
  for (const train::FieldError& error : record.errors) last_error_ = larger_or_nan(last_error_, error.relative_l2);
  const auto now = std::chrono::steady_clock::now();
  const bool due = std::chrono::duration<double>(now - last_).count() >= interval_;
  if (!due && !record.phase_ends) return train::Directive::Continue;
  last_ = now;
  // A log of a long run should not be long: lines come less and less often.
  if (style_ == ProgressStyle::Log) interval_ = std::min(kLogIntervalLong, interval_ * 1.2);
  show(line(record));
  return train::Directive::Continue;
}

void Progress::on_window(const train::WindowReport& report) {
  if (style_ == ProgressStyle::Quiet || (style_ == ProgressStyle::Terminal && report.passed())) return;
  const char* const verdict = report.passed() ? "passed its check" : "failed its check";
  const char* const next = report.passed() ? "" : report.attempt == 0 ? "; a second try begins" : ", again";
  show(fmt::format("{}{}window {}/{} {}: {}{}", label_, label_.empty() ? "" : "  ", report.window + 1,
                   problem_.windows.count, verdict, train::check_text(report), next));
  if (line_open_) std::fputc('\n', stderr);
  line_open_ = false;
}

std::string Progress::line(const train::EpochRecord& record) const {
  const long later =
      (problem_.windows.count - 1 - record.window) * train::planned_epochs(problem_, problem_.windows.usual);
  const long to_do = record.window_epochs - record.epoch + later;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
  const double rate = static_cast<double>(epochs_seen_) / std::max(elapsed.count(), 1e-9);
  const auto terms = problem::constraint_terms(problem_);
  double violation = 0;
  for (std::size_t c = 0; c < record.constraints.size(); ++c)
    violation = larger_or_nan(violation, problem::violation_of(*terms[c], record.constraints[c].value));

  std::vector<Part> parts;
  if (!label_.empty()) parts.push_back({label_, 0});
  if (problem_.windows.count > 1)
    parts.push_back({fmt::format("window {}/{}", record.window + 1, problem_.windows.count), 1});
  const std::string phase = problem_.phases.size() > 1 ? problem_.phases[record.phase].optimizer + " " : "";
  // A training that is limited by time has far more planned epochs than it will do.
  const bool by_time = problem_.stop.seconds && record.window_epochs > kEpochsByTime;
  parts.push_back({by_time ? fmt::format("{}{}", phase, record.epoch)
                           : fmt::format("{}{}/{}", phase, record.epoch, record.window_epochs),
                   0});
  parts.push_back({fmt::format("L {:.2e}", record.loss), 0});
  parts.push_back({fmt::format("J {:.2e}", record.objective), 4});
  if (!record.constraints.empty()) parts.push_back({fmt::format("viol {:.1e}", violation), 2});
  if (!(last_error_ < 0)) parts.push_back({fmt::format("err {:.1e}", last_error_), 1});
  parts.push_back({rate < 100 ? fmt::format("{:.3g}/s", rate) : fmt::format("{:.0f}/s", rate), 3});
  double left = rate > 0 ? static_cast<double>(to_do) / rate : std::numeric_limits<double>::infinity();
  if (problem_.stop.seconds)
    left = std::min(left, std::max(0.0, *problem_.stop.seconds + spent_seconds_ - record.seconds));
  if (std::isfinite(left)) parts.push_back({"ETA " + duration(left), 1});
  // Lines of several jobs stay, one below the other, also on a terminal: there they must not wrap.
  return joined(std::move(parts), ::isatty(STDERR_FILENO) ? terminal_width() - 1 : kLogWidth);
}

void Progress::show(const std::string& whole) {
  const std::string text = shortened(whole, kLongestLine);
  if (style_ == ProgressStyle::Terminal) {
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    line_open_ = true;
  } else {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
  std::fflush(stderr);
}

}  // namespace pecann::cli
