// A tiny problem and the program started on it as a process of its own, for tests of what users meet.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/state_archive.h"
#include "pecann/train/checkpoint.h"
#include "pecann/train/test_support.h"

namespace pecann {

namespace fs = std::filesystem;
using train::testing::content;
using train::testing::fill;
using train::testing::lines_of;

using Words = std::vector<std::string>;

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

struct Ended {
  int code = -1;  // of exit, or 1000 + the signal
  std::string output, errors;
};

class Cli : public ::testing::Test {
 protected:
  Cli() { fill(folder_ / "tiny.toml", kProblem); }

  /// Starts the program in the test's folder.
  pid_t start(const Words& words, const std::string& tag = "") {
    const pid_t child = ::fork();
    if (child != 0) return child;
    if (::chdir(folder_.path().c_str()) != 0) ::_exit(126);
    ::dup2(::open(("out" + tag).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDOUT_FILENO);
    ::dup2(::open(("err" + tag).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDERR_FILENO);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
    std::vector<char*> arguments = {const_cast<char*>(PECANN_PROGRAM)};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(PECANN_PROGRAM, arguments.data());
    ::_exit(127);
  }
  Ended wait_for(pid_t child, const std::string& tag = "") {
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status),
            content(folder_ / ("out" + tag)), content(folder_ / ("err" + tag))};
  }
  Ended run(Words words, const Words& more = {}) {
    words.insert(words.end(), more.begin(), more.end());
    return wait_for(start(words));
  }
  bool wait_until(const std::function<bool()>& condition) {
    for (int i = 0; i < 3000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  /// The history has some rows, by way of checkpoints every few milliseconds.
  bool trains(const std::string& trial_folder) {
    return wait_until([&] { return lines_of(folder_ / (trial_folder + "/history.csv")).size() > 50; });
  }
  /// history.csv without the seconds.
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
  bool exists(const std::string& name) { return fs::exists(folder_ / name); }

  train::testing::TemporaryFolder folder_;
};

}  // namespace pecann
