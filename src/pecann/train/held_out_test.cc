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

/// A line with two ends, which no other points can stand for.
const std::string kHeldOutLine = R"toml(
title = "line"
coordinates = { x = [0, 1] }
[exact]
u = "sin(pi*x)"
[[network]]
fields = ["u"]
hidden = [8]
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
epochs = 12
[evaluate]
grid = [201]
[held_out]
keep = "best"
)toml";

/// Phases whose last epoch throws the parameters far away.
const std::string kThrown =
    "phase=[{optimizer=\"adam\", epochs=20, learning_rate=0.01}, {optimizer=\"adam\", epochs=1, "
    "learning_rate=3}]";

struct TrainedHeldOut {
  explicit TrainedHeldOut(problem::Problem p, long stop_after = -1)
      : problem(std::move(p)), trainer(problem, problem.seed), rows(stop_after) {
    trainer.add_observer(rows);
    outcome = trainer.run();
  }
  problem::Problem problem;
  Trainer trainer;
  Rows rows;
  Outcome outcome;
};

/// L with equal multipliers for all constraints, written down term by term, with (mean |r|)² for the mean of r².
double measured_lagrangian(evaluate::Evaluator& evaluator, const evaluate::Evaluator& trained,
                           std::span<const double> parameters, double lambda, double mu) {
  std::vector<double> rows(evaluator.num_rows());
  evaluator.residuals(parameters, rows);
  double sum = 0;
  for (int t = 0; t < static_cast<int>(evaluator.terms().size()); ++t) {
    const evaluate::Term& term = evaluator.terms()[t];
    double sizes = 0, count = 0;
    for (const evaluate::Evaluator::RowRun& run : evaluator.row_runs())
      for (std::size_t i = 0; run.term == t && i < run.count; ++i) sizes += std::abs(rows[run.first_row + i]), ++count;
    const auto points = static_cast<double>(trained.program(trained.terms()[t].point_set).points().count);
    const double mean = sizes / count * (sizes / count), second = mean * mean;
    if (term.role == problem::Role::Objective) {
      sum += mean;
    } else if (term.aggregate == problem::Aggregate::Pointwise) {
      sum += points * (lambda * mean + 0.5 * mu * second);
    } else {
      const double value = mean * (term.aggregate == problem::Aggregate::Sum ? points : 1);
      sum += lambda * value + 0.5 * mu * value * value;
    }
  }
  return sum;
}

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
  const problem::Problem fresh = held_out_problem(problem, 1, 2000);
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

  const problem::Problem line = problem::read_problem(kHeldOutLine, "line.toml");
  EXPECT_TRUE(can_be_drawn_anew(line, line.terms[0]));
  EXPECT_FALSE(can_be_drawn_anew(line, line.terms[1])) << "the ends of an interval are two points";
}

TEST(TruthFindings, F8_TheMeasureOfIteratesSeesAKinkAndDoesNotPunishSharpness) {
  // All is well but for a few points near a kink, which a mean without its largest tenth does not see.
  std::vector<double> good(1000, 1e-10), kinked(1000, 1e-12);
  for (int i = 0; i < 20; ++i) good[i] = 1e-8, kinked[i] = 1.0;
  EXPECT_GT(held_out_mean(kinked, true), 1e4 * held_out_mean(good, true));
  // A front that becomes ten times sharper has a residual ten times as large on a tenth of the points.
  std::vector<double> wide(1000, 0.0), sharp(1000, 0.0);
  for (int i = 0; i < 100; ++i) wide[i] = 1;
  for (int i = 0; i < 10; ++i) sharp[i] = 100;
  EXPECT_NEAR(held_out_mean(sharp, true), held_out_mean(wide, true), 1e-12);
  EXPECT_EQ(held_out_mean(std::vector<double>{1, 3}, false), 2);
  EXPECT_TRUE(std::isinf(held_out_mean(std::vector<double>{1, std::nan("")}, true)));
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

    const problem::Problem fresh = held_out_problem(problem, HeldOut::kLeastPoints, HeldOut::kMostPoints);
    Assembly other(fresh, problem.seed, {0, 1}, nothing);
    const evaluate::TermValues& values = other.evaluator().values(parameters);
    EXPECT_NE(values.objective, trained.evaluator().values(parameters).objective);
    penalty::DualState duals(trained.evaluator().num_constraint_entries());
    for (double& m : duals.multiplier) m = 3;
    for (double& p : duals.penalty) p = 7;
    const double expected = measured_lagrangian(other.evaluator(), trained.evaluator(), parameters, 3, 7);
    held_out.look(3, parameters, duals);
    EXPECT_NEAR(held_out.loss(), expected, 1e-12 * expected) << aggregate;
    EXPECT_NEAR(held_out.residual(), 1, 1e-14) << "relative to the start";
  }
}

