// Problems solved to an accuracy in a folder, stopped, and gone on with.
#include "pecann/accuracy/search.h"

#include <gtest/gtest.h>

#include "pecann/problem/problem_file.h"
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
  ASSERT_EQ(first.result.attempts.size(), 1u);
  EXPECT_LE(first.result.attempts[0].trial.errors[0].relative_l2, 2e-6);
  EXPECT_EQ(first.lines.size(), 2u);
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
  ASSERT_EQ(again.result.attempts.size(), 1u);
  EXPECT_EQ(again.result.attempts[0].tried.outcome.error, first.result.attempts[0].tried.outcome.error);
  EXPECT_EQ(again.result.attempts[0].trial.seconds, first.result.attempts[0].trial.seconds);
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

}  // namespace
}  // namespace pecann::accuracy
