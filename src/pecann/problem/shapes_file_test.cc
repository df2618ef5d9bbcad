// domain and [shapes] in problem files: what is read is written again, and mistakes are named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/problem/problem_file.h"
#include "pecann/problem/scope.h"

namespace pecann::problem {
namespace {

using ::testing::HasSubstr;

/// A problem on a plate, with these lines for its domain and its second term.
std::string plate(const std::string& shapes, const std::string& region = "\"hole\"",
                  const std::string& equation = "dn(u) = 1", const std::string& points = "{ sobol = 40 }") {
  return R"toml(coordinates = { x = [-1, 1], y = [-1, 1], t = [0, 1] }
)toml" + shapes +
         R"toml(
[[network]]
fields = ["u"]
hidden = [4]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t = laplacian(u)"
points = { sobol = 50 }
[[term]]
name = "rim"
role = "constraint"
region = )toml" +
         region + "\nequation = \"" + equation + "\"\npoints = " + points + "\n";
}

const std::string kHole = "domain = \"box - hole\"\n[shapes]\nhole = { disc = { centre = [0, 0.1], radius = 0.5 } }\n";

std::string shape_refusal(const std::string& text) {
  try {
    read_problem(text, "plate.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ShapesFile, WhatIsReadIsWrittenAgain) {
  const std::string shapes = R"toml(domain = "(box - a - b) & (c + d + e + f)"
[constants]
r = 0.1
[shapes]
a = { disc = { centre = [0.5, 0.5], radius = "2*r" } }
b = { polygon = [[-0.5, -0.5], [-0.2, -0.5], [-0.3, -0.1]] }
c = { ellipse = { centre = [0, 0], radii = [0.9, 0.5] } }
d = { half-space = { point = [0, 0], normal = [0, 1] } }
e = { where = "x^2 + 2*y^2 < 0.25" }
f = { box = { x = [0, 1] } }
)toml";
  const Problem problem =
      read_problem(plate(shapes, "[\"a\", \"inside c\", \"x = 0\", { x = -0.9, y = -0.8 }]", "u = 1"), "plate.toml");
  const std::string written = write_problem(problem);
  EXPECT_THAT(written, HasSubstr("domain = \"(box - a - b) & (c + d + e + f)\""));
  EXPECT_THAT(written, HasSubstr("a = { disc = { centre = [0.5, 0.5], radius = 0.2 } }"));
  EXPECT_THAT(written, HasSubstr("f = { box = { lower = [0, -1], upper = [1, 1] } }"));
  EXPECT_THAT(written, HasSubstr("e = { where = \"x^2 + 2*y^2 < 0.25\" }"));
  EXPECT_THAT(written, HasSubstr("region = [\"a\", \"inside c\", \"x = 0\", { x = -0.9, y = -0.8 }]"));
  EXPECT_EQ(write_problem(read_problem(written, "again.toml")).substr(0, written.find("[origin]")),
            written.substr(0, written.find("[origin]")));
}

TEST(ShapesFile, ShapesAreTurned) {
  const std::string shapes = R"toml(domain = "box - a - b"
[shapes]
a = { ellipse = { centre = [0.5, 0.5], radii = [0.3, 0.1] }, angle = "pi/4" }
b = { box = { lower = [-0.5, -0.5], upper = [0, 0] }, angle = 0.5, about = [-0.5, -0.5] }
)toml";
  const Problem problem = read_problem(plate(shapes, "[\"a\", \"b\"]", "u = 1"), "plate.toml");
  const std::string written = write_problem(problem);
  EXPECT_THAT(written, HasSubstr("a = { ellipse = { centre = [0.5, 0.5], radii = [0.3, 0.1] }, angle = "
                                 "0.7853981633974483, about = [0.5, 0.5] }"));
  EXPECT_THAT(written, HasSubstr("angle = 0.5, about = [-0.5, -0.5] }"));
  EXPECT_EQ(write_problem(read_problem(written, "again.toml")), written);
  EXPECT_FALSE(problem.domain->contains(std::vector<double>{0.68, 0.68, 0.5}));
  EXPECT_TRUE(problem.domain->contains(std::vector<double>{0.68, 0.32, 0.5}));

  const auto refusal = [&](const std::string& shape) {
    return shape_refusal(plate("domain = \"box - hole\"\n[shapes]\nhole = { " + shape + " }\n"));
  };
  const std::string square = "box = { lower = [0, 0], upper = [0.5, 0.5] }";
  EXPECT_THAT(
      refusal("disc = { centre = [0, 0], radius = 0.5 }, angle = 1"),
      HasSubstr("plate.toml:4: shapes.hole.angle = 1: a disc is not turned; these are: box, ellipse, ellipsoid, "
                "polygon"));
  EXPECT_THAT(refusal(square + ", about = [0, 0]"), HasSubstr("is for shapes with an angle"));
  EXPECT_THAT(refusal(square + ", angle = 1, axis = [0, 0, 1]"), HasSubstr("is for three dimensions"));
  EXPECT_THAT(refusal(square + ", angle = 1, about = [0]"), HasSubstr("must have 2 numbers"));
  EXPECT_THAT(refusal(square + ", angel = 1"), HasSubstr("a shape is one of"));
}