TEST(HeldOutTest, AnIterateWithoutANumberIsNeverTheBestAndNothingIsSmallBesideIt) {
  const problem::Problem problem = heat({"held_out.every=1"});
  const Solution nothing(problem, problem.seed);
  Assembly trained(problem, problem.seed, {0, 1}, nothing);
  const std::vector<double> good = trained.model().initial_parameters(5);
  const std::vector<double> broken(good.size(), std::nan(""));
  HeldOut held_out(problem, problem.seed, {0, 1}, nothing, trained.evaluator());
  held_out.start(good);
  held_out.look(1, broken, penalty::DualState(2));
  EXPECT_FALSE(held_out.has_best());
  EXPECT_TRUE(std::isinf(held_out.residual()));
  held_out.look(2, good, penalty::DualState(2));
  held_out.look(3, broken, penalty::DualState(2));
  EXPECT_EQ(held_out.best_epoch(), 2);
  EXPECT_TRUE(std::isinf(held_out.compare(broken, penalty::DualState(2)).last_over_best));

  HeldOut from_nothing(problem, problem.seed, {0, 1}, nothing, trained.evaluator());
  from_nothing.start(broken);
  from_nothing.look(1, good, penalty::DualState(2));
  EXPECT_TRUE(std::isinf(from_nothing.residual())) << "not 0";
}

TEST(HeldOutTest, TermsThatBeginAtZeroAreNotMeasuredByTheirBeginning) {
  const problem::Problem problem = heat({"held_out.every=1"});
  const Solution nothing(problem, problem.seed);
  Assembly trained(problem, problem.seed, {0, 1}, nothing);
  HeldOut held_out(problem, problem.seed, {0, 1}, nothing, trained.evaluator());
  std::vector<double> parameters(trained.model().num_parameters(), 0.0);  // the zero solution meets pde and sides
  held_out.start(parameters);
  held_out.look(1, parameters, penalty::DualState(2));
  EXPECT_DOUBLE_EQ(held_out.residual(), 1) << "that of the start alone";
  parameters.back() = 1e-3;  // everywhere
  held_out.look(2, parameters, penalty::DualState(2));
  EXPECT_NEAR(held_out.residual(), 1, 0.01) << "no quotient by nothing";
}

TEST(HeldOutTest, AFewPointsWithLargeResidualsCountByTheirMass) {
  // The right side jumps on a strip of a twentieth of the domain, by what no parameters change.
  const auto loss_with = [](const std::string& jump) {
    const problem::Problem problem = heat({"term.pde.points={sobol=400}", "held_out.every=1",
                                           "term.pde.equation=\"u_t = nu*u_xx + if(x > 0.95, " + jump + ", 0)\""});
    const Solution nothing(problem, problem.seed);
    Assembly trained(problem, problem.seed, {0, 1}, nothing);
    HeldOut held_out(problem, problem.seed, {0, 1}, nothing, trained.evaluator());
    const std::vector<double> parameters = trained.model().initial_parameters(5);
    held_out.start(parameters);
    held_out.look(1, parameters, penalty::DualState(2));
    return held_out.loss();
  };
  const double size = 1e6, share = 0.05, loss = loss_with("1e6");
  EXPECT_NEAR(loss, share * size * share * size, 0.3 * loss) << "(mean |r|)²";
  EXPECT_LT(loss, 0.1 * share * size * size) << "far less than the mean of r²";
}

