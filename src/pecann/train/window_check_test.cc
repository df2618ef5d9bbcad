// Windows that grow, hand on what they have, are checked and tried again.
#include "pecann/train/window_check.h"
#include "pecann/evaluate/field_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pecann/train/assembly.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"

namespace pecann::train {
namespace {

using ::testing::HasSubstr;
using testing::heat;
using testing::Rows;

/// A bump that runs to the right with speed one: exact solution known.
problem::Problem advection(std::vector<std::string> overrides = {}) {
  return problem::read_problem(R"toml(
title = "advection"
coordinates = { x = [0, 1], t = [0, 0.6] }
[exact]
u = "exp(-((x - 0.2 - t)/0.1)^2)"
[[network]]
fields = ["u"]
hidden = [12, 12]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t + u_x = 0"
points = { sobol = 60, near = 140, density = "abs(u_x)", redraw = 4 }
[[term]]
name = "start"
role = "objective"
weight = 10
region = "initial"
equation = "u = exact.u"
points = { sobol = 20, near = 60, density = "abs(u_x) + residual", redraw = 4 }
[[term]]
name = "left"
role = "objective"
weight = 10
region = "x = 0"
equation = "u = exact.u"
points = { sobol = 30 }
[windows]
count = 3
normalise = "window"
start = "extrapolate"
curvature = "previous"
grow = 2
check = { pde = 1e-3, start = 1e-5, left = 1e-5 }
retry = { epochs = 3 }
[[phase]]
optimizer = "ssbroyden"
epochs = 10
[evaluate]
grid = [41, 25]
)toml",
                               "advection.toml", overrides);
}

TEST(WindowCheck, AnAdvectedBumpPassesThreeWindows) {
  const problem::Problem problem = advection();
  Trainer trainer(problem, 1);
  const Outcome outcome = trainer.run();
  EXPECT_EQ(outcome.termination, Termination::EpochsDone) << outcome.message;
  const auto reports = trainer.window_reports();
  ASSERT_GE(reports.size(), 3u);
  for (int w = 0; w < 3; ++w)
    EXPECT_TRUE(std::any_of(reports.begin(), reports.end(), [&](const WindowReport& r) {
      return r.window == w && r.passed();
    })) << w;
  EXPECT_LT(trainer.measure_errors().at(0).relative_l2, 0.02);
}

TEST(WindowCheck, ValuesAreMeansOnFreshPoints) {
  // With all parameters zero the network is zero: the residual of `start` is the bump of width 0.1,
  // whose square has the mean
  //     ∫ exp(−2 ((x − 0.2)/0.1)²) dx = 0.1 √(π/8) (erf(0.8 √2/0.1) + erf(0.2 √2/0.1)).
  const problem::Problem problem = advection({"term.start.points={grid=[5, 5]}", "windows.check_points=4096"});
  const Solution nothing(problem, 1);
  const evaluate::Model model(problem, normalisation_box(problem, {0, 3}), 1);
  const std::vector<double> zero(model.num_parameters(), 0.0);
  const std::vector<CheckValue> checks = check_window(problem, 1, {0, 3}, nothing, zero);
  ASSERT_EQ(checks.size(), 3u);
  EXPECT_EQ(checks[0].term, "pde");
  EXPECT_EQ(checks[0].value, 0);
  EXPECT_EQ(checks[1].term, "start");
  EXPECT_EQ(checks[1].limit, 1e-5);
  const double root = std::sqrt(2.0) / 0.1;
  EXPECT_NEAR(checks[1].value, 0.1 * std::sqrt(M_PI / 8) * (std::erf(0.8 * root) + std::erf(0.2 * root)), 1e-4);
}

TEST(WindowCheck, AWindowThatFailsTwiceEndsTheTrialAndSaysWhere) {
  const problem::Problem problem =
      heat({"windows.count=3", "windows.check={pde=1e-30, sides=1e9}", "phase.1.epochs=3"});
  Trainer trainer(problem, 1);
  Rows rows;
  trainer.add_observer(rows);
  const Outcome outcome = trainer.run();
  EXPECT_EQ(outcome.termination, Termination::CheckFailed);
  EXPECT_THAT(outcome.message, HasSubstr("window 1 of 3, t from 0 to 0.333333, failed its check twice: pde "));
  EXPECT_THAT(outcome.message, HasSubstr("(limit 1.0e-30), sides "));
  ASSERT_EQ(trainer.window_reports().size(), 2u);
  EXPECT_EQ(trainer.window_reports()[0].epochs, 3);
  EXPECT_EQ(trainer.window_reports()[1].epochs, 12) << "two parts, twice the epochs";
  ASSERT_EQ(rows.rows.size(), 15u);
  for (std::size_t i = 0; i < rows.rows.size(); ++i)
    EXPECT_EQ(rows.rows[i].epoch, static_cast<long>(i) + 1) << "counted on in the second try";
  for (std::size_t i = 0; i < rows.rows.size(); ++i)
    EXPECT_EQ(rows.rows[i].window_epochs, i < 3 ? 3 : 15) << "where the try ends, epoch " << i + 1;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    EXPECT_EQ(rows.rows[i].attempt, i < 3 ? 0 : 1) << i;
    EXPECT_EQ(rows.rows[i].part, i < 9 ? 0 : 1) << i;
  }
  EXPECT_EQ(outcome.cause.kind, Cause::Kind::WindowCheck);

