#include "pecann/page/field_view.h"

#include <gmock/gmock.h>

#include <cmath>

#include "pecann/evaluate/model.h"
#include "pecann/reference/registry.h"
#include "pecann/results/sample_runs.h"
#include "pecann/sampling/test_regions.h"
#include "pecann/train/error_norms.h"

namespace pecann::page {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

double value_at(const train::Solution& solution, const std::string& field, const std::vector<double>& point) {
  sampling::PointSet points;
  points.count = 1;
  for (const double coordinate : point) points.coordinates.emplace_back(points.padded(), coordinate);
  std::vector<std::vector<double>> values;
  const std::vector<expr::Expr> read = {expr::field(field)};
  solution.evaluate(read, points, values);
  return values[0][0];
}

TEST(FieldViewTest, OneCoordinateIsACurveWithItsError) {
  const results::TemporaryFolder folder;
  const problem::Problem problem = results::make_run(folder / "run", results::kPoissonText);
  const train::Solution solution = train::load_solution(problem, folder / "run", 1);
  const std::vector<FieldView> views = field_views(problem, solution, 600000);
  ASSERT_THAT(views, SizeIs(1));
  EXPECT_THAT(views[0].coordinates, ElementsAre("x"));
  EXPECT_THAT(views[0].axes[0], SizeIs(201));
  ASSERT_THAT(views[0].prediction, SizeIs(201));
  const double x = views[0].axes[0][30], u = value_at(solution, "u", {x});
  EXPECT_FLOAT_EQ(views[0].prediction[30], static_cast<float>(u));
  EXPECT_NEAR(views[0].error[30], u - std::sin(2 * M_PI * x), 1e-7);
}

TEST(FieldViewTest, AFunctionWithAnExactSolutionIsShownLikeAField) {
  const results::TemporaryFolder folder;
  std::string toml = results::kPoissonText;
  toml.replace(toml.find("[exact]"), 7, "[functions]\ntwice = \"2*u\"\n[exact]\ntwice = \"2*sin(2*pi*x)\"");
  const problem::Problem problem = results::make_run(folder / "run", toml);
  const train::Solution solution = train::load_solution(problem, folder / "run", 1);
  const std::vector<FieldView> views = field_views(problem, solution, 600000);
  ASSERT_THAT(views, SizeIs(2));
  EXPECT_EQ(views[1].name, "twice");
  EXPECT_THAT(views[1].coordinates, ElementsAre("x"));
  EXPECT_FLOAT_EQ(views[1].prediction[30], 2 * views[0].prediction[30]);
  EXPECT_FLOAT_EQ(views[1].error[30], 2 * views[0].error[30]);
}

TEST(FieldViewTest, AFunctionOfFieldsIsShownWhereItIsANumber) {
  const results::TemporaryFolder folder;
  std::string toml = results::kPoissonText;
  toml.replace(toml.find("[exact]"), 7, R"toml([functions]
ansatz = "x*(1 - x)*u"
pair = "[u, u_x]"
force = "sin(x)"
"f(a)" = "a*u"
[exact])toml");
  const problem::Problem problem = results::make_run(folder / "run", toml);
  const train::Solution solution = train::load_solution(problem, folder / "run", 1);
  const std::vector<FieldView> views = field_views(problem, solution, 600000);
  ASSERT_THAT(views, SizeIs(2));
  EXPECT_EQ(views[1].name, "ansatz");
  const double x = views[1].axes[0][30];
  EXPECT_FLOAT_EQ(views[1].prediction[30], static_cast<float>(x * (1 - x) * value_at(solution, "u", {x})));
  EXPECT_THAT(views[1].error, SizeIs(0));
}

TEST(FieldViewTest, AReferenceThatIsKnownOnGridsStandsForAnExactSolution) {
  problem::Problem problem = problem::read_problem(R"toml(
coordinates = { x = [0, 1], y = [0, 1] }
constants = { k = 3, width = 0.2 }
reference = "helmholtz-source"
[[network]]
fields = ["u"]
hidden = [3]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "laplacian(u) + k^2*u = 1"
points = { grid = [5, 5] }
)toml",
                                                   "helmholtz.toml");
  train::Solution solution(problem, 1);
  solution.add_window(std::vector<double>(evaluate::Model(problem, problem.box, 1).num_parameters(), 0.0));
  const FieldView view = field_views(problem, solution, 10000)[0];
  ASSERT_EQ(view.error.size(), view.prediction.size());
  const int nodes = static_cast<int>(view.axes[0].size());
  const std::vector<double> series =
      reference::make_reference(train::reference_subject(problem, problem.box, {nodes, nodes}))->values("u");
  for (std::size_t i = 0; i < series.size(); ++i) EXPECT_EQ(view.error[i], static_cast<float>(-series[i]));
  problem.reference = "table.csv";
  EXPECT_TRUE(field_views(problem, solution, 10000)[0].error.empty()) << "known at its own points, and not read here";
}

