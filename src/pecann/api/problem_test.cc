#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "pecann/api/watched_training.h"
#include "pecann/pecann.h"
#include "pecann/problem/problem_file.h"
#include "pecann/train/trial.h"

namespace pecann {
namespace {

using testing::HasSubstr;

const Coordinate x("x", -1, 1), t("t", 0, 1);
const Field u("u", {x, t});

/// Every kind of thing that a problem can have, small enough to train in a moment.
Problem everything() {
  const Field force("F", {x});
  const Parameter nu("nu", {.initial = 0.5, .log_scale = true, .exact = 0.3});
  const Constant k("k", 2);
  const Expression exact = exp(-t) * sin(pi * x);
  Problem problem("Everything \"at once\"", {x, t});
  problem.network({u}, {.hidden = {8, 8}, .activation = "sin"})
      .network({force}, {.hidden = {6}, .first_scale = 2, .spread_biases = true})
      .exact(u, exact)
      .objective("misfit", u == data("u"), interior(), sobol(30),
                 {.data = Data{.columns = {{"u", "u"}}, .noise = 0.01}})
      .constraint("pde", d(u, t) == nu * d(u, x, x) + k * force, interior(), latin_hypercube(40), {.eta = 0.5})
      .constraint("sides", {u == at(u, x = -x), d(u, x) == at(d(u, x), x = -x)}, face(x, -1), uniform(20).redraw(3))
      .constraint("start", u == exact, initial_time().closed(), grid({9, 3}), {.aggregate = Aggregate::Pointwise})
      .constraint("mean", force == 0, of_points(), points_of("pde"), {.distance = Distance::Absolute})
      .penalty({.strategy = "capu", .eta = 0.1, .omega = 0.99})
      .phase({.optimizer = "adam", .epochs = 6, .schedule = {.kind = "step", .every = 2}, .constants = {{"k", 1.5}}})
      .phase({.optimizer = "lbfgs", .epochs = 4, .options = {{"history", 7}}})
      .evaluation_grid({11, 7})
      .seed(42);
  return problem;
}

class Losses final : public train::EpochObserver {
 public:
  train::Directive on_epoch(const train::EpochRecord& record) override {
    losses.push_back(record.loss);
    return train::Directive::Continue;
  }
  std::vector<double> losses;
};

TEST(ProblemTest, TheTextTrainsToTheSameBits) {
  const Problem made = everything();
  const Watched ours = watched(made);
  ASSERT_EQ(ours.epochs.size(), 10u);
  expect_same_history(ours, watched(Problem::from_text(made.text())));
  // The same text read as a problem file, without this module.
  const problem::Problem read = problem::read_problem(made.text(), "text");
  train::Trainer trainer(read, train::trial_seed(read, 1));
  Losses losses;
  trainer.add_observer(losses);
  trainer.run();
  ASSERT_EQ(losses.losses.size(), ours.epochs.size());
  for (std::size_t i = 0; i < losses.losses.size(); ++i) EXPECT_EQ(losses.losses[i], ours.epochs[i].loss);
}

TEST(ProblemTest, IntegralsAndInequalitiesTrainToTheBitsOfTheirFile) {
  const Coordinate s("s", 0, 1);
  const Field v("v", {s});
  const Parameter k("k", {.initial = 2});
  Problem made("Integrals", {s});
  made.network({v}, {.hidden = {6}})
      .objective("pde", d(v, s, s) == k, interior(), gauss({9}))
      .constraint("size", {integral(v * v) == k, mean(s * v) == 0.1}, interior(), gauss({12}))
      .constraint("bound", v >= -s, interior(), gauss({9}))
      .phase({.optimizer = "lm", .epochs = 4});
  const std::string text = R"toml(
coordinates = { s = [0, 1] }
[parameters]
k = { initial = 2 }
[[network]]
fields = ["v"]
hidden = [6]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "v_ss = k"
points = { gauss = [9] }
[[term]]
name = "size"
role = "constraint"
region = "interior"
equation = ["integral(v^2) = k", "mean(s*v) = 0.1"]
points = { gauss = [12] }
[[term]]
name = "bound"
role = "constraint"
region = "interior"
equation = "v >= -s"
points = { gauss = [9] }
[[phase]]
optimizer = "lm"
epochs = 4
)toml";
  expect_same_history(watched(made), watched(Problem::from_text(text)));
}

TEST(ProblemTest, TheTextOfTheTextIsTheText) {
  const std::string text = everything().text();
  EXPECT_EQ(Problem::from_text(text).text(), text);
}

TEST(ProblemTest, KeysWithoutAnOptionOfTheirOwnComeAsOverrides) {
  const std::string text = Problem::from_text(everything().text(), {"held_out.every=123", "seed=7"}).text();
  EXPECT_NE(text.find("every = 123"), std::string::npos) << text;
  EXPECT_NE(text.find("seed = 7"), std::string::npos) << text;
  EXPECT_THROW(Problem::from_text(text, {"held_out.evry=1"}), std::runtime_error);
}

TEST(ProblemTest, EveryChoiceIsInTheText) {
  const std::string text = everything().text();
  for (const char* part : {"title = \"Everything \\\"at once\\\"\"",
                           "seed = 42",
                           "k = 2",
                           "nu = { initial = 0.5, log = true, exact = 0.3 }",
                           "activation = \"sin\"",
                           "inputs = [\"x\"]",
                           "first_scale = 2",
                           "spread_biases = true",
                           "exact = [\"u\"]",
                           "noise = 0.01",
                           "latin = 40",
                           "eta = 0.5",
                           "uniform = 20, redraw = 3",
                           "closed = true",
                           "aggregate = \"pointwise\"",
                           "same_as = \"pde\"",
                           "distance = \"absolute\"",
                           "omega = 0.99",
                           "kind = \"step\", factor = 0.9, every = 2",
                           "constants = { k = 1.5 }",
                           "options = { history = 7 }",
                           "grid = [11, 7]",
                           "\"x = -1\""})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(ProblemTest, WithoutPhasesTheRecommendedTrainingIsWrittenOut) {
  Problem problem("Line", {x});
  const Field v("v", {x});
  problem.network({v}, {.hidden = {5}}).objective("pde", d(v, x) == 1, interior(), grid({9}));
  EXPECT_THAT(problem.text(), HasSubstr("[[phase]]"));
}

TEST(ProblemTest, WhatIsLeftOutIsWhatAFileLeavesOut) {
  const Field v("v", {x, t}), a("a", {x});
  const Parameter nu("nu", {.initial = 0.5});
  Problem made("Nothing but the problem", {x, t});
  made.fields({v, a})
      .uses({nu})
      .equation("v_t = nu*laplacian(v) + a", interior())
      .constraint("sides", v == 0, boundary())
      .equation({"v = sin(pi*x)", v == sin(pi * x)}, initial_time())
      .equation(integral(a) == 1, interior())
      .equation(a >= 0, interior(), sobol(20), {.eta = 2});
  const std::string file = R"toml(
title = "Nothing but the problem"
coordinates = { x = [-1, 1], t = [0, 1] }
fields = { v = ["x", "t"], a = ["x"] }
[parameters]
nu = { initial = 0.5 }
[[term]]
region = "interior"
equation = "v_t = nu*laplacian(v) + a"
[[term]]
name = "sides"
region = "boundary"
equation = "v = 0"
[[term]]
region = "initial"
equation = ["v = sin(pi*x)", "v = sin(3.141592653589793*x)"]
[[term]]
region = "interior"
equation = "integral(a) = 1"
[[term]]
region = "interior"
equation = "0 <= a"
points = { sobol = 20 }
eta = 2
)toml";
  EXPECT_EQ(made.text(), Problem::from_text(file).text());
  EXPECT_EQ(made.changed({"seed=3"}).text(), Problem::from_text(file, {"seed=3"}).text());
  EXPECT_THAT(made.changed({"seed=3"}).changed({"phase.1.epochs=3"}).text(), HasSubstr("epochs = 3"));
  EXPECT_THROW(made.equation("v = 0", boundary(), chosen_points().redraw(3)), std::runtime_error);
  EXPECT_THROW(Problem(made).equation("v + = 0", boundary()).text(), std::runtime_error);
}

TEST(ProblemTest, AProblemThatWasReadIsTrainedAsTheCommandLineDoes) {
  // Its file leaves the training open, and a solve stands for it.
  const Problem beam = Problem::load("gallery/beam");
  EXPECT_THAT(beam.train().solution.problem_text(), HasSubstr("features"));
  EXPECT_THAT(beam.changed({"seed=2"}).train().solution.problem_text(), HasSubstr("features"));
}

TEST(ProblemTest, CopiesAreIndependent) {
  Problem first = everything();
  Problem second = first;
  second.seed(7);
  EXPECT_THAT(first.text(), HasSubstr("seed = 42"));
  first = second;
  EXPECT_THAT(first.text(), HasSubstr("seed = 7"));
}

TEST(ProblemTest, ProblemsOfTheCatalogueTrainFromHere) {
  const Problem problem = Problem::load("poisson", {"phase.1.epochs=3", "network.1.hidden=[6]"}, "paper");
  EXPECT_EQ(problem.train().summary.epochs, 3);
}

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(ProblemTest, MistakesNameTheKeyAndTheRule) {
  Problem base("Line", {x});
  const Field v("v", {x});
  base.network({v}, {.hidden = {5}});
  Problem wrong_optimizer = base;
  wrong_optimizer.objective("pde", d(v, x) == 1, interior(), grid({9})).phase({.optimizer = "lbgfs"});
  EXPECT_THAT(message([&] { wrong_optimizer.train(); }),
              testing::AllOf(HasSubstr("optimizer"), HasSubstr("lbgfs"), HasSubstr("lbfgs")));
  Problem wrong_grid = base;
  wrong_grid.objective("pde", d(v, x) == 1, interior(), grid({9, 9}));
  EXPECT_THAT(message([&] { wrong_grid.text(); }), HasSubstr("term.pde.points.grid"));
  Problem wrong_name = base;
  wrong_name.objective("pde", d(v, x) == u, interior(), grid({9}));
  EXPECT_THAT(message([&] { wrong_name.text(); }), HasSubstr("unknown name 'u'"));
  EXPECT_THAT(message([&] { base.objective("pde", v == 1, face(t, 0), grid({9})); }),
              HasSubstr("is no coordinate of the problem"));
  EXPECT_THAT(message([&] { base.network({u, Field("w", {x})}); }), HasSubstr("share its inputs"));
}

TEST(ProblemTest, NumbersThatAreNotFiniteAreNamed) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double number : {infinity, -infinity, nan}) {
    const Coordinate y("y", 0, number);
    const Field v("v", {y});
    Problem problem("Line", {y});
    problem.network({v}, {.hidden = {5}}).objective("pde", d(v, y) == 1, interior(), grid({9}));
    EXPECT_THAT(message([&] { problem.text(); }), testing::AllOf(HasSubstr("coordinates.y"), HasSubstr("finite")))
        << number;
  }
}

