// Problems solved to an accuracy in a folder, stopped, and gone on with.
#include "pecann/accuracy/search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "pecann/accuracy/outcome.h"
#include "pecann/problem/problem_file.h"
#include "pecann/train/choose_training.h"
#include "support/temporary_folder.h"

namespace pecann::accuracy {
namespace {

const std::string kLine = R"toml(title = "Poisson equation on a line"
coordinates = { x = [0, 1] }
fields = ["u"]
accuracy = 1e-6
[exact]
u = "sin(3*pi*x) + x"
[[term]]
region = "interior"
equation = "u_xx = d(exact.u, x, x)"
[[term]]
region = "boundary"
equation = "u = exact.u"
)toml";

struct Searched {
  SearchResult result;
  std::vector<std::string> lines;
};

Searched searched(const problem::Problem& problem, const train::RunFolder& folder, bool resume) {
  Searched done;
  const SearchOptions options{.resume = resume, .facts = {}, .observer = {}, .tell = [&](const std::string& line) {
                                done.lines.push_back(line);
                              }};
  done.result = search(problem, folder, options);
  return done;
}

TEST(SearchTest, WhatIsAskedIsReachedAndTheBestAttemptBecomesTheAnswer) {
  const test::TemporaryFolder place;
  const train::RunFolder folder(place.path());
  const problem::Problem problem = problem::read_problem(kLine, "line.toml");
  folder.write_asked_problem(problem::write_asked(problem));
  const Searched first = searched(problem, folder, false);
  EXPECT_EQ(first.result.ending, Ending::Reached);
  const std::size_t count = first.result.attempts.size();
  ASSERT_TRUE(count == 1 || count == 2) << "a second one where the last digits of the first are not trusted";
  EXPECT_EQ(first.result.best, static_cast<int>(count) - 1);
  EXPECT_LE(first.result.attempts.back().trial.errors[0].relative_l2, 2e-6);
  EXPECT_EQ(first.lines.size(), 2 * count) << "what is tried, and what it brought";
  adopt(first.result, folder);
  const problem::Problem adopted = problem::read_problem(folder.read_problem(), folder.problem_file());
  EXPECT_TRUE(adopted.networks[0].features);
  EXPECT_FALSE(adopted.accuracy);
  const train::Solution solution = train::load_solution(adopted, folder, 1);
  EXPECT_EQ(solution.num_windows(), 1);

  // A search that goes on reads the attempts that have ended, and says the same of them.
  const problem::Problem asked = problem::read_problem(folder.read_asked_problem(), folder.asked_file());
  EXPECT_TRUE(asked.training_open);
  const Searched again = searched(asked, folder, true);
  EXPECT_EQ(again.result.ending, Ending::Reached);
  ASSERT_EQ(again.result.attempts.size(), count);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(again.result.attempts[i].tried.outcome.error, first.result.attempts[i].tried.outcome.error);
    EXPECT_EQ(again.result.attempts[i].trial.seconds, first.result.attempts[i].trial.seconds);
  }
}

TEST(SearchTest, WhatIsNotReachedIsNotClaimed) {
  const test::TemporaryFolder place;
  const train::RunFolder folder(place.path());
  const problem::Problem problem =
      problem::read_problem(kLine + "[[phase]]\noptimizer = \"lbfgs\"\nepochs = 1\n", "line.toml");
  const Searched done = searched(problem, folder, false);
  EXPECT_EQ(done.result.ending, Ending::NothingLeft);
  ASSERT_EQ(done.result.attempts.size(), 1u);
  EXPECT_GT(done.result.attempts[0].trial.errors[0].relative_l2, 1e-6);
  EXPECT_NE(ending_text(problem, done.result).find("not reached"), std::string::npos);
}

TEST(SearchTest, AnAskedProblemStaysOpen) {
  const problem::Problem problem = problem::read_problem(kLine, "line.toml");
  const problem::Problem again = problem::read_problem(problem::write_asked(problem), "asked.toml");
  EXPECT_EQ(problem::write_asked(again), problem::write_asked(problem));
  EXPECT_EQ(problem::write_problem(train::with_trained_networks(again)),
            problem::write_problem(train::with_trained_networks(problem)))
      << "a search that goes on tries what it would have tried";
}

