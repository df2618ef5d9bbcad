// Resume bit for bit: k steps, save, load into a fresh optimiser, k steps must give the bits of 2k steps.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "pecann/optim/optimizer.h"
#include "pecann/optim/test_objectives.h"

namespace pecann::optim::testing {

/// make() gives a fresh optimiser for ten variables. The weight of the function changes from step to step.
template <class Make>
void expect_bit_exact_resume(const Make& make, int half) {
  Rosenbrock objective(10);
  const auto run = [&](Optimizer& optimizer, std::vector<double>& x, int first, int last) {
    for (int k = first; k < last; ++k) {
      objective.weight = 1 + 0.25 * k;
      optimizer.set_learning_rate(*optimizer.learning_rate() * 0.97);  // the rate is part of the state
      optimizer.step(objective, x);
    }
  };
  auto whole = make();
  std::vector<double> expected = rosenbrock_start(10);
  run(*whole, expected, 0, 2 * half);

  auto first = make(), second = make();
  std::vector<double> x = rosenbrock_start(10);
  run(*first, x, 0, half);
  StateWriter writer;
  first->save(writer);
  second->load(StateReader(writer.bytes()));
  run(*second, x, half, 2 * half);
  EXPECT_EQ(x, expected);
  StateWriter left, right;
  whole->save(left);
  second->save(right);
  EXPECT_EQ(left.bytes(), right.bytes());
}

}  // namespace pecann::optim::testing
