#include "pecann/train/held_out.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/train/history.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"
#include "pecann/train/trial.h"

namespace pecann::train {
namespace {

using ::testing::HasSubstr;
using testing::heat;
using ::testing::Not;
using testing::Rows;

/// Ten points for a wave and far more parameters: the points can be met with anything between them.
const std::string kFewPoints = R"toml(
title = "too few points"
coordinates = { x = [0, 1] }
[exact]
u = "sin(5*pi*x)"
[[network]]
fields = ["u"]
hidden = [24, 24]
first_scale = 6
spread_biases = true
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_xx = d(exact.u, x, x)"
points = { grid = [12] }
[[term]]
name = "ends"
role = "constraint"
region = "boundary"
equation = "u = exact.u"
points = { grid = [12] }
[[phase]]
optimizer = "lm"
epochs = 60
[evaluate]
grid = [201]
[held_out]
keep = "best"
)toml";

struct Trained {
  explicit Trained(problem::Problem p, long stop_after = -1)
      : problem(std::move(p)), trainer(problem, problem.seed), rows(stop_after) {
    trainer.add_observer(rows);
    outcome = trainer.run();
  }
  problem::Problem problem;
  Trainer trainer;
  Rows rows;
  Outcome outcome;
};

TEST(HeldOutTest, FreshPointsAreBoundedAndWhatCannotBeDrawnStays) {
  const problem::Problem problem = heat({"term.pde.points={sobol=5000, redraw=1}"}, R"toml(
[[term]]
name = "data"
role = "constraint"
region = "interior"
equation = "u = data.u"
points = { sobol = 30 }
data = { exact = ["u"], noise = 0.1 }
[[term]]
name = "flux"
role = "constraint"
equation = "u_x = d(exact.u, x)"
points = { same_as = "sides" }
)toml");
  const problem::Problem fresh = held_out_problem(problem, 2000);
  EXPECT_EQ(fresh.terms[0].name, "pde held out");
  EXPECT_EQ(fresh.terms[0].points.kind, sampling::PointRule::Kind::Sobol);
  EXPECT_EQ(fresh.terms[0].points.count, 2000u);
  EXPECT_EQ(fresh.terms[0].points.redraw_every, 0);
  EXPECT_EQ(fresh.terms[1].points.count, 8u) << "on each of two faces";
  EXPECT_EQ(fresh.terms[2].points.kind, sampling::PointRule::Kind::Sobol) << "a grid too";
  EXPECT_EQ(fresh.terms[2].points.count, 7u) << "inside nodes of nine";
  EXPECT_EQ(fresh.terms[3].name, "data") << "measurements are not made up";
  EXPECT_EQ(fresh.terms[4].points_of, "sides held out");
  EXPECT_FALSE(can_be_drawn_anew(problem, problem.terms[3]));
  EXPECT_TRUE(can_be_drawn_anew(problem, problem.terms[4]));

  const problem::Problem line = problem::read_problem(kFewPoints, "line.toml");
  EXPECT_TRUE(can_be_drawn_anew(line, line.terms[0]));
  EXPECT_FALSE(can_be_drawn_anew(line, line.terms[1])) << "the ends of an interval are two points";
}

TEST(HeldOutTest, LossIsTheLagrangianOnFreshPoints) {
  for (const std::string aggregate : {"mean", "sum", "pointwise"}) {
    const problem::Problem problem =
        heat({"term.sides.aggregate=" + aggregate, "term.start.points={sobol=9}", "held_out.every=3"});
    const Solution nothing(problem, problem.seed);
    Assembly trained(problem, problem.seed, {0, 1}, nothing);
    HeldOut held_out(problem, problem.seed, {0, 1}, nothing, trained.evaluator());
    const std::vector<double> parameters = trained.model().initial_parameters(5);
    held_out.start(parameters);

    const problem::Problem fresh = held_out_problem(problem, 2000);
    Assembly other(fresh, problem.seed, {0, 1}, nothing);
    const evaluate::TermValues& values = other.evaluator().values(parameters);
    ASSERT_EQ(other.evaluator().num_constraint_entries(), trained.evaluator().num_constraint_entries());
    EXPECT_NE(values.objective, trained.evaluator().values(parameters).objective);
    penalty::DualState duals(trained.evaluator().num_constraint_entries());
    for (double& m : duals.multiplier) m = 3;
    for (double& p : duals.penalty) p = 7;
    const double expected = penalty::augmented_lagrangian(values.objective, values.constraints, duals);
    held_out.look(3, parameters, duals);
    EXPECT_NEAR(held_out.loss(), expected, 1e-12 * expected) << aggregate;
    EXPECT_NEAR(held_out.residual(), 1, 1e-14) << "relative to the start";
  }
}

TEST(HeldOutTest, BothIteratesAreJudgedByTheMultipliersOfNow) {
  const problem::Problem problem = heat({"held_out.every=1"});
  const Solution nothing(problem, problem.seed);
  Assembly trained(problem, problem.seed, {0, 1}, nothing);
  HeldOut held_out(problem, problem.seed, {0, 1}, nothing, trained.evaluator());
  const problem::Problem fresh = held_out_problem(problem, 2000);
  Assembly other(fresh, problem.seed, {0, 1}, nothing);
  const auto values = [&](const std::vector<double>& parameters) {
    return other.evaluator().values(parameters);
  };

  // Two fields, the first with the smaller objective, the second with the smaller start violation.
  std::vector<double> first = trained.model().initial_parameters(1), second = first;
  for (unsigned seed = 2; seed < 200; ++seed) {
    second = trained.model().initial_parameters(seed);
    if (values(second).objective > values(first).objective &&
        values(second).constraints[1] < values(first).constraints[1])
      break;
  }
  ASSERT_GT(values(second).objective, values(first).objective);
  ASSERT_LT(values(second).constraints[1], values(first).constraints[1]);
  penalty::DualState weak(2), strong(2);
  weak.multiplier = {0, 0}, weak.penalty = {0, 0};
  strong.multiplier = {0, 1e6}, strong.penalty = {0, 0};
  held_out.start(first);
  held_out.look(1, first, weak);
  held_out.look(2, second, weak);
  EXPECT_EQ(held_out.best_epoch(), 1);
  EXPECT_GT(held_out.compare(second, weak).last_over_best, 1);
  EXPECT_EQ(held_out.best_epoch(), 1) << "compare keeps nothing";
  held_out.look(3, second, strong);  // its L is far above the first one's of then
  EXPECT_EQ(held_out.best_epoch(), 3);
  EXPECT_GT(held_out.compare(first, strong).last_over_best, 1);
}

TEST(HeldOutTest, LooksByCountOfEvaluations) {
  const problem::Problem often = heat({"held_out.keep=best"}),
                         seldom = heat({"held_out.keep=best", "held_out.every=4"});
  const Solution nothing(often, 1);
  Assembly trained(often, 1, {0, 1}, nothing);
  HeldOut by_cost(often, 1, {0, 1}, nothing, trained.evaluator()),
      by_epoch(seldom, 1, {0, 1}, nothing, trained.evaluator());
  // As many fresh points as trained ones, a third of the work, a twentieth of the time: about every seventh
  // evaluation.
  std::vector<int> looks;
  for (int epoch = 1; epoch <= 28; ++epoch)
    if (by_cost.due(epoch, 1)) looks.push_back(epoch);
  ASSERT_GE(looks.size(), 3u);
  EXPECT_EQ(looks[0], 7);
  EXPECT_EQ(looks[1], 14);
  EXPECT_TRUE(by_cost.due(29, 25)) << "an epoch of many evaluations";
  for (int epoch = 1; epoch <= 12; ++epoch) EXPECT_EQ(by_epoch.due(epoch, 100), epoch % 4 == 0);
}

TEST(HeldOutTest, ReportsTheBestIterateWhenTrainingGoesTooFar) {
  Trained best(problem::read_problem(kFewPoints, "few.toml"));
  Trained last(problem::read_problem(kFewPoints, "few.toml",
                                     std::vector<std::string>{"held_out.keep=last", "held_out.every=1"}));
  ASSERT_TRUE(best.trainer.held_out_choice());
  const HeldOutChoice choice = *best.trainer.held_out_choice();
  EXPECT_TRUE(choice.best_reported);
  EXPECT_GT(choice.last_over_best, HeldOut::kClearlyWorse);
  EXPECT_THAT(best.outcome.message, HasSubstr("reported is epoch " + std::to_string(choice.epoch)));
  // Watching changes nothing in the training itself.
  EXPECT_EQ(best.rows.rows.back().loss, last.rows.rows.back().loss);
  EXPECT_TRUE(std::ranges::equal(best.trainer.parameters(), last.trainer.parameters()));
  EXPECT_LT(best.rows.rows.back().loss, best.rows.rows[choice.epoch - 1].loss) << "the training loss fell";
  const double error = best.trainer.measure_errors().at(0).relative_l2,
               error_of_last = last.trainer.measure_errors().at(0).relative_l2;
  EXPECT_LT(error, 0.5 * error_of_last);
  EXPECT_FALSE(last.trainer.held_out_choice()->best_reported);
  EXPECT_THAT(last.outcome.message, Not(HasSubstr("reported")));
  RecordProperty(
      "error", std::to_string(error) + " of the reported, " + std::to_string(error_of_last) + " of the last");
}

TEST(HeldOutTest, ResumesBitForBit) {
  const problem::Problem problem =
      problem::read_problem(kFewPoints, "few.toml", std::vector<std::string>{"phase.1.epochs=12"});
  const Trained whole(problem), part(problem, 5);
  StateWriter writer;
  part.trainer.save(writer);
  Trainer resumed(problem, problem.seed);
  resumed.load(StateReader(writer.bytes()));
  resumed.run();
  StateWriter ours, theirs;
  resumed.save(ours);
  whole.trainer.save(theirs);
  const StateReader a(ours.bytes()), b(theirs.bytes());
  for (const char* name : {"parameters", "held_out.parameters", "held_out.moments", "held_out.first"})
    EXPECT_EQ(a.get(name), b.get(name)) << name;
  for (const char* name : {"held_out.epoch", "held_out.reported", "held_out.evaluations"})
    EXPECT_EQ(a.get_integer(name), b.get_integer(name)) << name;
  EXPECT_EQ(reported_parameters(a), std::vector<double>(whole.trainer.reported_parameters().begin(),
                                                        whole.trainer.reported_parameters().end()));
}

TEST(HeldOutTest, HistoryHasAColumnOnlyWhereItIsWatched) {
  testing::TemporaryFolder folder;
  for (const bool watched : {false, true}) {
    const problem::Problem problem = heat({watched ? "held_out.every=4" : "held_out.every=0"});
    const std::string own = folder / (watched ? "watched" : "not");
    std::filesystem::create_directories(own);
    run_trial(problem, 1, {.folder = own});
    const std::vector<std::string> lines = testing::lines_of(own + "/history.csv");
    ASSERT_EQ(lines.size(), 13u);
    EXPECT_EQ(lines[0].ends_with("error.u.linf,held_out,held_out_residual"), watched);
    if (!watched) continue;
    EXPECT_TRUE(lines[3].ends_with(",,"));
    EXPECT_FALSE(lines[4].ends_with(","));
    // Resumed without the watch the column stays, empty.
    const problem::Problem more = heat({"phase.1.epochs=16"});
    run_trial(more, 1, {.folder = own, .resume = true});
    const std::vector<std::string> longer = testing::lines_of(own + "/history.csv");
    ASSERT_EQ(longer.size(), 17u);
    EXPECT_EQ(longer[0], lines[0]);
    EXPECT_EQ(std::ranges::count(longer[16], ','), std::ranges::count(longer[0], ','));
  }
}

TEST(HeldOutTest, WindowsHandOverTheReportedIterate) {
  // The last epoch of a window throws the parameters far away.
  const std::vector<std::string> base = {"windows.count=2", "held_out.every=1",
                                         "phase=[{optimizer=\"adam\", epochs=20, learning_rate=0.01}, "
                                         "{optimizer=\"adam\", epochs=1, learning_rate=3}]"};
  std::vector<std::string> keep = base;
  keep.push_back("held_out.keep=best");
  const Trained best(heat(keep)), last(heat(base));
  EXPECT_EQ(best.trainer.held_out_choice()->epoch, 20);
  for (int window = 0; window < 2; ++window) {
    const Solution kept = best.trainer.solution(), thrown = last.trainer.solution();
    double largest = 0;
    for (std::size_t p = 0; p < kept.parameters(window).size(); ++p)
      largest = std::max(largest, std::abs(kept.parameters(window)[p] - thrown.parameters(window)[p]));
    EXPECT_GT(largest, 1) << "window " << window;
  }
}

TEST(HeldOutTest, OffUnlessAskedForOrOurOwnTraining) {
  EXPECT_EQ(heat().held_out.keep, "last");
  EXPECT_FALSE(heat().held_out.watch);
  EXPECT_TRUE(heat({"held_out.every=5"}).held_out.watch);
  const std::string recipes = R"toml(
[recipe.paper]
phase = [{ optimizer = "adam", epochs = 5 }]
[recipe.best]
phase = [{ optimizer = "lm", epochs = 5 }]
)toml";
  EXPECT_EQ(heat({}, recipes).held_out.keep, "best");
  EXPECT_EQ(problem::read_problem(testing::kHeat + recipes, "heat.toml", {}, "paper").held_out.keep, "last");
  // What was on stays on in the file of the run, which has no recipe any more.
  const problem::Problem again =
      problem::read_problem(problem::write_problem(heat({}, recipes)), "problem.toml");
  EXPECT_EQ(again.held_out.keep, "best");
}

}  // namespace
}  // namespace pecann::train
