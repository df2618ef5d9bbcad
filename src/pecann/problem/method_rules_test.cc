// The rules of problem files are those of the rows that describe methods: of every option of every optimiser, schedule
// and penalty strategy the values at the ends of its range are read, those just outside are refused with their place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "pecann/base/input_error.h"
#include "pecann/optim/registry.h"
#include "pecann/optim/schedule.h"
#include "pecann/penalty/registry.h"
#include "pecann/problem/problem_file.h"
#include "pecann/problem/test_problem.h"

namespace pecann::problem {
namespace {

using testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kLargest = std::numeric_limits<double>::max();

/// An option where it stands in a file.
struct Site {
  std::string label, key;                               // "adam", "phase.1.options."
  std::function<std::string(const std::string&)> text;  // of the last line of the file, from "name = value"
  std::string before;                                   // lines above it
  OptionDescription option;
};

std::vector<Site> sites() {
  std::vector<Site> all;
  for (const optim::OptimizerRow& row : optim::optimizer_table())
    for (const OptionDescription& option : row.options)
      all.push_back(
          {std::string(row.name) + "/" + row.mode, "phase.1.options.",
           [](const std::string& entry) { return "options = { " + entry + " }"; },
           "[[phase]]\noptimizer = \"" + std::string(row.name) + "\"\nepochs = 1\nmode = \"" + row.mode + "\"\n",
           option});
  for (const optim::ScheduleRow& row : optim::schedule_table())
    for (const OptionDescription& option : row.options)
      all.push_back(
          {row.name, "phase.1.schedule.",
           [kind = std::string(row.name)](const std::string& entry) {
             return "schedule = { kind = \"" + kind + "\", " + entry + " }";
           },
           "[[phase]]\noptimizer = \"adam\"\nepochs = 1\nlearning_rate = " + short_number_text(kLargest) + "\n",
           option});
  for (const penalty::StrategyRow& row : penalty::strategy_table())
    for (const penalty::PenaltyOption& option : penalty::penalty_options())
      all.push_back({row.name, "penalty.", [](const std::string& entry) { return entry; },
                     "[penalty]\nstrategy = \"" + std::string(row.name) + "\"\n", option.description});
  return all;
}

std::string file_with(const Site& site, const std::string& entry) {
  return kSmallText + "\n" + site.before + site.text(entry) + "\n";
}

/// Values just inside the ends of a range, and just outside.
std::vector<double> inside(const Limits& limits) {
  if (limits.whole) return {limits.low, limits.low + 1, limits.high};
  const double low = limits.open_low ? std::nextafter(limits.low, kInfinity) : std::max(limits.low, -kLargest);
  const double high = limits.open_high ? std::nextafter(limits.high, -kInfinity) : std::min(limits.high, kLargest);
  return {low, high};
}

std::vector<double> outside(const Limits& limits) {
  std::vector<double> values = {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()};
  if (limits.whole) values.insert(values.end(), {limits.low - 1, limits.low + 0.5, limits.high + 1});
  if (limits.whole) return values;
  if (std::isfinite(limits.low))
    values.push_back(limits.open_low ? limits.low : std::nextafter(limits.low, -kInfinity));
  if (std::isfinite(limits.high))
    values.push_back(limits.open_high ? limits.high : std::nextafter(limits.high, kInfinity));
  return values;
}

/// The refusal of a file whose last line is wrong, which must be named.
std::string refusal(const std::string& text, const std::string& key, const std::string& value) {
  try {
    read_problem(text, "rules.toml");
  } catch (const InputError& error) {
    EXPECT_EQ(error.parts().place.file, "rules.toml") << error.what();
    EXPECT_EQ(error.parts().place.line, std::count(text.begin(), text.end(), '\n')) << error.what();
    EXPECT_EQ(error.parts().key, key);
    if (!value.empty()) {
      EXPECT_EQ(error.parts().value.empty(), false) << error.what();
    }
    return error.what();
  }
  return "accepted";
}

TEST(MethodRulesTest, TheEndsOfEveryRangeAreRead) {
  for (const Site& site : sites()) {
    if (site.option.flag) continue;
    for (const double value : inside(site.option.limits)) {
      const std::string text = file_with(site, site.option.name + (" = " + short_number_text(value)));
      EXPECT_NO_THROW(read_problem(text, "rules.toml")) << site.label << "\n" << text;
    }
  }
}

TEST(MethodRulesTest, WhatLiesJustOutsideIsRefusedWithItsPlace) {
  for (const Site& site : sites()) {
    if (site.option.flag) {
      EXPECT_THAT(refusal(file_with(site, site.option.name + std::string(" = 2")), site.key + site.option.name, "2"),
                  HasSubstr("must be true or false"));
      continue;
    }
    for (const double value : outside(site.option.limits)) {
      const std::string text = file_with(site, site.option.name + (" = " + short_number_text(value)));
      EXPECT_THAT(refusal(text, site.key + site.option.name, short_number_text(value)),
                  HasSubstr(describe(site.option.limits)))
          << site.label << " " << site.option.name << " = " << value;
    }
  }
}

TEST(MethodRulesTest, UnknownOptionsNameTheNearest) {
  for (const Site& site : sites()) {
    const std::string wrong = site.option.name + std::string("z");
    EXPECT_THAT(refusal(file_with(site, wrong + " = 1"), site.key + wrong, ""),
                HasSubstr("did you mean '" + std::string(site.option.name) + "'?"))
        << site.label;
  }
}

TEST(MethodRulesTest, WhatFilesAllowTheMethodsTake) {
  for (const Site& site : sites()) {
    if (site.option.flag || site.key != "penalty.") continue;
    for (const double value : inside(site.option.limits)) {
      const Problem problem = read_problem(file_with(site, site.option.name + (" = " + short_number_text(value))), "");
      EXPECT_NO_THROW(penalty::make_strategy(problem.penalty)) << site.label << " " << site.option.name;
    }
  }
}

TEST(MethodRulesTest, AFloorAboveTheLearningRateIsRefused) {
  const std::string text =
      kSmallText + "\n[[phase]]\noptimizer = \"adam\"\nepochs = 1\nschedule = { kind = \"cosine\", floor = 0.5 }\n";
  EXPECT_THAT(refusal(text, "phase.1.schedule", ""), HasSubstr("at most the learning rate, 0.001"));
}

TEST(MethodRulesTest, OptionsOfOtherStrategiesAreKeptInTheText) {
  const Problem problem = read_problem(kSmallText + "[penalty]\nstrategy = \"fixed\"\nzeta = 0.5\n", "");
  const std::string text = write_problem(problem);
  EXPECT_THAT(text, HasSubstr("zeta = 0.5"));
  EXPECT_THAT(text, HasSubstr("multiplier = 1"));
  EXPECT_THAT(text, testing::Not(HasSubstr("omega"))) << "what the strategy does not look at and nobody has set";
  EXPECT_EQ(write_problem(read_problem(text, "")), text);
}

}  // namespace
}  // namespace pecann::problem
