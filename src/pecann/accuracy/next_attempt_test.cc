// What is tried next, for scripted outcomes of what was tried before.
#include "pecann/accuracy/next_attempt.h"

#include <gtest/gtest.h>

#include <limits>

#include "pecann/problem/problem_file.h"

namespace pecann::accuracy {
namespace {

const std::string kHeat = R"toml(coordinates = { x = [0, 1], t = [0, 1] }
fields = ["u"]
accuracy = 1e-3
[[term]]
region = "interior"
equation = "u_t = u_xx SOURCE"
[[term]]
region = "boundary"
equation = "u = 0"
[[term]]
region = "initial"
equation = "u = sin(pi*x)"
)toml";

problem::Problem heat(const std::string& source) {
  std::string text = kHeat;
  return problem::read_problem(text.replace(text.find("SOURCE"), 6, source), "heat.toml");
}

/// Asks and answers: every attempt ends with the next of these errors, all trusted.
std::vector<Means> means_with_errors(const problem::Problem& problem, std::vector<double> errors) {
  Planner planner(problem);
  std::vector<Tried> tried;
  std::vector<Means> means;
  for (const double error : errors) {
    std::optional<Attempt> attempt = planner.next(tried);
    if (!attempt) break;
    means.push_back(attempt->means);
    tried.push_back({std::move(*attempt), {.trusted = true, .error = error}});
  }
  return means;
}

TEST(NextAttemptTest, KinksAreTrainedAndEachMeansGoesOnWhileItHelps) {
  using enum Means;
  const problem::Problem problem = heat("+ abs(u)");
  EXPECT_EQ(means_with_errors(problem, {1e-1, 1e-2, 1e-3, 9e-4, 9e-4, 9e-4}),
            (std::vector{Network, FreshPoints, FreshPoints, LargerNetwork, WindowsNetwork, OtherStart}));
  EXPECT_EQ(means_with_errors(problem, {1e-1, 9e-2, 1e-2, 1e-3, 1e-3}),
            (std::vector{Network, FreshPoints, LargerNetwork, LargerNetwork, WindowsNetwork}));
}

TEST(NextAttemptTest, APoorNetworkIsFollowedByAContinuationWhereAConstantIsHard) {
  const problem::Problem problem = problem::read_problem(R"toml(coordinates = { x = [0, 1], t = [0, 1] }
fields = ["u"]
accuracy = 1e-3
[constants]
nu = 0.01
[[term]]
region = "interior"
equation = "u_t + u*u_x + min(u, 0) = nu*u_xx"
[[term]]
region = "boundary"
equation = "u = 0"
[[term]]
region = "initial"
equation = "u = sin(pi*x)"
)toml",
                                                         "burgers.toml");
  using enum Means;
  EXPECT_EQ(means_with_errors(problem, {0.5, 0.2, 0.2, 0.2}),
            (std::vector{Network, Continuation, Continuation, FreshPoints}));
  EXPECT_EQ(means_with_errors(problem, {0.5, 0.4, 0.4}), (std::vector{Network, Continuation, FreshPoints}));
  EXPECT_EQ(means_with_errors(problem, {5e-3, 4e-3}), (std::vector{Network, FreshPoints})) << "it is not poor";
}

TEST(NextAttemptTest, ALargerNetworkBeginsAsTheBestOne) {
  Planner planner(heat("+ abs(u)"));
  std::vector<Tried> tried;
  tried.push_back({*planner.next(tried), {.trusted = true, .error = 0.1}});
  tried.push_back({*planner.next(tried), {.trusted = true, .error = 0.09}});
  const std::optional<Attempt> next = planner.next(tried);
  ASSERT_TRUE(next);
  ASSERT_EQ(next->means, Means::LargerNetwork);
  EXPECT_EQ(next->begins_with, 1);
}

