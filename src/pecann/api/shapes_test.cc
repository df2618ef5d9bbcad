// Domains of shapes and meshes in C++, and that they are those of files.
#include <gmock/gmock.h>

#include "pecann/api/watched_training.h"
#include "pecann/pecann.h"

namespace pecann {
namespace {

const Coordinate x("x", -1, 1);

TEST(ShapesTest, DomainsOfShapesTrainToTheBitsOfTheirFile) {
  const Coordinate y("y", -1, 1);
  const Field v("v", {x, y});
  const Shape hole = disc("hole", {0.2, 0}, 0.3), corner = turned(box("corner", {0.5, 0.5}, {0.8, 0.7}), 0.25),
              core = where("core", (x + 0.5) * (x + 0.5) + y * y < 0.04);
  Problem made("A plate", {x, y});
  made.domain(box() - (hole + corner), {core})
      .network({v}, {.hidden = {6}})
      .objective("pde", laplacian(v) == 1, interior(), sobol(40))
      .objective("core", v == normal(x) * v + 2, on(core), sobol(20))
      .objective("inside", v == 1, inside(core), sobol(10))
      .constraint("rim", dn(v) == normal(x), on(hole) | on(corner), sobol(30))
      .phase({.optimizer = "lbfgs", .epochs = 4});
  const std::string text = R"toml(
coordinates = { x = [-1, 1], y = [-1, 1] }
domain = "box - (hole + corner)"
[shapes]
hole = { disc = { centre = [0.2, 0], radius = 0.3 } }
corner = { box = { lower = [0.5, 0.5], upper = [0.8, 0.7] }, angle = 0.25 }
core = { where = "(x + 0.5)*(x + 0.5) + y*y < 0.04" }
[[network]]
fields = ["v"]
hidden = [6]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "laplacian(v) = 1"
points = { sobol = 40 }
[[term]]
name = "core"
role = "objective"
region = "core"
equation = "v = normal.x*v + 2"
points = { sobol = 20 }
[[term]]
name = "inside"
role = "objective"
region = "inside core"
equation = "v = 1"
points = { sobol = 10 }
[[term]]
name = "rim"
role = "constraint"
region = ["hole", "corner"]
equation = "dn(v) = normal.x"
points = { sobol = 30 }
[[phase]]
optimizer = "lbfgs"
epochs = 4
)toml";
  const Watched ours = watched(made);
  ASSERT_EQ(ours.epochs.size(), 4u);
  expect_same_history(ours, watched(Problem::from_text(text)));
  EXPECT_THROW(made.domain(box() - disc("hole", {0, 0}, -1)), std::runtime_error);
  EXPECT_THROW(made.constraint("other", v == 1, on(disc("unknown", {0, 0}, 1)), sobol(5)), std::runtime_error);
  EXPECT_THROW(on(hole + corner), std::runtime_error);
  EXPECT_THROW(turned(hole + corner, 1), std::runtime_error);
  EXPECT_THROW(made.domain(box() - turned(hole, 1)), std::runtime_error);  // a disc
}

TEST(ShapesTest, MeshesTellTheirGroups) {
  const Mesh part = Mesh::read("part", "tests/meshes/plate-msh41-text.msh");
  EXPECT_EQ(part.dimension(), 2);
  EXPECT_GT(part.points(), 100u);
  EXPECT_GT(part.cells(), part.points());  // triangles
  EXPECT_THAT(part.boundaries(), ::testing::IsSupersetOf({"left", "right side", "hole", "ends"}));
  EXPECT_THAT(part.materials(), ::testing::UnorderedElementsAre("plate", "core"));
  const Coordinate y("y", -1, 1);
  const Field v("v", {x, y});
  Problem made("A plate", {x, y});
  made.domain(part).network({v}, {.hidden = {6}});
  int sides = 0;
  for (const std::string& side : part.boundaries())
    made.constraint("side-" + std::to_string(++sides), v == 1, on(side), sobol(5));
  for (const std::string& material : part.materials())
    made.objective(material, laplacian(v) == 1, inside(material), sobol(5));
  EXPECT_THAT(made.text(), ::testing::HasSubstr("\"inside core\""));
  EXPECT_THROW(Mesh::read("part", "no-such.msh"), std::runtime_error);
  const Mesh surface = Mesh::read("bracket", "tests/meshes/bracket-binary.stl");
  EXPECT_EQ(surface.dimension(), 3);
  EXPECT_EQ(surface.cells(), 0u);
  EXPECT_TRUE(surface.materials().empty());
}

}  // namespace
}  // namespace pecann
