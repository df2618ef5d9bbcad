// A checkpoint from a stranger, or of a problem that was changed since: whatever its numbers are,
// loading it is refused.
#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/train/checkpoint.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"
#include "pecann/train/trial.h"

namespace pecann::train {
namespace {

using ::testing::HasSubstr;
using testing::heat;

class HostileState : public ::testing::Test {
 protected:
  explicit HostileState(std::vector<std::string> overrides = {"windows.count=2"})
      : problem_(heat(std::move(overrides))) {
    Trainer trainer(problem_, 1);
    testing::Rows three(3);
    trainer.add_observer(three);
    trainer.run();
    trainer.save(writer_);
  }
  std::string refusal() const {
    try {
      Trainer trainer(problem_, 1);
      trainer.load(StateReader(writer_.bytes()));
      trainer.run();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::string refusal(const std::string& name, std::uint64_t value) {
    const StateWriter good = writer_;
    writer_.put_integer(name, value);
    const std::string message = refusal();
    writer_ = good;
    return message;
  }
  problem::Problem problem_;
  StateWriter writer_;
};

TEST_F(HostileState, NumbersBeyondTheirRangeAreRefused) {
  ASSERT_EQ(refusal(), "accepted");
  const std::uint64_t large = std::uint64_t{1} << 60;
  EXPECT_THAT(refusal("window.reports", large), HasSubstr("'window.reports'"));
  EXPECT_THAT(refusal("window.attempt", 2), HasSubstr("'window.attempt' is 2, at most 1"));
  for (const char* name : {"window.attempt_begin", "epoch", "epoch.in_phase", "epoch.total", "epoch.best",
                           "evaluations", "record.evaluations"})
    EXPECT_THAT(refusal(name, large), HasSubstr("'" + std::string(name) + "'"));
  // Numbers that would be small, or negative, in 32 bits.
  for (const std::uint64_t value : {std::uint64_t{1} << 32, std::uint64_t{0xFFFFFFFF}, ~std::uint64_t{0}}) {
    EXPECT_THAT(refusal("window", value), HasSubstr("more windows or phases")) << value;
    EXPECT_THAT(refusal("phase", value), HasSubstr("more windows or phases")) << value;
  }
}

TEST_F(HostileState, WhatIsToldOfTheLastEpochFitsTheProblem) {
  const StateWriter good = writer_;
  for (const double updates : {2.6e132, -2.0, std::nan("")}) {
    writer_.put("record.updates", updates);
    EXPECT_THAT(refusal(), HasSubstr("'record.updates'"));
  }
  writer_ = good;
  // Read by the summary, term by term.
  for (const std::size_t length : {1u, 100u}) {
    writer_.put("record.shares", std::vector<double>(length, 0.5));
    writer_.put("record.weights", std::vector<double>(length, 0.5));
    Trainer trainer(problem_, 1);
    trainer.load(StateReader(writer_.bytes()));
    EXPECT_TRUE(trainer.last_record().shares.empty());
    EXPECT_TRUE(trainer.last_record().weights.empty());
  }
}

TEST_F(HostileState, AReportsNumbersAreThoseOfAWindow) {
  writer_.put_integer("window.reports", 1);
  writer_.put_text("window.report.0.broken", "");
  for (const double number : {1e300, -1.0, std::nan("")}) {
    for (std::size_t at = 0; at < 3; ++at) {
      std::vector<double> numbers = {0, 0, 3};
      numbers[at] = number;
      writer_.put("window.report.0", numbers);
      EXPECT_THAT(refusal(), HasSubstr("impossible number")) << number << " at " << at;
    }
  }
}

TEST_F(HostileState, FinishedWindowsHaveTheParametersOfTheNetworks) {
  writer_.put_integer("window", 1);
  writer_.put("finished.0", std::vector<double>(2, 0.5));
  EXPECT_THAT(refusal(), HasSubstr("the checkpoint has 2 parameters"));

  const testing::TemporaryFolder folder;
  const TrialFolder own = RunFolder(folder.path()).trial(1);
  own.create();
  write_checkpoint(own, writer_.bytes());
  EXPECT_THROW(load_solution(problem_, folder.path(), 1), InputError);
  writer_.put_integer("window", std::uint64_t{1} << 40);
  write_checkpoint(own, writer_.bytes());
  EXPECT_THROW(load_solution(problem_, folder.path(), 1), InputError);
}

class HostileWeights : public HostileState {
 protected:
  HostileWeights() : HostileState({"penalty.strategy=sa"}) {}
};

TEST_F(HostileWeights, SelfAdaptiveWeightsFitTheConstraints) {
  ASSERT_EQ(refusal(), "accepted");
  for (const char* name : {"penalty.weight", "penalty.first_moment", "penalty.second_moment"})
    writer_.put(name, std::vector<double>(5, 1.0));
  EXPECT_THAT(refusal(), HasSubstr("self-adaptive weights do not fit"));
}

class HostileBalance : public HostileState {
 protected:
  HostileBalance() : HostileState({"penalty.strategy=balance"}) {}
};

TEST_F(HostileBalance, WeightsHaveTheirCurvatures) {
  ASSERT_EQ(refusal(), "accepted");
  const StateWriter good = writer_;
  for (const char* name : {"balance.base", "balance.weights"}) {
    writer_ = good;
    writer_.put(name, std::vector<double>());
    EXPECT_THAT(refusal(), HasSubstr("no curvatures")) << name;
  }
  writer_.put("balance.base", std::vector<double>());  // and none of the weights either
  EXPECT_THAT(refusal(), HasSubstr("no curvatures"));
  writer_ = good;
  writer_.put("balance.window", std::vector<double>{std::nan(""), 0, 1, 0, 1, 1, 1, 1});
  EXPECT_THAT(refusal(), HasSubstr("no curvatures"));
}

class HostilePoints : public HostileState {
 protected:
  HostilePoints() : HostileState({"term.pde.points={sobol=8, near=8, density=\"abs(u_x)\"}"}) {}
};

TEST_F(HostilePoints, PointsNearADensityAreComplete) {
  ASSERT_EQ(refusal(), "accepted");
  ASSERT_TRUE(StateReader(writer_.bytes()).has("points.0.1"));
  writer_.put("points.0.1", std::vector<double>(3, 0.5));
  EXPECT_THAT(refusal(), HasSubstr("not complete"));
  for (const char* name : {"points.0.0", "points.0.1", "points.0.weights"}) writer_.put(name, std::vector<double>());
  EXPECT_THAT(refusal(), HasSubstr("not complete"));
}

}  // namespace
}  // namespace pecann::train
