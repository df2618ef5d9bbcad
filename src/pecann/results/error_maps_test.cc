#include "pecann/results/error_maps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "pecann/base/text_file.h"
#include "pecann/results/sample_runs.h"
#include "pecann/train/test_support.h"

namespace pecann::results {
namespace {

RunEstimate mapped_estimate() {
  RunEstimate estimate;
  estimate.trial = 2;
  estimate.fields = {{.field = "u", .relative_l2 = 0.1 + 0.2, .low = 0.15, .high = 0.6, .trusted = true},
                     {.field = "v", .relative_l2 = 1.0 / 3, .low = 0.1, .high = 0.7, .trusted = true}};
  estimate.maps = {{.field = "u",
                    .coordinates = {"x", "y"},
                    .axes = {{0, 1, 2}, {0, 1}},
                    .slider = "t",
                    .frames = {0, 0.5},
                    .fixed = {{"z", 0.25}},
                    .values = {1e-9F, -2, 3, 4, std::nanf(""), 6, 7, 8, 9, 10, 11, -12.5F}},
                   {.field = "v",
                    .coordinates = {"x"},
                    .axes = {{0, 1}},
                    .slider = "",
                    .frames = {},
                    .fixed = {},
                    .values = {1, 2}}};
  return estimate;
}

struct MapsFolder {
  TemporaryFolder folder;
  train::RunFolder run{folder / "run"};
  MapsFolder() { run.make(); }
  RunEstimate read(RunEstimate estimate) const {
    read_error_maps(run, estimate);
    return estimate;
  }
};

TEST(ErrorMaps, AreReadAsTheyWereWritten) {
  const MapsFolder place;
  const RunEstimate written = mapped_estimate();
  write_error_maps(place.run, written);
  RunEstimate plain = written;
  plain.maps.clear();
  const RunEstimate read = place.read(plain);
  ASSERT_EQ(read.maps.size(), 2u);
  const ErrorMap &map = read.maps[0], &before = written.maps[0];
  EXPECT_EQ(map.coordinates, before.coordinates);
  EXPECT_EQ(map.axes, before.axes);
  EXPECT_EQ(map.slider, "t");
  EXPECT_EQ(map.frames, before.frames);
  EXPECT_EQ(map.fixed, before.fixed);
  ASSERT_EQ(map.values.size(), before.values.size());
  for (std::size_t i = 0; i < map.values.size(); ++i)
    if (std::isnan(before.values[i]))
      EXPECT_TRUE(std::isnan(map.values[i]));
    else
      EXPECT_NEAR(map.values[i], before.values[i], 1e-5 * std::abs(before.values[i]));
}

TEST(ErrorMaps, OfAnEarlierEstimateAreNotTaken) {
  const MapsFolder place;
  write_error_maps(place.run, mapped_estimate());
  RunEstimate other = mapped_estimate();
  other.fields[0].relative_l2 *= 1 + 1e-15;
  ASSERT_EQ(place.read(other).maps.size(), 1u);
  EXPECT_EQ(place.read(other).maps[0].field, "v");
  other.fields[1].trusted = false;
  EXPECT_TRUE(place.read(other).maps.empty());
  other = mapped_estimate();
  other.trial = 1;
  EXPECT_TRUE(place.read(other).maps.empty());
}

TEST(ErrorMaps, ThatAreDamagedAreNone) {
  const MapsFolder place;
  EXPECT_TRUE(place.read(mapped_estimate()).maps.empty()) << "no file";
  write_error_maps(place.run, mapped_estimate());
  const std::string text = train::testing::content(place.run.error_maps_file());
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"values\":[", "\"values\":[5,"},
                                                        {"\"coordinates\":[\"x\",\"y\"]", "\"coordinates\":[]"},
                                                        {"\"format\":1", "\"format\":7"},
                                                        {"\"axes\":[[",
                                                         "\"axes\":[["
                                                         "null,"},
                                                        {"{", ""}}) {
    std::string damaged = text;
    damaged.replace(damaged.find(from), from.size(), to);
    write_text_file(place.run.error_maps_file(), damaged);
    EXPECT_TRUE(place.read(mapped_estimate()).maps.empty()) << to;
  }
}

TEST(ErrorMaps, CountsThatBeginAnewAreRefused) {
  const MapsFolder place;
  const auto list = [](std::size_t count) {
    std::string text = "[0";
    for (std::size_t i = 1; i < count; ++i) text += ",0";
    return text + "]";
  };
  // 4194304 · 2095105 · 2099201 = 2^64 + 4194304
  const std::string text = R"json({"format": 1, "trial": 2, "fields": [{"field": "u", "relative_l2": )json" +
                           nlohmann::json(mapped_estimate().fields[0].relative_l2).dump() +
                           R"json(, "coordinates": ["x", "y"], "slider": "t", "fixed": {}, "frames": )json" +
                           list(4194304) + ", \"axes\": [" + list(2095105) + ", " + list(2099201) +
                           "], \"values\": " + list(4194304) + "}]}";
  write_text_file(place.run.error_maps_file(), text);
  EXPECT_TRUE(place.read(mapped_estimate()).maps.empty());
}

}  // namespace
}  // namespace pecann::results
