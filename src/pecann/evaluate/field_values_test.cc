#include "pecann/evaluate/field_values.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/base/parallel.h"
#include "support/engine_problem.h"

namespace pecann::evaluate {
namespace {

TEST(FieldValues, ExpressionsOnPointsForAnyNumberOfThreads) {
  test::SmallEngine engine(std::string(R"toml(title = "test"
coordinates = { x = [-1, 1], y = [0, 1] }
[parameters]
k = 0.3
[[network]]
fields = ["u", "v"]
hidden = [10, 10]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = ["u", "u_xy + k*v^2", "at(v_y, x = 0)", "u + x*y"]
points = { sobol = 777 }
)toml"));
  const std::vector<double> theta = test::random_parameters(engine.model, 3);
  const Evaluator& evaluator = *engine.evaluator;
  const std::vector<expr::Expr>& expressions = evaluator.terms()[0].residuals;
  const sampling::PointSet& points = evaluator.program(0).points();
  const int before = thread_count();
  std::vector<std::vector<double>> first;
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    FieldValues fields(engine.model, expressions, points, engine.problem.box.names);
    std::vector<std::vector<double>> values;
    fields.evaluate(theta, values);
    ASSERT_EQ(values.size(), 4);
    if (threads == 1) first = values;
    EXPECT_EQ(values, first);
  }
  set_thread_count(before);
  for (int e = 0; e < 4; ++e) {
    ASSERT_EQ(first[e].size(), 777);
    for (const std::size_t i : {0, 63, 64, 500, 776}) {
      const double reference = test::reference_row(evaluator, theta, engine.problem.box.names, {0, e, 0, i, 1}, 0);
      EXPECT_NEAR(first[e][i], reference, 1e-11) << e << " at point " << i;
    }
  }
}

}  // namespace
}  // namespace pecann::evaluate
