// The estimate against exact solutions, which it must not know.
#include "pecann/estimate/estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pecann/base/parallel.h"
#include "pecann/problem/problem_file.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/trainer.h"

namespace pecann::estimate {
namespace {

using ::testing::HasSubstr;

/// A problem, a training of it and the true error.
struct Trained {
  explicit Trained(const std::string& text, std::vector<std::string> overrides = {})
      : problem(problem::read_problem(text, "test.toml", overrides)), trainer(problem, problem.seed, {}) {
    trainer.run();
    solution = std::make_unique<train::Solution>(trainer.solution());
    errors = train::solution_errors(problem, *solution);
  }
  ErrorEstimate estimate() const { return estimate_error(problem, *solution, problem.seed, {.most_seconds = 3}); }

  problem::Problem problem;
  train::Trainer trainer;
  std::unique_ptr<train::Solution> solution;
  std::vector<train::FieldError> errors;
};

void expect_right(const Trained& trained, double factor) {
  const results::RunEstimate estimate = trained.estimate().summary();
  ASSERT_EQ(estimate.fields.size(), trained.errors.size());
  for (std::size_t f = 0; f < estimate.fields.size(); ++f) {
    const results::FieldEstimate& field = estimate.fields[f];
    SCOPED_TRACE(field.field + ": " + field.decided);
    EXPECT_TRUE(field.trusted);
    EXPECT_LT(field.relative_l2, factor * trained.errors[f].relative_l2);
    EXPECT_GT(field.relative_l2, trained.errors[f].relative_l2 / factor);
    EXPECT_LE(field.low, field.relative_l2);
    EXPECT_GE(field.high, field.relative_l2);
  }
}

std::string with_training(const std::string& text, const std::string& optimizer, int epochs) {
  return text + "\n[[phase]]\noptimizer = \"" + optimizer + "\"\nepochs = " + std::to_string(epochs) + "\n";
}

using Texts = std::vector<std::string>;

std::string listed(const Texts& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "[\"" : ", \"") + text + "\"";
  return list + "]";
}

/// A file with equations inside, conditions on the boundary, and more behind.
std::string file_of(const std::string& head, const Texts& fields, const Texts& exact, const Texts& equations,
                    const Texts& conditions, const std::string& more) {
  std::string text = head + "\n[exact]\n";
  for (std::size_t f = 0; f < fields.size(); ++f) text += fields[f] + " = \"" + exact[f] + "\"\n";
  return text + "[[network]]\nfields = " + listed(fields) +
         "\nhidden = [10, 10]\n[[term]]\nname = \"pde\"\nrole = \"objective\"\nregion = \"interior\"\nequation = " +
         listed(equations) +
         "\npoints = { sobol = 200 }\n[[term]]\nname = \"sides\"\nrole = \"constraint\"\nregion = \"boundary\"\n"
         "equation = " +
         listed(conditions) + "\npoints = { sobol = 30 }\n" + more;
}

const std::string kPlaneGrid = "[evaluate]\ngrid = [41, 41]\n", kLineGrid = "[evaluate]\ngrid = [201]\n";

const std::string kPoisson = file_of("coordinates = { x = [-1, 1], y = [0, 1] }", {"u"}, {"sin(pi*x)*sin(pi*y) + x*y"},
                                     {"laplacian(u) = laplacian(exact.u)"}, {"u = exact.u"}, kPlaneGrid);

const std::string kBurgers =
    file_of("coordinates = { x = [0, 1], t = [0, 1] }", {"u"}, {"sin(pi*x)*exp(-t)"},
            {"u_t + u*u_x - 0.1*u_xx = exact.u_t + exact.u*exact.u_x - 0.1*exact.u_xx"}, {"u = 0"},
            R"toml([[term]]
name = "start"
role = "constraint"
region = "initial"
equation = "u = sin(pi*x)"
points = { sobol = 30 }
)toml" + kPlaneGrid);

TEST(Estimate, IsRightForALinearProblemStoppedEarly) { expect_right(Trained(with_training(kPoisson, "lm", 12)), 1.3); }

TEST(Estimate, IsRightForALinearProblemTrainedWell) { expect_right(Trained(with_training(kPoisson, "lm", 120)), 1.5); }

TEST(Estimate, SeesOverfitting) {
  const Trained trained(with_training(kPoisson, "lm", 120), {"term.1.points.sobol=25", "term.2.points.sobol=4"});
  EXPECT_GT(trained.errors[0].relative_l2, 1e-2);
  expect_right(trained, 1.3);
}

TEST(Estimate, SeesAStuckNetwork) {
  expect_right(Trained(with_training(kPoisson, "adam", 30), {"network.1.hidden=[3]"}), 1.3);
}

TEST(Estimate, CorrectsTheSolutionWhereItIsGood) {
  const Trained trained(with_training(kPoisson, "lm", 12));
  const ErrorEstimate estimate = trained.estimate();
  ASSERT_TRUE(estimate.good());
  const sampling::PointSet points = train::evaluation_points(trained.problem, trained.problem.box);
  const expr::Expr u = expr::field("u");
  const std::vector<std::vector<double>> corrected = estimate.corrected(std::span(&u, 1), points);
  const train::Comparison comparison = train::comparison_for(trained.problem, trained.problem.box);
  const double after = train::error_of("u", corrected[0], comparison.values[0], 1).relative_l2;
  EXPECT_LT(after, 0.2 * trained.errors[0].relative_l2);
}

TEST(Estimate, MapsWhereTheErrorIs) {
  const Trained trained(with_training(kPoisson, "lm", 12),
                        {"domain=\"box - hole\"", "shapes.hole.disc.centre=[0.25,0.5]", "shapes.hole.disc.radius=0.2"});
  const results::RunEstimate estimate = trained.estimate().summary();
  ASSERT_TRUE(estimate.fields[0].good) << estimate.fields[0].decided;
  ASSERT_EQ(estimate.maps.size(), 1u);
  const results::ErrorMap& map = estimate.maps[0];
  EXPECT_EQ(map.coordinates, (std::vector<std::string>{"x", "y"}));
  // The true error at the same nodes.
  const std::size_t width = map.axes[0].size(), height = map.axes[1].size();
  sampling::PointSet points{.count = width * height, .coordinates = {{}, {}}, .columns = {}};
  for (auto& column : points.coordinates) column.assign(points.padded(), 0.5);
  for (std::size_t i = 0; i < points.count; ++i) {
    points.coordinates[0][i] = map.axes[0][i % width];
    points.coordinates[1][i] = map.axes[1][i / width];
  }
  const std::vector<expr::Expr> read = {expr::field("u"), trained.problem.exact.at("u")};
  std::vector<std::vector<double>> values;
  trained.solution->evaluate(read, points, values);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < points.count; ++i) {
    const double x = points.coordinates[0][i], y = points.coordinates[1][i], truth = values[0][i] - values[1][i];
    const double distance = std::hypot(x - 0.25, y - 0.5);
    if (std::abs(distance - 0.2) > 1e-9) ASSERT_EQ(std::isnan(map.values[i]), distance < 0.2) << x << " " << y;
    if (std::isnan(map.values[i])) continue;
    difference += std::pow(map.values[i] - truth, 2);
    size += truth * truth;
  }
  EXPECT_LT(std::sqrt(difference / size), 0.25);
}

