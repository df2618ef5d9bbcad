#include "pecann/train/assembly.h"

#include <cmath>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/train/test_support.h"

namespace pecann::train {
namespace {

using testing::heat;

const std::string kDataTerm = R"toml(
[[term]]
name = "data"
role = "objective"
region = "t = 0.5"
equation = "u = data.u"
points = { sobol = 4096 }
data = { exact = ["u"], noise = 0.1 }
)toml";

std::vector<double> xs(const sampling::PointSet& points, int coordinate = 0) {
  return {points.coordinates[coordinate].begin(), points.coordinates[coordinate].begin() + points.count};
}

/// An assembled first window, with its points by term name.
struct Ready {
  explicit Ready(problem::Problem p, std::uint64_t seed = 1)
      : problem(std::move(p)), nothing(problem, seed), assembly(problem, seed, {0, problem.windows.count}, nothing) {}
  const sampling::PointSet& points(const std::string& term) const {
    for (const evaluate::Term& t : assembly.evaluator().terms())
      if (t.name == term) return assembly.evaluator().program(t.point_set).points();
    throw std::runtime_error("no term " + term);
  }
  std::vector<double> x(const std::string& term) const { return xs(points(term)); }
  problem::Problem problem;
  Solution nothing;
  Assembly assembly;
};

/// Residuals û − data of a data term where the network is zero: −data, by point.
std::vector<double> data_values(Ready& ready, const std::string& term) {
  evaluate::Evaluator& evaluator = ready.assembly.evaluator();
  const std::vector<double> zero(ready.assembly.model().num_parameters(), 0.0);
  std::vector<double> rows(evaluator.num_rows()), values;
  evaluator.residuals(zero, rows);
  for (const auto& run : evaluator.row_runs())
    if (evaluator.terms()[run.term].name == term)
      for (std::size_t i = 0; i < run.count; ++i) values.push_back(-rows[run.first_row + i]);
  return values;
}

TEST(Assembly, TheSeedDecidesThePoints) {
  const Ready one(heat()), again(heat()), other(heat(), 2);
  EXPECT_EQ(one.x("pde"), again.x("pde"));
  EXPECT_NE(one.x("pde"), other.x("pde"));
  EXPECT_NE(one.x("pde"), xs(one.points("pde"), 1));
}

TEST(Assembly, AnotherTermChangesNoPointsOfTheOthers) {
  const Ready plain(heat()), more(heat({}, kDataTerm));
  EXPECT_EQ(plain.x("pde"), more.x("pde"));
  EXPECT_EQ(plain.x("sides"), more.x("sides"));
  EXPECT_EQ(plain.assembly.model().initial_parameters(1), more.assembly.model().initial_parameters(1));
}

TEST(Assembly, RedrawsEveryNEpochs) {
  Ready ready(heat({"term.pde.points={sobol=40, redraw=3}"}));
  EXPECT_TRUE(ready.assembly.redraws());
  const std::vector<double> sides = ready.x("sides");
  std::vector<double> last = ready.x("pde");
  std::set<double> seen(last.begin(), last.end());
  for (long epoch = 1; epoch <= 10; ++epoch) {
    const bool due = epoch > 1 && (epoch - 1) % 3 == 0;
    EXPECT_EQ(ready.assembly.redraws_before(epoch), due) << epoch;
    EXPECT_EQ(ready.assembly.redraw(epoch, {}), due) << epoch;
    EXPECT_EQ(ready.x("pde") != last, due) << epoch;
    last = ready.x("pde");
    if (due) {
      for (const double x : last) EXPECT_TRUE(seen.insert(x).second) << "points are new each time";
    }
    EXPECT_EQ(ready.x("sides"), sides);
  }
}

TEST(Assembly, WithoutRedrawingNothingMoves) {
  Ready ready(heat());
  EXPECT_FALSE(ready.assembly.redraws());
  for (long epoch = 1; epoch < 50; ++epoch) EXPECT_FALSE(ready.assembly.redraw(epoch, {}));
}

TEST(Assembly, BatchesAreFreshSubsetsOfTheSamePoints) {
  const Ready all(heat());
  Ready ready(heat({"term.pde.batch=10"}));
  const std::vector<double> whole = all.x("pde");
  const std::set<double> known(whole.begin(), whole.end());
  std::set<double> used;
  std::vector<double> last;
  for (long epoch = 1; epoch <= 60; ++epoch) {
    EXPECT_EQ(ready.assembly.redraw(epoch, {}), epoch > 1);
    const std::vector<double> batch = ready.x("pde");
    EXPECT_EQ(batch.size(), 10u);
    EXPECT_EQ(std::set<double>(batch.begin(), batch.end()).size(), 10u) << "without repetition";
    for (const double x : batch) EXPECT_TRUE(known.contains(x));
    EXPECT_NE(batch, last);
    used.insert(batch.begin(), batch.end());
    last = batch;
  }
  EXPECT_EQ(used.size(), whole.size()) << "every point has its turn (40 of them, 60 draws of 10)";
}

TEST(Assembly, ABatchOfDataKeepsValuesAndPointsTogether) {
  Ready ready(heat({"term.data.data.noise=0", "term.data.batch=5"}, kDataTerm));
  for (long epoch = 1; epoch < 4; ++epoch) {
    ready.assembly.redraw(epoch, {});
    const std::vector<double> x = ready.x("data"), data = data_values(ready, "data");
    ASSERT_EQ(data.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(data[i], std::exp(-0.5) * std::sin(M_PI * x[i]), 1e-14);
  }
}

TEST(Assembly, SynthesisedNoiseHasItsSizeAndIsDrawnOncePerTrial) {
  Ready one(heat({}, kDataTerm)), again(heat({}, kDataTerm)), other(heat({}, kDataTerm), 2);
  EXPECT_EQ(data_values(one, "data"), data_values(again, "data"));
  EXPECT_NE(data_values(one, "data"), data_values(other, "data"));
  const std::vector<double> x = one.x("data"), data = data_values(one, "data");
  double noise = 0, mean = 0, exact_squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = std::exp(-0.5) * std::sin(M_PI * x[i]);
    noise += (data[i] - exact) * (data[i] - exact);
    mean += data[i] - exact;
    exact_squares += exact * exact;
  }
  // With 4096 numbers the standard deviation is known to about 1.1 %, the mean to 1.6 % of it.
  EXPECT_NEAR(std::sqrt(noise / exact_squares), 0.1, 0.005);
  EXPECT_NEAR(mean / x.size() / (0.1 * std::sqrt(exact_squares / x.size())), 0, 0.07);
}

TEST(Assembly, NoiseByValueIsZeroWhereTheValueIs) {
  Ready rms(heat({}, kDataTerm)), value(heat({"term.data.data.noise_scale=value"}, kDataTerm));
  const std::vector<double> x = value.x("data"), data = data_values(value, "data");
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = std::exp(-0.5) * std::sin(M_PI * x[i]);
    EXPECT_LE(std::abs(data[i] - exact), 0.6 * exact + 1e-14);  // six standard deviations
  }
  EXPECT_NE(data, data_values(rms, "data"));
}