TEST(ShapesFile, NormalDerivativesAreThoseOfTheNormal) {
  const Problem problem = read_problem(plate(kHole, "\"hole\"", "dn(u^2) = normal.x + normal.y*t"), "plate.toml");
  const expr::Expr by_hand = expr::parse_equation("normal.x*(2*u*u_x) + normal.y*(2*u*u_y) = normal.x + normal.y*t",
                                                  equation_scope(problem, problem.terms[1]));
  EXPECT_TRUE(reads_normal(problem.terms[1].residuals[0]));
  EXPECT_FALSE(reads_normal(problem.terms[0].residuals[0]));
  EXPECT_EQ(expr::to_string(problem.terms[1].residuals[0]), expr::to_string(by_hand));
}

TEST(ShapesFile, LevelSetsAreShapesLikeOthers) {
  const Problem problem = read_problem(
      plate("domain = \"box - blob\"\n[shapes]\nblob = { where = \"x^2 + y^2 < 0.25\" }\n", "\"blob\""), "plate.toml");
  EXPECT_NEAR(problem.domain->at_start({})->measure(), 4 - M_PI / 4, 1e-5);
  EXPECT_NEAR(problem.domain->on_shape("blob", {})->measure(), M_PI, 1e-5);
  RandomStream stream(1, "blob");
  const sampling::PointSet points = problem.terms[1].regions[0]->sample(
      {.kind = sampling::PointRule::Kind::Sobol, .count = 300}, stream, {.normals = true});
  for (std::size_t i = 0; i < points.count; ++i) {
    EXPECT_NEAR(std::hypot(points.coordinates[0][i], points.coordinates[1][i]), 0.5, 1e-13);
    EXPECT_NEAR(points.column("normal.x")[i], -points.coordinates[0][i] / 0.5, 1e-12);
  }
  const std::string names[] = {"x", "y", "t"};
  EXPECT_THAT(problem.domain->cpp_condition(names), HasSubstr("std::pow(x, (2.0))"));
}

TEST(ShapesFile, LevelSetsInSpaceHaveSurfaces) {
  const std::string ball =
      "coordinates = { x = [-1, 1], y = [-1, 1], z = [-1, 1] }\ndomain = \"blob\"\n[shapes]\nblob = { where = "
      "\"x^2 + y^2 + z^2 < 0.49\" }\n[[network]]\nfields = [\"u\"]\nhidden = [4]\n[[term]]\nname = "
      "\"a\"\nrole = \"objective\"\nregion = \"boundary\"\nequation = \"u = 1\"\npoints = { sobol = 100 }\n";
  const Problem problem = read_problem(ball, "ball.toml");
  EXPECT_NEAR(problem.domain->boundary({})->measure(), 4 * M_PI * 0.49, 5e-3);
  EXPECT_NEAR(problem.domain->interior({})->measure(), 4.0 / 3 * M_PI * 0.343, 5e-3);
}