TEST(FieldViewTest, ThreeCoordinatesAreAMapWithFramesInTime) {
  const results::TemporaryFolder folder;
  const problem::Problem problem = results::make_run(folder / "run", results::kTransportText);
  const train::Solution solution = train::load_solution(problem, folder / "run", 1);
  const FieldView view = field_views(problem, solution, 20000)[0];
  EXPECT_THAT(view.coordinates, ElementsAre("x", "y"));
  EXPECT_EQ(view.slider, "t");
  EXPECT_THAT(view.frames, SizeIs(4)) << "three windows, their ends";
  EXPECT_TRUE(view.sigmoid);
  const std::size_t width = view.axes[0].size(), height = view.axes[1].size();
  EXPECT_EQ(view.prediction.size(), width * height * 4);
  EXPECT_LE(view.prediction.size() + view.error.size(), 20000u);
  const std::size_t i = 7, j = 3, frame = 2;
  const double u = value_at(solution, "phi", {view.axes[0][i], view.axes[1][j], view.frames[frame]});
  EXPECT_FLOAT_EQ(view.prediction[(frame * height + j) * width + i], static_cast<float>(u));
}

TEST(FieldViewTest, SnapshotsAreTakenAtTheTimesAskedFor) {
  const results::TemporaryFolder folder;
  const problem::Problem problem = results::make_run(
      folder / "run", "report = { snapshots = [2, 0.3], contours = { levels = [0.5], t = [0.7, 2] } }\n" +
                          std::string(results::kTransportText));
  const train::Solution solution = train::load_solution(problem, folder / "run", 1);
  const std::vector<FieldView> views = snapshot_views(problem, solution);
  ASSERT_THAT(views, SizeIs(1));
  EXPECT_THAT(views[0].frames, ElementsAre(0.3, 0.7, 2));
  EXPECT_THAT(views[0].error, SizeIs(0));
  const std::size_t width = views[0].axes[0].size(), height = views[0].axes[1].size(), i = 100, j = 5;
  for (std::size_t frame = 0; frame < 3; ++frame)
    EXPECT_FLOAT_EQ(views[0].prediction[(frame * height + j) * width + i],
                    static_cast<float>(
                        value_at(solution, "phi", {views[0].axes[0][i], views[0].axes[1][j], views[0].frames[frame]})));
}

TEST(FieldViewTest, WithoutTimesThereAreFiveSnapshots) {
  const results::TemporaryFolder folder;
  const problem::Problem problem = results::make_run(folder / "run", results::kTransportText);
  const std::vector<FieldView> views = snapshot_views(problem, train::load_solution(problem, folder / "run", 1));
  EXPECT_THAT(views.at(0).frames, ElementsAre(0, 0.5, 1, 1.5, 2));
}

