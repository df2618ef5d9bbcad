// Training against PyTorch's histories (tests/golden/README.md): same start, same rules, row by row.
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "pecann/problem/catalogue.h"
#include "pecann/train/trainer.h"
#include "support/simd_targets.h"

namespace pecann {
namespace {

class Rows final : public train::EpochObserver {
 public:
  train::Directive on_epoch(const train::EpochRecord& record) override {
    rows.push_back(record);
    return train::Directive::Continue;
  }
  std::vector<train::EpochRecord> rows;
};

struct Golden {
  nlohmann::json rows;
  std::vector<double> start;
};

Golden read_golden(const std::string& name) {
  std::ifstream file("tests/golden/" + name + ".json");
  const nlohmann::json all = nlohmann::json::parse(file);
  return {all.at("history"), all.at("initial_parameters").get<std::vector<double>>()};
}

std::vector<train::EpochRecord> train_like(const Golden& golden, const std::string& problem_name,
                                           std::vector<std::string> overrides) {
  overrides.push_back("evaluate.every=1000000");
  const problem::Problem problem = problem::load_problem(problem_name, overrides, "paper");
  train::Trainer trainer(problem, 1);
  Rows rows;
  trainer.add_observer(rows);
  trainer.start_from(golden.start);
  trainer.run();
  return rows.rows;
}

void expect_near(double ours, double reference, double tolerance, const char* what, std::size_t row) {
  EXPECT_LE(std::abs(ours - reference), tolerance * std::abs(reference) + 1e-300)
      << what << " of epoch " << row + 1 << ": " << ours << " against " << reference;
}

void expect_rows(const std::vector<train::EpochRecord>& ours, const nlohmann::json& golden, std::size_t first,
                 std::size_t last, double tolerance) {
  ASSERT_GE(ours.size(), last);
  ASSERT_GE(golden.size(), last);
  for (std::size_t i = first; i < last; ++i) {
    expect_near(ours[i].loss, golden[i]["loss"], tolerance, "loss", i);
    expect_near(ours[i].objective, golden[i]["objective"], tolerance, "objective", i);
    for (std::size_t c = 0; c < ours[i].constraints.size(); ++c) {
      expect_near(ours[i].constraints[c].value, golden[i]["constraints"][c], tolerance, "constraint", i);
      expect_near(ours[i].constraints[c].multiplier, golden[i]["multipliers"][c], tolerance, "multiplier", i);
      expect_near(ours[i].constraints[c].penalty, golden[i]["penalties"][c], tolerance, "penalty", i);
    }
    EXPECT_EQ(ours[i].learning_rate, golden[i]["learning_rate"].get<double>()) << "epoch " << i + 1;
  }
}

void expect_losses(const std::vector<train::EpochRecord>& ours, const nlohmann::json& golden, std::size_t first,
                   std::size_t last, double tolerance) {
  ASSERT_GE(ours.size(), last);
  for (std::size_t i = first; i < last; ++i) {
    expect_near(ours[i].loss, golden[i]["loss"], tolerance, "loss", i);
    EXPECT_EQ(ours[i].learning_rate, golden[i]["learning_rate"].get<double>()) << "epoch " << i + 1;
  }
}

class GoldenBurgers : public testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(GoldenBurgers, EveryRowAgreesToNineDigits) {
  const auto [strategy, epochs] = GetParam();
  const Golden golden = read_golden("burgers_66x33_adam_" + std::string(strategy));
  const auto ours =
      train_like(golden, "burgers-rarefaction-coarse",
                 {"penalty.strategy=" + std::string(strategy), "phase.1.epochs=" + std::to_string(epochs)});
  expect_rows(ours, golden.rows, 0, epochs, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Strategies, GoldenBurgers,
                         testing::Values(std::pair("capu", 300), std::pair("mpu", 100), std::pair("cpu", 100)),
                         [](const auto& info) { return info.param.first; });

TEST(GoldenTargets, EveryInstructionSetOfTheMachineAgreesToNineDigits) {
  const Golden golden = read_golden("burgers_66x33_adam_capu");
  test::for_each_simd_target([&] {
    const auto ours = train_like(golden, "burgers-rarefaction-coarse", {"penalty.strategy=capu", "phase.1.epochs=20"});
    expect_rows(ours, golden.rows, 0, 20, 1e-9);
  });
}

TEST(GoldenPoisson, PlateauScheduleCutsTheSameRates) {
  const Golden golden = read_golden("poisson_b8_adam_plateau");
  const auto ours = train_like(golden, "poisson",
                               {"network.1.hidden=[20,20]", "phase.1.epochs=300",
                                R"(phase.1.schedule={kind="plateau", factor=0.5, patience=10})"});
  expect_losses(ours, golden.rows, 0, 300, 1e-3);
}

TEST(GoldenPoisson, AdamThenLbfgs) {
  const Golden golden = read_golden("poisson_b8_adam_then_lbfgs");
  const auto ours =
      train_like(golden, "poisson",
                 {"network.1.hidden=[20,20]",
                  R"(phase=[{optimizer="adam", epochs=50, schedule={kind="step", factor=0.9, every=20}}, )"
                  R"({optimizer="lbfgs", mode="compatible", epochs=10}])"});
  expect_losses(ours, golden.rows, 0, 50, 1e-4);
  // L-BFGS begins at parameters that agree to about 1e-4 (Adam amplifies rounding): its first epoch takes the same
  // evaluations, the next ones differ by one or two with the instruction set.
  EXPECT_EQ(ours[50].evaluations, golden.rows[50]["evaluations"].get<int>());
  EXPECT_NEAR(ours[51].evaluations, golden.rows[51]["evaluations"].get<int>(), 2);
}

TEST(GoldenHelmholtz, CompatibleLbfgs) {
  const Golden golden = read_golden("helmholtz_1_4_lbfgs_capu");
  const auto ours = train_like(golden, "helmholtz-1-4", {"phase.1.epochs=20"});
  // Line searches amplify rounding thirtyfold to a hundredfold an epoch: 3e-13, 4e-11, 1e-9, 3e-8, 8e-6, … in the loss.
  expect_losses(ours, golden.rows, 0, 3, 1e-8);
  expect_rows(ours, golden.rows, 0, 3, 1e-7);
  expect_rows(ours, golden.rows, 3, 5, 1e-4);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_EQ(ours[i].evaluations, golden.rows[i]["evaluations"].get<int>()) << "epoch " << i + 1;
}

}  // namespace
}  // namespace pecann
