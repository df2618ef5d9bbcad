#include "pecann/optim/schedule.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"

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
  explicit ConstantSchedule(double rate) : rate_(rate) {}

 private:
  double rate_after(std::uint64_t) const override { return rate_; }
  double rate_;
};

class StepSchedule final : public CountedSchedule {
 public:
  StepSchedule(double rate, double factor, int every)
      : start_(rate), factor_(factor), every_(static_cast<std::uint64_t>(every)) {}

 private:
  double rate_after(std::uint64_t done) const override {
    return start_ * std::pow(factor_, static_cast<double>(done / every_));
  }
  double start_, factor_;
  std::uint64_t every_;
};

class CosineSchedule final : public CountedSchedule {
 public:
  CosineSchedule(double rate, double floor, int epochs)
      : start_(rate), floor_(floor), epochs_(static_cast<std::uint64_t>(epochs)) {}

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
  PlateauSchedule(double rate, double factor, int patience)
      : factor_(factor), patience_(static_cast<std::uint64_t>(patience)), rate_(rate) {}

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
  // The best loss is kept for the whole phase, also when multipliers raise L for good.
  double best_ = std::numeric_limits<double>::infinity();
  std::uint64_t bad_epochs_ = 0;
};

constexpr Limits kEpochs{.low = 0, .high = 1e9, .whole = true};

constexpr OptionDescription kPlateauNumbers[] = {
    {"factor", 0.98, kUnitOpen, "a cut multiplies the rate by it"},
    {"patience", 100, kEpochs, "epochs in a row without a loss below 0.9999 of the best that are borne"},
};
constexpr OptionDescription kStepNumbers[] = {
    {"factor", 0.9, {.low = 0, .high = 1, .open_low = true}, "a cut multiplies the rate by it"},
    {"every", 1000, kCount, "epochs between cuts"},
};
constexpr OptionDescription kCosineNumbers[] = {
    {"floor", 0, kNotNegative, "the last rate, at most the learning rate"},
};

std::unique_ptr<Schedule> make_constant(double rate, const OptionValues&, int) {
  return std::make_unique<ConstantSchedule>(rate);
}

std::unique_ptr<Schedule> make_plateau(double rate, const OptionValues& options, int) {
  return std::make_unique<PlateauSchedule>(rate, options.number("factor"), options.whole("patience"));
}

std::unique_ptr<Schedule> make_step(double rate, const OptionValues& options, int) {
  return std::make_unique<StepSchedule>(rate, options.number("factor"), options.whole("every"));
}

std::unique_ptr<Schedule> make_cosine(double rate, const OptionValues& options, int epochs) {
  const double floor = options.number("floor");
  if (floor > rate)
    throw InputError({.key = "schedule.floor",
                      .value = short_number_text(floor),
                      .rule = "must be at most the learning rate, " + short_number_text(rate)});
  require(epochs >= 1, "a phase has an epoch");
  return std::make_unique<CosineSchedule>(rate, floor, epochs);
}

constexpr ScheduleRow kSchedules[] = {
    {"constant", "the same rate in every epoch", {}, make_constant},
    {"plateau", "times `factor` after more than `patience` epochs without a better loss", kPlateauNumbers,
     make_plateau},
    {"step", "times `factor` every `every` epochs", kStepNumbers, make_step},
    {"cosine", "half a cosine from the learning rate down to `floor` over the phase", kCosineNumbers, make_cosine},
};

}  // namespace

std::span<const ScheduleRow> schedule_table() { return kSchedules; }

std::vector<std::string> schedule_names() {
  std::vector<std::string> names;
  for (const ScheduleRow& row : kSchedules) names.emplace_back(row.name);
  return names;
}

const ScheduleRow* find_schedule(const std::string& name) {
  for (const ScheduleRow& row : kSchedules)
    if (name == row.name) return &row;
  return nullptr;
}

const ScheduleRow& schedule_row(const std::string& name) {
  if (const ScheduleRow* const row = find_schedule(name)) return *row;
  throw InputError(
      {.key = "schedule.kind", .value = name, .rule = "no such schedule", .hint = hint_for(name, schedule_names())});
}

std::unique_ptr<Schedule> make_schedule(const ScheduleOptions& options, double learning_rate) {
  if (!kPositive.contain(learning_rate))
    throw InputError({.key = "learning_rate", .value = short_number_text(learning_rate), .rule = describe(kPositive)});
  const ScheduleRow& row = schedule_row(options.name);
  check_options(row.options, options.options, "schedule.", "schedule " + options.name);
  return row.make(learning_rate, OptionValues(row.options, options.options), options.epochs);
}

}  // namespace pecann::optim
