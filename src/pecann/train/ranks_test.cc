// Training on several ranks against one: the same history, bit for bit, and checkpoints that any number of
// ranks can go on with.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "pecann/base/parallel.h"
#include "pecann/base/thread_ranks.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trial.h"

namespace pecann::train {
namespace {

using testing::heat;
using testing::Rows;
using testing::TemporaryFolder;

struct History {
  std::vector<double> numbers, parameters;
  bool operator==(const History&) const = default;
};

History history_of(const problem::Problem& problem) {
  Trainer trainer(problem, 1);
  Rows rows;
  trainer.add_observer(rows);
  trainer.run();
  History history;
  for (const EpochRecord& row : rows.rows) {
    history.numbers.insert(history.numbers.end(), {row.loss, row.objective});
    for (const ConstraintRecord& c : row.constraints)
      history.numbers.insert(history.numbers.end(), {c.value, c.multiplier, c.penalty});
  }
  history.parameters.assign(trainer.parameters().begin(), trainer.parameters().end());
  return history;
}

class Ranks : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Ranks, HistoriesAreThoseOfOneProcess) {
  std::vector<std::string> overrides = {"term.pde.points.sobol=700", "term.sides.points.sobol=100"};
  overrides.insert(overrides.end(), GetParam().begin(), GetParam().end());
  const problem::Problem problem = heat(overrides);
  const History one = history_of(problem);
  EXPECT_FALSE(one.numbers.empty());
  for (const int size : {2, 3, 4})
    pecann::testing::run_ranks(size, [&](int rank) {
      set_own_thread_count(1 + rank % 2);  // and mixed numbers of threads
      EXPECT_EQ(history_of(problem), one) << size << " ranks, rank " << rank;
    });
}

using Words = std::vector<std::string>;
INSTANTIATE_TEST_SUITE_P(
    Methods, Ranks,
    ::testing::Values(Words{"phase.1.epochs=8"},
                      Words{"phase.1.optimizer=lbfgs", "phase.1.epochs=4", "phase.1.learning_rate=1"},
                      Words{"phase.1.optimizer=lm", "phase.1.epochs=5"},  // more rows than parameters
                      Words{"phase.1.optimizer=lm", "phase.1.epochs=3", "network.1.hidden=[20, 20]",
                            "term.pde.points.sobol=250", "term.sides.points.sobol=20"},  // fewer
                      Words{"phase.1.epochs=6", "term.start.aggregate=pointwise"},
                      Words{"phase.1.epochs=3", "windows.count=3"}));

TEST(RanksTest, ARunBegunOnThreeRanksGoesOnOnOne) {
  const problem::Problem problem = heat({"phase.1.epochs=12"});
  const TemporaryFolder whole, parts;
  for (const TemporaryFolder* folder : {&whole, &parts}) std::filesystem::create_directory(*folder / "trial-1");
  run_trial(problem, 1, {.folder = whole / "trial-1"});
  pecann::testing::run_ranks(3, [&](int rank) {
    Rows stops(5);  // only the first rank's observers count
    TrialOptions options{.folder = parts / "trial-1"};
    if (rank == 0) options.observers = {&stops};
    const TrialSummary summary = run_trial(problem, 1, options);
    EXPECT_EQ(summary.outcome.termination, Termination::Interrupted);
    EXPECT_EQ(summary.epochs, 5);
  });
  EXPECT_EQ(run_trial(problem, 1, {.folder = parts / "trial-1", .resume = true}).epochs, 12);
  const Solution a = load_solution(problem, whole.path(), 1), b = load_solution(problem, parts.path(), 1);
  EXPECT_TRUE(std::ranges::equal(a.parameters(0), b.parameters(0)));
}

TEST(RanksTest, TimeRulesEndAllRanksAtTheSameEpoch) {
  const problem::Problem problem = heat({"phase.1.epochs=1000000", "stop.seconds=0.2"});
  std::vector<long> epochs(3);
  pecann::testing::run_ranks(3, [&](int rank) {
    Trainer trainer(problem, 1);
    EXPECT_EQ(trainer.run().termination, Termination::TimeUp);
    epochs[rank] = trainer.total_epochs();
  });
  EXPECT_EQ(epochs[1], epochs[0]);
  EXPECT_EQ(epochs[2], epochs[0]);
}

}  // namespace
}  // namespace pecann::train
