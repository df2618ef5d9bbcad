#include "pecann/page/page_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "pecann/page/domain_surface.h"
#include "pecann/results/sample_runs.h"
#include "pecann/verdict/run_report.h"

namespace pecann::page {
namespace {

/// The numbers behind base64, by a way of its own.
std::vector<float> decoded(const std::string& text) {
  static const std::string kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(kDigits.find(c));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

constexpr const char* kBodyText = R"toml(
coordinates = { x = [0, 1], y = [0, 1], z = [0, 2], t = [0, 1] }
domain = "box - hole"
shapes = { hole = { ball = { centre = [0.5, 0.5, 1], radius = 0.25 } } }
network = [{ fields = ["u"], hidden = [4] }]
exact = { u = "x + 2*y + 3*z + 4*t" }
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u = exact.u"
points = { sobol = 20 }
[[phase]]
optimizer = "adam"
epochs = 3
)toml";

TEST(PageSurfaceTest, ValuesOfSurfaceAndVolumeAreThoseOfTheSolution) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", kBodyText);
  const auto data = page_surface(verdict::gather_report(folder / "run"));
  ASSERT_EQ(data["bodies"].size(), 1u);
  const auto& body = data["bodies"][0];
  EXPECT_EQ(body["times"].size(), 5u);
  const std::vector<float> vertices = decoded(body["vertices"]), facets = decoded(body["facets"]);
  const auto nodes = body["nodes"].get<std::vector<std::size_t>>();
  const auto& field = body["fields"][0];
  const std::vector<float> surface = decoded(field["surface"]), surface_error = decoded(field["surface_error"]),
                           volume = decoded(field["volume"]), volume_error = decoded(field["volume_error"]);
  const std::size_t count = vertices.size() / 3, size = nodes[0] * nodes[1] * nodes[2];
  ASSERT_EQ(surface.size(), 5 * count);
  ASSERT_EQ(volume.size(), 5 * size);
  for (const float corner : facets) ASSERT_LT(corner, static_cast<float>(count));
  // prediction − error is the exact solution, which the test knows.
  for (std::size_t frame : {0u, 3u})
    for (std::size_t v = 0; v < count; v += 17)
      ASSERT_NEAR(surface[frame * count + v] - surface_error[frame * count + v],
                  vertices[3 * v] + 2 * vertices[3 * v + 1] + 3 * vertices[3 * v + 2] + static_cast<float>(frame),
                  1e-4);
  const std::size_t i = 2, j = 3, k = nodes[2] - 1, at = 4 * size + i + nodes[0] * (j + nodes[1] * k);
  const auto share = [&](std::size_t node, int axis) {
    return static_cast<double>(node) / static_cast<double>(nodes[axis] - 1);
  };
  EXPECT_NEAR(volume[at] - volume_error[at], share(i, 0) + 2 * share(j, 1) + 3 * 2 * share(k, 2) + 4, 1e-4);
}

TEST(PageSurfaceTest, FlatProblemsHaveNoBody) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  EXPECT_TRUE(page_surface(verdict::gather_report(folder / "run"))["bodies"].empty());
}

}  // namespace
}  // namespace pecann::page