TEST(HeldOutTest, BothIteratesAreJudgedByTheMultipliersOfNow) {
  const problem::Problem problem = heat({"held_out.every=1"});
  const Solution nothing(problem, problem.seed);
  Assembly trained(problem, problem.seed, {0, 1}, nothing);
  HeldOut held_out(problem, problem.seed, {0, 1}, nothing, trained.evaluator());
  const problem::Problem fresh = held_out_problem(problem, HeldOut::kLeastPoints, HeldOut::kMostPoints);
  Assembly other(fresh, problem.seed, {0, 1}, nothing);
  const auto values = [&](const std::vector<double>& parameters) { return other.evaluator().values(parameters); };

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
  held_out.look(3, second, strong);  // its L is far above the L that the first one had then
  EXPECT_EQ(held_out.best_epoch(), 3);
  EXPECT_GT(held_out.compare(first, strong).last_over_best, 1);
}

TEST(HeldOutTest, LooksByCountOfEvaluations) {
  const std::vector<std::string> points = {"term.pde.points.sobol=200", "term.sides.points.sobol=60",
                                           "term.start.points={sobol=120}", "held_out.keep=best"};
  std::vector<std::string> with_interval = points;
  with_interval.push_back("held_out.every=4");
  const problem::Problem often = heat(points), seldom = heat(with_interval);
  const Solution nothing(often, 1);
  Assembly trained(often, 1, {0, 1}, nothing);
  HeldOut by_cost(often, 1, {0, 1}, nothing, trained.evaluator()),
      by_epoch(seldom, 1, {0, 1}, nothing, trained.evaluator());
  // There are as many fresh points as trained ones; a look costs a third of an evaluation and may take a twentieth of
  // the time: it is due about every seventh evaluation.
  std::vector<int> looks;
  for (int epoch = 1; epoch <= 28; ++epoch)
    if (by_cost.due(epoch, 1)) looks.push_back(epoch);
  ASSERT_GE(looks.size(), 3u);
  EXPECT_EQ(looks[0], 7);
  EXPECT_EQ(looks[1], 14);
  EXPECT_TRUE(by_cost.due(29, 25)) << "an epoch of many evaluations";
  for (int epoch = 1; epoch <= 12; ++epoch) EXPECT_EQ(by_epoch.due(epoch, 100), epoch % 4 == 0);
}

TEST(HeldOutTest, ReportsTheBestIterateWhenTheLastIsClearlyWorse) {
  TrainedHeldOut best(heat({kThrown, "held_out.keep=best", "held_out.every=1"}));
  TrainedHeldOut last(heat({kThrown, "held_out.keep=last", "held_out.every=1"}));
  ASSERT_TRUE(best.trainer.held_out_choice());
  const HeldOutChoice choice = *best.trainer.held_out_choice();
  EXPECT_EQ(choice.epoch, 20);
  EXPECT_TRUE(choice.best_reported);
  EXPECT_GT(choice.last_over_best, HeldOut::kClearlyWorse);
  EXPECT_THAT(best.outcome.message, HasSubstr("reported is epoch 20"));
  // Watching changes nothing in the training itself.
  EXPECT_EQ(best.rows.rows.back().loss, last.rows.rows.back().loss);
  EXPECT_TRUE(std::ranges::equal(best.trainer.parameters(), last.trainer.parameters()));
  // Error and record are those of the reported iterate.
  EXPECT_LT(best.trainer.measure_errors().at(0).relative_l2, 0.5 * last.trainer.measure_errors().at(0).relative_l2);
  EXPECT_EQ(best.trainer.reported_record().objective, best.rows.rows[19].objective);
  EXPECT_EQ(last.trainer.reported_record().objective, last.rows.rows[20].objective);
  EXPECT_FALSE(last.trainer.held_out_choice()->best_reported);
  EXPECT_THAT(last.outcome.message, Not(HasSubstr("reported")));
}

