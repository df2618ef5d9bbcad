// [tables] in problem files: read, written and read again, and what is refused; vectors, families and `together` too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "pecann/base/npy.h"
#include "pecann/expr/program.h"
#include "pecann/problem/problem_file.h"
#include "pecann/problem/scope.h"
#include "pecann/problem/with_constants.h"
#include "pecann/sampling/sampler.h"

namespace pecann::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class TablesFileTest : public testing::Test {
 protected:
  TablesFileTest() {
    std::filesystem::create_directories(folder_);
    // kappa = 1 + x y, which cubic splines reproduce.
    const std::size_t shape[] = {6, 5};
    std::vector<double> values;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 5; ++j) values.push_back(1 + i / 5.0 * (2 * j / 4.0));
    write_npy(file("kappa.npy"), shape, values);
    write("plate.toml", "");  // relative paths begin beside it
  }
  ~TablesFileTest() override { std::filesystem::remove_all(folder_); }
  TablesFileTest(const TablesFileTest&) = delete;
  TablesFileTest& operator=(const TablesFileTest&) = delete;

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(file(name)) << text; }

  std::string text(const std::string& tables, const std::string& equation = "div(kappa*grad(u)) = 1") const {
    return "coordinates = { x = [0, 1], y = [0, 2] }\n[tables]\n" + tables +
           "\n[[network]]\nfields = [\"u\"]\nhidden = [4]\n[[term]]\nname = \"pde\"\nrole = \"objective\"\nregion = "
           "\"interior\"\n"
           "equation = \"" +
           equation + "\"\npoints = { sobol = 16 }\n";
  }
  Problem problem(const std::string& tables, const std::string& equation = "div(kappa*grad(u)) = 1") const {
    return read_problem(text(tables, equation), file("plate.toml"));
  }
  std::string refusal(const std::string& tables, const std::string& equation = "div(kappa*grad(u)) = 1") const {
    try {
      problem(tables, equation);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::string kappa(const std::string& more = "") const {
    return "kappa = { file = \"" + file("kappa.npy") + "\", coordinates = [\"x\", \"y\"]" + more + " }";
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("pecann_tables_" + std::to_string(getpid()));
};

double table_value_at(const Problem& problem, const char* expression, double x, double y) {
  const expr::Expr parsed = expr::parse(expression, scope_of(problem));
  double result = 0, *const results[] = {&result};
  expr::evaluate_columns(std::span(&parsed, 1), {{"x", &x}, {"y", &y}}, 1, results);
  return result;
}

TEST_F(TablesFileTest, AnArrayIsAFunctionOfItsCoordinates) {
  const Problem read = problem(kappa());
  EXPECT_NEAR(table_value_at(read, "kappa", 0.3, 1.7), 1 + 0.3 * 1.7, 1e-14);
  EXPECT_NEAR(table_value_at(read, "kappa_x", 0.3, 1.7), 1.7, 1e-13);
  EXPECT_NEAR(table_value_at(problem(kappa(", x = [0, 2]")), "kappa", 0.3, 1.7), 1 + 0.15 * 1.7, 1e-14);
  const Problem again = read_problem(write_problem(read), file("other.toml"));
  EXPECT_EQ(write_problem(again), write_problem(read));
  EXPECT_EQ(table_value_at(again, "kappa", 0.31, 1.1), table_value_at(read, "kappa", 0.31, 1.1));
}

TEST_F(TablesFileTest, RowsOfACsvAndImagesAreTheSameTable) {
  std::string csv = "y,x,T,k\n", numbers;
  for (int j = 4; j >= 0; --j)
    for (int i = 0; i < 6; ++i)
      csv += std::to_string(0.5 * j) + "," + std::to_string(0.2 * i) + ",7," + std::to_string(1 + 0.1 * i * j) + "\n";
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 6; ++i) numbers += std::to_string(1 + 0.1 * i * j) + " ";
  write("k.csv", csv);
  write("k.vti",
        "<VTKFile type=\"ImageData\"><ImageData WholeExtent=\"0 5 0 4 0 0\" Origin=\"0 0 0\" Spacing=\"0.2 0.5 "
        "1\"><Piece><PointData>"
        "<DataArray type=\"Float64\" Name=\"k\" format=\"ascii\">" +
            numbers + "</DataArray></PointData></Piece></ImageData></VTKFile>");
  for (const char* name : {"k.csv", "k.vti"}) {
    const Problem read =
        problem(std::string("kappa = { file = \"") + name + "\", coordinates = [\"x\", \"y\"], value = \"k\" }");
    EXPECT_NEAR(table_value_at(read, "kappa", 0.3, 1.7), 1 + 0.3 * 1.7, 1e-12) << name;
  }
  EXPECT_THAT(refusal("kappa = { file = \"k.csv\", coordinates = [\"x\", \"y\"] }"), HasSubstr("value = \"T\""));
  EXPECT_THAT(refusal("kappa = { file = \"k.vti\", coordinates = [\"x\"] }"), HasSubstr("the image has 2 directions"));
  EXPECT_THAT(refusal("kappa = { file = \"k.csv\", coordinates = [\"x\", \"y\"], value = \"k\", x = [0, 1] }"),
              HasSubstr("leave out x = […]"));
}

TEST_F(TablesFileTest, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_THAT(refusal(kappa(", interpolate = \"linear\"")), HasSubstr("plate.toml:"));
  EXPECT_THAT(refusal(kappa(", interpolate = \"linear\"")),
              HasSubstr("has no derivative in 'x': interpolated by straight lines"));
  EXPECT_EQ(refusal(kappa(", interpolate = \"linear\""), "kappa*laplacian(u) = 1"), "accepted");
  EXPECT_THAT(refusal(kappa(", interpolate = \"spline\"")), HasSubstr("tables.kappa.interpolate"));
  EXPECT_THAT(refusal(kappa(", interpolated = \"cubic\"")), HasSubstr("did you mean 'interpolate'?"));
  EXPECT_THAT(refusal(kappa(", x = [0, 0.5]")), HasSubstr("the table has x from 0 to 0.5, the problem from 0 to 1"));
  EXPECT_EQ(refusal(kappa(", x = [0.1, 0.9]")), "accepted");  // pixels
  EXPECT_THAT(refusal(kappa(", x = [1, 0]")), HasSubstr("from a smaller to a larger number"));
  EXPECT_THAT(refusal("kappa = { file = \"no.npy\", coordinates = [\"x\", \"y\"] }"), HasSubstr("no.npy"));
  EXPECT_THAT(refusal("kappa = { coordinates = [\"x\"] }"), HasSubstr("tables.kappa.file: is missing"));
  EXPECT_THAT(refusal("kappa = { file = \"kappa.npy\", coordinates = [\"x\", \"z\"] }"),
              HasSubstr("'z' is no coordinate"));
  EXPECT_THAT(refusal("kappa = { file = \"kappa.npy\", coordinates = [\"x\"] }"),
              HasSubstr("the array has 2 dimensions, the table 1 coordinate"));
  EXPECT_THAT(refusal("u = { file = \"kappa.npy\", coordinates = [\"x\", \"y\"] }"),
              HasSubstr("'u' is the name of a field already"));
  EXPECT_THAT(refusal(kappa(), "kapa*u_x = 1"), HasSubstr("did you mean 'kappa'?"));
}

TEST_F(TablesFileTest, AVectorEquationIsOneForEachComponent) {
  const Problem read = problem(kappa(), "grad(u) = [kappa, kappa_x]*exp(u)");
  EXPECT_EQ(read.terms[0].residuals.size(), 2u);
  EXPECT_EQ(read.terms[0].equation_texts.size(), 1u);
  EXPECT_EQ(with_constants(read, {}).terms[0].residuals.size(), 2u);
  EXPECT_THAT(refusal(kappa(), "grad(u) = [1, 2, 3]"), HasSubstr("a sum of a vector of 2 and a vector of 3"));
}

std::string family_text(const std::string& k, const std::string& more = "") {
  return "coordinates = { x = [0, 1], k = " + k + " }\n[exact]\nu = \"sin(k*x)\"\nv = \"cos(k*x)\"\n" + more +
         "\n[[network]]\nfields = [\"u\", \"v\"]\nhidden = [4]\n"
         "[[term]]\nname = \"pde\"\nrole = \"objective\"\nregion = \"interior\"\nequation = [\"laplacian(u) + k^2*u = "
         "0\", \"laplacian(v) + k^2*v = 0\"]\npoints = { grid = [5, 3] }\n"
         "[[term]]\nname = \"ends\"\nrole = \"constraint\"\nregion = \"boundary\"\nequation = [\"dn(u) = "
         "dn(exact.u)\", \"v = exact.v\"]\npoints = { grid = [5, 3] }\n";
}

TEST(FamilyTest, AParameterIsNotOfSpace) {
  const Problem family = read_problem(family_text("{ range = [1, 4], role = \"parameter\" }"), "family.toml");
  EXPECT_THAT(family.box.family, ElementsAre(1));
  const expr::Expr by_hand = expr::parse("d(u, x, x) + k^2*u", scope_of(family));
  EXPECT_TRUE(expr::same(family.terms[0].residuals[0], by_hand)) << expr::to_string(family.terms[0].residuals[0]);
  EXPECT_EQ(sampling::count_points(family.terms[0].regions, family.terms[0].points), 3 * 3);  // both ends of k
  EXPECT_EQ(sampling::count_points(family.terms[1].regions, family.terms[1].points), 2 * 3);
  EXPECT_EQ(write_problem(read_problem(write_problem(family), "again.toml")), write_problem(family));
  const Problem plane = read_problem(family_text("[1, 4]"), "plane.toml");
  EXPECT_GT(sampling::count_points(plane.terms[1].regions, plane.terms[1].points), 2 * 3);  // all sides
  for (const auto& [text, rule] : {std::pair{"{ range = [1, 4], role = \"param\" }", "must be one of \"parameter\""},
                                   std::pair{"{ role = \"parameter\" }", "range: is missing"}}) {
    try {
      read_problem(family_text(text), "family.toml");
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(rule));
    }
  }
}

