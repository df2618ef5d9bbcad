// Files that say nothing but the problem: coordinates, unknowns, equations and conditions.
#include "pecann/problem/automatic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/problem/problem_file.h"

namespace pecann::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kBare = R"toml(coordinates = { x = [0, 1], t = [0, 2] }
fields = ["u"]

[[term]]
region = "interior"
equation = "u_t = u_xx"

[[term]]
region = "boundary"
equation = "u = 0"

[[term]]
region = "initial"
equation = "u = sin(pi*x)"
)toml";

std::string bare_with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string bare_refusal(const std::string& text) {
  try {
    read_problem(text, "bare.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(AutomaticTest, NothingButTheProblem) {
  const Problem problem = read_problem(kBare, "bare.toml");
  ASSERT_EQ(problem.networks.size(), 1u);
  EXPECT_THAT(problem.networks[0].fields, ElementsAre("u"));
  EXPECT_THAT(problem.networks[0].hidden, ElementsAre(30, 30));
  ASSERT_EQ(problem.terms.size(), 3u);
  EXPECT_EQ(problem.terms[0].role, Role::Objective);
  EXPECT_EQ(problem.terms[1].role, Role::Constraint);
  EXPECT_EQ(problem.terms[2].role, Role::Constraint);
  EXPECT_EQ(problem.terms[1].name, "term-2");
  EXPECT_EQ(problem.terms[0].points.count, 2000u);
  EXPECT_EQ(problem.terms[1].points.count, 179u);  // ⌈4 √2000⌉ on every face
  EXPECT_TRUE(problem.training_open);
}

TEST(AutomaticTest, WhatIsWrittenIsTheSameProblemWithItsChoices) {
  const Problem problem = read_problem(bare_with(kBare, "fields", "accuracy = 1e-4\nfields"), "bare.toml");
  EXPECT_EQ(problem.accuracy, 1e-4);
  const std::string text = write_problem(problem);
  EXPECT_THAT(text, HasSubstr("hidden = [30, 30]"));
  EXPECT_EQ(write_problem(read_problem(text, "written.toml")), bare_with(text, "bare.toml", "bare.toml"));
}

TEST(AutomaticTest, FieldsOfFewerCoordinatesHaveNetworksOfTheirOwn) {
  std::string text = bare_with(kBare, "[\"u\"]", "{ u = [\"x\", \"t\"], a = [\"x\"], v = [\"x\", \"t\"] }");
  text = bare_with(text, "u_t = u_xx", "u_t = a*u_xx + v");
  const Problem problem = read_problem(text, "bare.toml");
  ASSERT_EQ(problem.networks.size(), 2u);
  EXPECT_THAT(problem.networks[0].fields, ElementsAre("u", "v"));
  EXPECT_THAT(problem.networks[0].hidden, ElementsAre(40, 40));
  EXPECT_THAT(problem.networks[1].inputs, ElementsAre("x"));
}

TEST(AutomaticTest, NetworksOfTheFileStay) {
  const std::string text = bare_with(kBare, "[[term]]", "[[network]]\nfields = [\"u\"]\nhidden = [7]\n\n[[term]]");
  const Problem problem = read_problem(text, "bare.toml");
  ASSERT_EQ(problem.networks.size(), 1u);
  EXPECT_THAT(problem.networks[0].hidden, ElementsAre(7));
}

TEST(AutomaticTest, OpenPointsFollowTheResidualAndAreWrittenSo) {
  Problem problem = read_problem(kBare, "bare.toml");
  follow_residual(problem);
  EXPECT_EQ(problem.terms[0].points.count, 1500u);
  ASSERT_TRUE(problem.terms[0].near);
  EXPECT_EQ(problem.terms[0].near->count, 1500u);
  EXPECT_EQ(problem.terms[0].points.redraw_every, kEpochsOfDraw);
  EXPECT_FALSE(problem.terms[1].near) << "conditions keep their points";
  const std::string text = write_problem(problem);
  EXPECT_THAT(text, HasSubstr("{ sobol = 1500, near = 1500, density = \"residual\", pool = 24000, redraw = 20 }"));
  const Problem again = read_problem(text, "written.toml");
  EXPECT_EQ(again.terms[0].near->pool, problem.terms[0].near->pool);
  EXPECT_EQ(write_problem(again), text);

  Problem given =
      read_problem(bare_with(kBare, "equation = \"u_t", "points = { sobol = 50 }\nequation = \"u_t"), "b.toml");
  follow_residual(given);
  EXPECT_FALSE(given.terms[0].near) << "points of the file stay";
  EXPECT_EQ(given.terms[0].points.count, 50u);
}

TEST(AutomaticTest, PointsThatSomethingBelongsToDoNotMove) {
  const auto follows = [](const std::string& term) {
    const Problem problem = read_problem(kBare + "[[term]]\nname = \"more\"\n" + term, "bare.toml");
    return can_follow_residual(problem, problem.terms.back());
  };
  EXPECT_TRUE(follows("region = \"interior\"\nequation = \"u_x = 0\"\n"));
  EXPECT_FALSE(
      follows("region = \"interior\"\nrole = \"constraint\"\naggregate = \"pointwise\"\nequation = \"u = 0\"\n"));
  EXPECT_FALSE(follows("region = \"interior\"\nrole = \"constraint\"\nequation = \"integral(u) = 1\"\n"));
  EXPECT_FALSE(follows("role = \"objective\"\nequation = \"u_x = 0\"\npoints = { same_as = \"term-1\" }\n"));
  EXPECT_FALSE(follows("region = \"x = 0\"\nequation = \"u = 0\"\n"));
  EXPECT_FALSE(follows("region = { x = 0.5, t = 1 }\nequation = \"u = 0\"\n"));
}

TEST(AutomaticTest, TimeIsCutWhereAStateIsHandedOver) {
  const auto can = [](const std::string& text) { return can_be_cut(read_problem(text, "bare.toml")); };
  EXPECT_TRUE(can(kBare));
  EXPECT_FALSE(can(bare_with(kBare, "\"initial\"", "\"x = 0\""))) << "nothing is given at the first time";
  EXPECT_FALSE(can(kBare + "[[term]]\nregion = { x = 0.5, t = 1 }\nequation = \"u = 0\"\n")) << "a later time";
  EXPECT_FALSE(can(kBare + "[windows]\ncount = 2\n"));
  const Problem cut = cut_into_windows(read_problem(kBare, "bare.toml"), 3);
  EXPECT_EQ(cut.windows.count, 3);
  EXPECT_EQ(cut.windows.first.start, WindowStart::Fresh);
  EXPECT_EQ(cut.windows.usual.start, WindowStart::Previous);
  EXPECT_FALSE(can_be_cut(cut));
}

TEST(AutomaticTest, MistypedNamesAreNoUnknowns) {
  EXPECT_THAT(bare_refusal(bare_with(kBare, "u_t = u_xx", "u_t = w_xx")), HasSubstr("unknown name 'w_xx'"));
  EXPECT_THAT(bare_refusal(bare_with(kBare, "[\"u\"]", "[\"u\", \"w\"]")), HasSubstr("no equation mentions 'w'"));
  EXPECT_THAT(bare_refusal(bare_with(kBare, "[\"u\"]", "[\"u\", \"u\"]")), HasSubstr("already"));
  EXPECT_THAT(bare_refusal(bare_with(kBare, "[\"u\"]", "[]")), HasSubstr("the list is empty"));
  EXPECT_THAT(bare_refusal(bare_with(kBare, "[\"u\"]", "{ u = [\"y\"] }")), HasSubstr("'y' is no coordinate"));
  EXPECT_THAT(bare_refusal(bare_with(kBare, "fields = [\"u\"]\n", "")), HasSubstr("the names of the unknowns"));
}

TEST(AutomaticTest, AccuracyIsAShare) {
  for (const char* wrong : {"0", "1", "-1e-3", "2"})
    EXPECT_NE(bare_refusal(bare_with(kBare, "fields", std::string("accuracy = ") + wrong + "\nfields")), "") << wrong;
}

}  // namespace
}  // namespace pecann::problem
