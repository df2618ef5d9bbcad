// Meshes that Gmsh wrote (tests/meshes/make), and what is wrong with others.
#include "pecann/mesh/mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "pecann/base/input_error.h"
#include "pecann/base/read_file.h"
#include "pecann/mesh/body.h"
#include "pecann/mesh/point_data.h"

namespace pecann::mesh {
namespace {

using ::testing::HasSubstr;

const std::string kFolder = "tests/meshes/";

double length_of(const Body& body, const NamedFacets& side) {
  double sum = 0;
  for (const Facet& facet : side.facets)
    sum += std::hypot(body.points[facet[0]][0] - body.points[facet[1]][0],
                      body.points[facet[0]][1] - body.points[facet[1]][1]);
  return sum;
}

const NamedFacets& called(const std::vector<NamedFacets>& list, const std::string& name) {
  for (const NamedFacets& entry : list)
    if (entry.name == name) return entry;
  throw std::runtime_error("no " + name);
}

/// The sum over the cells, each by its own formula.
double measure_of_cells(const Mesh& mesh, CellKind kind) {
  double sum = 0;
  for (std::size_t c = 0; c < mesh.cells(); ++c) {
    if (mesh.kinds[c] != kind) continue;
    const auto node = mesh.nodes_of(c);
    const auto edge = [&](std::size_t k, std::size_t i) { return mesh.points[node[k]][i] - mesh.points[node[0]][i]; };
    if (kind == CellKind::Triangle) {
      sum += 0.5 * std::abs(edge(1, 0) * edge(2, 1) - edge(1, 1) * edge(2, 0));
    } else {
      double volume = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        volume += edge(1, i) * (edge(2, j) * edge(3, k) - edge(2, k) * edge(3, j));
      }
      sum += std::abs(volume) / 6;
    }
  }
  return sum;
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string text_cube(bool turned = false, bool open = false, int shift = 0) {
  const int corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  std::string text = "solid cube of the tests\n";
  for (int t = open ? 1 : 0; t < 12; ++t) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (int k = 0; k < 3; ++k) {
      const int corner = corners[t][turned && t % 3 == 0 ? 2 - k : k];
      text += "vertex " + std::to_string((corner & 1) + 0.25 * shift) + " " +
              std::to_string((corner >> 1 & 1) + 0.25 * shift) + " " +
              std::to_string((corner >> 2 & 1) + 0.25 * shift) + "\n";
    }
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid cube of the tests\n";
}

TEST(Mesh, GmshsFormatsOfAPlateAreTheSameMesh) {
  for (const std::string format : {"msh22-text", "msh22-binary", "msh41-text", "msh41-binary"}) {
    SCOPED_TRACE(format);
    const Mesh mesh = read_mesh(kFolder + "plate-" + format + ".msh");
    const Body body = body_of(mesh, 2);
    EXPECT_NEAR(enclosed_measure(body.points, body.whole, 2), measure_of_cells(mesh, CellKind::Triangle), 1e-13);
    EXPECT_NEAR(enclosed_measure(body.points, body.whole, 2), 4 - M_PI * 0.09, 0.01);
    ASSERT_EQ(body.sides.size(), 5u);
    EXPECT_NEAR(length_of(body, called(body.sides, "left")), 2, 1e-14);
    EXPECT_NEAR(length_of(body, called(body.sides, "right side")), 2, 1e-14);
    EXPECT_NEAR(length_of(body, called(body.sides, "ends")), 4, 1e-14);  // a second group of the same edges
    EXPECT_NEAR(length_of(body, called(body.sides, "hole")), 2 * M_PI * 0.3, 0.02);
    EXPECT_TRUE(called(body.sides, "rim of the core").inner);
    EXPECT_FALSE(called(body.sides, "hole").inner);
    ASSERT_EQ(body.volumes.size(), 2u);
    const double core = enclosed_measure(body.points, called(body.volumes, "core").facets, 2);
    EXPECT_NEAR(core, M_PI * 0.25 * 0.25, 0.01);
    EXPECT_NEAR(core + enclosed_measure(body.points, called(body.volumes, "plate").facets, 2),
                enclosed_measure(body.points, body.whole, 2), 1e-13);
  }
}

TEST(Mesh, GmshsFormatsOfABlockAreTheSameMesh) {
  double first = 0;
  for (const std::string name : {"block-msh22-text.msh", "block-msh22-binary.msh", "block-msh41-text.msh",
                                 "block-msh41-binary.msh", "block.vtk", "block-binary.vtk"}) {
    SCOPED_TRACE(name);
    const Mesh mesh = read_mesh(kFolder + name);
    const Body body = body_of(mesh, 3);
    const double volume = enclosed_measure(body.points, body.whole, 3);
    EXPECT_NEAR(volume, measure_of_cells(mesh, CellKind::Tetrahedron), 1e-13);
    if (first == 0) first = volume;
    EXPECT_NEAR(volume, first, 1e-12);
    ASSERT_EQ(body.volumes.size(), 2u);
    if (name.ends_with(".vtk")) {  // which has numbers in place of names
      EXPECT_TRUE(body.volumes[0].name.starts_with("group_")) << body.volumes[0].name;
      continue;
    }
    EXPECT_NEAR(enclosed_measure(body.points, called(body.volumes, "bar").facets, 3), 0.09, 1e-13);
    EXPECT_FALSE(called(body.sides, "cavity").inner);
    EXPECT_EQ(body.sides.size(), 2u);
  }
}

TEST(Mesh, BinaryStlOfGmshIsClosed) {
  const Body body = body_of(read_mesh(kFolder + "bracket-binary.stl"), 3);
  const double exact = 2 * 1 * 0.5 - M_PI * 0.25 * 0.25 * 0.5 - M_PI * 0.3 * 0.3 * 0.25;
  EXPECT_NEAR(enclosed_measure(body.points, body.whole, 3), exact, 0.02);
}

TEST(Mesh, TurnedFacetsAreTurnedBack) {
  for (const bool turned : {false, true}) {
    const Body body = body_of(parse_stl(text_cube(turned), "cube.stl"), 3);
    EXPECT_EQ(enclosed_measure(body.points, body.whole, 3), 1);
    ASSERT_EQ(body.sides.size(), 1u);
    EXPECT_EQ(body.sides[0].name, "cube of the tests");
  }
}

TEST(Mesh, CellsOfEveryKindFillTheirSpace) {
  // Two hexahedra side by side, the second cut into a prism and … its other prism; a pyramid on top of the first.
  const std::string text = R"(# vtk DataFile Version 3.0
cells
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 13 double
0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1
2 0 0 2 1 0 2 0 1 2 1 1
0.5 0.5 2
CELLS 4 29
8 0 1 2 3 4 5 6 7
6 1 8 2 5 10 6
6 8 9 2 10 11 6
5 4 5 6 7 12
CELL_TYPES 4
12 13 13 14
CELL_DATA 4
SCALARS material int 1
LOOKUP_TABLE default
1 2 2 3
)";
  const Body body = body_of(parse_vtk(text, "cells.vtk"), 3);
  EXPECT_NEAR(enclosed_measure(body.points, body.whole, 3), 2 + 1.0 / 3, 1e-14);
  ASSERT_EQ(body.volumes.size(), 3u);
  EXPECT_NEAR(enclosed_measure(body.points, called(body.volumes, "group_2").facets, 3), 1, 1e-14);
  EXPECT_EQ(called(body.volumes, "group_3").facets.size(), 6u);
}

TEST(Mesh, BadMeshesAreRefusedInWords) {
  const auto body = [](const std::string& text) { body_of(parse_stl(text, "part.stl"), 3); };
  EXPECT_THAT(refusal([&] { body(text_cube(false, true)); }),
              HasSubstr("part.stl: the surface is open: the edge from [1, 0, 0] to [0, 1, 0] has facets on one side"));
  EXPECT_THAT(refusal([&] { body(text_cube() + text_cube()); }), HasSubstr("is there twice"));
  EXPECT_THAT(refusal([&] { body(text_cube() + text_cube(false, false, 1)); }),
              HasSubstr("touches, overlaps or crosses itself"));
  EXPECT_THAT(refusal([&] { body(text_cube().substr(0, 500)); }), HasSubstr("part.stl:24: "));
  EXPECT_THAT(refusal([&] { body("solid x\nfacet normal 0 0 1\nouter lop\n"); }), HasSubstr("'loop' must stand here"));
  const std::string twice =
      "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 3 double\n0 0 0 1 0 0 0 1 0\n"
      "CELLS 2 8\n3 0 1 2\n3 1 0 2\nCELL_TYPES 2\n5 5\n";
  EXPECT_THAT(refusal([&] { body_of(parse_vtk(twice, "twice.vtk"), 2); }), HasSubstr("cells overlap at [0, 0]"));
  EXPECT_THAT(refusal([] { body_of(read_mesh(kFolder + "plate-msh41-text.msh"), 3); }), HasSubstr("the mesh is flat"));
  EXPECT_THAT(refusal([] { body_of(read_mesh(kFolder + "block-msh41-text.msh"), 2); }),
              HasSubstr("the mesh has cells of 3 dimensions, and the problem has 2"));
  EXPECT_THAT(refusal([] { body_of(read_mesh(kFolder + "bracket-binary.stl"), 2); }),
              HasSubstr("the mesh is not flat"));
  EXPECT_THAT(refusal([] { read_mesh("part.obj"); }), HasSubstr("a mesh is a .msh, .stl, .vtu or .vtk file"));
  EXPECT_THAT(refusal([] { read_mesh("nowhere.stl"); }), HasSubstr("nowhere.stl"));
  EXPECT_THAT(refusal([] { parse_msh("$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", "old.msh"); }),
              HasSubstr("2.2 and 4.1"));
  const std::string many = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 10000000 1 10000000\n";
  EXPECT_THAT(refusal([&] { parse_msh(many, "big.msh"); }), HasSubstr("the mesh has 10000000 points; at most 4000000"));
  const std::string second =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 9 0 1\n";
  EXPECT_THAT(refusal([&] { parse_msh(second, "second.msh"); }), HasSubstr("type 9 are not read"));
}

TEST(Mesh, CutFilesAreRefused) {
  struct Kind {
    const char* name;
    Mesh (*parse)(std::string_view, const std::string&);
  };
  for (const Kind& kind : {Kind{"plate-msh22-text.msh", parse_msh}, Kind{"plate-msh22-binary.msh", parse_msh},
                           Kind{"plate-msh41-text.msh", parse_msh}, Kind{"plate-msh41-binary.msh", parse_msh},
                           Kind{"block-binary.vtk", parse_vtk}, Kind{"bracket-binary.stl", parse_stl}}) {
    SCOPED_TRACE(kind.name);
    const std::string bytes = read_file(kFolder + kind.name, 1e9);
    const std::size_t cells = kind.parse(bytes, "whole").cells();
    // In .vtk files the numbers of groups come last, and what is cut there is the mesh without them.
    const std::size_t end = bytes.size() - (std::string(kind.name).ends_with(".vtk") ? bytes.size() / 8 : 20);
    for (std::size_t length = 0; length < end; length += 97) {
      const std::string cut = bytes.substr(0, length);
      EXPECT_NE(refusal([&] { EXPECT_LT(kind.parse(cut, "cut").cells(), cells); }), "") << length;
    }
  }
}

/// Two points and one point, with u and a vector at them.
std::string point_data_file(const std::string& u = "5 6", const std::string& second = "u", const std::string& z = "0") {
  return "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>"
         "<Piece NumberOfPoints=\"2\" NumberOfCells=\"0\"><PointData><DataArray type=\"Float64\" Name=\"u\" "
         "format=\"ascii\">" +
         u +
         "</DataArray><DataArray type=\"Float64\" Name=\"q\" NumberOfComponents=\"2\" format=\"ascii\">1 2 3 4"
         "</DataArray></PointData><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">"
         "0 0.5 " +
         z +
         " 1 0.25 0</DataArray></Points></Piece>"
         "<Piece NumberOfPoints=\"1\" NumberOfCells=\"0\"><PointData><DataArray type=\"Float64\" Name=\"" +
         second +
         "\" format=\"ascii\">7</DataArray><DataArray type=\"Float64\" Name=\"q\" format=\"ascii\">8 9</DataArray>"
         "</PointData><Points><DataArray type=\"Float64\" format=\"ascii\">2 2 2</DataArray></Points></Piece>"
         "</UnstructuredGrid></VTKFile>";
}

TEST(PointDataTest, ColumnsOfAllPieces) {
  const PointData data = parse_vtu_points(point_data_file(), "p.vtu");
  EXPECT_EQ(data.names, (std::vector<std::string>{"x", "y", "z", "u", "q.1", "q.2"}));
  EXPECT_EQ(data.columns[1], (std::vector<double>{0.5, 0.25, 2}));
  EXPECT_EQ(data.columns[3], (std::vector<double>{5, 6, 7}));
  EXPECT_EQ(data.columns[5], (std::vector<double>{2, 4, 9}));
}

TEST(PointDataTest, WhatDoesNotFitIsRefused) {
  const auto message = [](const std::string& text) { return refusal([&] { parse_vtu_points(text, "p.vtu"); }); };
  EXPECT_THAT(message(point_data_file("5")), HasSubstr("the array has no number for every point"));
  EXPECT_THAT(message(point_data_file("5 6 7")), HasSubstr("as many numbers for every point"));
  EXPECT_THAT(message(point_data_file("5 6", "w")), HasSubstr("different arrays"));
  EXPECT_THAT(message(point_data_file("5 6", "u", "0 0")), HasSubstr("as many numbers for every point"));
  EXPECT_THAT(message("<VTKFile type=\"UnstructuredGrid\">"), HasSubstr("no piece"));
}

}  // namespace
}  // namespace pecann::mesh
