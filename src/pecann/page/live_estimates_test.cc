// Estimates beside a training: what they may cost, and that the training does not notice.
#include "pecann/page/live_estimates.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "pecann/results/sample_runs.h"

namespace pecann::page {
namespace {

using testing::HasSubstr;

/// Waits in the middle of a training until its error so far has been estimated, or ten seconds have passed.
class Waiter final : public train::EpochObserver {
 public:
  explicit Waiter(LiveEstimates& estimates) : estimates_(&estimates) {}
  train::Directive on_epoch(const train::EpochRecord& record) override {
    losses.push_back(record.loss);
    for (int i = 0; i < 200 && record.epoch == 20 && !estimates_->json().contains("estimate"); ++i) {
      estimates_->ask();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return train::Directive::Continue;
  }
  std::vector<double> losses;

 private:
  LiveEstimates* estimates_;
};

TEST(LiveEstimatesTest, ATrainingHasTheSameBitsWithAndWithout) {
  const results::TemporaryFolder folder;
  const problem::Problem problem = results::make_run(folder / "alone", results::kPoissonText);
  const train::RunFolder watched(folder / "watched");
  watched.write_problem(problem::write_problem(problem));
  watched.trial(1).create();
  LiveEstimates estimates(watched.path());
  Waiter waiter(estimates);
  train::run_trial(
      problem, 1, {.folder = watched.trial(1), .checkpoint_seconds = 0, .view_seconds = 0.001, .observers = {&waiter}});
  const auto known = estimates.json();
  ASSERT_TRUE(known.contains("estimate"));
  EXPECT_LT(known["epoch"], 30) << "it was made while the run trained";
  const train::Solution alone = train::load_solution(problem, train::RunFolder(folder / "alone"), 1),
                        beside = train::load_solution(problem, watched, 1);
  EXPECT_TRUE(std::ranges::equal(alone.parameters(0), beside.parameters(0)));
}

TEST(EstimateBudgetTest, BoundsTheShareOfTheTime) {
  EstimateBudget budget;
  EXPECT_EQ(budget.wait(0.4, 0), 0) << "the first ones are free";
  EXPECT_NEAR(budget.wait(1.5, 0), 20, 1e-9);
  EXPECT_EQ(budget.wait(1.5, 20), 0);
  budget.spend(1.5);
  EXPECT_NEAR(budget.wait(1.5, 20), 30, 1e-9) << "a twentieth of the time";
  double spent = 0;
  EstimateBudget all;
  for (double now = 0; now < 600; now += 1)
    if (all.wait(0.7, now) == 0) {
      all.spend(0.7);
      spent += 0.7;
    }
  EXPECT_LE(spent, kFirstEstimates + kShareOfEstimates * 600);
  EXPECT_GE(spent, 0.9 * kShareOfEstimates * 600);
}

TEST(EstimateBudgetTest, SaysWhenAnEstimateComes) {
  EXPECT_EQ(estimate_to_come(1.5, 19.2),
            "an estimate takes about 1.5 s of a processor; it is made in about 20 s, so that the training is hardly "
            "slowed");
  EXPECT_THAT(estimate_to_come(40, 700), HasSubstr("it follows at the end"));
}

}  // namespace
}  // namespace pecann::page