  StateWriter writer;  // resumed with other limits it goes on
  trainer.save(writer);
  const problem::Problem milder = heat({"windows.count=3", "windows.check={pde=1e9, sides=1e9}", "phase.1.epochs=3"});
  Trainer resumed(milder, 1);
  resumed.load(StateReader(writer.bytes()));
  EXPECT_EQ(resumed.run().termination, Termination::EpochsDone);
  EXPECT_EQ(resumed.solution().num_windows(), 3);
}

TEST(WindowCheck, WithinTheLimitOfGivingUpTheBetterTryIsKeptAndNamed) {
  const problem::Problem problem =
      heat({"windows.count=2", "windows.check={start=1e-30}", "windows.give_up=1e40", "windows.retry={epochs=0.02}",
            "phase.1.epochs=40", "phase.1.learning_rate=0.01"});
  Trainer trainer(problem, 1);
  const Outcome outcome = trainer.run();
  EXPECT_EQ(outcome.termination, Termination::EpochsDone);
  EXPECT_THAT(outcome.message, HasSubstr("; second tries: windows 1, 2; failed twice: windows 1, 2"));
  const auto reports = trainer.window_reports();
  ASSERT_EQ(reports.size(), 4u);
  ASSERT_LT(reports[2].excess(), reports[3].excess()) << "the second try has one epoch a part";
  Solution first(problem, 1);
  const Solution whole = trainer.solution();
  first.add_window({whole.parameters(0).begin(), whole.parameters(0).end()});
  EXPECT_EQ(check_window(problem, 1, {1, 2}, first, trainer.parameters()).at(0).value, reports[2].checks.at(0).value);
}

TEST(WindowCheck, TheSecondTryMaySucceed) {
  const auto overrides = [](const std::string& epochs) {
    return std::vector<std::string>{"windows.count=2", "windows.check={start=0.01}",
                                    "windows.retry={epochs=" + epochs + ", grow=1}",
                                    "phase=[{optimizer=\"lbfgs\", epochs=1, options={iterations=1}}]"};
  };
  const problem::Problem problem = heat(overrides("40"));
  Trainer trainer(problem, 1);
  const Outcome outcome = trainer.run();
  EXPECT_EQ(outcome.termination, Termination::EpochsDone) << outcome.message;
  const auto reports = trainer.window_reports();
  ASSERT_EQ(reports.size(), 4u);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(reports[i].passed(), i % 2 == 1) << i;
}

TEST(WindowCheck, WhatIsNoNumberDoesNotPass) {
  for (const double broken : {std::nan(""), std::numeric_limits<double>::infinity()})
    for (const std::vector<CheckValue>& checks :
         {std::vector<CheckValue>{{"pde", broken, 1}, {"start", 0.1, 1}}, {{"pde", 0.1, 1}, {"start", broken, 1}}}) {
      const WindowReport report{.checks = checks};
      EXPECT_FALSE(report.passed());
      EXPECT_TRUE(std::isinf(report.excess())) << "a try with numbers is the better one";
    }
}

