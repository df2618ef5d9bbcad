// Learning rates from epoch to epoch. rate() is for the epoch about to run; advance(loss) is called after each epoch
// with L at its new parameters and returns the rate of the next one. k counts epochs of the phase from 0.
//   constant   lr₀
//   plateau    lr·factor after more than `patience` epochs in a row without L < best·(1 − 1e-4); only while the cut is
//              above 1e-8 (torch ReduceLROnPlateau: the first cut follows patience + 1 bad epochs)
//   step       lr₀·factor^⌊k/every⌋
//   cosine     floor + (lr₀ − floor)·½(1 + cos(π k/epochs)), then floor
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pecann/base/option_description.h"
#include "pecann/base/state_archive.h"

namespace pecann::optim {

struct ScheduleOptions {
  std::string name = "constant";
  std::map<std::string, double> options;  // by name; see ScheduleRow::options
  int epochs = 1000;                      // epochs of the phase: the length of the cosine
};

class Schedule {
 public:
  virtual ~Schedule() = default;
  virtual double rate() const = 0;
  virtual double advance(double loss) = 0;
  virtual void save(StateWriter& writer) const = 0;  // names begin with "schedule."
  virtual void load(const StateReader& reader) = 0;
};

/// What a schedule says about itself.
struct ScheduleRow {
  const char* name;
  const char* description;
  std::span<const OptionDescription> options;
  /// May refuse options that do not fit the learning rate.
  std::unique_ptr<Schedule> (*make)(double learning_rate, const OptionValues& options, int epochs);
};
std::span<const ScheduleRow> schedule_table();
std::vector<std::string> schedule_names();

/// The row of a name; null when it is unknown.
const ScheduleRow* find_schedule(const std::string& name);
/// Throws InputError for an unknown name, with the nearest known one.
const ScheduleRow& schedule_row(const std::string& name);

/// Throws InputError for an unknown name or option (with the nearest known one) and a value outside its range.
std::unique_ptr<Schedule> make_schedule(const ScheduleOptions& options, double learning_rate);

}  // namespace pecann::optim
