// The epoch loop: what stops it, what it records, and what is left when a value is not finite.
#include "pecann/train/trainer.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/train/test_support.h"

namespace pecann::train {
namespace {

using ::testing::HasSubstr;
using testing::heat;
using testing::Rows;

struct Trained {
  explicit Trained(problem::Problem p) : problem(std::move(p)), trainer(problem, problem.seed) {
    trainer.add_observer(rows);
    outcome = trainer.run();
  }
  problem::Problem problem;
  Trainer trainer;
  Rows rows;
  Outcome outcome;
};

std::string state_of(const Trainer& trainer) {
  StateWriter writer;
  trainer.save(writer);
  return writer.bytes();
}

TEST(Trainer, RunsAllEpochsOfAllPhases) {
  const Trained t(heat({"phase=[{optimizer=\"adam\", epochs=5}, {optimizer=\"lbfgs\", epochs=3}]"}));
  EXPECT_EQ(t.outcome.termination, Termination::EpochsDone);
  ASSERT_EQ(t.rows.rows.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(t.rows.rows[i].epoch, static_cast<long>(i + 1));
    EXPECT_EQ(t.rows.rows[i].phase, i < 5 ? 0 : 1);
    EXPECT_EQ(t.rows.rows[i].phase_ends, i == 4 || i == 7);
    EXPECT_EQ(t.rows.rows[i].errors.empty(), i != 3 && i != 4 && i != 7) << "every = 4 and at the end of phases";
  }
  EXPECT_EQ(t.rows.rows[0].learning_rate, 1e-3);
  EXPECT_EQ(t.trainer.total_epochs(), 8);
  EXPECT_LT(t.rows.rows.back().loss, t.rows.rows.front().loss);
}

TEST(Trainer, RecordsAreTakenWithTheMultipliersOfTheStep) {
  const Trained t(heat({"penalty.strategy=mpu", "phase.1.epochs=3"}));
  double lambda = 1, mu = 1;
  for (const EpochRecord& row : t.rows.rows) {
    double loss = row.objective;
    for (const ConstraintRecord& c : row.constraints) {
      EXPECT_EQ(c.penalty, mu);
      loss += c.multiplier * c.value + 0.5 * c.penalty * c.value * c.value;
    }
    EXPECT_NEAR(row.constraints[0].multiplier, lambda, 1e-15 * lambda);
    EXPECT_NEAR(row.loss, loss, 1e-14 * loss);
    lambda += mu * row.constraints[0].value;
    mu *= 2;
  }
}

TEST(Trainer, SameSeedSameBitsOtherSeedOtherBits) {
  const Trained one(heat()), again(heat()), other(heat({"seed=2"}));
  EXPECT_EQ(one.rows.rows.back().loss, again.rows.rows.back().loss);
  EXPECT_NE(one.rows.rows.back().loss, other.rows.rows.back().loss);
}

TEST(TrainerStop, Epochs) {
  const Trained t(heat({"stop.epochs=7"}));
  EXPECT_EQ(t.outcome.termination, Termination::EpochsDone);
  EXPECT_EQ(t.rows.rows.size(), 7u);
  EXPECT_TRUE(t.rows.rows.back().phase_ends) << "the history keeps the last epoch";
  EXPECT_FALSE(t.rows.rows.back().errors.empty());
}

TEST(TrainerStop, Seconds) {
  const Trained t(heat({"phase.1.epochs=100000000", "stop.seconds=0.05"}));
  EXPECT_EQ(t.outcome.termination, Termination::TimeUp);
  EXPECT_GE(t.trainer.last_record().seconds, 0.05);
  // On a busy machine the first epoch may already be the last.
  for (std::size_t i = 0; i + 1 < t.rows.rows.size(); ++i) EXPECT_LT(t.rows.rows[i].seconds, 0.05) << "epoch " << i + 1;
}

TEST(TrainerStop, Loss) {
  const Trained whole(heat());
  const double wanted = whole.rows.rows[5].loss;  // Adam's first epochs go down steadily
  const Trained t(heat({"stop.loss=" + std::to_string(wanted * 1.000001)}));
  EXPECT_EQ(t.outcome.termination, Termination::TargetReached);
  EXPECT_EQ(t.rows.rows.size(), 6u);
  EXPECT_THAT(t.outcome.message, HasSubstr("loss"));
}

TEST(TrainerStop, ViolationIsInTheUnitsOfTheResidual) {
  for (const std::string distance : {"square", "absolute"}) {
    const std::vector<std::string> base = {"phase.1.epochs=300", "phase.1.learning_rate=0.01",
                                           "term.sides.distance=" + distance, "term.start.distance=" + distance};
    const auto largest = [&](const EpochRecord& row) {
      double value = 0;
      for (const ConstraintRecord& c : row.constraints)
        value = std::max(value, distance == "square" ? std::sqrt(c.value) : c.value);
      return value;
    };
    std::vector<std::string> with_stop = base;
    with_stop.push_back("stop.violation=0.3");
    const Trained t(heat(with_stop));
    ASSERT_EQ(t.outcome.termination, Termination::TargetReached) << distance;
    EXPECT_LE(largest(t.rows.rows.back()), 0.3);
    for (std::size_t i = 0; i + 1 < t.rows.rows.size(); ++i) EXPECT_GT(largest(t.rows.rows[i]), 0.3);
  }
}

TEST(TrainerStop, ErrorIsLookedAtWhereItIsMeasured) {
  const Trained t(heat({"phase.1.epochs=2000", "phase.1.learning_rate=0.01", "evaluate.every=7", "stop.error=0.5"}));
  ASSERT_EQ(t.outcome.termination, Termination::TargetReached);
  EXPECT_EQ(t.rows.rows.size() % 7, 0u);
  EXPECT_LE(t.rows.rows.back().errors.at(0).relative_l2, 0.5);
  EXPECT_GT(t.rows.rows[t.rows.rows.size() - 8].errors.at(0).relative_l2, 0.5);
}

TEST(TrainerStop, StallCountsEpochsWithoutALowerLoss) {
  // A learning rate this large makes the loss jump up: no lower one in 4 epochs comes soon.
  const Trained t(heat({"phase.1.epochs=500", "phase.1.learning_rate=1", "stop.stall=4"}));
  ASSERT_EQ(t.outcome.termination, Termination::Stalled);
  const std::size_t n = t.rows.rows.size();
  ASSERT_GT(n, 4u);
  double best = INFINITY;
  std::size_t best_row = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (t.rows.rows[i].loss < best) best = t.rows.rows[i].loss, best_row = i;
  EXPECT_EQ(n - 1 - best_row, 4u);
}

TEST(TrainerStop, AnObserverStopsAfterItsEpoch) {
  const problem::Problem problem = heat();
  Trainer trainer(problem, 1);
  Rows rows(3);
  trainer.add_observer(rows);
  EXPECT_EQ(trainer.run().termination, Termination::Interrupted);
  EXPECT_EQ(rows.rows.size(), 3u);
  EXPECT_EQ(trainer.run().termination, Termination::EpochsDone) << "and the same trainer goes on";
  EXPECT_EQ(rows.rows.size(), 12u);
  EXPECT_GT(rows.rows[3].seconds, rows.rows[2].seconds) << "the clock counts both runs";
}

TEST(TrainerStop, EachWindowHasItsOwnStop) {
  const Trained t(heat({"windows.count=3", "stop.epochs=2"}));
  EXPECT_EQ(t.rows.rows.size(), 6u);
  EXPECT_EQ(t.rows.rows.back().window, 2);
  EXPECT_EQ(t.trainer.solution().num_windows(), 3);
}

TEST(TrainerStop, AFinishedTrialEndsAtOnceWhenResumed) {
  for (const std::string stop : {"stop.epochs=5", "stop.loss=1e9", "stop.violation=1e9", "stop.error=1e9",
                                 "stop.stall=1000", "stop.seconds=1e-9"}) {
    const Trained t(heat({stop}));
    Trainer resumed(t.problem, 1);
    Rows rows;
    resumed.add_observer(rows);
    resumed.load(StateReader(state_of(t.trainer)));
    const Outcome again = resumed.run();
    EXPECT_EQ(again.termination, t.outcome.termination) << stop;
    EXPECT_EQ(again.message, t.outcome.message) << stop;
    EXPECT_EQ(rows.rows.size(), 0u) << stop;
    EXPECT_EQ(resumed.last_record().errors.size(), t.trainer.last_record().errors.size()) << stop;
    EXPECT_EQ(state_of(resumed), state_of(t.trainer)) << stop;
  }
}

/// One linear network on one point: L-BFGS reaches the exact minimum, then nothing can change.
const std::string kLine = R"toml(
coordinates = { x = [0, 1] }
[[network]]
fields = ["u"]
hidden = [2]
[[term]]
name = "pde"
role = "objective"
region = "x = 0.5"
equation = "u = 3"
points = { grid = [3] }
[penalty]
strategy = "fixed"
[[phase]]
optimizer = "lbfgs"
epochs = 400
[[phase]]
optimizer = "adam"
epochs = 2
)toml";

TEST(TrainerStall, AStandstillEndsThePhaseAndTheNextOneBegins) {
  const Trained t(problem::read_problem(kLine, "line.toml"));
  ASSERT_LT(t.rows.rows.size(), 400u);
  const EpochRecord& last_of_first = t.rows.rows[t.rows.rows.size() - 2];
  EXPECT_EQ(last_of_first.phase, 0);
  EXPECT_TRUE(last_of_first.phase_ends);
  EXPECT_EQ(t.rows.rows.back().phase, 1) << "Adam finds a zero gradient, and ends after one epoch";
  EXPECT_EQ(t.outcome.termination, Termination::Stalled);
}

TEST(TrainerStall, AStandstillOfTheLastPhaseIsTheOutcome) {
  problem::Problem problem = problem::read_problem(kLine, "line.toml");
  problem.phases.pop_back();
  const Trained t(problem);
  EXPECT_EQ(t.outcome.termination, Termination::Stalled);
  EXPECT_THAT(t.outcome.message, HasSubstr("after epoch " + std::to_string(t.rows.rows.size())));
  Trainer resumed(t.problem, 1);
  resumed.load(StateReader(state_of(t.trainer)));
  EXPECT_EQ(resumed.run().termination, Termination::Stalled);
  EXPECT_EQ(resumed.total_epochs(), t.trainer.total_epochs());
}

TEST(TrainerStall, PointsThatWillBeRedrawnKeepThePhaseAlive) {
  const Trained t(
      problem::read_problem(kLine, "line.toml",
                            std::vector<std::string>{"term.pde.region=interior",
                                                     "term.pde.points={uniform=1, redraw=50}", "phase.1.epochs=120"}));
  EXPECT_EQ(t.rows.rows.size(), 122u);
}

TEST(TrainerStall, CompatibleLbfgsCountsItsEpochsAsPyTorchDoes) {
  const Trained t(problem::read_problem(kLine, "line.toml",
                                        std::vector<std::string>{"phase.1.mode=compatible", "phase.1.epochs=60"}));
  EXPECT_EQ(t.rows.rows.size(), 62u);
}

TEST(TrainerNotFinite, NamesTermPointAndEpochAndKeepsTheLastGoodState) {
  // The residual log(u + 2) + 50 vanishes at u = −2 + e^−50; Adam with this rate steps over −2.
  const problem::Problem problem =
      problem::read_problem(kLine, "line.toml",
                            std::vector<std::string>{"phase.1.optimizer=adam", "phase.1.learning_rate=0.05",
                                                     "term.pde.equation=log(u + 2) = -50"});
  Trainer trainer(problem, 1);
  Rows rows;
  trainer.add_observer(rows);
  const Outcome outcome = trainer.run();
  ASSERT_EQ(outcome.termination, Termination::NotFinite);
  const std::string epoch = std::to_string(rows.rows.size() + 1);
  EXPECT_THAT(outcome.message, HasSubstr("epoch " + epoch + ": term 'pde' is "));
  EXPECT_THAT(outcome.message, HasSubstr("at point 1 (x = 0.5)"));
  EXPECT_THAT(outcome.message, HasSubstr("the state after epoch " + std::to_string(rows.rows.size()) + " is kept"));
  EXPECT_TRUE(std::isfinite(rows.rows.back().loss));

  Trainer replay(problem, 1);  // the same epochs without the last one
  Rows stopper(static_cast<long>(rows.rows.size()));
  replay.add_observer(stopper);
  replay.run();
  EXPECT_EQ(std::vector<double>(trainer.parameters().begin(), trainer.parameters().end()),
            std::vector<double>(replay.parameters().begin(), replay.parameters().end()));
}

TEST(TrainerNotFinite, AtTheVeryStart) {
  const Trained t(
      problem::read_problem(kLine, "line.toml", std::vector<std::string>{"term.pde.equation=log(u - 1000) = 0"}));
  EXPECT_EQ(t.outcome.termination, Termination::NotFinite);
  EXPECT_THAT(t.outcome.message, HasSubstr("epoch 1: term 'pde' is"));
  EXPECT_EQ(t.rows.rows.size(), 0u);
}

TEST(TrainerNotFinite, ASmallerLearningRateCanGoOn) {
  const std::vector<std::string> fast = {"phase.1.optimizer=adam", "phase.1.learning_rate=1e200"},
                                 slow = {"phase.1.optimizer=adam", "phase.1.learning_rate=1e-4", "phase.1.epochs=30"};
  const Trained t(problem::read_problem(kLine, "line.toml", fast));
  ASSERT_EQ(t.outcome.termination, Termination::NotFinite);
  const problem::Problem slower = problem::read_problem(kLine, "line.toml", slow);
  Trainer resumed(slower, 1);
  resumed.load(StateReader(state_of(t.trainer)));
  EXPECT_EQ(resumed.run().termination, Termination::EpochsDone);
}

TEST(TrainerLoad, RefusesWhatDoesNotFitAndSaysWhy) {
  const Trained t(heat());
  const std::string state = state_of(t.trainer);
  const auto refusal = [&](const std::vector<std::string>& overrides, std::uint64_t seed = 1) -> std::string {
    const problem::Problem other = heat(overrides);
    Trainer trainer(other, seed);
    try {
      trainer.load(StateReader(state));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal({}), "accepted");
  EXPECT_EQ(refusal({"phase.1.epochs=100", "phase.1.learning_rate=1e-4", "stop.seconds=5"}), "accepted");
  EXPECT_THAT(refusal({}, 2), HasSubstr("another seed"));
  EXPECT_THAT(refusal({"phase.1.optimizer=lbfgs"}),
              HasSubstr("phase.1 = lbfgs, schedule constant: the run was begun with adam, schedule constant"));
  EXPECT_THAT(refusal({"phase.1.schedule=plateau"}), HasSubstr("begun with adam, schedule constant"));
  EXPECT_THAT(refusal({"penalty.strategy=mpu"}), HasSubstr("penalty.strategy = mpu: the run was begun with capu"));
  EXPECT_THAT(refusal({"network.1.hidden=[6]"}), HasSubstr("'parameters' has another length"));
  EXPECT_THAT(refusal({"term.start.aggregate=pointwise"}), HasSubstr("another length"));
}

TEST(TrainerLoad, FewerPhasesThanTheCheckpointHasSeenAreRefused) {
  const Trained t(heat({"phase=[{optimizer=\"adam\", epochs=2}, {optimizer=\"lbfgs\", epochs=2}]"}));
  const problem::Problem shorter = heat();
  Trainer trainer(shorter, 1);
  EXPECT_THROW(trainer.load(StateReader(state_of(t.trainer))), InputError);
}

TEST(TrainerLoad, AFurtherPhaseGoesOnFromTheEnd) {
  const Trained t(heat());
  const problem::Problem longer = heat({"phase=[{optimizer=\"adam\", epochs=12}, {optimizer=\"lbfgs\", epochs=3}]"});
  Trainer trainer(longer, 1);
  Rows rows;
  trainer.add_observer(rows);
  trainer.load(StateReader(state_of(t.trainer)));
  trainer.run();
  EXPECT_EQ(rows.rows.size(), 3u);
  EXPECT_EQ(rows.rows[0].epoch, 13);
}

TEST(TrainerPhases, AWrongOptionOfALaterPhaseIsFoundBeforeTraining) {
  problem::Problem problem = heat({"phase=[{optimizer=\"adam\", epochs=2}, {optimizer=\"lbfgs\", epochs=2}]"});
  problem.phases[1].options["histori"] = 5;  // a program's: files are checked when they are read
  Trainer trainer(problem, 1);
  try {
    trainer.check_phases();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("heat.toml: phase.2.options.histori = 5"));
    EXPECT_THAT(error.what(), HasSubstr("'history'"));
  }
}

}  // namespace
}  // namespace pecann::train
