#include "pecann/train/trials.h"

#include <atomic>
#include <filesystem>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/parallel.h"
#include "pecann/train/checkpoint.h"
#include "pecann/train/test_support.h"

namespace pecann::train {
namespace {

using ::testing::ElementsAre;
using testing::heat;
using testing::TemporaryFolder;

std::vector<int> numbers(const std::vector<TrialSummary>& summaries) {
  std::vector<int> result;
  for (const TrialSummary& summary : summaries) result.push_back(summary.trial);
  return result;
}

std::vector<double> losses(const std::vector<TrialSummary>& summaries) {
  std::vector<double> result;
  for (const TrialSummary& summary : summaries) result.push_back(summary.last.loss);
  return result;
}

TEST(Trials, SideBySideTheyGiveTheBitsOfOneAfterTheOther) {
  const problem::Problem problem = heat({"trials=5"});
  const TemporaryFolder row, beside;
  const int before = thread_count();
  const std::vector<TrialSummary> one = run_trials(problem, row.path(), {});
  const std::vector<TrialSummary> three = run_trials(problem, beside.path(), {.jobs = 3});
  EXPECT_THAT(numbers(one), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(numbers(three), numbers(one));
  EXPECT_EQ(losses(three), losses(one));
  EXPECT_NE(one[0].last.loss, one[1].last.loss);
  EXPECT_EQ(thread_count(), before) << "the caller's share is its own again";
  EXPECT_THAT(RunFolder(beside.path()).trials(), ElementsAre(1, 2, 3, 4, 5));
}

TEST(Trials, OnlyThoseThatAreAskedFor) {
  const problem::Problem problem = heat({"trials=3"});
  const TemporaryFolder all, one;
  const std::vector<TrialSummary> alone = run_trials(problem, one.path(), {.trials = {2}});
  EXPECT_THAT(numbers(alone), ElementsAre(2));
  EXPECT_EQ(alone[0].last.loss, run_trials(problem, all.path(), {})[1].last.loss);
  EXPECT_THAT(RunFolder(one.path()).trials(), ElementsAre(2));
}

/// Ends the training of a trial early, one way or the other.
class Ender final : public EpochObserver {
 public:
  explicit Ender(bool breaks) : breaks_(breaks) {}
  Directive on_epoch(const EpochRecord&) override {
    if (breaks_) throw std::runtime_error("the disk is full");
    return Directive::Stop;
  }

 private:
  bool breaks_;
};

TEST(Trials, ResumedOnesGoOnAndOthersBegin) {
  const problem::Problem problem = heat({"trials=2"});
  const TemporaryFolder whole, parts;
  const std::vector<double> expected = losses(run_trials(problem, whole.path(), {}));
  const std::vector<TrialSummary> first = run_trials(
      problem, parts.path(), {.trials = {1}, .observer = [](int) { return std::make_unique<Ender>(false); }});
  EXPECT_EQ(first[0].epochs, 1);
  const std::vector<TrialSummary> rest = run_trials(problem, parts.path(), {.resume = true});
  EXPECT_EQ(losses(rest), expected);
}

TEST(Trials, AFailureIsThrownAndNoOtherTrialBegins) {
  const problem::Problem problem = heat({"trials=4"});
  const TemporaryFolder folder;
  std::atomic<int> begun{0};
  const TrialsOptions options{.observer = [&](int) { return ++begun, std::make_unique<Ender>(true); }};
  EXPECT_THROW(run_trials(problem, folder.path(), options), std::runtime_error);
  EXPECT_EQ(begun, 1);
  EXPECT_FALSE(RunFolder(folder.path()).trial(2).exists());
}

}  // namespace
}  // namespace pecann::train
