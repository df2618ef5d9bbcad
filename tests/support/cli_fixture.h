// A tiny problem, and the questions that tests ask about runs of it.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "pecann/base/state_archive.h"
#include "pecann/train/checkpoint.h"
#include "support/program_fixture.h"

namespace pecann {

inline const std::string kProblem = R"toml(
title = "tiny Poisson problem"
coordinates = { x = [0, 1] }
[exact]
u = "sin(pi*x)"
[[network]]
fields = ["u"]
hidden = [8]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_xx = -pi^2*exact.u"
points = { sobol = 24, redraw = 2 }
[[term]]
name = "ends"
role = "constraint"
region = "boundary"
equation = "u = 0"
points = { grid = [3] }
[[phase]]
optimizer = "adam"
epochs = 20
[[phase]]
optimizer = "lbfgs"
epochs = 6
[evaluate]
grid = [33]
every = 10
)toml";
inline constexpr std::size_t kParameters = 8 + 8 + 8 + 1;
// Long enough to be caught in the middle: a signal comes after a few hundredths of a second of training.
inline const Words kLong = {"--set", "phase.1.epochs=25000", "--set", "phase.2.epochs=30"};

class Cli : public ProgramTest {
 protected:
  Cli() { fill(folder_ / "tiny.toml", kProblem); }

  bool wait_until(const std::function<bool()>& condition) {
    for (int i = 0; i < 3000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  /// Waits until the history has some rows, which come to the file with checkpoints every few milliseconds.
  bool trains(const std::string& trial_folder) {
    return wait_until([&] { return lines_of(folder_ / (trial_folder + "/history.csv")).size() > 50; });
  }
  /// The lines of history.csv without the seconds.
  Words history(const std::string& trial_folder) {
    Words rows;
    for (const std::string& line : lines_of(folder_ / (trial_folder + "/history.csv"))) {
      const std::size_t first = line.find(','), second = line.find(',', first + 1);
      rows.push_back(line.substr(0, first) + line.substr(second));
    }
    return rows;
  }
  std::vector<double> parameters(const std::string& trial_folder) {
    const train::LoadedCheckpoint loaded = train::read_checkpoint(folder_ / trial_folder);
    EXPECT_EQ(loaded.warning, "");
    return StateReader(loaded.payload).get("parameters");
  }
  void expect_same_bits(const std::string& a, const std::string& b) {
    EXPECT_EQ(history(a), history(b));
    EXPECT_GT(history(a).size(), 2u);
    EXPECT_EQ(parameters(a), parameters(b));
  }
};

}  // namespace pecann
