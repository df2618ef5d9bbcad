#include "pecann/train/check_training.h"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/train/test_support.h"

namespace pecann::train {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::heat;

/// The message with which the problem is refused; empty where it is not.
std::string refusal(const std::vector<std::string>& overrides, const std::string& more = "") {
  try {
    check_training(heat(overrides, more));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CheckTraining, AWrongOptionOfALaterPhaseIsFound) {
  problem::Problem problem = heat({"phase=[{optimizer=\"adam\", epochs=2}, {optimizer=\"lbfgs\", epochs=2}]"});
  EXPECT_NO_THROW(check_training(problem));
  problem.phases[1].options["histori"] = 5;  // as a program may set it: files are checked when they are read
  try {
    check_training(problem);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("heat.toml: phase.2.options.histori = 5"), HasSubstr("'history'")));
  }
}

TEST(CheckTraining, LeastSquaresNeedSquaresAndAMatrixThatFits) {
  const std::string lm = "phase=[{optimizer=\"lm\", epochs=2}]";
  EXPECT_EQ(refusal({lm}), "");
  EXPECT_THAT(refusal({lm, "term.pde.distance=absolute"}),
              AllOf(HasSubstr("heat.toml: term.pde.distance = absolute"), HasSubstr("needs squares")));
  // Two bytes hold neither the matrix of the parameters nor the one of the rows.
  EXPECT_THAT(refusal({"phase=[{optimizer=\"lm\", epochs=2, options={memory_limit=2}}]"}),
              HasSubstr("heat.toml: phase.1.optimizer = lm: 67 parameters and "));
}

TEST(CheckTraining, TheSolveNeedsFeatures) {
  const std::string solve = "phase=[{optimizer=\"solve\", epochs=1}]";
  EXPECT_THAT(refusal({solve}), AllOf(HasSubstr("heat.toml: phase.1.optimizer = solve"),
                                      HasSubstr("hidden layers of 'network-1' are trainable"),
                                      HasSubstr("write features = 800 instead of hidden")));
}

TEST(CheckTraining, ConstantsOfAPhaseMustLeaveTheEquationsTheirMeaning) {
  const std::string term =
      "[[term]]\nname = \"slope\"\nrole = \"constraint\"\nregion = \"initial\"\nequation = \"u_x/nu = 1\"\n"
      "points = { grid = [5, 5] }\n";
  const std::string phases = "phase=[{optimizer=\"adam\", epochs=2}, {optimizer=\"adam\", epochs=2, constants={nu=";
  EXPECT_EQ(refusal({phases + "2}}]"}, term), "");
  EXPECT_THAT(refusal({phases + "0}}]"}, term),
              AllOf(HasSubstr("term.slope.equation = u_x/nu = 1"), HasSubstr("nu = 0"), HasSubstr("division by zero")));
}

TEST(CheckTraining, WhatTheFirstWindowWouldRefuse) {
  const testing::TemporaryFolder folder;
  testing::fill(folder / "obs.csv", "x,t,u\n0.5,0.25,7\n0.5,0.75,8\n");
  const std::string term =
      "[[term]]\nname = \"data\"\nrole = \"objective\"\nequation = \"u = data.u\"\ndata = { file = \"" +
      (folder / "obs.csv") + "\", u = \"u\" }\n";
  EXPECT_EQ(refusal({}, term), "");
  EXPECT_THAT(refusal({"windows.count=2"}, term), HasSubstr("obs.csv"));
  EXPECT_THAT(refusal({"reference=" + (folder / "nothing.csv")}), HasSubstr("nothing.csv"));
  EXPECT_THAT(refusal({"penalty.strategy=sa", "penalty.sa_power=0.5"}), HasSubstr("sa_power"));
}

TEST(CheckTraining, AnOptimiserOfTheProgramIsAskedFor) {
  std::size_t asked = 0;
  Extensions extensions;
  extensions.make_optimizer = [&](const problem::PhaseSpec&, std::size_t parameters) {
    asked = parameters;
    return nullptr;
  };
  check_training(heat(), extensions);
  EXPECT_EQ(asked, 67u);  // 2 -> 6 -> 6 -> 1: 18 + 42 + 7
}

TEST(CheckTraining, DrawsNoPoints) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal({"term.pde.points={sobol=100000000}", "phase=[{optimizer=\"lm\", epochs=2}]"}), "");
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 5);
}

}  // namespace
}  // namespace pecann::train
