// What a trial's checkpoint holds. The names are those of earlier versions, whose checkpoints can still be resumed.
#include <string>

#include "pecann/base/input_error.h"
#include "pecann/train/trainer.h"

namespace pecann::train {
namespace {

std::string report_name(std::size_t index) { return "window.report." + std::to_string(index); }

void save_reports(std::span<const WindowReport> reports, StateWriter& writer) {
  writer.put_integer("window.reports", reports.size());
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const WindowReport& report = reports[i];
    std::vector<double> numbers = {static_cast<double>(report.window), static_cast<double>(report.attempt),
                                   static_cast<double>(report.epochs)};
    for (const CheckValue& check : report.checks) numbers.insert(numbers.end(), {check.value, check.limit});
    writer.put(report_name(i), numbers);
    writer.put_text(report_name(i) + ".broken", report.not_finite);
    for (std::size_t c = 0; c < report.checks.size(); ++c)
      writer.put_text(report_name(i) + ".term." + std::to_string(c), report.checks[c].term);
  }
}

/// A whole number that was saved among doubles.
long whole(double number, double limit) {
  if (!(number >= 0 && number <= limit))
    throw InputError({.rule = "the checkpoint's report of a window has an impossible number"});
  return static_cast<long>(number);
}

/// A window is tried at most twice, and every try is reported once.
std::vector<WindowReport> load_reports(const StateReader& reader, int windows) {
  std::vector<WindowReport> reports(reader.get_integer("window.reports", 2 * static_cast<std::uint64_t>(windows)));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const std::vector<double> numbers = reader.get(report_name(i));
    if (numbers.size() < 3) throw InputError({.rule = "the checkpoint's report of a window is too short"});
    reports[i].window = static_cast<int>(whole(numbers[0], windows));
    reports[i].attempt = static_cast<int>(whole(numbers[1], 2));
    reports[i].epochs = whole(numbers[2], static_cast<double>(kMostEpochs));
    reports[i].not_finite = reader.get_text(report_name(i) + ".broken");
    for (std::size_t c = 0; 4 + 2 * c < numbers.size(); ++c)
      reports[i].checks.push_back(
          {reader.get_text(report_name(i) + ".term." + std::to_string(c)), numbers[3 + 2 * c], numbers[4 + 2 * c]});
  }
  return reports;
}

}  // namespace

void Trainer::save(StateWriter& writer) const {
  writer.put_integer("seed", seed_);
  for (int w = 0; w < finished_.num_windows(); ++w)
    writer.put("finished." + std::to_string(w), finished_.parameters(w));
  writer.put("window.first_try", first_try_);
  save_reports(reports_, writer);
  attempt_->save(writer);
  recorder_.save(writer);
}

void Trainer::load(const StateReader& reader) {
  if (reader.get_integer("seed") != seed_)
    throw InputError({.rule = "the checkpoint belongs to another seed", .hint = "its folder holds another trial"});
  const std::uint64_t window = reader.get_integer("window");
  if (window >= static_cast<std::uint64_t>(problem_->windows.count))
    throw InputError({.rule = "the checkpoint has more windows or phases than the problem"});
  finished_ = Solution(*problem_, seed_);
  for (std::uint64_t w = 0; w < window; ++w) finished_.add_window(reader.get("finished." + std::to_string(w)));
  first_try_ = reader.get("window.first_try");
  reports_ = load_reports(reader, problem_->windows.count);
  const int attempt = static_cast<int>(reader.get_integer("window.attempt", 1));
  attempt_ = std::make_unique<WindowAttempt>(basis(), static_cast<int>(window), attempt, 0);
  attempt_->load(reader);
  recorder_.load(reader, attempt_->place(), attempt_->error_norms(), attempt_->parameters());
}

}  // namespace pecann::train