TEST(Assembly, DataFromACsvFileWithItsPoints) {
  const testing::TemporaryFolder folder;
  testing::fill(folder / "obs.csv", "# measured\nt,x,temperature\n0.5,0.25,7\n1,0.75,8\n0,0,-1.5\n");
  Ready ready(
      heat({}, "[[term]]\nname = \"data\"\nrole = \"objective\"\nequation = \"u = data.u\"\ndata = { file = \"" +
                   (folder / "obs.csv") + "\", u = \"temperature\" }\n"));
  EXPECT_EQ(ready.x("data"), (std::vector<double>{0.25, 0.75, 0}));
  EXPECT_EQ(xs(ready.points("data"), 1), (std::vector<double>{0.5, 1, 0}));
  EXPECT_EQ(data_values(ready, "data"), (std::vector<double>{7, 8, -1.5}));
}

TEST(Assembly, AMeasuredPlaceIsWhereTheFieldIsRead) {
  const testing::TemporaryFolder folder;
  testing::fill(folder / "obs.csv", "x,t,where\n0.25,0.5,0.75\n0.5,0.25,1\n");
  testing::fill(folder / "moved.csv", "x,t\n0.75,0.5\n1,0.25\n");
  Ready ready(heat(
      {},
      "[[term]]\nname = \"moved\"\nrole = \"objective\"\nequation = \"at(u, x = data.where) = 0\"\ndata = { file = \"" +
          (folder / "obs.csv") + "\", where = \"where\" }\n" +
          "[[term]]\nname = \"direct\"\nrole = \"objective\"\nequation = \"u = 0\"\npoints = { file = \"" +
          (folder / "moved.csv") + "\" }\n"));
  evaluate::Evaluator& evaluator = ready.assembly.evaluator();
  std::vector<double> rows(evaluator.num_rows());
  std::map<std::string, std::vector<double>> by_term;
  evaluator.residuals(ready.assembly.model().initial_parameters(1), rows);
  for (const auto& run : evaluator.row_runs())
    for (std::size_t i = 0; i < run.count; ++i)
      by_term[evaluator.terms()[run.term].name].push_back(rows[run.first_row + i]);
  ASSERT_EQ(by_term.at("moved").size(), 2u);
  EXPECT_EQ(by_term.at("moved"), by_term.at("direct"));
}

