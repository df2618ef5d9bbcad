#include "pecann/check/memory_estimate.h"

#include <gmock/gmock.h>

#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/problem/problem_file.h"
#include "pecann/train/test_support.h"

namespace pecann::check {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kText = R"toml(
coordinates = { x = [0, 1], y = [0, 1] }
[[network]]
fields = ["u"]
hidden = [10, 10]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_xx + u_yy = sin(x)"
points = { sobol = 1000 }
[[phase]]
optimizer = "adam"
epochs = 10
)toml";

problem::Problem with(const std::vector<std::string>& changes) {
  return problem::read_problem(kText, "test.toml", changes);
}

double part(const MemoryEstimate& estimate, const std::string& name) {
  for (const MemoryEstimate::Part& part : estimate.parts)
    if (part.name == name) return part.bytes;
  ADD_FAILURE() << "no part " << name;
  return 0;
}

TEST(MemoryEstimateTest, PointsCountWithTheirColumns) {
  const double few = part(estimate_memory(with({})), "points");
  const double many = part(estimate_memory(with({"term.pde.points.sobol=100000000"})), "points");
  EXPECT_NEAR(many / few, 1e5, 1);
  EXPECT_GT(many, 1e8 * 2 * 8);  // two coordinates at least
  EXPECT_LT(many, 1e8 * 20 * 8);
}

TEST(MemoryEstimateTest, ABatchNeedsFewerColumns) {
  EXPECT_LT(part(estimate_memory(with({"term.pde.batch=10"})), "points"), part(estimate_memory(with({})), "points"));
}

TEST(MemoryEstimateTest, ATableCountsWithItsRows) {
  const train::testing::TemporaryFolder folder;
  std::string rows = "x,y,v\n";
  for (int i = 0; i < 50'000; ++i) rows += "0.25,0.125,1\n";
  train::testing::fill(folder / "rows.csv", rows);
  std::string text = kText;
  const std::string region = "region = \"interior\"\n", rule = "{ sobol = 1000 }";
  text.erase(text.find(region), region.size());
  text.replace(text.find(rule), rule.size(), "{ file = \"" + (folder / "rows.csv") + "\" }");
  const MemoryEstimate estimate = estimate_memory(problem::read_problem(text, "test.toml"));
  const double drawn = part(estimate_memory(with({"term.pde.points.sobol=50000"})), "points");
  EXPECT_EQ(part(estimate, "points"), drawn);
  EXPECT_EQ(part(estimate, "data files"), 50'000 * 3 * sizeof(double));
}

TEST(MemoryEstimateTest, DenseMethodsCountTheirMatrices) {
  // 2 -> 10 -> 10 -> 1: 30 + 110 + 11 parameters.
  const double p = 151;
  EXPECT_NEAR(part(estimate_memory(with({"phase.1.optimizer=ssbroyden"})), "optimiser"), 8 * p * (p + 1) / 2,
              8 * 31 * p);
  EXPECT_GT(part(estimate_memory(with({"phase.1.optimizer=lm"})), "optimiser"), 8 * p * p);
  EXPECT_EQ(part(estimate_memory(with({"phase.1.optimizer=adam"})), "optimiser"), 8 * 3 * p);
}

TEST(MemoryEstimateTest, CurvaturePairsAreNotMoreThanTheIterations) {
  const auto bytes = [](const char* epochs) {
    return part(estimate_memory(with({"phase.1.optimizer=lbfgs", std::string("phase.1.epochs=") + epochs})),
                "optimiser");
  };
  EXPECT_LT(bytes("1"), bytes("5"));
  EXPECT_EQ(bytes("5"), bytes("5000"));  // twenty iterations an epoch, a hundred pairs
}

TEST(MemoryEstimateTest, TrialsSideBySideAddUp) {
  const problem::Problem problem = with({"trials=4"});
  EXPECT_EQ(part(estimate_memory(problem, 4), "points"), 4 * part(estimate_memory(problem, 1), "points"));
  EXPECT_EQ(part(estimate_memory(problem, 100), "points"), 4 * part(estimate_memory(problem, 1), "points"));
}

TEST(MemoryEstimateTest, ThreadsHaveWorkBuffersOfTheirOwn) {
  const int before = thread_count();
  set_own_thread_count(1);
  const double one = part(estimate_memory(with({})), "work buffers");
  set_own_thread_count(8);
  const double eight = part(estimate_memory(with({})), "work buffers");
  set_own_thread_count(before);
  EXPECT_EQ(eight, 8 * one);
}

TEST(MemoryEstimateTest, WhatCannotFitIsRefusedWithTheBytes) {
  const problem::Problem problem = with({"network.1.hidden=[31000, 31000]"});  // 961 million parameters
  const MemoryEstimate estimate = estimate_memory(problem);
  EXPECT_GT(estimate.total(), 1e11);
  try {
    require_memory(problem, estimate);
    FAIL() << "a machine with " << estimate.total() << " bytes";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("test.toml: training needs about "), HasSubstr(" bytes), and there are "),
                                    HasSubstr("gradients of work items 1")));
  }
  EXPECT_NO_THROW(require_memory(with({}), estimate_memory(with({}))));
}

}  // namespace
}  // namespace pecann::check
