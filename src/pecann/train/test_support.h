// What the tests of training share: a small problem, observers, files.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/problem/problem_file.h"
#include "pecann/train/record.h"
#include "support/temporary_folder.h"

namespace pecann::train::testing {

/// The heat equation with an exact solution; it trains in milliseconds.
inline const std::string kHeat = R"toml(
title = "small heat problem"
coordinates = { x = [0, 1], t = [0, 1] }
[constants]
nu = 1
[exact]
u = "exp(-t)*sin(pi*x)"
[[network]]
fields = ["u"]
hidden = [6, 6]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t = nu*u_xx + (nu*pi^2 - 1)*exact.u"
points = { sobol = 40 }
[[term]]
name = "sides"
role = "constraint"
region = "boundary"
equation = "u = 0"
points = { sobol = 8 }
[[term]]
name = "start"
role = "constraint"
region = "initial"
equation = "u = exact.u"
points = { grid = [9, 9] }
[[phase]]
optimizer = "adam"
epochs = 12
[evaluate]
grid = [9, 9]
every = 4
)toml";

inline problem::Problem heat(std::vector<std::string> overrides = {}, const std::string& more = "") {
  return problem::read_problem(kHeat + more, "heat.toml", overrides);
}

class Rows final : public EpochObserver {
 public:
  explicit Rows(long stop_after = -1) : stop_after_(stop_after) {}
  Directive on_epoch(const EpochRecord& record) override {
    rows.push_back(record);
    return static_cast<long>(rows.size()) == stop_after_ ? Directive::Stop : Directive::Continue;
  }
  std::vector<EpochRecord> rows;

 private:
  long stop_after_;  // the number of rows after which to stop
};

using test::TemporaryFolder;

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void fill(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

inline std::vector<std::string> lines_of(const std::string& path) {
  std::istringstream text(content(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace pecann::train::testing