TEST(Assembly, WhatAFileHeldWhenTheProblemWasReadCounts) {
  const testing::TemporaryFolder folder;
  testing::fill(folder / "obs.csv", "x,t,u\n0.5,0.25,7\n");
  testing::fill(folder / "points.csv", "x,t\n0.5,0.25\n");
  const problem::Problem problem =
      heat({}, "[[term]]\nname = \"data\"\nrole = \"objective\"\nequation = \"u = data.u\"\npoints = { file = \"" +
                   (folder / "points.csv") + "\" }\ndata = { file = \"" + (folder / "obs.csv") + "\", u = \"u\" }\n");
  testing::fill(folder / "points.csv", "x,t\n0.125,0.25\n0.5,0.75\n");
  std::filesystem::remove(folder / "obs.csv");
  Ready ready(problem);
  EXPECT_EQ(ready.x("data"), std::vector<double>{0.5});
  EXPECT_EQ(data_values(ready, "data"), std::vector<double>{7});
}

TEST(Assembly, SharedPointsAreOneSetInWhateverOrderTheTermsStand) {
  const std::string flux =
      "[[term]]\nname = \"flux\"\nrole = \"constraint\"\nequation = \"u_x = 0\"\npoints = { same_as = \"late\" }\n";
  const std::string late =
      "[[term]]\nname = \"late\"\nrole = \"objective\"\nregion = \"interior\"\nequation = \"u = 0\"\npoints = { sobol "
      "= 30 }\n";
  for (const std::string& terms : {flux + late, late + flux}) {
    const Ready ready(heat({}, terms));
    const auto all = ready.assembly.evaluator().terms();
    EXPECT_EQ(all[3].point_set, all[4].point_set);
    EXPECT_EQ(ready.points("flux").count, 30u);
  }
}

