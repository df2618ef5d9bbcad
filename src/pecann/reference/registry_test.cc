#include "pecann/reference/registry.h"

#include <fstream>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/base/npy.h"
#include "support/temporary_folder.h"

namespace pecann::reference {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The unit square with time as its second coordinate where `time` is 1.
Subject on_square(const std::string& name, std::vector<int> grid, int time = -1) {
  const sampling::Box square{{"x", "t"}, {0, 0}, {1, 1}, time};
  return {.file = "p.toml",
          .name = name,
          .fields = {"u"},
          .constants = {{"k", 4 * std::numbers::pi}, {"width", 0.2}},
          .domain = square,
          .part = square,
          .grid = std::move(grid)};
}

TEST(ReferenceRegistryTest, RowsAreFoundByNameOrByTheEndingOfAFile) {
  EXPECT_STREQ(find_row("helmholtz-source")->name, "helmholtz-source");
  EXPECT_TRUE(find_row("data/beam.csv")->is_file());
  EXPECT_TRUE(find_row("beam.npy")->is_file());
  EXPECT_TRUE(find_row("beam.vtu")->is_file());
  EXPECT_EQ(find_row("beam.txt"), nullptr);
  EXPECT_EQ(find_row(""), nullptr);
  EXPECT_EQ(allowed_names(), "must be \"helmholtz-source\", or the name of a .csv, .npy or .vtu file");
  EXPECT_EQ(nearest_hint("helmholz-source"), "did you mean 'helmholtz-source'?");
  EXPECT_EQ(nearest_hint("something else"), "");
}

TEST(ReferenceRegistryTest, MeasuresOfARowAreThoseThatItsReferenceTakes) {
  for (const Row& row : rows()) {
    EXPECT_STRNE(row.text, "");
    if (!row.on_grids) continue;
    const auto reference = row.make(on_square(row.name, {9, 9}));
    const auto taken = reference->measures(reference->values("u"));
    EXPECT_EQ(taken.size(), row.measures.size());
    for (const Measure& measure : row.measures) {
      EXPECT_TRUE(taken.contains(measure.name)) << measure.name;
      EXPECT_EQ(row_with_measure(measure.name), &row);
      EXPECT_THAT(measure_names(), ::testing::Contains(measure.name));
    }
  }
  EXPECT_EQ(row_with_measure("linf"), nullptr);
}

TEST(ReferenceRegistryTest, WhatDoesNotFitIsRefusedButForPictures) {
  EXPECT_EQ(make_reference(on_square("", {9, 9})), nullptr);
  EXPECT_NE(make_on_grid(on_square("helmholtz-source", {9, 9})), nullptr);
  EXPECT_EQ(make_on_grid(on_square("helmholtz-source", {9, 8})), nullptr);
  EXPECT_EQ(make_on_grid(on_square("nowhere.csv", {9, 9})), nullptr) << "known at its own points; not even read";
  try {
    make_reference(on_square("helmholtz-source", {9, 8}));
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("p.toml: reference = helmholtz-source: is for the unit square"));
  }
}

TEST(ReferenceRegistryTest, ATableIsKnownAtItsPointsOfTheWindow) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "rod.csv") << "x,t,u\n0.5,0,1\n0.25,0.5,2\n0.75,1,4\n";
  Subject subject = on_square(folder / "rod.csv", {9, 9}, 1);
  subject.part.lower[1] = 0.5;
  const auto table = make_reference(subject);
  EXPECT_TRUE(table->knows("u"));
  EXPECT_FALSE(table->knows("v"));
  EXPECT_THAT(table->values("u"), ElementsAre(2, 4));
  ASSERT_NE(table->points(), nullptr);
  EXPECT_EQ(table->points()->count, 2u);
  EXPECT_EQ(table->points()->coordinates[0][1], 0.75);
  subject.part.lower[1] = 0.6;
  subject.part.upper[1] = 0.9;
  EXPECT_FALSE(make_reference(subject)->knows("u")) << "no row lies in this window";
}

TEST(ReferenceRegistryTest, ColumnsOfAnArrayAreTheCoordinatesAndThenTheFieldsInTheirOrder) {
  const test::TemporaryFolder folder;
  const std::vector<std::size_t> shape = {2, 4};
  const std::vector<double> rows = {0.5, 0, 1, 10, 0.25, 0.5, 2, 20};
  write_npy(folder / "rod.npy", shape, rows);
  Subject subject = on_square(folder / "rod.npy", {9, 9}, 1);
  subject.fields = {"v", "u", "w"};
  const auto table = make_reference(subject);
  EXPECT_THAT(table->values("v"), ElementsAre(1, 2));
  EXPECT_THAT(table->values("u"), ElementsAre(10, 20));
  EXPECT_FALSE(table->knows("w")) << "the array has two fields";
}

}  // namespace
}  // namespace pecann::reference
