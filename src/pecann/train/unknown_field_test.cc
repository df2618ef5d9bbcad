// An unknown field from noisy data: what docs/faq.md says of roles.
#include <gtest/gtest.h>

#include "pecann/problem/problem_file.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/trainer.h"

namespace pecann::train {
namespace {

const char* const kConductivity = R"toml(
coordinates = { x = [0, 1], t = [0, 1] }
[exact]
u = "exp(-t)*sin(pi*x)"
a = "1 + 0.5*x"
[[network]]
fields = ["u"]
hidden = [10]
[[network]]
fields = ["a"]
inputs = ["x"]
hidden = [6]
[[term]]
name = "data"
role = "constraint"
region = "interior"
equation = "u = data.u"
points = { grid = [12, 12] }
data = { exact = ["u"], noise = 0.01 }
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t = d(a*u_x, x) + exact.u_t - d(exact.a*exact.u_x, x)"
points = { sobol = 150 }
[[term]]
name = "ends"
role = "constraint"
region = "boundary"
equation = "a = exact.a"
points = { sobol = 10 }
[penalty]
strategy = "balance"
[[phase]]
optimizer = "lm"
epochs = 30
[evaluate]
grid = [21, 21]
)toml";

TEST(TruthFindings, F14_RolesDoNotMatterToAnUnknownFieldInTimeWithBalance) {
  for (const bool data_first : {true, false}) {
    const std::vector<std::string> roles = {std::string("term.data.role=") + (data_first ? "constraint" : "objective"),
                                            std::string("term.pde.role=") + (data_first ? "objective" : "constraint"),
                                            "seed=11"};
    const problem::Problem problem = problem::read_problem(kConductivity, "conductivity.toml", roles);
    Trainer trainer(problem, problem.seed);
    trainer.run();
    for (const FieldError& error : solution_errors(problem, trainer.solution()))
      EXPECT_LT(error.relative_l2, 0.05) << error.field << ", " << roles[0];
  }
}

}  // namespace
}  // namespace pecann::train
