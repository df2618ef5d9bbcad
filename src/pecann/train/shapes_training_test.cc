// Training on a domain with shapes: windows, redrawn, near and held-out points, errors, and the same bits after a
// checkpoint and on any number of threads.
#include <gtest/gtest.h>

#include <cmath>

#include "pecann/base/parallel.h"
#include "pecann/sampling/domain.h"
#include "pecann/sampling/mesh_nodes.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/held_out.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"

namespace pecann::train {
namespace {

problem::Problem plate(const std::vector<std::string>& overrides = {}) {
  return problem::read_problem(R"toml(
coordinates = { x = [-1, 1], y = [-1, 1], t = [0, 1] }
domain = "box - hole"
[shapes]
hole = { disc = { centre = [0.2, 0], radius = 0.5 } }
[exact]
u = "exp(-2*t)*cos(x)*sin(y)"
[[network]]
fields = ["u"]
hidden = [6, 6]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t = laplacian(u)"
points = { sobol = 60, near = 40, density = "abs(u_x)", redraw = 2 }
[[term]]
name = "rim"
role = "constraint"
region = "hole"
equation = "dn(u) = dn(exact.u)"
points = { sobol = 30, near = 20, density = "residual" }
[[term]]
name = "start"
role = "constraint"
region = "initial"
equation = "u = exact.u"
points = { uniform = 40 }
[[phase]]
optimizer = "adam"
epochs = 6
[windows]
count = 2
[evaluate]
grid = [21, 21, 3]
every = 2
)toml",
                               "plate.toml", overrides);
}

void expect_in_the_domain(const problem::Problem& problem, const sampling::PointSet& points) {
  for (const char inside : problem.domain->mask(points)) EXPECT_TRUE(inside);
}

TEST(ShapesTraining, PointsOfWindowsLieInTheDomainWithTheirNormals) {
  const problem::Problem problem = plate();
  Solution finished(problem, 1);
  const evaluate::Model model(problem, normalisation_box(problem, {0, 2}), 1);
  finished.add_window(model.initial_parameters(3));
  Assembly assembly(problem, 1, {1, 2}, finished);
  assembly.redraw(1, model.initial_parameters(4));
  for (std::size_t t = 0; t < 3; ++t) {
    const sampling::PointSet& points = assembly.points_of(assembly.evaluator().terms()[t].point_set);
    expect_in_the_domain(problem, points);
    for (std::size_t i = 0; i < points.count; ++i) {
      const double time = points.coordinates[2][i];
      EXPECT_TRUE(t == 2 ? time == 0.5 : time > 0.5 && time < 1) << time;
    }
  }
  const sampling::PointSet& rim = assembly.points_of(assembly.evaluator().terms()[1].point_set);
  EXPECT_GT(rim.count, 40u);
  for (std::size_t i = 0; i < rim.count; ++i) {  // out of the domain is into the hole
    EXPECT_NEAR(rim.column("normal.x")[i], -(rim.coordinates[0][i] - 0.2) / 0.5, 1e-12);
    EXPECT_NEAR(rim.column("normal.y")[i], -rim.coordinates[1][i] / 0.5, 1e-12);
  }
}

TEST(ShapesTraining, HeldOutPointsAreOfTheSameRegions) {
  const problem::Problem fresh = held_out_problem(plate(), 100, 2000);
  for (const problem::TermSpec& term : fresh.terms) {
    EXPECT_NEAR(static_cast<double>(term.points.count), 100, 5) << term.name;
    RandomStream stream(2, "fresh");
    const sampling::PointSet points = term.regions[0]->sample(term.points, stream);
    for (const char here : term.regions[0]->contains(points)) EXPECT_TRUE(here);
  }
}

TEST(ShapesTraining, ErrorsAreThoseOfTheDomain) {
  const problem::Problem problem = plate();
  const sampling::PointSet points = evaluation_points(problem, problem.box);
  expect_in_the_domain(problem, points);
  std::size_t inside = 0;
  for (int i = 0; i < 21; ++i)
    for (int j = 0; j < 21; ++j) inside += std::hypot(-1 + 0.1 * i - 0.2, -1 + 0.1 * j) > 0.5 - 1e-12;
  EXPECT_EQ(points.count, 3 * inside);
}

std::vector<double> losses(const problem::Problem& problem) {
  Trainer trainer(problem, 7);
  testing::Rows rows;
  trainer.add_observer(rows);
  trainer.run();
  std::vector<double> all;
  for (const EpochRecord& record : rows.rows) all.push_back(record.loss);
  return all;
}

/// The nodes of a Gmsh file that lie in the domain, here a plate whose core is cut out, at three times; the error is that
/// of these numbers.
TEST(ShapesTraining, ErrorsAreTakenAtTheNodesOfAMesh) {
  const problem::Problem whole = plate({"shapes.part={file='tests/meshes/plate-msh41-text.msh'}", "evaluate.mesh=part",
                                        "domain=part", "term.rim.region=part", "windows.count=1"});
  const mesh::Mesh& mesh = *whole.domain->mesh("part");
  const sampling::PointSet all = evaluation_points(whole, whole.box);
  EXPECT_EQ(all.count, 3 * sampling::nodes_of_cells(mesh).size());
  const problem::Problem problem =
      plate({"shapes.part={file='tests/meshes/plate-msh41-text.msh'}", "evaluate.mesh=part", "windows.count=1"});
  const sampling::PointSet points = evaluation_points(problem, problem.box);
  EXPECT_GT(points.count, 0u);
  EXPECT_LT(points.count, all.count);
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < points.count; ++i) {
    const double x = points.coordinates[0][i], y = points.coordinates[1][i], t = points.coordinates[2][i];
    EXPECT_GE(std::hypot(x - 0.2, y), 0.5 - 1e-9);
    const double exact = std::exp(-2 * t) * std::cos(x) * std::sin(y);
    difference += (0.5 - exact) * (0.5 - exact);
    norm += exact * exact;
  }
  const evaluate::Model model(problem, problem.box, 1);
  std::vector<double> parameters(model.num_parameters(), 0.0);
  parameters.back() = 0.5;  // the constant ½
  EXPECT_NEAR(ErrorNorms(problem, model, problem.box).measure(parameters)[0].relative_l2, std::sqrt(difference / norm),
              1e-12);
}

TEST(ShapesTraining, TheNumberOfThreadsChangesNoBit) {
  const int before = static_cast<int>(thread_count());
  set_thread_count(1);
  const std::vector<double> one = losses(plate());
  set_thread_count(3);
  const std::vector<double> three = losses(plate());
  set_thread_count(before);
  ASSERT_EQ(one.size(), 12u);
  EXPECT_EQ(one, three);
}

TEST(ShapesTraining, ACheckpointBringsThePointsBack) {
  const problem::Problem problem = plate();
  const Solution nothing(problem, 1);
  Assembly ready(problem, 1, {0, 2}, nothing), resumed(problem, 1, {0, 2}, nothing);
  const std::vector<double> parameters = ready.model().initial_parameters(3);
  for (long epoch = 1; epoch <= 4; ++epoch) ready.redraw(epoch, parameters);
  StateWriter writer;
  ready.save(writer);
  resumed.load(StateReader(writer.bytes()));
  for (std::size_t set = 0; set < 3; ++set) {
    EXPECT_EQ(ready.points_of(set).coordinates, resumed.points_of(set).coordinates);
    EXPECT_EQ(ready.points_of(set).columns, resumed.points_of(set).columns);
  }
}

}  // namespace
}  // namespace pecann::train
