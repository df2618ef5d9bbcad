#include "pecann/sampling/grid_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "pecann/base/input_error.h"

namespace pecann::sampling {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class Work>
std::string grid_refusal(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

GridTable grid_of_text(const std::string& text, const std::string& value = "") {
  return grid_of(parse_csv(text, "k.csv"), {"x", "y"}, value);
}

TEST(GridTableTest, RowsAreAGridInAnyOrder) {
  for (const char* text :
       {"x,y,k\n0,0,1\n0,2,2\n0,3,3\n1,0,4\n1,2,5\n1,3,6\n", "k y x\n6 3 1\n1 0 0\n5 2 1\n2 2 0\n4 0 1\n3 3 0\n",
        "x,y,k\n0,0,1\n1,0,4\n1e-13,2,2\n1,2.0000000000001,5\n0,3,3\n1,3,6\n"}) {
    const GridTable grid = grid_of_text(text);
    ASSERT_EQ(grid.axes.size(), 2u);
    EXPECT_THAT(grid.axes[0], ElementsAre(0, 1));
    EXPECT_EQ(grid.axes[1].size(), 3u);
    EXPECT_THAT(grid.values, ElementsAre(1, 2, 3, 4, 5, 6));
  }
  EXPECT_THAT(grid_of_text("x,y,k,m\n0,0,1,9\n0,1,2,8\n1,0,3,7\n1,1,4,6\n", "m").values, ElementsAre(9, 8, 7, 6));
}

TEST(GridTableTest, WhatIsNoGridIsRefused) {
  const auto refusal = [](const char* text) { return grid_refusal([&] { grid_of_text(text); }); };
  EXPECT_THAT(refusal("x,y,k\n0,0,1\n0,2,2\n1,0,4\n"),
              HasSubstr("there are 3 rows, and different values 2 of x, 2 of y"));
  EXPECT_THAT(refusal("x,y,k\n0,0,1\n0,2,2\n1,0,4\n1,0,5\n"), HasSubstr("row 4: a node of the grid comes twice"));
  EXPECT_THAT(refusal("x,y,k\n0,0,1\n0,2,2\n"),
              HasSubstr("x: a table has at least two different values of every coordinate"));
  EXPECT_THAT(refusal("x,z,k\n0,0,1\n"), HasSubstr("y: the file has no such column"));
  EXPECT_THAT(refusal("x,y\n0,0\n"), HasSubstr("no column besides the coordinates"));
  EXPECT_THAT(refusal("x,y,k,m\n0,0,1,1\n"), HasSubstr("as in value = \"k\""));
}

TEST(GridTableTest, TextOfComsolHasItsNamesInTheLastComment) {
  const std::string head = "% Model:              plate.mph\n% Dimension:          2\n% Nodes:              4\n";
  const Table table = parse_csv(head +
                                    "% x                       y                        k (W/(m*K))\n"
                                    "0                         0                        1.5\n"
                                    "0                         1                        2\n"
                                    "1                         0                        3\n"
                                    "1                         1                        4\n",
                                "k.txt");
  EXPECT_THAT(table.names, ElementsAre("x", "y", "k"));
  EXPECT_THAT(grid_of(table, {"x", "y"}, "").values, ElementsAre(1.5, 2, 3, 4));
  EXPECT_THAT(parse_csv(head + "% x,y,k (K)\n0,0,1\n", "k.csv").names, ElementsAre("x", "y", "k"));
  EXPECT_THAT(parse_csv("% mine\nx y k\n0 0 1\n", "k.csv").names, ElementsAre("x", "y", "k"));
  EXPECT_THAT(grid_refusal([] { parse_csv("% x y\n0 0 1\n", "k.csv"); }),
              HasSubstr("the row has 3 fields, the header names 2"));
}

TEST(GridTableTest, ArraysHaveEvenNodes) {
  const NpyArray array{{2, 3}, {1, 2, 3, 4, 5, 6}};
  const GridTable grid = grid_of(array, {{0, 1}, {-1, 1}}, "k.npy");
  EXPECT_THAT(grid.axes[1], ElementsAre(-1, 0, 1));
  EXPECT_EQ(grid.values, array.data);
  EXPECT_THAT(grid_refusal([&] {
                grid_of(array, {{0, 1}}, "k.npy");
              }),
              HasSubstr("has 2 dimensions, the table 1 coordinate"));
  EXPECT_THAT(grid_refusal([] {
                grid_of(NpyArray{{2, 1}, {1, 2}}, {{0, 1}, {0, 1}}, "k.npy");
              }),
              HasSubstr("at least two values"));
  EXPECT_THAT(grid_refusal([] {
                grid_of(NpyArray{{2, 2}, {1, 2, std::nan(""), 4}}, {{0, 1}, {0, 1}}, "k.npy");
              }),
              HasSubstr("k.npy: [1, 0]: the value is not a finite number"));
}

std::string image(const std::string& array, const std::string& extent = "0 1 0 2 0 0", const std::string& more = "") {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
         "header_type=\"UInt32\"" +
         more + ">\n<ImageData WholeExtent=\"" + extent + "\" Origin=\"1 0 0\" Spacing=\"2 0.5 1\">\n<Piece Extent=\"" +
         extent + "\">\n<PointData>\n" + array + "</PointData>\n</Piece>\n</ImageData>\n";
}

TEST(GridTableTest, ImagesOfVtkHaveXFastest) {
  const std::string end = "</VTKFile>\n";
  const std::string text = "<DataArray type=\"Float64\" Name=\"k\" format=\"ascii\">\n1 2 3 4 5 6 </DataArray>\n";
  // The same six numbers as float32 behind their length of 24 bytes: in one text, and with the length by itself.
  const std::string together =
      "<DataArray type=\"Float32\" Name=\"k\" format=\"binary\">GAAAAAAAgD8AAABAAABAQAAAgEAAAKBAAADAQA==</DataArray>\n";
  const std::string apart =
      "<DataArray type=\"Float32\" Name=\"k\" format=\"binary\">GAAAAA==AACAPwAAAEAAAEBAAACAQAAAoEAAAMBA</DataArray>\n";
  std::string raw(28, '\0');
  raw[0] = 24;
  for (int i = 0; i < 6; ++i) {
    const float value = static_cast<float>(i + 1);
    std::memcpy(raw.data() + 4 + 4 * i, &value, 4);
  }
  const std::string appended = "<DataArray type=\"Float32\" Name=\"k\" format=\"appended\" offset=\"2\"/>\n";
  const std::string tail = "<AppendedData encoding=\"raw\">\n_xx" + raw + "</AppendedData>\n";
  for (const std::string& file :
       {image(text) + end, image(together) + end, image(apart) + end, image(appended) + tail + end}) {
    const GridTable grid = parse_vti(file, "", "k.vti");
    EXPECT_THAT(grid.axes[0], ElementsAre(1, 3));
    EXPECT_THAT(grid.axes[1], ElementsAre(0, 0.5, 1));
    EXPECT_THAT(grid.values, ElementsAre(1, 3, 5, 2, 4, 6));
    EXPECT_EQ(parse_vti(file, "k", "k.vti").values, grid.values);
  }
}

TEST(GridTableTest, BadImagesAreRefused) {
  const auto refusal = [](const std::string& text, const std::string& value = "") {
    return grid_refusal([&] { parse_vti(text, value, "k.vti"); });
  };
  const std::string six = "<DataArray type=\"Float64\" Name=\"k\" format=\"ascii\">1 2 3 4 5 6</DataArray>";
  EXPECT_THAT(refusal("x,y\n"), HasSubstr("no <VTKFile>"));
  EXPECT_THAT(refusal(image(six, "0 1 0 2 0 0", " compressor=\"vtkZLibDataCompressor\"")),
              HasSubstr("without compression"));
  EXPECT_THAT(refusal(image(six, "0 1 0 1 0 0")), HasSubstr("something else than its numbers"));
  EXPECT_THAT(refusal(image(six, "0 1 0 3 0 0")), HasSubstr("holds 6 values; the image has 8 nodes"));
  EXPECT_THAT(refusal(image(six, "0 900000000 0 900000000 0 900000000")),
              HasSubstr("more than the file or the memory holds"));
  EXPECT_THAT(refusal(image(six, "0 1 0 2 0")), HasSubstr("Extent: needs 6 numbers"));
  EXPECT_THAT(refusal(image(six), "kappa"), HasSubstr("no such array"));
  EXPECT_THAT(refusal(image(six + six)), HasSubstr("several arrays"));
  EXPECT_THAT(refusal(image("")), HasSubstr("no array of point data"));
  EXPECT_THAT(refusal(image("<DataArray type=\"Float64\" Name=\"k\" format=\"binary\">GAAA!</DataArray>")),
              HasSubstr("not base64"));
  EXPECT_THAT(refusal(image("<DataArray type=\"Float64\" Name=\"k\" format=\"binary\">GAAAAA==</DataArray>")),
              HasSubstr("cut short"));
  EXPECT_THAT(refusal(image("<DataArray type=\"Float64\" Name=\"k\" format=\"ascii\">1 2 nan 4 5 6</DataArray>")),
              HasSubstr("not a finite number"));
}

}  // namespace
}  // namespace pecann::sampling
