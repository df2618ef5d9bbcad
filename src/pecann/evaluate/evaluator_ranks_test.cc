// The evaluator on several ranks against one: the same bits from every function that exchanges something.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pecann/base/thread_ranks.h"
#include "pecann/evaluate/evaluator.h"
#include "support/engine_problem.h"

namespace pecann::evaluate {
namespace {

// Groups of all kinds: objective alone, aggregated alone, several aggregated on shared points, point-wise.
constexpr const char* kProblem = R"toml(title = "test"
coordinates = { x = [-1, 1], t = [0, 1] }
[[network]]
fields = ["u", "v"]
hidden = [12, 11]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = ["u_t - u_xx + u*v_x", "v_t - u_x"]
points = { sobol = 503 }
[[term]]
name = "flux"
role = "constraint"
region = "interior"
equation = "v - u_x"
points = { sobol = 301 }
[[term]]
name = "level"
role = "constraint"
equation = "u - 0.1"
points = { same_as = "flux" }
aggregate = "sum"
[[term]]
name = "sides"
role = "constraint"
region = "boundary"
equation = "u - x*t"
points = { sobol = 37 }
[[term]]
name = "start"
role = "constraint"
region = "initial"
equation = "u - sin(pi*x)"
points = { sobol = 270 }
aggregate = "pointwise"
)toml";

struct Answers {
  std::vector<double> values, constraints, gradient, second_gradient, rows, pulled, columns;
  bool operator==(const Answers&) const = default;
};

Answers answers() {
  test::SmallEngine engine{std::string(kProblem)};
  Evaluator& evaluator = *engine.evaluator;
  const std::vector<double> theta = test::random_parameters(engine.model, 2);
  const std::size_t size = theta.size(), tiles = evaluator.row_offsets().size() - 1;
  const test::RandomDuals duals(evaluator.num_constraint_entries(), 4), later(evaluator.num_constraint_entries(), 5);
  Answers all;
  all.values = evaluator.values(theta, Evaluator::Next::Gradient).terms;
  all.gradient.resize(size);
  all.constraints = evaluator.gradient(theta, duals.view(), all.gradient).constraints;
  all.second_gradient.resize(size);  // other multipliers at the same parameters: from the items kept
  evaluator.gradient(theta, later.view(), all.second_gradient);
  all.rows = test::residual_rows(evaluator, theta);
  all.pulled.resize(size);
  evaluator.pull_back(theta, all.rows, all.pulled);
  for (std::size_t first = 0; first < tiles; first += 3) {  // panels of tiles, as Levenberg–Marquardt asks for them
    const std::size_t count = std::min<std::size_t>(3, tiles - first);
    const std::size_t depth = evaluator.row_offsets()[first + count] - evaluator.row_offsets()[first],
                      stride = depth + 5;
    std::vector<double> panel(size * stride, 0.0);
    evaluator.jacobian(theta, all.rows, first, count, panel.data(), stride);
    all.columns.insert(all.columns.end(), panel.begin(), panel.end());
  }
  return all;
}

TEST(EvaluatorRanks, AnyNumberOfRanksGivesTheBitsOfOne) {
  const Answers one = answers();
  for (const int size : {2, 3, 4, 7}) {
    pecann::testing::run_ranks(size, [&](int rank) {
      const Answers own = answers();
      EXPECT_EQ(own.values, one.values) << size << " ranks, rank " << rank;
      EXPECT_EQ(own.constraints, one.constraints);
      EXPECT_EQ(own.gradient, one.gradient);
      EXPECT_EQ(own.second_gradient, one.second_gradient);
      EXPECT_EQ(own.rows, one.rows);
      EXPECT_EQ(own.pulled, one.pulled);
      EXPECT_EQ(own.columns, one.columns);
    });
  }
}

}  // namespace
}  // namespace pecann::evaluate
