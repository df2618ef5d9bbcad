// Training with tables: a coefficient with derivatives, an initial state over windows, a reference; the same bits after
// a checkpoint and on any number of threads; the error over several fields.
#include <cmath>

#include <gtest/gtest.h>

#include "pecann/base/npy.h"
#include "pecann/base/parallel.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"
#include "pecann/train/trials.h"

namespace pecann::train {
namespace {

using testing::TemporaryFolder;

/// Flow through a medium of smooth conductivity, known on 256 × 256 nodes, with a solution in closed form.
problem::Problem darcy(const TemporaryFolder& folder) {
  constexpr int kNodes = 256;
  std::vector<double> values;
  for (int i = 0; i < kNodes; ++i)
    for (int j = 0; j < kNodes; ++j) {
      const double x = i / (kNodes - 1.0), y = j / (kNodes - 1.0);
      values.push_back(std::exp(std::sin(4 * x + 1) * std::cos(3 * y)));
    }
  const std::size_t shape[] = {kNodes, kNodes};
  write_npy(folder / "kappa.npy", shape, values);
  return problem::read_problem(
      "[tables]\nkappa = { file = \"" + (folder / "kappa.npy") + "\", coordinates = [\"x\", \"y\"] }\n" + R"toml(
[functions]
closed = "exp(sin(4*x + 1)*cos(3*y))"
[exact]
u = "sin(pi*x)*sin(pi*y)"
[[network]]
fields = ["u"]
hidden = [12, 12]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "div(kappa*grad(u)) = div(closed*grad(exact.u))"
points = { sobol = 400 }
[[term]]
name = "sides"
role = "constraint"
region = "boundary"
equation = "u = 0"
points = { sobol = 40 }
[[phase]]
optimizer = "lm"
epochs = 40
[evaluate]
grid = [41, 41]
)toml",
      "darcy.toml", std::vector<std::string>{"coordinates={ x = [0, 1], y = [0, 1] }"});
}

TEST(TablesTraining, AConductivityOnNodesGivesTheSolutionOfItsClosedForm) {
  const TemporaryFolder folder;
  const problem::Problem problem = darcy(folder);
  Trainer trainer(problem, 11);
  trainer.run();
  const std::vector<FieldError> errors = trainer.measure_errors();
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_LT(errors[0].relative_l2, 1e-3);
}

/// The heat problem with sin(πx) from a table where the initial state and the reference are.
problem::Problem tabled_heat(const TemporaryFolder& folder) {
  std::vector<double> values;
  for (int i = 0; i <= 64; ++i) values.push_back(std::sin(std::acos(-1.0) * i / 64));
  const std::size_t shape[] = {values.size()};
  write_npy(folder / "begin.npy", shape, values);
  return testing::heat({"term.start.equation=u = begin", "exact.u=exp(-t)*begin", "windows.count=2",
                        "tables.begin={ file = '" + (folder / "begin.npy") + "', coordinates = ['x'] }"});
}

TEST(TablesTraining, AnInitialStateFromATableIsThatOfItsClosedForm) {
  const TemporaryFolder folder;
  const auto end = [](const problem::Problem& problem) {
    Trainer trainer(problem, 3);
    testing::Rows rows;
    trainer.add_observer(rows);
    trainer.run();
    return rows.rows.back().loss;
  };
  const double closed = end(testing::heat({"windows.count=2"}));
  EXPECT_NEAR(end(tabled_heat(folder)), closed, 1e-4 * closed);
}

TEST(TablesTraining, ResumedFromItsFolderItGivesTheSameBits) {
  const TemporaryFolder files, whole, parts;
  const problem::Problem problem = tabled_heat(files);
  class Ender final : public EpochObserver {
   public:
    Directive on_epoch(const EpochRecord& record) override {
      return record.epoch >= 5 ? Directive::Stop : Directive::Continue;
    }
  };
  const int before = static_cast<int>(thread_count());
  set_thread_count(1);
  const double expected = run_trials(problem, whole.path(), {})[0].last.loss;
  run_trials(problem, parts.path(), {.observer = [](int) { return std::make_unique<Ender>(); }});
  set_thread_count(3);
  // What a folder keeps is the text of the problem.
  const problem::Problem again = problem::read_problem(problem::write_problem(problem), "problem.toml");
  EXPECT_EQ(run_trials(again, parts.path(), {.resume = true})[0].last.loss, expected);
  set_thread_count(before);
}

TEST(TogetherError, IsTheNormOfAllValuesInOneVector) {
  const problem::Problem problem = problem::read_problem(R"toml(
coordinates = { x = [0, 1] }
[exact]
u = "2 + x"
v = "3*x"
[[network]]
fields = ["u", "v"]
hidden = [3]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = ["u = exact.u", "v = exact.v"]
points = { sobol = 8 }
[[phase]]
optimizer = "adam"
epochs = 3
[evaluate]
grid = [11]
together = ["v", "u"]
)toml",
                                                         "two.toml");
  const Comparison comparison = comparison_for(problem, problem.box);
  std::vector<std::vector<double>> predicted = comparison.values;
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < 11; ++i) {
    predicted[0][i] += 0.1 * static_cast<double>(i);
    predicted[1][i] -= 0.3;
    const double x = comparison.points.coordinates[0][i];
    difference += 0.01 * static_cast<double>(i * i) + 0.09;
    norm += (2 + x) * (2 + x) + 9 * x * x;
  }
  const std::vector<FieldError> errors = comparison.errors(predicted, 0.1);
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_EQ(errors[2].field, "together");
  EXPECT_NEAR(errors[2].relative_l2, std::sqrt(difference / norm), 1e-14);
  EXPECT_NEAR(errors[2].linf, 1.0, 1e-14);
  EXPECT_NEAR(errors[2].l1, errors[0].l1 + errors[1].l1, 1e-14);
  Trainer trainer(problem, 1);
  trainer.run();
  EXPECT_EQ(trainer.measure_errors().size(), 3u);
}

}  // namespace
}  // namespace pecann::train