TEST(ShapesFile, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(shape_refusal(plate(kHole)), "");
  EXPECT_THAT(shape_refusal(plate(kHole, "\"hoel\"")), HasSubstr("did you mean 'hole'"));
  EXPECT_THAT(shape_refusal(plate(kHole, "\"inside hoel\"")), HasSubstr("did you mean 'hole'"));
  EXPECT_THAT(shape_refusal(plate(kHole, "\"inside hole\"", "u = 1")), HasSubstr("nothing of the domain lies there"));
  EXPECT_THAT(shape_refusal(plate(kHole, "\"interior\"")), HasSubstr("normals"));
  EXPECT_THAT(shape_refusal(plate(kHole, "{ x = 0, y = 0 }", "u = 1")), HasSubstr("outside the domain"));
  EXPECT_THAT(shape_refusal(plate(kHole, "{ x = 0.9 }", "u = 1")), HasSubstr("y"));
  EXPECT_THAT(shape_refusal(plate(kHole, "\"hole\"", "u = 1", "{ grid = [9, 9, 9] }")),
              HasSubstr("no nodes on 'hole'"));
  const auto shape = [](const std::string& text) { return shape_refusal(plate("[shapes]\nhole = " + text + "\n")); };
  EXPECT_THAT(shape("{ disk = { centre = [0, 0], radius = 1 } }"), HasSubstr("did you mean 'disc'"));
  EXPECT_THAT(shape("{ disc = { center = [0, 0], radius = 1 } }"), HasSubstr("is 'center' meant to be 'centre'?"));
  EXPECT_THAT(shape("{ disc = { centre = [0, 0], radius = 0 } }"), HasSubstr("shapes.hole.disc.radius"));
  EXPECT_THAT(shape("{ disc = { centre = [0, 0, 0], radius = 1 } }"), HasSubstr("2 numbers"));
  EXPECT_THAT(shape("{ disc = { centre = [0, 0], radius = 1e-9 } }"), HasSubstr("shapes.hole"));
  EXPECT_THAT(shape("{ disc = { centre = [0, 0], radius = 1e300 } }"), HasSubstr("shapes.hole"));
  EXPECT_THAT(shape("{ polygon = [[0, 0], [1e300, 0], [0, 1e300]] }"), HasSubstr("shapes.hole"));
  EXPECT_THAT(shape("{ disc = { centre = [nan, 0], radius = 1 } }"), HasSubstr("shapes.hole.disc.centre"));
  EXPECT_THAT(shape("{ ellipsoid = { centre = [0, 0], radii = [1, 1] } }"), HasSubstr("3 coordinates in space"));
  EXPECT_THAT(shape("{ polygon = [[0, 0], [1, 1], [1, 0], [0, 1]] }"), HasSubstr("cross"));
  EXPECT_THAT(shape("{ where = \"x + y\" }"), HasSubstr("comparison"));
  EXPECT_THAT(shape("{ where = \"x + t < 1\" }"), HasSubstr("unknown name 't'"));
  EXPECT_THAT(shape("{ where = \"u < 1\" }"), HasSubstr("unknown name 'u'"));
  EXPECT_THAT(shape_refusal(plate("[shapes]\nbox = { disc = { centre = [0, 0], radius = 1 } }\n")),
              HasSubstr("cannot name"));
  EXPECT_THAT(shape_refusal(plate("domain = \"box - hole\"\n")), HasSubstr("plate.toml:2"));
  EXPECT_THAT(
      shape_refusal(plate("domain = \"hole - box\"\n[shapes]\nhole = { disc = { centre = [0, 0], radius = 1 } }\n")),
      HasSubstr("empty"));
}

