// Numbers and tables of a program as points, data and coefficients.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "pecann/pecann.h"

namespace pecann {
namespace {

class ApiTables : public testing::Test {
 protected:
  const Coordinate x{"x", 0, 1};
  const Field u{"u", {x}};

  static std::string folder(const std::string& name) {
    const std::string path = testing::TempDir() + "pecann_api_" + name;
    std::filesystem::remove_all(path);
    return path;
  }
};

TEST_F(ApiTables, NumbersOfTheProgramArePointsAndData) {
  std::vector<double> places, values;
  for (int i = 0; i < 9; ++i) places.push_back(i / 9.0), values.push_back(std::cos(places.back()) / 3);
  const auto fit = [&](const Points& points, const Term& term) {
    Problem problem("Fit", {x});
    problem.network({u}, {.hidden = {8}}).objective("fit", u == data("u"), of_points(), points, term);
    return problem.phase({.optimizer = "lm", .epochs = 20});
  };
  const Problem problem = fit(points_table({{"x", places}, {"u", values}}), {});
  const std::string run = folder("numbers"), file = folder("numbers_file") + "/rod.csv";
  write_table(file, {{"x", places}, {"u", values}});
  const std::vector<double> parameters = problem.train().solution.parameters();
  EXPECT_EQ(fit(points_file(file), {.data = Data{.file = file, .columns = {{"u", "u"}}}}).train().solution.parameters(),
            parameters);
  problem.train({.folder = run});
  EXPECT_EQ(Solution::open(run).parameters(), parameters) << "the folder has the numbers";
  EXPECT_EQ(problem.changed({"phase.1.epochs=3"}).train().summary.epochs, 3);
}

TEST_F(ApiTables, TablesOfTheProgramAreCoefficients) {
  // (κ u')' = 0 with κ = 1 + s: u = log(1 + s)/log 2, for two members of a family that have u(1) = k.
  const Coordinate s("s", 0, 1), k("k", 1, 2, Coordinate::Role::Parameter);
  const Field w("w", {s, k});
  std::vector<double> values;
  for (int i = 0; i <= 10; ++i) values.push_back(1 + i / 10.0);
  const Table kappa("kappa", values, {s}, std::vector<int>{11});
  const auto made = [&](const Equations& law) {
    Problem problem("A family", {s, k});
    problem.network({w}, {.hidden = {8, 8}})
        .uses({kappa})
        .objective("law", law, interior(), sobol(200))
        .constraint("ends", w == k * s, boundary(), sobol(30))
        .phase({.optimizer = "lm", .epochs = 60});
    return problem;
  };
  const std::string run = folder("tables");
  const Result result = made(div(kappa * grad(w)) == 0).train({.folder = run, .threads = 1});
  EXPECT_NEAR(result.solution.value(w, {0.5, 1.5}), 1.5 * std::log(1.5) / std::log(2.0), 2e-4);
  EXPECT_EQ(made("div(kappa*grad(w)) = 0").train({.threads = 1}).solution.parameters(), result.solution.parameters());
  EXPECT_EQ(Result::open(run).solution.parameters(), result.solution.parameters());  // its table lies there
  EXPECT_NE(made("w = 0").text().find("role = \"parameter\""), std::string::npos);
}

TEST_F(ApiTables, TablesAreReadBackAsData) {
  const std::string file = folder("table") + "/rod.csv";
  std::vector<double> places, values;
  for (int i = 0; i < 9; ++i) places.push_back(i / 8.0), values.push_back(std::cos(places.back()) / 3);
  write_table(file, {{"x", places}, {"temperature", values}});
  Problem problem("Fit", {x});
  problem.network({u}, {.hidden = {8}})
      .objective("fit", u == data("u"), of_points(), points_file(file),
                 {.data = Data{.file = file, .columns = {{"u", "temperature"}}}})
      .phase({.optimizer = "lm", .epochs = 40});
  const Result result = problem.train();
  EXPECT_EQ(result.summary.num_points, 9u);
  EXPECT_NEAR(result.solution.value(u, {0.5}), std::cos(0.5) / 3, 1e-4);
  EXPECT_THROW(write_table(file, {{"a", {1, 2}}, {"b", {1}}}), std::runtime_error);
}

}  // namespace
}  // namespace pecann