TEST(TogetherTest, NamesQuantitiesWithATruth) {
  const std::string range = "{ range = [1, 4], role = \"parameter\" }";
  const Problem both = read_problem(family_text(range, "[evaluate]\ntogether = [\"u\", \"v\"]\n"), "family.toml");
  EXPECT_THAT(both.evaluate.together, ElementsAre("u", "v"));
  EXPECT_EQ(write_problem(read_problem(write_problem(both), "again.toml")), write_problem(both));
  for (const auto& [list, rule] :
       {std::pair{"[\"u\"]", "needs at least two"}, std::pair{"[\"u\", \"w\"]", "'w' is neither a field"},
        std::pair{"[\"u\", \"u\"]", "comes twice"}}) {
    try {
      read_problem(family_text(range, std::string("[evaluate]\ntogether = ") + list + "\n"), "family.toml");
      FAIL() << list;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(rule));
    }
  }
}

TEST(OverrideTest, AWholeTableReplacesATerm) {
  const std::string text = family_text("{ range = [1, 4], role = \"parameter\" }");
  const auto with = [&](const std::string& change) {
    return read_problem(text, "family.toml", std::vector<std::string>{change});
  };
  const Problem changed =
      with("term.ends={ role = 'objective', region = 'x = 0', equation = 'u = v', points = { sobol = 7 } }");
  EXPECT_EQ(changed.terms[1].name, "ends");
  EXPECT_EQ(changed.terms[1].role, Role::Objective);
  EXPECT_EQ(changed.terms[1].points.count, 7u);
  for (const auto& [change, rule] : {std::pair{"term.ends=3", "replaced by a whole table"},
                                     std::pair{"term.end={ role = 'objective' }", "did you mean 'ends'?"},
                                     std::pair{"term.ends={ role = 'objective' }", "is missing"},
                                     std::pair{"term.ends={ name = 'other' }", "leave out name"}}) {
    try {
      with(change);
      FAIL() << change;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(rule));
    }
  }
}

}  // namespace
}  // namespace pecann::problem