TEST(Estimate, HasTheSameBitsForAnyNumberOfThreads) {
  const Trained trained(with_training(kPoisson, "lm", 12));
  set_thread_count(1);
  const results::RunEstimate one = trained.estimate().summary();
  set_thread_count(3);
  const results::RunEstimate three = trained.estimate().summary();
  set_thread_count(2);
  EXPECT_EQ(one.fields[0].relative_l2, three.fields[0].relative_l2);
  EXPECT_EQ(one.fields[0].decided, three.fields[0].decided);
  EXPECT_EQ(one.maps[0].values, three.maps[0].values);
}

TEST(Estimate, IsNotTrustedWhereAConditionIsMissing) {
  std::string text = with_training(kPoisson, "lm", 40);
  text.replace(text.find("region = \"boundary\""), 19, "region = \"x = -1\"  ");
  const results::RunEstimate estimate = Trained(text).estimate().summary();
  ASSERT_EQ(estimate.fields.size(), 1u);
  EXPECT_FALSE(estimate.fields[0].trusted);
  EXPECT_THAT(estimate.fields[0].decided, HasSubstr("unseen"));
}

TEST(Estimate, IsRightForANonlinearProblem) {
  expect_right(Trained(with_training(kBurgers, "lm", 6)), 1.5);
  expect_right(Trained(with_training(kBurgers, "lm", 60)), 1.5);
}

