#include "pecann/problem/joints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "pecann/base/input_error.h"
#include "pecann/problem/parts.h"
#include "pecann/problem/problem_file.h"

namespace pecann::problem {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string text_with(const std::string& decompose, const std::string& more = "") {
  return R"(title = "parts"
coordinates = { x = [-1, 1], y = [0, 2], t = [0, 1] }
[[network]]
fields = ["u", "v"]
features = 20
[[term]]
name = "pde"
region = "interior"
equation = ["u_t = u_xxx + v_y", "v = u_xy"]
[[term]]
name = "start"
region = "initial"
equation = "u = x"
[decompose]
)" + decompose +
         more;
}

Problem problem_in_parts(const std::string& decompose, const std::string& more = "") {
  return read_problem(text_with(decompose, more), "parts.toml");
}

std::string refusal_of_parts(const std::string& decompose, const std::string& more = "") {
  try {
    problem_in_parts(decompose, more);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(JointsTest, EveryFieldGoesOnWithTheDerivativesBelowItsHighest) {
  const Problem problem = problem_in_parts("x = 4\ny = [0.5, 1.5]\npoints = 10\n");
  ASSERT_EQ(problem.terms.size(), 4u);
  const TermSpec &in_x = problem.terms[2], &in_y = problem.terms[3];
  EXPECT_EQ(in_x.name, "joints-x");
  EXPECT_THAT(in_x.equation_texts,
              ElementsAre(HasSubstr("at(u, x = x + "), HasSubstr("at(u_x, x = x + "), HasSubstr("at(u_xx, x = x + ")))
      << "u has three derivatives in x, v none";
  EXPECT_THAT(in_y.equation_texts, ElementsAre(HasSubstr("at(u, y = y + "), HasSubstr("at(v, y = y + ")));
  EXPECT_EQ(in_x.regions.size(), 3u);
  EXPECT_EQ(in_x.regions[1]->text(), "\"x = 0\"");
  EXPECT_EQ(in_x.role, Role::Constraint);
  EXPECT_EQ(in_x.points.count, 30u) << "ten points for each of three parts that a plane x = … crosses";
  EXPECT_EQ(in_y.points.count, 40u);
  EXPECT_EQ(count_parts(problem), 12);
  EXPECT_EQ(parts_words(problem), "4 × 3 parts");
}

TEST(JointsTest, CurvedRegionsCrossThePartsThatTheyHavePointsIn) {
  const auto holes = [](const std::string& discs) {
    return read_problem(R"(title = "holes"
coordinates = { x = [0, 4], y = [0, 4] }
domain = "box - hole"
[shapes]
hole = )" + discs + R"(
[[network]]
fields = ["u"]
features = 20
[[term]]
region = "interior"
equation = "laplacian(u) = 0"
[[term]]
region = "hole"
equation = "u = 1"
[decompose]
x = 4
y = 4
points = 10
)",
                        "holes.toml");
  };
  const Problem inside = holes("{ disc = { centre = [1.5, 2.5], radius = 0.3 } }");
  EXPECT_EQ(parts_across(inside, inside.terms[1].regions), 1);
  EXPECT_EQ(inside.terms[2].points.count, 40u) << "planes across the domain have four parts";
  const Problem corner = holes("{ disc = { centre = [1, 2], radius = 0.3 } }");
  EXPECT_EQ(parts_across(corner, corner.terms[1].regions), 4);
  const Problem wide = holes("{ box = { lower = [0.5, 0.9], upper = [3.5, 1.9] } }");
  EXPECT_EQ(parts_across(wide, wide.terms[1].regions), 8) << "four parts along, in two rows";
}

TEST(JointsTest, FilesKeepThePartsAndMakeTheJointsAnew) {
  const Problem problem = problem_in_parts("x = 4\ny = [0.5, 1.5]\npoints = 10\n");
  const std::string text = write_problem(problem);
  EXPECT_THAT(text, HasSubstr("[decompose]\nx = 4\ny = [0.5, 1.5]\npoints = 10\n"));
  EXPECT_EQ(text.find("joints-"), std::string::npos);
  const Problem again = read_problem(text, "again.toml");
  EXPECT_EQ(again.terms.size(), problem.terms.size());
  EXPECT_EQ(write_problem(again), text);
}

TEST(JointsTest, RefusesWhatCannotBeCut) {
  EXPECT_THAT(refusal_of_parts("x = [0.5, 0.2]\n"), HasSubstr("decompose.x"));
  EXPECT_THAT(refusal_of_parts("x = [1]\n"), HasSubstr("rise from one to the next, inside the range"));
  EXPECT_THAT(refusal_of_parts("x = 0\n"), HasSubstr("decompose.x"));
  EXPECT_THAT(refusal_of_parts("z = 2\n"), HasSubstr("decompose.z: unknown key; known: x, y, t, points"));
  EXPECT_THAT(refusal_of_parts("x = 1000\ny = 1000\n"), HasSubstr("at most 100000"));
  EXPECT_THAT(refusal_of_parts("t = 2\n", "[windows]\ncount = 2\n"), HasSubstr("windows cut time too"));
  EXPECT_THAT(refusal_of_parts("x = 2\n",
                               "[[network]]\nfields = [\"a\"]\ninputs = [\"y\"]\nfeatures = 3\n[[term]]\nregion = "
                               "\"interior\"\nequation = \"a = 1\"\n"),
              HasSubstr("'x' is cut, and the fields of 'network-2' do not depend on it"));
}

TEST(PartsTest, PointsOnAPlaneBelongBelowAndTheNextNumberAbove) {
  const sampling::Box box{.names = {"x", "y"}, .lower = {0, 0}, .upper = {3, 1}};
  const Parts parts(box, {{1, 1.5}, {0.5}});
  EXPECT_EQ(parts.count(), 6);
  const double x[] = {0, 1, std::nextafter(1, 2), 1.5, 3}, y[] = {0.5, 0.5, 0.5, 0.6, 1};
  const double* const columns[] = {x, y};
  EXPECT_THAT(parts.of(columns, 5), ElementsAre(0, 0, 2, 3, 5));
  EXPECT_THAT(parts.order(columns, 5), ElementsAre(0u, 1u, 2u, 3u, 4u));
  EXPECT_THAT(parts.box(3).lower, ElementsAre(1, 0.5));
  EXPECT_THAT(parts.box(3).upper, ElementsAre(1.5, 1));
  EXPECT_EQ(parts.widest_front(), 3) << "a layer of two parts across x, and the next one";
}

TEST(PartsTest, WhatIsSpreadEvenlyFallsIntoAllLayersAlike) {
  const sampling::Box box{.names = {"x"}, .lower = {0}, .upper = {4}};
  const Parts parts(box, {{1}});
  EXPECT_EQ(parts.spread(0, 0), 0);
  EXPECT_EQ(parts.spread(0, 1), 0.5);
  EXPECT_EQ(parts.spread(0, 2), 1);
  EXPECT_EQ(parts.spread(0, 3), 2.5);
  EXPECT_EQ(parts.spread(0, 4), 4);
}

}  // namespace
}  // namespace pecann::problem
