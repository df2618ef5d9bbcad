#include "pecann/train/trial.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>

#include "pecann/base/state_archive.h"
#include "pecann/train/checkpoint.h"
#include "pecann/train/test_support.h"

namespace pecann::train {
namespace {

using testing::heat;

/// Looks at the checkpoint after each epoch, until it is younger than the start or `looks` are over.
class Looker final : public EpochObserver {
 public:
  Looker(std::string folder, int looks) : folder_(std::move(folder)), looks_(looks) {}
  Directive on_epoch(const EpochRecord&) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
    const LoadedCheckpoint found = read_checkpoint(folder_);
    seen = static_cast<long>(StateReader(found.payload).get_integer("epoch"));
    return seen > 0 || --looks_ == 0 ? Directive::Stop : Directive::Continue;
  }
  long seen = -1;

 private:
  std::string folder_;
  int looks_;
};

long epoch_seen(double checkpoint_seconds, double view_seconds, int looks) {
  const testing::TemporaryFolder folder;
  const problem::Problem problem = heat({"phase.1.epochs=100000"});
  Looker looker(folder.path(), looks);
  run_trial(problem, 1,
            {.folder = folder.path(),
             .checkpoint_seconds = checkpoint_seconds,
             .view_seconds = view_seconds,
             .observers = {&looker}});
  return looker.seen;
}

TEST(Trial, ALivePageDoesNotWaitForTheCheckpointsOfTheUser) {
  EXPECT_EQ(epoch_seen(600, 0, 50), 0) << "the first checkpoint is that of the start";
  EXPECT_GT(epoch_seen(600, 0.005, 5000), 0) << "a checkpoint may take long: the next one waits twenty times as long";
}

TEST(Trial, ALivePageDoesNotMakeCheckpointsRarer) {
  EXPECT_EQ(epoch_seen(0, 600, 10), 1) << "one for each epoch, as asked for";
}

TEST(Trial, WithoutAnEpochNumbersAreUnknownAndConstraintsHaveTheirPlaces) {
  const testing::TemporaryFolder folder;
  const TrialSummary summary = run_trial(heat({"term.pde.equation=log(u - 1000) = 0"}), 1, {.folder = folder.path()});
  EXPECT_EQ(summary.outcome.termination, Termination::NotFinite);
  EXPECT_EQ(summary.epochs, 0);
  EXPECT_TRUE(std::isnan(summary.last.loss)) << "a loss of 0 would be the best of all";
  EXPECT_TRUE(std::isnan(summary.last.objective));
  ASSERT_EQ(summary.last.constraints.size(), 2u);
  EXPECT_TRUE(std::isnan(summary.last.constraints[1].value));
}

TEST(Trial, TimingsAddUpToTheSecondsOfTheTrialAndSurviveAResume) {
  const testing::TemporaryFolder folder;
  const problem::Problem problem = heat();
  const TrialSummary first = run_trial(problem, 1, {.folder = folder.path()});
  double sum = 0;
  for (const double seconds : first.timings.seconds) {
    EXPECT_GE(seconds, 0);
    sum += seconds;
  }
  EXPECT_GT(sum, 0);
  const TrialSummary again = run_trial(problem, 1, {.folder = folder.path(), .resume = true});
  EXPECT_EQ(again.timings.seconds, first.timings.seconds) << "nothing was left to do";
}

// Checkpoints look at errno after each call; the message of the handler may fail, as on a terminal that was closed.
TEST(StopSignals, LeaveTheErrorOfTheInterruptedCall) {
  EXPECT_EXIT(
      {
        ::dup2(::open("/dev/full", O_WRONLY), STDERR_FILENO);
        std::signal(SIGHUP, SIG_DFL);  // a parent such as nohup may have ignored it
        catch_stop_signals();
        errno = EINTR;
        std::raise(SIGHUP);
        ::_exit(stop_requested() && errno == EINTR ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace pecann::train
