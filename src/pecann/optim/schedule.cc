#include "pecann/optim/schedule.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "pecann/base/input_error.h"
#include "pecann/optim/refuse.h"

namespace pecann::optim {
namespace {

/// A rate that is a function of the number of epochs done.
class CountedSchedule : public Schedule {
 public:
  double rate() const override { return rate_after(epochs_done_); }
  double advance(double) override {
    ++epochs_done_;
    return rate();
  }
  void save(StateWriter& writer) const override { writer.put_integer("schedule.epochs_done", epochs_done_); }
  void load(const StateReader& reader) override { epochs_done_ = reader.get_integer("schedule.epochs_done"); }

 protected:
  virtual double rate_after(std::uint64_t epochs_done) const = 0;

 private:
  std::uint64_t epochs_done_ = 0;
};

class ConstantSchedule final : public CountedSchedule {
 public:
  ConstantSchedule(const ScheduleOptions&, double rate) : rate_(rate) {}

 private:
  double rate_after(std::uint64_t) const override { return rate_; }
  double rate_;
};

class StepSchedule final : public CountedSchedule {
 public:
  StepSchedule(const ScheduleOptions& options, double rate)
      : start_(rate), factor_(options.factor), every_(static_cast<std::uint64_t>(options.every)) {}

 private:
  double rate_after(std::uint64_t done) const override {
    return start_ * std::pow(factor_, static_cast<double>(done / every_));
  }
  double start_, factor_;
  std::uint64_t every_;
};

class CosineSchedule final : public CountedSchedule {
 public:
  CosineSchedule(const ScheduleOptions& options, double rate)
      : start_(rate), floor_(options.floor), epochs_(static_cast<std::uint64_t>(options.epochs)) {}

 private:
  double rate_after(std::uint64_t done) const override {
    if (done >= epochs_) return floor_;
    const double part = static_cast<double>(done) / static_cast<double>(epochs_);
    return floor_ + (start_ - floor_) * 0.5 * (1 + std::cos(std::numbers::pi * part));
  }
  double start_, floor_;
  std::uint64_t epochs_;
};

class PlateauSchedule final : public Schedule {
 public:
  PlateauSchedule(const ScheduleOptions& options, double rate)
      : factor_(options.factor), patience_(static_cast<std::uint64_t>(options.patience)), rate_(rate) {}

  double rate() const override { return rate_; }

  double advance(double loss) override {
    if (loss < best_ * (1 - kThreshold)) {
      best_ = loss;
      bad_epochs_ = 0;
    } else {
      ++bad_epochs_;
    }
    if (bad_epochs_ > patience_) {
      const double lower = rate_ * factor_;
      if (rate_ - lower > kLeastCut) rate_ = lower;
      bad_epochs_ = 0;
    }
    return rate_;
  }

  void save(StateWriter& writer) const override {
    writer.put("schedule.rate", rate_);
    writer.put("schedule.best", best_);
    writer.put_integer("schedule.bad_epochs", bad_epochs_);
  }

  void load(const StateReader& reader) override {
    rate_ = reader.get_number("schedule.rate");
    best_ = reader.get_number("schedule.best");
    bad_epochs_ = reader.get_integer("schedule.bad_epochs");
  }

 private:
  static constexpr double kThreshold = 1e-4, kLeastCut = 1e-8;
  double factor_;
  std::uint64_t patience_;
  double rate_;
  // Kept for the whole phase, also when multipliers raise L for good.
  double best_ = std::numeric_limits<double>::infinity();
  std::uint64_t bad_epochs_ = 0;
};

constexpr ScheduleRow kSchedules[] = {
    {"constant", "the same rate in every epoch"},
    {"plateau", "times factor after more than `patience` epochs without a better loss"},
    {"step", "times factor every `every` epochs"},
    {"cosine", "half a cosine from the learning rate down to `floor` over the phase"},
};

void accept_only(bool condition, const char* key, double value, const char* rule) {
  if (!condition) refuse(key, value, rule);
}

}  // namespace

std::span<const ScheduleRow> schedule_table() { return kSchedules; }

std::unique_ptr<Schedule> make_schedule(const ScheduleOptions& options, double learning_rate) {
  accept_only(learning_rate > 0 && std::isfinite(learning_rate), "learning_rate", learning_rate, "must be positive");
  if (options.name == "constant") return std::make_unique<ConstantSchedule>(options, learning_rate);
  if (options.name == "plateau") {
    accept_only(options.factor > 0 && options.factor < 1, "schedule.factor", options.factor, "must be between 0 and 1");
    accept_only(options.patience >= 0, "schedule.patience", options.patience, "must not be negative");
    return std::make_unique<PlateauSchedule>(options, learning_rate);
  }
  if (options.name == "step") {
    accept_only(options.factor > 0 && options.factor <= 1, "schedule.factor", options.factor, "must be in (0, 1]");
    accept_only(options.every >= 1, "schedule.every", options.every, "must be at least 1");
    return std::make_unique<StepSchedule>(options, learning_rate);
  }
  if (options.name == "cosine") {
    accept_only(options.floor >= 0 && options.floor <= learning_rate, "schedule.floor", options.floor,
                "must be between 0 and the learning rate");
    accept_only(options.epochs >= 1, "schedule.epochs", options.epochs, "must be at least 1");
    return std::make_unique<CosineSchedule>(options, learning_rate);
  }
  std::vector<std::string> names;
  for (const ScheduleRow& row : kSchedules) names.emplace_back(row.name);
  refuse("schedule.kind", options.name, "no such schedule", hint_for(options.name, names));
}

}  // namespace pecann::optim