TEST(Assembly, AWindowTakesOverTheEndOfTheOneBefore) {
  const problem::Problem problem = heat({"windows.count=2"});
  Solution finished(problem, 1);
  const evaluate::Model first(problem, normalisation_box(problem, {0, 2}), 1);
  const std::vector<double> before = first.initial_parameters(5);
  finished.add_window(before);
  Assembly assembly(problem, 1, {1, 2}, finished);
  evaluate::Evaluator& evaluator = assembly.evaluator();
  // The same parameters in the second window give the same field (inputs normalised over the whole time), so
  // the handed-over condition holds to rounding; with other parameters its residual is the difference of the
  // two fields at t = 1/2.
  EXPECT_LT(evaluator.values(before).terms[2], 1e-30);
  const std::vector<double> now = first.initial_parameters(6);
  const sampling::PointSet& points = evaluator.program(evaluator.terms()[2].point_set).points();
  for (std::size_t i = 0; i < points.count; ++i) EXPECT_EQ(points.coordinates[1][i], 0.5);
  const std::vector<expr::Expr> u = {expr::field("u")};
  std::vector<std::vector<double>> was, is;
  finished.evaluate(u, points, was);
  Solution other(problem, 1);
  other.add_window(now);
  other.evaluate(u, points, is);
  double mean = 0;
  for (std::size_t i = 0; i < points.count; ++i) mean += (is[0][i] - was[0][i]) * (is[0][i] - was[0][i]);
  EXPECT_NEAR(evaluator.values(now).terms[2], mean / points.count, 1e-14);
  EXPECT_GT(mean, 1e-6);
}

TEST(Assembly, LoadDrawsThePresentPointsAgain) {
  const std::vector<std::string> overrides = {"term.pde.points={sobol=40, redraw=2}", "term.pde.batch=12",
                                              "term.sides.points={uniform=9, redraw=3}"};
  Ready ready(heat(overrides));
  for (long epoch = 1; epoch <= 8; ++epoch) ready.assembly.redraw(epoch, {});
  StateWriter writer;
  ready.assembly.save(writer);
  Ready resumed(heat(overrides));
  resumed.assembly.load(StateReader(writer.bytes()));
  for (long epoch = 9; epoch <= 16; ++epoch) {
    EXPECT_EQ(resumed.x("pde"), ready.x("pde"));
    EXPECT_EQ(resumed.x("sides"), ready.x("sides"));
    ready.assembly.redraw(epoch, {});
    resumed.assembly.redraw(epoch, {});
  }
}

TEST(Assembly, EtaIsTheTermsOwnOrThePenaltysOrTheOptimisers) {
  EXPECT_EQ(Ready(heat()).assembly.eta(), (std::vector<double>{0.01, 0.01}));
  EXPECT_EQ(Ready(heat({"phase.1.optimizer=lbfgs"})).assembly.eta(), (std::vector<double>{1, 1}));
  EXPECT_EQ(Ready(heat({"penalty.eta=0.5", "term.start.eta=3"})).assembly.eta(), (std::vector<double>{0.5, 3}));
  const std::vector<double> pointwise =
      Ready(heat({"term.start.aggregate=pointwise", "term.start.eta=3"})).assembly.eta();
  EXPECT_EQ(pointwise.size(), 1u + 7u);  // nine nodes without the two ends
  EXPECT_EQ(pointwise.back(), 3);
}

TEST(Assembly, PointsHaveNormalsWhereAnEquationReadsThem) {
  problem::Problem problem = heat({"term.sides.batch=7"});
  EXPECT_EQ(problem.terms[1].name, "sides");
  problem.terms[1].residuals = {expr::field("u") - expr::data_column("normal.x")};
  Ready ready(std::move(problem));
  EXPECT_TRUE(ready.points("pde").columns.empty()) << "nothing that nobody reads";
  for (long epoch = 1; epoch < 4; ++epoch) {
    ready.assembly.redraw(epoch, {});
    const std::vector<double> x = ready.x("sides"), normal = data_values(ready, "sides");
    ASSERT_EQ(normal.size(), 7u);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(normal[i], x[i] == 0 ? -1 : 1);
  }
}

}  // namespace
}  // namespace pecann::train