TEST(FieldViewTest, AnExactSolutionOfTheLastTimeGivesOneFrameOfErrors) {
  const results::TemporaryFolder folder;
  const problem::Problem problem =
      results::make_run(folder / "run", std::string(results::kTransportText) + "final_only = true\n");
  const FieldView view = field_views(problem, train::load_solution(problem, folder / "run", 1), 20000)[0];
  EXPECT_EQ(view.error.size(), view.axes[0].size() * view.axes[1].size());
  EXPECT_EQ(view.prediction.size(), 4 * view.error.size());
}

TEST(FieldViewTest, CoordinatesThatAFieldDoesNotReadAreNotNamed) {
  const results::TemporaryFolder folder;
  std::string toml = results::kTransportText;
  toml.replace(toml.find("hidden"), 0, "inputs = [\"x\", \"t\"]\n");
  const problem::Problem problem = results::make_run(folder / "run", toml);
  const FieldView view = field_views(problem, train::load_solution(problem, folder / "run", 1), 600000)[0];
  EXPECT_THAT(view.coordinates, ElementsAre("x", "t"));
  EXPECT_TRUE(view.fixed.empty());
}

TEST(FieldViewTest, FrozenCoordinatesAreNamedAndLeftOut) {
  const results::TemporaryFolder folder;
  const problem::Problem problem = results::make_run(
      folder / "run", std::string(results::kTransportText) + "[evaluate.at]\nphi = { t = 1.5, y = 0.25 }\n");
  const train::Solution solution = train::load_solution(problem, folder / "run", 1);
  const FieldView view = field_views(problem, solution, 600000)[0];
  EXPECT_THAT(view.coordinates, ElementsAre("x"));
  EXPECT_THAT(view.fixed, ElementsAre(testing::Pair("t", 1.5), testing::Pair("y", 0.25)));
  EXPECT_FLOAT_EQ(view.prediction[10], static_cast<float>(value_at(solution, "phi", {view.axes[0][10], 0.25, 1.5})));
}

TEST(FieldViewTest, OutsideTheDomainThereIsNothingToSee) {
  const results::TemporaryFolder folder;
  problem::Problem problem = results::make_run(folder / "run", results::kTransportText);
  problem.domain = std::make_shared<sampling::HalfDomain>(problem.box);
  const train::Solution solution = train::load_solution(problem, folder / "run", 1);
  const FieldView view = field_views(problem, solution, 20000)[0];
  const double middle = 0.5 * (problem.box.lower[0] + problem.box.upper[0]);
  const std::size_t width = view.axes[0].size();
  for (std::size_t i = 0; i < view.prediction.size(); ++i)
    ASSERT_EQ(std::isnan(view.prediction[i]), view.axes[0][i % width] > middle) << i;
}

TEST(FieldViewTest, MapsHaveTheOutlineOfTheirDomain) {
  const problem::Problem problem = problem::read_problem(R"toml(
coordinates = { x = [-1, 1], y = [-1, 1] }
domain = "box - hole"
shapes = { hole = { disc = { centre = [0, 0], radius = 0.5 } } }
network = [{ fields = ["u"], hidden = [3] }]
[[term]]
name = "rim"
role = "objective"
region = "hole"
equation = "dn(u) = 1"
points = { sobol = 5 }
)toml",
                                                         "hole.toml");
  train::Solution solution(problem, 1);
  solution.add_window(std::vector<double>(evaluate::Model(problem, problem.box, 1).num_parameters(), 0.0));
  const FieldView view = field_views(problem, solution, 10000)[0];
  ASSERT_THAT(view.outline, SizeIs(5));  // the hole and four sides
  for (std::size_t i = 0; i < view.outline[0][0].size(); ++i)
    EXPECT_NEAR(std::hypot(view.outline[0][0][i], view.outline[0][1][i]), 0.5, 1e-12);
  const std::size_t width = view.axes[0].size();
  for (std::size_t i = 0; i < view.prediction.size(); ++i)
    ASSERT_EQ(std::isnan(view.prediction[i]), std::hypot(view.axes[0][i % width], view.axes[1][i / width]) < 0.5) << i;
}

}  // namespace
}  // namespace pecann::page
