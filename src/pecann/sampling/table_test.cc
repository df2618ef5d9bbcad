#include "pecann/sampling/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "pecann/base/input_error.h"
#include "pecann/base/npy.h"

namespace pecann::sampling {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string message_of(const std::string& text) {
  try {
    parse_csv(text, "obs.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TableTest, ReadsEverySeparatorCommentsAndQuotes) {
  for (const char* text :
       {"# sensor 3\n\nx,u\n0,1.5\n 1 , -2e-3 # late\n", "x;u\r\n0;1.5\r\n1;-2e-3\r\n", "x\tu\n0\t1.5\n1\t-2e-3",
        "  x   u\n 0  1.5\n+1  -2e-3\n", "\xEF\xBB\xBF\"x\",\"u\"\n0,1.5\n1,-2e-3\n"}) {
    const Table table = parse_csv(text, "obs.csv");
    EXPECT_THAT(table.names, ElementsAre("x", "u"));
    EXPECT_THAT(table.column("x"), ElementsAre(0, 1));
    EXPECT_THAT(table.column("u"), ElementsAre(1.5, -2e-3));
  }
}

TEST(TableTest, ErrorsNameLineAndColumn) {
  EXPECT_THAT(message_of("x,u\n0,1\n2\n"), HasSubstr("obs.csv:3: the row has 1 fields, the header names 2"));
  EXPECT_THAT(message_of("x,u\n0,1,\n"), HasSubstr("obs.csv:2: the row has 3 fields"));
  EXPECT_THAT(message_of("x,u\n0,1\n\n# note\n1,abc\n"), HasSubstr("obs.csv:5: abc: column 'u' needs a finite number"));
  EXPECT_THAT(message_of("x,u\n0,nan\n"), HasSubstr("nan: column 'u' needs a finite number"));
  EXPECT_THAT(message_of("x,u\n0,1e999\n"), HasSubstr("needs a finite number"));
  EXPECT_THAT(message_of("x,u\n0,\n"), HasSubstr("column 'u' needs a finite number"));
  EXPECT_THAT(message_of("0,1\n2,3\n"), HasSubstr("obs.csv:1: 0: the first line must name the columns"));
  EXPECT_THAT(message_of("x,x\n2,3\n"), HasSubstr("two columns have this name"));
  EXPECT_THAT(message_of("x,\n2,3\n"), HasSubstr("has no name"));
  EXPECT_THAT(message_of("x,u\n"), HasSubstr("no rows"));
  EXPECT_THAT(message_of(""), HasSubstr("no rows"));
  EXPECT_THROW(read_table("no/such.csv"), InputError);
}

TEST(TableTest, MissingColumnHasAHint) {
  const Table table = parse_csv("x,temperature\n0,1\n", "obs.csv");
  try {
    table.column("temprature");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("obs.csv: temprature"), HasSubstr("did you mean 'temperature'?")));
  }
}

TEST(TableTest, PointsAreTheCoordinatesColumns) {
  const Box box{{"x", "t"}, {0, 0}, {1, 2}, 1};
  const PointSet points = points_of(parse_csv("u t x\n9 2 0.5\n8 1 1\n", "obs.csv"), box);
  EXPECT_EQ(points.count, 2u);
  EXPECT_EQ(points.coordinates[0][0], 0.5);
  EXPECT_EQ(points.coordinates[1][0], 2);
  EXPECT_EQ(points.coordinates[1][7], 1);  // padding repeats the last point
  EXPECT_THROW(points_of(parse_csv("x u\n0 0\n", "obs.csv"), box), InputError);
  EXPECT_THROW(points_of(parse_csv("x t\n0 2.1\n", "obs.csv"), box), InputError);
}

TEST(TableTest, NpyColumnsAreNumbered) {
  const std::string path = (std::filesystem::temp_directory_path() / "pecann_table_test.npy").string();
  const std::size_t shape[] = {2, 3};
  const double data[] = {0.5, 2, 9, 1, 1, 8};
  write_npy(path, shape, data);
  const Table table = read_table(path);
  std::filesystem::remove(path);
  EXPECT_THAT(table.column("3"), ElementsAre(9, 8));
  const PointSet points = points_of(table, {{"x", "t"}, {0, 0}, {1, 2}, 1});
  EXPECT_EQ(points.coordinates[0][1], 1);
  EXPECT_EQ(points.coordinates[1][0], 2);
}

}  // namespace
}  // namespace pecann::sampling
