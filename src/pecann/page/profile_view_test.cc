#include "pecann/page/profile_view.h"

#include <gmock/gmock.h>

#include <cmath>

#include "pecann/results/sample_runs.h"
#include "pecann/sampling/test_regions.h"

namespace pecann::page {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kHeatText = R"toml(
coordinates = { x = [0, 1], t = [0, 2] }
[exact]
u = "x + 10*t"
f = "x^2"
[[network]]
fields = ["u"]
hidden = [5]
[[network]]
fields = ["f"]
inputs = ["x"]
hidden = [4]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t = u_xx + f"
points = { sobol = 8 }
[[phase]]
optimizer = "adam"
epochs = 1
)toml";

/// Networks as they begin: every seed is another "trial".
std::vector<train::Solution> untrained(const problem::Problem& problem, int trials) {
  std::vector<train::Solution> solutions;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(trials); ++seed) {
    const evaluate::Model model(problem, problem.box, seed);
    solutions.emplace_back(problem, seed).add_window(model.initial_parameters(seed));
  }
  return solutions;
}

double value_at(const train::Solution& solution, const std::string& field, double x, double t) {
  sampling::PointSet points;
  points.count = 1;
  for (const double coordinate : {x, t}) points.coordinates.emplace_back(points.padded(), coordinate);
  std::vector<std::vector<double>> values;
  const std::vector<expr::Expr> read = {expr::field(field)};
  solution.evaluate(read, points, values);
  return values[0][0];
}

TEST(ProfileViewTest, CutsWhereTheProblemAsks) {
  const problem::Problem problem =
      problem::read_problem(std::string("report = { profiles = { t = [0.25], x = [1] } }\n") + kHeatText, "heat.toml");
  const std::vector<train::Solution> solutions = untrained(problem, 1);
  const std::vector<Profile> profiles = field_profiles(problem, solutions, 0);
  ASSERT_THAT(profiles, SizeIs(3)) << "two cuts of u, and f as it is";
  const Profile& time = profiles[0];
  EXPECT_EQ(time.field + time.coordinate + time.cut, "uxt");
  EXPECT_FLOAT_EQ(time.best[40], static_cast<float>(value_at(solutions[0], "u", time.axis[40], 0.25)));
  EXPECT_FLOAT_EQ(time.exact[40], static_cast<float>(time.axis[40] + 2.5));
  EXPECT_THAT(time.mean, IsEmpty()) << "one trial has no spread";
  const Profile& side = profiles[1];
  EXPECT_EQ(side.field + side.coordinate + side.cut, "utx");
  EXPECT_EQ(side.axis.back(), 2);
  EXPECT_FLOAT_EQ(side.best[7], static_cast<float>(value_at(solutions[0], "u", 1, side.axis[7])));
  EXPECT_EQ(profiles[2].field + profiles[2].coordinate + profiles[2].cut, "fx");
  EXPECT_FLOAT_EQ(profiles[2].exact[9], static_cast<float>(std::pow(profiles[2].axis[9], 2)));
}

TEST(ProfileViewTest, SpreadsOverTrials) {
  const problem::Problem problem = problem::read_problem(kHeatText, "heat.toml");
  const std::vector<train::Solution> solutions = untrained(problem, 2);
  const std::vector<Profile> profiles = field_profiles(problem, solutions, 1);
  ASSERT_THAT(profiles, SizeIs(6)) << "five times of u without [report], and f";
  const Profile& profile = profiles[3];
  EXPECT_EQ(profile.place, 1.5);
  const double x = profile.axis[11], a = value_at(solutions[0], "u", x, 1.5), b = value_at(solutions[1], "u", x, 1.5);
  EXPECT_FLOAT_EQ(profile.best[11], static_cast<float>(b));
  EXPECT_FLOAT_EQ(profile.mean[11], static_cast<float>((a + b) / 2));
  EXPECT_FLOAT_EQ(profile.deviation[11], static_cast<float>(std::abs(a - b) / std::sqrt(2)));  // n − 1 = 1
}

TEST(ProfileViewTest, AnExactSolutionOfTheLastTimeIsShownThereOnly) {
  const problem::Problem problem =
      problem::read_problem(std::string(kHeatText) + "[evaluate]\nfinal_only = true\n", "heat.toml");
  const std::vector<Profile> profiles = field_profiles(problem, untrained(problem, 1), 0);
  EXPECT_THAT(profiles[3].exact, IsEmpty());
  EXPECT_THAT(profiles[4].exact, SizeIs(201));
}

TEST(ProfileViewTest, LinesEndWhereTheDomainDoes) {
  problem::Problem problem = problem::read_problem(kHeatText, "heat.toml");
  problem.domain = std::make_shared<sampling::HalfDomain>(problem.box);  // x ≤ 1/2
  const Profile profile = field_profiles(problem, untrained(problem, 1), 0)[0];
  ASSERT_EQ(profile.coordinate, "x");
  for (std::size_t i = 0; i < profile.axis.size(); ++i) {
    EXPECT_EQ(std::isnan(profile.best[i]), profile.axis[i] > 0.5) << i;
    EXPECT_EQ(std::isnan(profile.exact[i]), profile.axis[i] > 0.5) << i;
  }
}

}  // namespace
}  // namespace pecann::page
