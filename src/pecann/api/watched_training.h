// A training with all its epochs, for tests that compare two doors to the same problem.
#pragma once

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "pecann/pecann.h"

namespace pecann {

struct Watched {
  std::vector<Epoch> epochs;
  Result result;
};

inline Watched watched(const Problem& problem, TrainOptions options = {}) {
  std::vector<Epoch> epochs;
  options.observer = [&](const Epoch& epoch) {
    epochs.push_back(epoch);
    return Directive::Continue;
  };
  Result result = problem.train(options);
  return {std::move(epochs), std::move(result)};
}

inline void expect_same_history(const Watched& a, const Watched& b) {
  ASSERT_EQ(a.epochs.size(), b.epochs.size());
  for (std::size_t i = 0; i < a.epochs.size(); ++i) {
    EXPECT_EQ(a.epochs[i].loss, b.epochs[i].loss) << "epoch " << i + 1;
    for (std::size_t c = 0; c < a.epochs[i].constraints.size(); ++c) {
      EXPECT_EQ(a.epochs[i].constraints[c].value, b.epochs[i].constraints[c].value);
      EXPECT_EQ(a.epochs[i].constraints[c].multiplier, b.epochs[i].constraints[c].multiplier);
      EXPECT_EQ(a.epochs[i].constraints[c].penalty, b.epochs[i].constraints[c].penalty);
    }
  }
  EXPECT_EQ(a.result.solution.parameters(), b.result.solution.parameters());
}

}  // namespace pecann
