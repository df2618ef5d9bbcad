// Constants that make a problem hard, found from its equations or named by its file.
#include "pecann/accuracy/continuation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pecann/problem/problem_file.h"

namespace pecann::accuracy {
namespace {

/// A problem in x and t with these constants, this equation inside and these phases.
problem::Problem with_equation(const std::string& constants, const std::string& equation,
                               const std::string& phases = "") {
  return problem::read_problem("coordinates = { x = [-1, 1], t = [0, 1] }\nfields = [\"u\"]\n[constants]\n" +
                                   constants + "\n[[term]]\nregion = \"interior\"\nequation = \"" + equation +
                                   "\"\n[[term]]\nregion = \"boundary\"\nequation = \"u = 0\"\n" +
                                   "[[term]]\nregion = \"initial\"\nequation = \"u = -sin(pi*x)\"\n" + phases,
                               "continued.toml");
}

TEST(ContinuationTest, AViscosityIsLargerAtFirst) {
  const auto way = found_continuation(with_equation("nu = 0.01", "u_t + u*u_x = nu*u_xx"), 10);
  ASSERT_TRUE(way);
  EXPECT_EQ(way->constant, "nu");
  ASSERT_EQ(way->values.size(), 2u);
  EXPECT_NEAR(way->values[0], 0.1, 1e-12);
  EXPECT_NEAR(way->values[1], 0.01 * std::sqrt(10.0), 1e-12);
}

TEST(ContinuationTest, AReynoldsNumberIsSmallerAtFirst) {
  const auto way = found_continuation(with_equation("Re = 400\nother = 2", "u_t + other*u*u_x = laplacian(u)/Re"), 100);
  ASSERT_TRUE(way);
  EXPECT_EQ(way->constant, "Re") << "a constant at the highest derivative comes before one at what is not linear";
  ASSERT_EQ(way->values.size(), 4u);
  EXPECT_NEAR(way->values[0], 4, 1e-9);
  EXPECT_LT(way->values[0], way->values[1]);
}

TEST(ContinuationTest, AStrengthOfWhatIsNotLinearIsSmallerAtFirst) {
  const auto way = found_continuation(with_equation("k = 5", "u_t = u_xx + k*u^3"), 10);
  ASSERT_TRUE(way);
  EXPECT_EQ(way->constant, "k");
  EXPECT_NEAR(way->values[0], 0.5, 1e-12);
}

TEST(ContinuationTest, NothingIsFoundWhereNothingIsHardByAConstant) {
  EXPECT_FALSE(found_continuation(with_equation("nu = 0.01", "u_t = nu*u_xx"), 10)) << "linear";
  EXPECT_FALSE(found_continuation(with_equation("f = 3", "u_t + u*u_x = 0.1*u_xx + f*sin(x)"), 10)) << "a source";
  EXPECT_FALSE(found_continuation(with_equation("a = 3", "u_t + a*u_x + u*u_x = 0.1*u_xx"), 10)) << "another part";
  EXPECT_FALSE(found_continuation(with_equation("a = 3", "a*u_t + a*u*u_x = a*0.1*u_xx"), 10)) << "all parts alike";
}

TEST(ContinuationTest, TheFileNamesTheWay) {
  const std::string phases =
      "[[phase]]\noptimizer = \"train\"\ncontinue = { constant = \"nu\", values = [0.3, 0.1, 0.01] }\n";
  const problem::Problem problem = with_equation("nu = 0.01", "u_t + u*u_x = nu*u_xx", phases);
  const auto way = named_continuation(problem);
  ASSERT_TRUE(way);
  EXPECT_EQ(way->constant, "nu");
  EXPECT_EQ(way->values, (std::vector{0.3, 0.1}));
  EXPECT_EQ(words(*way, problem), "nu = 0.3, 0.1, then 0.01");
  EXPECT_FALSE(named_continuation(with_equation("nu = 0.01", "u_t + u*u_x = nu*u_xx")));
  EXPECT_FALSE(named_continuation(with_equation(
      "nu = 0.01", "u_t + u*u_x = nu*u_xx", "[[phase]]\noptimizer = \"lbfgs\"\nepochs = 3\nconstants = { nu = 1 }\n")))
      << "a training that the file spells out is no open one";
  const problem::Problem again = problem::read_problem(problem::write_asked(problem), "asked.toml");
  ASSERT_TRUE(named_continuation(again)) << problem::write_asked(problem);
  EXPECT_EQ(named_continuation(again)->values, way->values) << "a search that goes on finds the same way";
}

TEST(ContinuationTest, PhasesEndWithTheProblemItself) {
  problem::Problem problem = with_equation("nu = 0.01", "u_t + u*u_x = nu*u_xx");
  const std::size_t phases = problem.phases.size();
  ASSERT_EQ(phases, 2u) << "a warm-up and the method itself";
  const int epochs = problem.phases.back().epochs;
  problem = continued(std::move(problem), {.constant = "nu", .values = {0.1, 0.03}, .why = ""});
  ASSERT_EQ(problem.phases.size(), phases + 2) << "one warm-up, and the method for each value";
  EXPECT_EQ(problem.phases[0].constants.at("nu"), 0.1);
  EXPECT_EQ(problem.phases[2].constants.at("nu"), 0.03);
  EXPECT_TRUE(problem.phases.back().constants.empty());
  EXPECT_EQ(problem.phases.back().epochs, epochs);
  const problem::Problem again = problem::read_problem(problem::write_problem(problem), "again.toml");
  EXPECT_EQ(problem::write_problem(again), problem::write_problem(problem)) << "it can be repeated from its file";
}

}  // namespace
}  // namespace pecann::accuracy
