// Evidence of networks whose residuals are known.
#include "pecann/accuracy/evidence.h"

#include <gtest/gtest.h>

#include "pecann/problem/problem_file.h"
#include "pecann/train/trainer.h"

namespace pecann::accuracy {
namespace {

/// The residual is the source, since the unknown hardly counts.
Evidence evidence_with_source(const std::string& source) {
  const problem::Problem problem = problem::read_problem(R"toml(coordinates = { x = [0, 1], t = [0, 2] }
[[network]]
fields = ["u"]
features = 1
[[term]]
region = "interior"
equation = "1e-12*u + )toml" + source + R"toml( = 0"
points = { grid = [5, 5] }
[[term]]
region = "initial"
equation = "u = 0"
points = { sobol = 3 }
[[phase]]
optimizer = "adam"
epochs = 1
)toml",
                                                         "evidence.toml");
  train::Trainer trainer(problem, problem.seed);
  trainer.run();
  StateWriter writer;
  trainer.save(writer);
  results::TrainedState state = results::state_of(problem, writer.bytes(), problem.seed, "evidence");
  return evidence_of(problem, state);
}

TEST(EvidenceTest, LateTimesAreTheLastQuarter) {
  EXPECT_NEAR(evidence_with_source("1").late_share, 0.25, 0.01);
  EXPECT_NEAR(evidence_with_source("t").late_share, 1 - 0.75 * 0.75 * 0.75, 0.01);
  EXPECT_TRUE(fails_late(evidence_with_source("if(t > 1.5, 1, 0)")));
  EXPECT_FALSE(fails_late(evidence_with_source("if(t < 1.5, 1, 0.1)")));
}

TEST(EvidenceTest, WhatVanishesAtThePointsOfTrainingIsHidden) {
  EXPECT_NEAR(evidence_with_source("1").fresh_over_trained, 1, 1e-12);
  EXPECT_TRUE(hides_between_points(evidence_with_source("0.01 + sin(4*pi*x)"))) << "zero on the grid";
}

}  // namespace
}  // namespace pecann::accuracy
