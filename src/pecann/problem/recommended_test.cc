#include "pecann/problem/recommended.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/problem/problem_file.h"

namespace pecann::problem {
namespace {

using testing::HasSubstr;

std::string text_of(const std::string& equation, const std::string& hidden, const std::string& phases = "") {
  return R"(title = "test"
coordinates = { x = [0, 1], y = [0, 1] }
[constants]
a = 3
b = 1
[[network]]
fields = ["u"]
hidden = )" +
         hidden + R"(
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = ")" +
         equation + R"("
points = { sobol = 1000 }
[[term]]
name = "sides"
role = "constraint"
region = "boundary"
equation = "u = 0"
points = { sobol = 25 }
)" + phases;
}

std::vector<std::string> optimizers(const std::vector<PhaseSpec>& phases) {
  std::vector<std::string> names;
  for (const PhaseSpec& phase : phases) names.push_back(phase.optimizer);
  return names;
}

std::string refusal(const std::string& phases) {
  try {
    read_problem(text_of("laplacian(u) = a", "[8]", phases), "test.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(TruthFindings, F13_PointsOfAFileAreCounted) {
  const auto sizes = [](std::size_t rows) {
    const std::vector<std::vector<double>> columns(2, std::vector<double>(rows, 0.5));
    GivenTables tables;
    tables["inside"] = std::make_shared<const sampling::Table>(
        sampling::Table{.file = "inside", .names = {"x", "y"}, .columns = columns});
    std::string text = text_of("laplacian(u) = a", "[8]");
    text.replace(text.find("region = \"interior\"\n"), 20, "");
    text.replace(text.find("{ sobol = 1000 }"), 16, "{ file = \"inside\" }");
    return recommended_training(read_problem(text, "test.toml", {}, "", tables)).reason;
  };
  EXPECT_THAT(sizes(40), HasSubstr("140 residuals")) << "40, and 25 on each of four sides";
  EXPECT_THAT(sizes(70), HasSubstr("170 residuals"));
}

TEST(RecommendedTest, ChoosesBySizeAndKinks) {
  const auto choice = [](const std::string& equation, const std::string& hidden) {
    const Problem problem = read_problem(text_of(equation, hidden), "test.toml");
    return recommended_training(problem);
  };
  using Names = std::vector<std::string>;
  const Recommendation small = choice("laplacian(u) = a", "[16, 16]");
  EXPECT_EQ(optimizers(small.phases), (Names{"lbfgs", "lm"}));
  EXPECT_THAT(small.reason, HasSubstr("337 × 337"));
  EXPECT_THAT(small.reason, HasSubstr("337 parameters, 1100 residuals"));
  // 2·80 + 80 + 80·80 + 80 + 80·80 + 80 + 81 = 13,281 parameters; 1100 residuals: the dual form is small.
  EXPECT_EQ(optimizers(choice("laplacian(u) = a", "[80, 80, 80]").phases), (Names{"lbfgs", "lm"}));
  EXPECT_EQ(optimizers(choice("laplacian(u) = a", "[400, 400, 400]").phases), (Names{"adam", "lbfgs"}));

  const Recommendation kinked = choice("laplacian(u) = max(u, a)", "[16, 16]");
  EXPECT_EQ(optimizers(kinked.phases), (Names{"adam", "lbfgs"}));
  EXPECT_THAT(kinked.reason, HasSubstr("max of an unknown in term 'pde'"));
  EXPECT_EQ(optimizers(choice("laplacian(u) = abs(u_x)", "[16]").phases), (Names{"adam", "lbfgs"}));
  EXPECT_EQ(optimizers(choice("laplacian(u) = if(u > 0, u, 0)", "[16]").phases), (Names{"adam", "lbfgs"}));
  EXPECT_EQ(optimizers(choice("laplacian(u) = if(x > 0.5, u, abs(y - 0.5))", "[16]").phases), (Names{"lbfgs", "lm"}))
      << "a jump in the coordinates is none in the unknowns";
}

TEST(RecommendedTest, LargeProblemsTakeBroydenThenFirstOrder) {
  std::string text = text_of("laplacian(u) = a", "[60, 60, 60]");  // 7,561 parameters
  const std::size_t at = text.find("sobol = 1000");
  text.replace(at, 12, "sobol = 9000");
  const Problem problem = read_problem(text, "test.toml");
  EXPECT_EQ(optimizers(recommended_training(problem).phases), (std::vector<std::string>{"lbfgs", "ssbroyden"}));
  Problem redrawn = problem;
  redrawn.terms[0].points.redraw_every = 1;
  EXPECT_EQ(optimizers(recommended_training(redrawn).phases), (std::vector<std::string>{"adam"}));
  redrawn.terms[0].points.redraw_every = kFewEpochs;
  EXPECT_EQ(optimizers(recommended_training(redrawn).phases), (std::vector<std::string>{"lbfgs", "ssbroyden"}));
}

TEST(RecommendedTest, LongStepsOnMovingPointsAreLeftToBroyden) {
  Problem problem = read_problem(text_of("laplacian(u) = a", "[40, 40]"), "test.toml");  // 1,801 parameters
  problem.terms[0].points.count = 5000;
  EXPECT_EQ(optimizers(recommended_training(problem).phases), (std::vector<std::string>{"lbfgs", "lm"}));
  problem.terms[0].near = NearSpec{.count = 1000, .density_text = "residual"};
  EXPECT_EQ(optimizers(recommended_training(problem).phases), (std::vector<std::string>{"lbfgs", "ssbroyden"}));
  problem.terms[0].points.count = 1000;
  const Recommendation small = recommended_training(problem);
  EXPECT_EQ(optimizers(small.phases), (std::vector<std::string>{"lbfgs", "lm"}));
  EXPECT_THAT(small.reason, HasSubstr("2100 residuals")) << "points near a density count";
}

TEST(RecommendedTest, AutoIsTheDefaultAndAPhaseAmongOthers) {
  const Problem none = read_problem(text_of("laplacian(u) = a", "[8]"), "test.toml");
  EXPECT_EQ(optimizers(none.phases), (std::vector<std::string>{"lbfgs", "lm"}));
  EXPECT_EQ(none.phases[1].epochs, 300);
  EXPECT_FALSE(none.recommendation.empty());
  EXPECT_EQ(none.held_out.keep, Keep::Best);

  const Problem mixed = read_problem(text_of("laplacian(u) = a", "[8]", R"(
[[phase]]
optimizer = "adam"
epochs = 7
[[phase]]
optimizer = "auto"
epochs = 42
until = 0.5
)"),
                                     "test.toml");
  ASSERT_EQ(optimizers(mixed.phases), (std::vector<std::string>{"adam", "lbfgs", "lm"}));
  EXPECT_EQ(mixed.phases[1].epochs, 2);
  EXPECT_EQ(mixed.phases[2].epochs, 40);
  EXPECT_EQ(mixed.phases[2].until, 0.5);
  EXPECT_FALSE(mixed.phases[0].until);
  EXPECT_EQ(mixed.held_out.keep, Keep::Best);
  // The file of a run names what was chosen.
  EXPECT_EQ(optimizers(read_problem(write_problem(mixed), "again.toml").phases), optimizers(mixed.phases));
  EXPECT_THAT(refusal("[[phase]]\noptimizer = \"auto\"\nlearning_rate = 0.1\n"), HasSubstr("chooses this itself"));
}

TEST(ContinuationTest, BecomesOnePhaseForEachValue) {
  const Problem problem = read_problem(text_of("laplacian(u) = a + b", "[8]", R"(
[[phase]]
optimizer = "lbfgs"
epochs = 9
until = 1e-3
constants = { b = 5 }
continue = { constant = "a", values = [1, 2, 3] }
)"),
                                       "test.toml");
  ASSERT_EQ(problem.phases.size(), 3u);
  EXPECT_EQ(problem.phases[0].constants, (std::map<std::string, double>{{"a", 1}, {"b", 5}}));
  EXPECT_EQ(problem.phases[1].constants, (std::map<std::string, double>{{"a", 2}, {"b", 5}}));
  EXPECT_EQ(problem.phases[2].constants, (std::map<std::string, double>{{"b", 5}})) << "a = 3 is the problem's own";
  for (const PhaseSpec& phase : problem.phases) {
    EXPECT_EQ(phase.epochs, 9);
    EXPECT_EQ(phase.until, 1e-3);
  }
  const Problem again = read_problem(write_problem(problem), "again.toml");
  ASSERT_EQ(again.phases.size(), 3u);
  EXPECT_EQ(again.phases[0].constants, problem.phases[0].constants);
}

TEST(PhaseConstantsTest, MayBeExpressionsOfTheProblemsOwn) {
  const auto phases_with = [](const std::string& value) {
    return read_problem(text_of("laplacian(u) = a + b", "[8]",
                                "[[phase]]\noptimizer = \"lbfgs\"\nepochs = 9\nconstants = { a = " + value + " }\n"),
                        "test.toml")
        .phases;
  };
  EXPECT_EQ(phases_with("\"min(a, 2)\"")[0].constants, (std::map<std::string, double>{{"a", 2}}));
  EXPECT_TRUE(phases_with("\"min(a, 16)\"")[0].constants.empty()) << "a = 3 is the problem's own";
}

TEST(ContinuationTest, RefusalsNameTheKey) {
  const auto with = [](const std::string& value, const std::string& more = "") {
    return refusal("[[phase]]\noptimizer = \"lbfgs\"\nepochs = 9\ncontinue = " + value + "\n" + more);
  };
  EXPECT_THAT(with("{ constant = \"aa\", values = [1] }"), HasSubstr("'aa' is no constant"));
  EXPECT_THAT(with("{ constant = \"aa\", values = [1] }"), HasSubstr("'a'"));
  EXPECT_THAT(with("{ constant = \"a\", values = [] }"), HasSubstr("the list is empty"));
  EXPECT_THAT(with("{ constant = \"a\" }"), HasSubstr("values"));
  EXPECT_THAT(with("{ constant = \"a\", value = [1], values = [1] }"), HasSubstr("value"));
  EXPECT_THAT(with("{ constant = \"a\", values = [1] }", "constants = { a = 2 }\n"), HasSubstr("a value already"));
  EXPECT_THAT(with("3"), HasSubstr("continue"));
}

}  // namespace
}  // namespace pecann::problem