/// Everything that a file can say of windows, held-out points, errors, data and drawn points.
TEST(ProblemTest, WhatAFileCanSayAProgramCanSay) {
  Problem problem("", {x, t});
  problem.network({u}, {.hidden = {6}})
      .exact(u, exp(-t) * sin(pi * x))
      .objective("pde", d(u, t) == d(u, x, x), interior(), sobol(40).near(8, abs(d(u, x)) + residual(), 64).redraw(5))
      .objective("more", d(u, t) == d(u, x, x), interior(), sobol(10).near(4, residual()))
      .constraint("sides", u == 0, boundary(), grid({9, 5}))
      .constraint("start", u == sin(pi * x), initial_time(), grid({9, 5}))
      .windows({.count = 2,
                .normalise = "window",
                .start = "extrapolate",
                .curvature = "previous",
                .grow = 2,
                .first = WindowTry{.grow = 4, .epochs = 2},
                .check = {{"pde", 0.5}},
                .check_points = 300,
                .give_up = 3})
      .phase({.optimizer = "adam", .epochs = 2})
      .held_out({.keep = "best", .every = 7})
      .evaluation({.grid = {11, 7}, .every = 3, .measures = {"relative_l2", "l1"}, .at = {{"u", {{"t", 1}}}}});
  const problem::Problem read = problem::read_problem(problem.text(), "text");
  EXPECT_EQ(read.terms[0].near->count, 8u);
  EXPECT_EQ(read.terms[0].near->pool, 64u);
  EXPECT_EQ(read.terms[1].near->pool, 64u) << "16 for each, as in files";
  EXPECT_TRUE(read.terms[0].near->density->reads_data);
  EXPECT_EQ(read.windows.curvature, problem::Curvature::Previous);
  EXPECT_EQ(read.windows.usual.grow, 2);
  EXPECT_EQ(read.windows.usual.start, problem::WindowStart::Extrapolate);
  EXPECT_EQ(read.windows.first.grow, 4);
  EXPECT_EQ(read.windows.first.epochs, 2);
  EXPECT_EQ(read.windows.retry.grow, 4) << "the default of files: twice as many parts";
  EXPECT_EQ(read.windows.retry.epochs, 2);
  EXPECT_EQ(read.windows.check.at("pde"), 0.5);
  EXPECT_EQ(read.windows.check_points, 300);
  EXPECT_EQ(read.windows.give_up, 3);
  EXPECT_EQ(read.held_out.keep, problem::Keep::Best);
  EXPECT_EQ(read.held_out.every, 7);
  EXPECT_TRUE(read.held_out.watch);
  EXPECT_EQ(read.evaluate.every, 3);
  EXPECT_THAT(read.evaluate.measures, testing::ElementsAre("relative_l2", "l1"));
  EXPECT_EQ(read.evaluate.at.at("u").at("t"), 1);
  EXPECT_EQ(problem.train().summary.termination, Termination::EpochsDone);
}