TEST(NextAttemptTest, FreshPointsGoOnFromTheBestNetwork) {
  Planner planner(heat("+ abs(u)"));
  std::vector<Tried> tried;
  tried.push_back({*planner.next(tried), {.trusted = true, .error = 0.1}});
  const std::optional<Attempt> next = planner.next(tried);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->begins_with, 0);
  EXPECT_EQ(next->problem.networks[0].hidden, tried[0].attempt.problem.networks[0].hidden);
  const problem::TermSpec &before = tried[0].attempt.problem.terms[0], &after = next->problem.terms[0];
  ASSERT_TRUE(after.near) << "half of the points are where the residual is large";
  EXPECT_EQ(after.points.count, before.points.count + before.near->count);
  EXPECT_EQ(after.near->count, after.points.count);
  EXPECT_FALSE(next->problem.terms[1].near) << "faces have evenly spread points";
  EXPECT_EQ(next->problem.terms[1].points.count, 2 * tried[0].attempt.problem.terms[1].points.count);
  const problem::Problem again = problem::read_problem(problem::write_problem(next->problem), "again.toml");
  EXPECT_EQ(problem::write_problem(again), problem::write_problem(next->problem)) << "it can be repeated from its file";
}

TEST(NextAttemptTest, ResidualsOfTheBestNetworkSayWhatIsNext) {
  const auto after = [](const Evidence& evidence) {
    Planner planner(heat("+ abs(u)"));
    std::vector<Tried> tried;
    tried.push_back({*planner.next(tried), {.trusted = true, .error = 0.1, .evidence = evidence}});
    return *planner.next(tried);
  };
  const Attempt late = after({.late_share = 0.9});
  EXPECT_EQ(late.means, Means::WindowsNetwork);
  EXPECT_EQ(late.problem.windows.count, 5);
  EXPECT_NE(late.why.find("90 %"), std::string::npos) << late.why;
  const Attempt hidden = after({.fresh_over_trained = 40, .late_share = 0.3});
  EXPECT_EQ(hidden.means, Means::FreshPoints);
  EXPECT_NE(hidden.why.find("40 times"), std::string::npos) << hidden.why;
}

TEST(NextAttemptTest, WithoutATrustedEstimateTheSmallerResidualIsBetter) {
  const Outcome right{.error = 0.1, .evidence = {.residual = 1e-6}}, wrong{.error = 0, .evidence = {.residual = 1e-2}};
  EXPECT_TRUE(better(right, wrong));
  EXPECT_FALSE(better(wrong, right));
  EXPECT_TRUE(better({.trusted = true, .error = 0.5}, right));
  EXPECT_TRUE(better({.error = 0.1}, {.error = 0.2})) << "nothing is known of residuals";
}

TEST(NextAttemptTest, SmoothProblemsAreSolved) {
  Planner planner(heat(""));
  std::vector<Tried> tried;
  const std::optional<Attempt> first = planner.next(tried);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->means, Means::Features);
  tried.push_back({*first, {.trusted = true, .error = 1e-2}});
  const std::optional<Attempt> second = planner.next(tried);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->means, Means::Features);
  EXPECT_EQ(second->features.count, static_cast<int>(1.6 * first->features.count));
}

TEST(NextAttemptTest, TheTrainingOfAFileIsTriedFirst) {
  std::string text = kHeat + "[[phase]]\noptimizer = \"lbfgs\"\nepochs = 3\n";
  text.replace(text.find("SOURCE"), 6, "");
  EXPECT_EQ(means_with_errors(problem::read_problem(text, "heat.toml"), {1, 1, 1}), (std::vector{Means::Network}));
}

TEST(NextAttemptTest, TrustedAnswersAreBetter) {
  EXPECT_TRUE(better({.trusted = true, .error = 1}, {.trusted = false, .error = 1e-9}));
  EXPECT_TRUE(better({.trusted = true, .error = 1e-3}, {.trusted = true, .error = 1e-2}));
  EXPECT_FALSE(better({.failed = true}, {.trusted = false, .error = 1}));
  EXPECT_FALSE(better({.of_another = "nu = 1, not 0.1", .trusted = true, .error = 1e-9}, {.error = 1}));
  EXPECT_TRUE(better({.of_another = "nu = 1, not 0.1"}, {.failed = true}));
}

TEST(NextAttempt, AResidualThatIsNoNumberComesBehindEveryOther) {
  const Outcome broken{.error = 1e-9, .evidence = {.residual = std::numeric_limits<double>::infinity()}},
      large{.error = 1, .evidence = {.residual = 0.5}};
  EXPECT_TRUE(better(large, broken));
  EXPECT_FALSE(better(broken, large));
}

}  // namespace
}  // namespace pecann::accuracy