TEST(HeldOutTest, ResumesBitForBit) {
  const problem::Problem problem = problem::read_problem(kHeldOutLine, "line.toml");
  const TrainedHeldOut whole(problem), part(problem, 5);
  StateWriter writer;
  part.trainer.save(writer);
  Trainer resumed(problem, problem.seed);
  resumed.load(StateReader(writer.bytes()));
  resumed.run();
  StateWriter ours, theirs;
  resumed.save(ours);
  whole.trainer.save(theirs);
  const StateReader a(ours.bytes()), b(theirs.bytes());
  for (const char* name : {"parameters", "held_out.parameters", "held_out.first"})
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
    EXPECT_EQ(lines[0].ends_with("error.u.linf,held_out,held_out_residual,phase,damping"), watched);
    if (!watched) continue;
    EXPECT_TRUE(lines[3].ends_with(",,,1,"));
    EXPECT_TRUE(lines[4].ends_with(",1,"));
    EXPECT_FALSE(lines[4].ends_with(",,1,"));
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
  const std::vector<std::string> base = {"windows.count=2", "held_out.every=1", kThrown};
  std::vector<std::string> keep = base;
  keep.push_back("held_out.keep=best");
  const TrainedHeldOut best(heat(keep)), last(heat(base));
  EXPECT_EQ(best.trainer.held_out_choice()->epoch, 20);
  for (int window = 0; window < 2; ++window) {
    const Solution kept = best.trainer.solution(), thrown = last.trainer.solution();
    double largest = 0;
    for (std::size_t p = 0; p < kept.parameters(window).size(); ++p)
      largest = std::max(largest, std::abs(kept.parameters(window)[p] - thrown.parameters(window)[p]));
    EXPECT_GT(largest, 1) << "window " << window;
  }
}

TEST(HeldOutTest, ResidualsOfLaterWindowsAreRelativeToTheFirst) {
  // A window that goes on from its predecessor meets its initial condition exactly: no measure for residuals.
  const TrainedHeldOut trained(
      heat({"windows.count=2", "windows.normalise=window", "windows.start=extrapolate", "held_out.every=1"}));
  double largest = 0;
  for (const EpochRecord& row : trained.rows.rows) largest = std::max(largest, row.held_out->residual);
  EXPECT_LT(largest, 100);
}

TEST(HeldOutTest, OffUnlessAskedForOrOurOwnTraining) {
  EXPECT_EQ(heat().held_out.keep, problem::Keep::Last);
  EXPECT_FALSE(heat().held_out.watch);
  EXPECT_TRUE(heat({"held_out.every=5"}).held_out.watch);
  const std::string recipes = R"toml(
[recipe.paper]
phase = [{ optimizer = "adam", epochs = 5 }]
[recipe.best]
phase = [{ optimizer = "lm", epochs = 5 }]
)toml";
  EXPECT_EQ(heat({}, recipes).held_out.keep, problem::Keep::Best);
  EXPECT_EQ(problem::read_problem(testing::kHeat + recipes, "heat.toml", {}, "paper").held_out.keep,
            problem::Keep::Last);
  // What was on stays on in the file of the run, which has no recipe any more.
  const problem::Problem again = problem::read_problem(problem::write_problem(heat({}, recipes)), "problem.toml");
  EXPECT_EQ(again.held_out.keep, problem::Keep::Best);
}

}  // namespace
}  // namespace pecann::train
