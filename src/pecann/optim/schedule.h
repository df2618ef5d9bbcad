// Learning rates from epoch to epoch. rate() is for the epoch about to run; advance(loss) is called after
// each epoch with L at its new parameters and returns the rate of the next one. k counts epochs of the phase
// from 0.
//   constant   lr₀
//   plateau    lr·factor after more than `patience` epochs in a row without L < best·(1 − 1e-4); only while
//   the cut is above
//              1e-8 (torch ReduceLROnPlateau: the first cut follows patience + 1 bad epochs)
//   step       lr₀·factor^⌊k/every⌋
//   cosine     floor + (lr₀ − floor)·½(1 + cos(π k/epochs)), then floor
#pragma once

#include <memory>
#include <span>
#include <string>

#include "pecann/base/state_archive.h"

namespace pecann::optim {

struct ScheduleOptions {
  std::string name = "constant";
  double factor = 0.98;  // plateau 0.98, step 0.9; in (0, 1)
  int patience = 100;    // plateau
  int every = 1000;      // step
  double floor = 0;      // cosine: the last rate
  int epochs = 1000;     // cosine: length of the phase
};

class Schedule {
 public:
  virtual ~Schedule() = default;
  virtual double rate() const = 0;
  virtual double advance(double loss) = 0;
  virtual void save(StateWriter& writer) const = 0;  // names begin with "schedule."
  virtual void load(const StateReader& reader) = 0;
};

/// Throws InputError for an unknown name or a value outside its range.
std::unique_ptr<Schedule> make_schedule(const ScheduleOptions& options, double learning_rate);

struct ScheduleRow {
  const char* name;
  const char* description;
};
std::span<const ScheduleRow> schedule_table();

}  // namespace pecann::optim