TEST(ProblemTest, FeaturesAreSolved) {
  Problem problem("Line", {x});
  const Field w("w", {x});
  problem.features({w}, {.count = 120, .activation = "tanh", .scale = {3}})
      .exact(w, sin(pi * x))
      .objective("pde", d(w, x, x) == -(pi * pi) * sin(pi * x), interior(), sobol(300))
      .constraint("ends", w == 0, boundary(), sobol(1))
      .phase({.optimizer = "solve", .epochs = 1});
  const problem::Problem read = problem::read_problem(problem.text(), "text");
  ASSERT_TRUE(read.networks[0].features);
  EXPECT_EQ(read.networks[0].hidden, std::vector<int>{120});
  EXPECT_EQ(read.networks[0].features->scale, std::vector<double>{3});
  EXPECT_LT(problem.train().summary.errors.at(0).relative_l2, 1e-8);

  Problem wrong("Line", {x});
  wrong.features({w}, {.scale = {3, 4}}).objective("pde", w == 0, interior(), sobol(30));
  EXPECT_THROW(wrong.text(), InputError) << "two scales for one input";
}

TEST(ProblemTest, UnknownWordsOfOptionsAreRefusedWithTheNearest) {
  Problem problem("", {x, t});
  EXPECT_THAT(message([&] { problem.windows({.start = "previos"}); }),
              testing::AllOf(HasSubstr("windows.start = previos"), HasSubstr("'previous'")));
  EXPECT_THAT(message([&] { problem.held_out({.keep = "beste"}); }), HasSubstr("'best'"));
  EXPECT_THAT(message([&] {
                problem.objective("misfit", u == data("u"), interior(), sobol(3),
                                  {.data = Data{.columns = {{"u", "u"}}, .noise_scale = "valu"}});
              }),
              HasSubstr("'value'"));
}

}  // namespace
}  // namespace pecann
