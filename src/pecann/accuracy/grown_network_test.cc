// A larger network that begins as a smaller one: the same values, derivatives included, and new units that can learn.
#include "pecann/accuracy/grown_network.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pecann/problem/problem_file.h"
#include "pecann/train/solution.h"

namespace pecann::accuracy {
namespace {

problem::Problem with_hidden(const std::string& hidden) {
  std::string text = R"toml(coordinates = { x = [0, 2], y = [-1, 1] }
[parameters]
c = { initial = 3 }
[[network]]
fields = ["u", "v"]
hidden = HIDDEN
[[network]]
fields = ["a"]
inputs = ["x"]
hidden = [5]
[[term]]
region = "interior"
equation = ["laplacian(u) + v = c", "laplacian(v) + a*u_x = 0"]
[[term]]
region = "boundary"
equation = ["u = 0", "v = 0"]
[[phase]]
optimizer = "lbfgs"
epochs = 1
)toml";
  return problem::read_problem(text.replace(text.find("HIDDEN"), 6, hidden), "grown.toml");
}

TEST(GrownNetworkTest, ItBeginsAsTheSameFunction) {
  const problem::Problem before = with_hidden("[6, 4]"), after = with_hidden("[9, 11]");
  ASSERT_TRUE(can_grow(before, after));
  std::vector<double> parameters = evaluate::Model(before, before.box, 7).initial_parameters(7);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] += 0.1 * std::sin(static_cast<double>(i));
  const std::vector<double> grown = grown_parameters(before, parameters, after, 8);
  ASSERT_GT(grown.size(), parameters.size());
  EXPECT_EQ(grown.back(), parameters.back()) << "the scalar";

  train::Solution small(before, 7), large(after, 8);
  small.add_window(parameters);
  large.add_window(grown);
  sampling::PointSet points;
  points.count = 5;
  points.coordinates = {sampling::padded_column(std::vector{0.0, 0.3, 1.1, 1.7, 2.0}),
                        sampling::padded_column(std::vector{-1.0, 0.9, 0.2, -0.4, 1.0})};
  const std::vector<expr::Expr> asked = {expr::field("u"), expr::field("v"), expr::field("a"),
                                         expr::field("u", {{"x", 2}}), expr::field("v", {{"x", 1}, {"y", 1}})};
  std::vector<std::vector<double>> of_small, of_large;
  small.evaluate(asked, points, of_small);
  large.evaluate(asked, points, of_large);
  for (std::size_t e = 0; e < asked.size(); ++e)
    for (std::size_t i = 0; i < points.count; ++i)
      EXPECT_NEAR(of_large[e][i], of_small[e][i], 1e-13 * (1 + std::abs(of_small[e][i]))) << e << " " << i;

  std::size_t new_incoming = 0;  // weights of new units that are not zero: else they would never learn
  for (int unit = 6; unit < 9; ++unit)
    for (int input = 0; input < 2; ++input) new_incoming += grown[static_cast<std::size_t>(2 * unit + input)] != 0;
  EXPECT_EQ(new_incoming, 6u);
}

TEST(GrownNetworkTest, WhatDoesNotGrowIsToldApart) {
  EXPECT_FALSE(can_grow(with_hidden("[6, 4]"), with_hidden("[9, 3]")));
  EXPECT_FALSE(can_grow(with_hidden("[6, 4]"), with_hidden("[9, 11, 5]")));
  problem::Problem fourier = with_hidden("[6, 4]");
  fourier.networks[0].fourier_sigma = 1;
  EXPECT_FALSE(can_grow(fourier, with_hidden("[8, 4]")));
}

}  // namespace
}  // namespace pecann::accuracy