TEST(Estimate, CarriesErrorsThroughWindows) {
  const Trained trained(with_training(kBurgers, "lm", 8) + "[windows]\ncount = 3\n");
  ASSERT_EQ(trained.solution->num_windows(), 3);
  expect_right(trained, 1.5);
}

TEST(Estimate, IsRightForASystem) {
  const std::string text = file_of("coordinates = { x = [0, 2] }", {"u", "v"}, {"sin(2*x)", "exp(-x)"},
                                   {"u_xx + u*v = exact.u_xx + exact.u*exact.v", "v_x + v + u = exact.u"},
                                   {"u = exact.u", "v = exact.v"}, kLineGrid);
  expect_right(Trained(with_training(text, "lm", 15), {"network.1.hidden=[10]", "term.pde.points.sobol=60"}), 1.5);
}

TEST(Estimate, IsRightForAShape) {
  const std::string text = file_of(R"toml(coordinates = { x = [-1, 1], y = [-1, 1] }
domain = "box - hole"
[shapes]
hole = { disc = { centre = [0, 0], radius = 0.4 } })toml",
                                   {"u"}, {"exp(x)*sin(y)"}, {"laplacian(u) = 0"}, {"u = exact.u"}, kPlaneGrid);
  expect_right(Trained(with_training(text, "lm", 12)), 1.5);
}

TEST(Estimate, IsRightWhereAnIntegralFixesTheSolution) {
  // The slopes at the ends leave a constant open, which the mean fixes.
  const std::string text = file_of("coordinates = { x = [0, 1] }", {"u"}, {"1 + cos(pi*x)"}, {"u_xx = -pi^2*cos(pi*x)"},
                                   {"u_x = 0"}, R"toml([[term]]
name = "mean"
role = "constraint"
region = "interior"
equation = "mean(u) = 1"
points = { gauss = [12] }
)toml" + kLineGrid);
  expect_right(Trained(with_training(text, "lm", 4)), 1.5);
}

TEST(Estimate, OfASolveComparesIndependentSolves) {
  std::string text = kPoisson;
  text.replace(text.find("hidden = [10, 10]"), 17, "features = 120\nactivation = \"sin\"");
  expect_right(Trained(with_training(text, "solve", 1)), 2);
}

TEST(Estimate, OfASolveWhoseSolutionIsNotDeterminedIsNotTrusted) {
  // The slopes at the ends leave a constant open; every solve takes another one.
  std::string text = with_training(file_of("coordinates = { x = [0, 1] }", {"u"}, {"1 + cos(pi*x)"},
                                           {"u_xx = -pi^2*cos(pi*x)"}, {"u_x = 0"}, kLineGrid),
                                   "solve", 1);
  for (const char* count : {"10", "14", "18"}) {
    std::string own = text;
    own.replace(own.find("hidden = [10, 10]"), 17, std::string("features = ") + count + "\nactivation = \"sin\"");
    const results::RunEstimate estimate = Trained(own).estimate().summary();
    for (const results::FieldEstimate& field : estimate.fields) EXPECT_FALSE(field.trusted) << field.decided;
  }
}

TEST(Estimate, OfASolveInPartsComparesOneWithMoreFeatures) {
  std::string text = with_training(kPoisson, "solve", 1);
  text.replace(text.find("hidden = [10, 10]"), 17, "features = 60\nactivation = \"sin\"\nscale = 4");
  text += "[decompose]\nx = 2\ny = 2\n";
  const Trained trained(text);
  expect_right(trained, 2);
  EXPECT_THAT(trained.estimate().summary().fields[0].decided, HasSubstr("features in each of 2 × 2 parts"));
}

TEST(Estimate, OfNetworksInPartsIsNotMade) {
  const Trained trained(with_training(kPoisson, "lm", 2) + "[decompose]\nx = 2\n");
  const results::RunEstimate estimate = trained.estimate().summary();
  EXPECT_TRUE(estimate.fields.empty());
  EXPECT_THAT(estimate.decided, HasSubstr("not trusted: nothing is built to judge trained networks in parts"));
}

TEST(Estimate, LeavesOutWhatCostsTooMuch) {
  const Trained trained(with_training(kPoisson, "lm", 2));
  const results::RunEstimate estimate =
      estimate_error(trained.problem, *trained.solution, trained.problem.seed, {.most_seconds = 1e-9}).summary();
  EXPECT_TRUE(estimate.fields.empty());
  EXPECT_THAT(estimate.decided, HasSubstr("left out"));
}

}  // namespace
}  // namespace pecann::estimate