/// A plate of the tests' meshes, with this for its second term's region.
std::string mesh_plate(const std::string& region, const std::string& domain = "part") {
  return "coordinates = { x = [-1, 1], y = [-1, 1] }\ndomain = \"" + domain + R"toml("
[shapes]
part = { file = "tests/meshes/plate-msh41-binary.msh" }
[[network]]
fields = ["u"]
hidden = [4]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "laplacian(u) = 1"
points = { sobol = 50 }
[[term]]
name = "rim"
role = "constraint"
equation = "u = 0"
points = { sobol = 40 }
region = )toml" +
         region + "\n";
}

TEST(ShapesFile, MeshesAreShapesAndTheirGroupsRegions) {
  for (const std::string region : {"\"left\"", "[\"right side\", \"hole\"]", "\"inside core\"", "\"part.plate\"",
                                   "\"rim of the core\"", "\"core\""}) {
    SCOPED_TRACE(region);
    const Problem problem = read_problem(mesh_plate(region), "plate.toml");
    const std::string written = write_problem(problem);
    EXPECT_THAT(written,
                HasSubstr("/tests/meshes/plate-msh41-binary.msh\" }"));  // the whole path: a run may be resumed
    const Problem again = read_problem(written, "again.toml");
    EXPECT_EQ(write_problem(again), written);
    EXPECT_EQ(again.terms[1].regions[0]->measure(), problem.terms[1].regions[0]->measure());
  }
  const Problem ring = read_problem(mesh_plate("\"core\"", "part - core"), "plate.toml");
  EXPECT_NEAR(ring.terms[0].regions[0]->measure(), 4 - M_PI * (0.09 + 0.0625), 0.02);
}

TEST(ShapesFile, ErrorsMayBeTakenAtTheNodesOfAMesh) {
  const std::string exact = "[exact]\nu = \"x\"\n";
  const auto with = [&](const std::string& lines) { return mesh_plate("\"left\"") + exact + "[evaluate]\n" + lines; };
  const Problem problem = read_problem(with("mesh = \"part\"\n"), "plate.toml");
  EXPECT_EQ(problem.evaluate.mesh, "part");
  EXPECT_EQ(write_problem(read_problem(write_problem(problem), "again.toml")), write_problem(problem));
  EXPECT_THAT(shape_refusal(with("mesh = \"prat\"\n")), HasSubstr("did you mean 'part'?"));
  EXPECT_THAT(shape_refusal(with("mesh = \"part\"\nmeasures = [\"l1\"]\n")), HasSubstr("'l1' is an integral"));
  EXPECT_THAT(shape_refusal(plate(kHole) + "[evaluate]\nmesh = \"hole\"\n"),
              HasSubstr("is no shape that is made of a mesh"));
}

TEST(ShapesFile, MistakesWithMeshesAreNamed) {
  EXPECT_THAT(shape_refusal(mesh_plate("\"lefft\"")), HasSubstr("did you mean 'left'?"));
  EXPECT_THAT(shape_refusal(mesh_plate("\"inside hole\"")), HasSubstr("there is no shape 'hole'"));
  std::string text = mesh_plate("\"left\"");
  text.replace(text.find("plate-msh41"), 11, "place-msh41");
  EXPECT_THAT(shape_refusal(text), HasSubstr("place-msh41-binary.msh"));
  text = mesh_plate("\"left\"");
  text.replace(text.find("y = [-1, 1]"), 11, "y = [-1, 1], z = [0, 1]");
  EXPECT_THAT(shape_refusal(text), HasSubstr("the mesh is flat, and the problem has three coordinates in space"));
  text = mesh_plate("\"left\"");
  text.replace(text.find("x = [-1, 1], "), 13, "");
  EXPECT_THAT(shape_refusal(text), HasSubstr("a mesh has 2 or 3 coordinates in space; the problem has 1"));
}

}  // namespace
}  // namespace pecann::problem
