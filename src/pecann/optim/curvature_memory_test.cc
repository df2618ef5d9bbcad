#include "pecann/optim/curvature_memory.h"

#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/base/random_stream.h"
#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {
namespace {

using Vector = std::vector<double>;

Vector descend(const CurvatureMemory& memory, const Vector& gradient) {
  Vector direction(gradient.size());
  memory.descend(gradient, direction);
  return direction;
}

TEST(CurvatureMemoryTest, EmptyIsSteepestDescent) {
  EXPECT_EQ(descend(CurvatureMemory(2, 3), {3, -5}), (Vector{-3, 5}));
}

TEST(CurvatureMemoryTest, OnePairExactly) {
  CurvatureMemory memory(2, 3);
  memory.push(Vector{1, 0}, Vector{2, 0});  // curvature 2 along the first axis; γ = ½
  EXPECT_EQ(descend(memory, {4, 8}), (Vector{-2, -4}));
  memory.push(Vector{0, 1}, Vector{0, 8});  // curvature 8 along the second; γ = ⅛
  EXPECT_EQ(descend(memory, {4, 8}), (Vector{-2, -1}));
}

TEST(CurvatureMemoryTest, OldestPairGoesFirst) {
  CurvatureMemory memory(3, 2);
  memory.push(Vector{1, 0, 0}, Vector{2, 0, 0});
  memory.push(Vector{0, 1, 0}, Vector{0, 4, 0});
  memory.push(Vector{0, 0, 1}, Vector{0, 0, 8});
  EXPECT_EQ(memory.size(), 2u);
  EXPECT_EQ(descend(memory, {8, 8, 8}), (Vector{-1, -2, -1})) << "the first axis knows only gamma = 1/8";
}

// The secant equation of every BFGS update: H y = s for the newest pair.
TEST(CurvatureMemoryTest, NewestPairSatisfiesTheSecantEquation) {
  RandomStream stream(1, "secant");
  const std::size_t size = 9;
  CurvatureMemory memory(size, 4);
  Vector s(size), y(size);
  for (int k = 0; k < 11; ++k) {
    for (std::size_t i = 0; i < size; ++i) {
      s[i] = stream.normal();
      y[i] = s[i] * static_cast<double>(i + 1) + 0.1 * stream.normal();
    }
    memory.push(s, y);
    const Vector back = descend(memory, y);
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(back[i], -s[i], 1e-12) << k;
  }
}

// Against the dense update H₊ = (I − ρ s yᵀ) H (I − ρ y sᵀ) + ρ s sᵀ from γ I.
TEST(CurvatureMemoryTest, EqualsDenseBfgs) {
  RandomStream stream(6, "dense");
  const std::size_t size = 5, pairs = 3;
  std::vector<Vector> s(pairs, Vector(size)), y(pairs, Vector(size));
  CurvatureMemory memory(size, pairs);
  for (std::size_t k = 0; k < pairs; ++k) {
    for (std::size_t i = 0; i < size; ++i) {
      s[k][i] = stream.normal();
      y[k][i] = 3 * s[k][i] + 0.3 * stream.normal();
    }
    memory.push(s[k], y[k]);
  }
  const double scale = dot(y[2], s[2]) / dot(y[2], y[2]);
  std::vector<Vector> h(size, Vector(size));
  for (std::size_t i = 0; i < size; ++i) h[i][i] = scale;
  for (std::size_t k = 0; k < pairs; ++k) {
    const double rho = 1 / dot(y[k], s[k]);
    Vector hy(size);
    for (std::size_t i = 0; i < size; ++i) hy[i] = dot(h[i], y[k]);
    const double yhy = dot(y[k], hy);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        h[i][j] += -rho * (s[k][i] * hy[j] + hy[i] * s[k][j]) + (rho * rho * yhy + rho) * s[k][i] * s[k][j];
  }
  Vector gradient(size);
  for (double& g : gradient) g = stream.normal();
  const Vector direction = descend(memory, gradient);
  for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(direction[i], -dot(h[i], gradient), 1e-13);
}

TEST(CurvatureMemoryTest, SavedAndLoadedGivesTheSameBits) {
  RandomStream stream(8, "ring");
  const std::size_t size = 6;
  CurvatureMemory memory(size, 4), loaded(size, 4), small(size, 3);
  Vector s(size), y(size);
  for (int k = 0; k < 7; ++k) {  // the ring has wrapped
    for (std::size_t i = 0; i < size; ++i) {
      s[i] = stream.normal();
      y[i] = 2 * s[i] + 0.2 * stream.normal();
    }
    memory.push(s, y);
  }
  StateWriter writer;
  memory.save("optimizer.", writer);
  const StateReader reader(writer.bytes());
  loaded.load("optimizer.", reader);
  EXPECT_EQ(descend(loaded, s), descend(memory, s));
  memory.push(y, s);
  loaded.push(y, s);
  EXPECT_EQ(descend(loaded, s), descend(memory, s)) << "the same pair must be the oldest";
  EXPECT_THROW(small.load("optimizer.", reader), InputError);
}

}  // namespace
}  // namespace pecann::optim