TEST(SearchTest, AnAttemptThatIsCutIsTheAnswerWhereNoOtherIs) {
  /// Asks to stop after a few epochs, as Ctrl-C does.
  struct Stopping : train::EpochObserver {
    train::Directive on_epoch(const train::EpochRecord& record) override {
      return record.epoch >= 3 ? train::Directive::Stop : train::Directive::Continue;
    }
  };
  const test::TemporaryFolder place;
  const train::RunFolder folder(place.path());
  const problem::Problem problem =
      problem::read_problem(kLine + "[[phase]]\noptimizer = \"lbfgs\"\nepochs = 5\n", "line.toml");
  SearchOptions options;
  options.tell = [](const std::string&) {};
  options.observer = [](const problem::Problem&, int) { return std::make_unique<Stopping>(); };
  const SearchResult cut = search(problem, folder, options);
  EXPECT_EQ(cut.ending, Ending::Interrupted);
  ASSERT_EQ(cut.best, 0);
  EXPECT_EQ(cut.attempts[0].trial.epochs, 3);
  EXPECT_FALSE(cut.attempts[0].estimate.fields.empty());
  adopt(cut, folder);
  EXPECT_TRUE(folder.has_problem());

  // It goes on where it was cut, and ends as one that was never cut.
  options.observer = {};
  options.resume = true;
  const SearchResult resumed = search(problem, folder, options);
  const test::TemporaryFolder other;
  options.resume = false;
  const SearchResult whole = search(problem, train::RunFolder(other.path()), options);
  ASSERT_EQ(resumed.attempts.size(), 1u);
  ASSERT_EQ(whole.attempts.size(), 1u);
  EXPECT_EQ(resumed.attempts[0].trial.epochs, 5);
  EXPECT_EQ(resumed.attempts[0].trial.errors[0].relative_l2, whole.attempts[0].trial.errors[0].relative_l2);
}

TEST(SearchTest, ASummaryThatNoSearchHasWrittenIsMadeAnew) {
  const test::TemporaryFolder place;
  const train::RunFolder folder(place.path());
  const problem::Problem problem = problem::read_problem(kLine, "line.toml");
  const Searched first = searched(problem, folder, false);
  const train::RunFolder attempt = folder.attempt(1);
  const std::string whole = train::read_run_file(attempt.summary_file(), train::kLongestSummary);
  using Json = nlohmann::ordered_json;
  const std::vector<std::pair<const char*, Json>> patches = {
      {"/trials", Json::array()},          {"/trials/0/trial", 7},
      {"/trials/0/seconds", -1e300},       {"/estimate_made/trial", 7},
      {"/estimate_made/seconds", nullptr}, {"/estimate", {{"other", Json::parse(whole)["estimate"]["u"]}}}};
  for (const auto& [key, value] : patches) {
    SCOPED_TRACE(key);
    Json broken = Json::parse(whole);
    broken[Json::json_pointer(key)] = value;
    train::write_run_file(attempt.summary_file(), broken.dump());
    const Searched again = searched(problem, folder, true);
    EXPECT_EQ(again.result.ending, Ending::Reached);
    ASSERT_EQ(again.result.attempts.size(), first.result.attempts.size());
    EXPECT_EQ(again.result.attempts[0].tried.outcome.error, first.result.attempts[0].tried.outcome.error);
    EXPECT_EQ(Json::parse(train::read_run_file(attempt.summary_file(), train::kLongestSummary))["estimate"],
              Json::parse(whole)["estimate"]);
  }
}

TEST(SearchTest, AttemptsThatFailSayWhy) {
  const test::TemporaryFolder place;
  std::string text = kLine;
  text.replace(text.find("u_xx ="), 6, "u_xx + log(u - 1000) =");
  const problem::Problem problem = problem::read_problem(text, "line.toml");
  const Searched done = searched(problem, train::RunFolder(place.path()), false);
  EXPECT_EQ(done.result.best, -1);
  EXPECT_NE(ending_text(problem, done.result).find("every attempt failed, the last: epoch 1: term 'term-1'"),
            std::string::npos)
      << ending_text(problem, done.result);
  EXPECT_NE(done.lines[1].find("failed: epoch 1: term 'term-1'"), std::string::npos) << done.lines[1];
}

TEST(SearchTest, AnEstimateThatIsNoNumberReachesNothing) {
  const problem::Problem problem = problem::read_problem(kLine, "line.toml");
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [error, high] : {std::pair(none, 1e-9), {1e-9, none}}) {
    results::RunEstimate estimate;
    estimate.fields = {{.field = "u", .relative_l2 = error, .high = high, .trusted = true}};
    const Outcome outcome = outcome_of(problem, {}, estimate);
    EXPECT_TRUE(std::isinf(std::max(outcome.error, outcome.most))) << error;
    EXPECT_FALSE(outcome.error <= 1e-6 && outcome.most <= 1e-6);
  }
}

}  // namespace
}  // namespace pecann::accuracy