TEST(WindowCheck, ATryThatBreaksOffIsTriedAgain) {
  const problem::Problem problem = heat({"windows.check={pde=1e9}", "phase.1.epochs=6",
                                         "term.pde.equation=u_t = u_xx + log(u + 0.05)", "windows.give_up=1"});
  Trainer trainer(problem, 1);
  const Outcome outcome = trainer.run();
  ASSERT_GE(trainer.window_reports().size(), 1u);
  const WindowReport& first = trainer.window_reports()[0];
  EXPECT_FALSE(first.not_finite.empty()) << "a logarithm of random fields around zero";
  ASSERT_EQ(trainer.window_reports().size(), 2u);
  EXPECT_EQ(outcome.termination == Termination::CheckFailed, !trainer.window_reports()[1].passed());
}

TEST(WindowGrowth, PointsLieInTheGrownPart) {
  const problem::Problem problem = heat({"windows.count=2"});
  const Solution nothing(problem, 1);
  for (int part = 0; part < 4; ++part) {
    Assembly assembly(problem, 1, {0, 2, part, 4}, nothing);
    EXPECT_EQ(assembly.box().lower[1], 0);
    EXPECT_EQ(assembly.box().upper[1], 0.125 * (part + 1));
    double latest = 0;
    for (const double t : assembly.evaluator().program(0).points().coordinates[1]) latest = std::max(latest, t);
    EXPECT_LE(latest, 0.125 * (part + 1));
    EXPECT_GT(latest, 0.1 * (part + 1));
  }
  const problem::Problem own = heat({"windows.count=2", "windows.normalise=window"});
  EXPECT_EQ(normalisation_box(own, {1, 2, 0, 4}).upper[1], 1)
      << "the inputs of a network do not change while its window grows";
}

TEST(WindowGrowth, ThePhasesRunOnEveryPart) {
  const problem::Problem problem = heat({"windows.count=2", "windows.grow=3", "windows.first={grow=2}",
                                         "phase=[{optimizer=\"adam\", epochs=2}, {optimizer=\"lbfgs\", epochs=1}]"});
  Trainer trainer(problem, 1);
  Rows rows;
  trainer.add_observer(rows);
  trainer.run();
  std::vector<int> windows, phases;
  for (const EpochRecord& row : rows.rows) windows.push_back(row.window), phases.push_back(row.phase);
  EXPECT_EQ(windows, (std::vector<int>{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(phases, (std::vector<int>{0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}));
}

TEST(WindowStart, ExtrapolatedParametersAreTheSameFunctionOfTime) {
  const problem::Problem problem = heat({"windows.count=4", "windows.normalise=window", "windows.start=extrapolate"});
  Solution next(problem, 1);
  const evaluate::Model model(problem, normalisation_box(problem, {0, 4}), 1);
  const std::vector<double> parameters = model.initial_parameters(3);
  next.add_window(parameters);
  next.add_window(extrapolated(problem, model, parameters));
  sampling::PointSet points;
  points.count = 8;
  points.coordinates.assign(2, AlignedVector<double>(8));
  for (int i = 0; i < 8; ++i) points.coordinates[0][i] = 0.1 * i, points.coordinates[1][i] = 0.26 + 0.03 * i;
  const std::vector<expr::Expr> read = {expr::field("u"), expr::field("u", {{"t", 1}})};
  std::vector<std::vector<double>> ours, theirs;
  evaluate::FieldValues(model, read, points, problem.box.names).evaluate(parameters, ours);  // beyond its window
  next.evaluate(read, points, theirs);  // the second window's own network
  for (int e = 0; e < 2; ++e)
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(ours[e][i], theirs[e][i], 1e-12);
}

TEST(WindowStart, CurvatureOfTheWindowBeforeIsTheFirstDirectionOfTheNext) {
  // One L-BFGS iteration a window: without memory it is steepest descent, with memory the second window's differs.
  const auto second_loss = [](const std::string& curvature) {
    const problem::Problem problem =
        heat({"windows.count=2", "windows.start=previous", "windows.curvature=" + curvature,
              "phase=[{optimizer=\"lbfgs\", epochs=6, options={iterations=3}}]"});
    Trainer trainer(problem, 1);
    Rows rows;
    trainer.add_observer(rows);
    trainer.run();
    return std::pair(rows.rows[5].loss, rows.rows[6].loss);
  };
  const auto [first_fresh, next_fresh] = second_loss("fresh");
  const auto [first_kept, next_kept] = second_loss("previous");
  EXPECT_EQ(first_fresh, first_kept) << "the first window has nothing to take over";
  EXPECT_NE(next_fresh, next_kept);
}

}  // namespace
}  // namespace pecann::train
