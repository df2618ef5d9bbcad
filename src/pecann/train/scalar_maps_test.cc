// Trainable scalars: the maps that keep them inside their bounds, seen as the trainer uses them.
#include <cmath>

#include <gtest/gtest.h>

#include "pecann/evaluate/model.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"

namespace pecann::train {
namespace {

using evaluate::scalar_value;
using evaluate::unbounded_start;
using problem::ParameterSpec;

std::vector<ParameterSpec> all_kinds() {
  return {{.name = "plain", .initial = -3},
          {.name = "log", .initial = 0.02, .log_scale = true},
          {.name = "lower", .initial = 2.5, .lower = 2},
          {.name = "upper", .initial = -7, .upper = 1},
          {.name = "both", .initial = 0.3, .lower = -1, .upper = 4},
          {.name = "log both", .initial = 0.1, .lower = 1e-3, .upper = 10, .log_scale = true}};
}

TEST(ScalarMaps, TheStartIsTheInitialValue) {
  for (const ParameterSpec& spec : all_kinds())
    EXPECT_NEAR(scalar_value(spec, unbounded_start(spec)).value, spec.initial, 1e-14 * (1 + std::abs(spec.initial)))
        << spec.name;
}

TEST(ScalarMaps, SlopesAreThoseOfTheValues) {
  for (const ParameterSpec& spec : all_kinds())
    for (const double xi : {-3.0, -0.4, 0.0, 0.7, 2.5}) {
      const double h = 1e-5;
      const double difference = (scalar_value(spec, xi + h).value - scalar_value(spec, xi - h).value) / (2 * h);
      EXPECT_NEAR(scalar_value(spec, xi).slope, difference, 1e-8 * (1 + std::abs(difference)))
          << spec.name << " at " << xi;
    }
}

TEST(ScalarMaps, ValuesStayInsideHoweverFarTheyArePushed) {
  for (const ParameterSpec& spec : all_kinds())
    for (const double xi : {-30.0, 30.0}) {
      const double value = scalar_value(spec, xi).value;
      if (spec.lower) EXPECT_GE(value, *spec.lower - 1e-12) << spec.name;
      if (spec.upper) EXPECT_LE(value, *spec.upper + 1e-12) << spec.name;
      if (spec.log_scale) EXPECT_GT(value, 0) << spec.name;
    }
}

TEST(ScalarMaps, KnownValues) {
  EXPECT_EQ(scalar_value({.name = "both", .lower = -1.0, .upper = 3.0}, 0).value, 1);
  EXPECT_EQ(scalar_value({.name = "both", .lower = -1.0, .upper = 3.0}, 0).slope, 1);
  EXPECT_EQ(scalar_value({.name = "upper", .upper = 5.0}, 0).slope, -1);
  EXPECT_EQ(scalar_value({.name = "log", .log_scale = true}, 0).value, 1);
  EXPECT_NEAR(scalar_value({.name = "log both", .lower = 0.1, .upper = 10.0, .log_scale = true}, 0).value, 1, 1e-15);
}

TEST(ScalarMaps, TrainingFindsABoundedScalar) {
  // u = exp(-t) sin(pi x) fixes the factor a = pi² − 1 of the source; a begins far away, inside its bounds.
  const problem::Problem problem =
      testing::heat({"parameters.a={initial=2, lower=0, upper=20}", "term.pde.equation=u_t = u_xx + a*exact.u",
                     "phase.1.optimizer=lbfgs", "phase.1.epochs=60", "network.1.hidden=[10]"},
                    "[[term]]\nname = \"data\"\nrole = \"constraint\"\nregion = \"interior\"\nequation = \"u = "
                    "exact.u\"\npoints = { sobol = 30 }\n");
  Trainer trainer(problem, 1);
  trainer.run();
  EXPECT_NEAR(trainer.evaluator().model().scalar(trainer.parameters(), 0).value, M_PI * M_PI - 1, 0.3);
}

}  // namespace
}  // namespace pecann::train
