#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "pecann/pecann.h"

namespace pecann {
namespace {

const Coordinate x("x", 0, 1);
const Field u("u", {x});

Problem poisson(const std::string& optimizer, int epochs) {
  const Expression exact = sin(2 * pi * x);
  Problem problem("Poisson equation", {x});
  problem.network({u}, {.hidden = {10, 10}})
      .exact(u, exact)
      .objective("pde", d(u, x, x) == d(exact, x, x), interior(), grid({34}))
      .constraint("ends", u == exact, boundary(), grid({34}))
      .phase({.optimizer = optimizer, .epochs = epochs})
      .evaluation_grid({101});
  return problem;
}

std::string fresh_folder(const std::string& name) {
  const std::string folder = testing::TempDir() + "pecann_api_" + std::to_string(::getpid()) + "_" + name;
  std::filesystem::remove_all(folder);
  return folder;
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(TrainingTest, SolutionAndDerivativesAreNearTheExactOnes) {
  const auto [summary, solution] = poisson("lm", 60).train();
  EXPECT_EQ(summary.epochs, 60);
  ASSERT_EQ(summary.errors.size(), 1u);
  EXPECT_LT(summary.errors[0].relative_l2, 1e-4);
  EXPECT_EQ(summary.num_parameters, 20u + 110 + 11);
  EXPECT_EQ(summary.last.constraints.at(0).name, "ends");
  for (const double at : {0.1, 0.25, 0.9}) {
    EXPECT_NEAR(solution.value(u, {at}), std::sin(2 * pi * at), 1e-3);
    EXPECT_NEAR(solution.value(d(u, x), {at}), 2 * pi * std::cos(2 * pi * at), 1e-2);
    EXPECT_NEAR(solution.value(d(u, x, x) + 3, {at}), 3 - 4 * pi * pi * std::sin(2 * pi * at), 0.3);
  }
  const std::vector<double> points = {0.1, 0.9};
  EXPECT_EQ(solution.evaluate("u", points)[1], solution.value(u, {0.9}));
  EXPECT_EQ(solution.coordinates(), std::vector<std::string>{"x"});
}

TEST(TrainingTest, ThreadsDoNotChangeABit) {
  const Problem problem = poisson("lbfgs", 5);
  EXPECT_EQ(problem.train({.threads = 1}).solution.parameters(), problem.train({.threads = 3}).solution.parameters());
}

TEST(TrainingTest, AnObserverSeesEveryEpochAndCanStop) {
  long seen = 0;
  const Result result = poisson("adam", 50).train({.observer = [&](const Epoch& epoch) {
    EXPECT_EQ(epoch.number, ++seen);
    return epoch.number == 7 ? Directive::Stop : Directive::Continue;
  }});
  EXPECT_EQ(seen, 7);
  EXPECT_EQ(result.summary.termination, Termination::Interrupted);
  EXPECT_EQ(result.summary.epochs, 7);
}

TEST(TrainingTest, WhatAnObserverThrowsEndsTheTrainingInOrder) {
  const Problem problem = poisson("adam", 12);
  TrainOptions options{.folder = fresh_folder("throws")};
  options.observer = [](const Epoch& epoch) {
    if (epoch.number == 5) throw std::domain_error("enough");
    return Directive::Continue;
  };
  EXPECT_THROW(problem.train(options), std::domain_error);
  EXPECT_EQ(Result::open(options.folder).summary.epochs, 5);
  const Result rest = problem.train({.folder = options.folder, .resume = true});
  EXPECT_EQ(rest.solution.parameters(), problem.train().solution.parameters());
}

TEST(TrainingTest, AProgramChangesPointsBetweenEpochs) {
  Problem problem("Points that change", {x});
  problem.network({u}, {.hidden = {6}})
      .objective("pde", d(u, x, x) == sin(3 * x), interior(), sobol(16))
      .constraint("ends", u == 0, boundary(), grid({5}))
      .phase({.optimizer = "adam", .epochs = 12});
  std::vector<std::size_t> counts;
  TrainOptions options;
  options.change_points = [&](TrainingPoints& points) {
    counts.push_back(points.points("pde").size());
    if (points.epoch() % 4 == 0) return points.redraw("pde");
    if (points.epoch() % 3 != 0) return;
    std::vector<double> candidates, chosen;
    for (int i = 1; i < 50; ++i) candidates.push_back(0.02 * i);
    const std::vector<double> size = points.residual("pde", candidates);
    for (std::size_t i = 0; i < size.size(); ++i)
      if (i % 5 == 0 || size[i] > 0.5) chosen.push_back(candidates[i]);
    points.set("pde", chosen);
  };
  const std::vector<double> whole = problem.train(options).solution.parameters();
  EXPECT_EQ(counts.size(), 12u);
  EXPECT_EQ(counts[0], 16u);
  EXPECT_NE(counts[3], 16u);
  EXPECT_EQ(counts[4], 16u) << "drawn anew after four epochs";
  EXPECT_NE(whole, problem.train().solution.parameters());

  options.folder = fresh_folder("points");
  options.observer = [](const Epoch& epoch) { return epoch.number == 7 ? Directive::Stop : Directive::Continue; };
  problem.train(options);
  options.observer = nullptr;
  options.resume = true;
  EXPECT_EQ(problem.train(options).solution.parameters(), whole);

  TrainOptions wrong{.folder = fresh_folder("wrong-points")};
  wrong.change_points = [](TrainingPoints& points) {
    if (points.epoch() == 3) points.set("pde", std::vector<double>{2.0});
  };
  EXPECT_THROW(problem.train(wrong), std::runtime_error);
  EXPECT_EQ(Result::open(wrong.folder).summary.epochs, 3) << "the training ends in order";
}

TEST(TrainingTest, SolutionsKnowTheirDomain) {
  const Coordinate y("y", 0, 1);
  const Field v("v", {x, y});
  Problem plate("A plate", {x, y});
  plate.domain(box() - disc("hole", {0.5, 0.5}, 0.2))
      .network({v}, {.hidden = {4}})
      .objective("pde", v == 1, interior(), sobol(20))
      .phase({.optimizer = "adam", .epochs = 1});
  const Solution solution = plate.train().solution;
  EXPECT_EQ(solution.inside(std::vector<double>{0.1, 0.1, 0.5, 0.5, 1.1, 0.1}), (std::vector<char>{1, 0, 0}));
}

TEST(TrainingTest, AnInterruptStopsBetweenEpochs) {
  int asked = 0;
  const Result result = poisson("adam", 50).train({.interrupt = [&] { return ++asked == 3; }});
  EXPECT_EQ(result.summary.epochs, 3);
  EXPECT_EQ(result.summary.termination, Termination::Interrupted);
  EXPECT_STREQ(name_of(result.summary.termination), "interrupted");
}

TEST(TrainingTest, HistoryAndVerdictAreThoseOfTheFolder) {
  const Problem problem = poisson("lbfgs", 25);
  const std::string folder = fresh_folder("report");
  const Summary memory = problem.train().summary;
  for (const Summary& other : {problem.train({.folder = folder}).summary, Result::open(folder).summary}) {
    ASSERT_EQ(other.history.names, memory.history.names);
    EXPECT_EQ(other.history.column("loss"), memory.history.column("loss"));
    EXPECT_EQ(other.verdict.level, memory.verdict.level);
    ASSERT_EQ(other.verdict.findings.size(), memory.verdict.findings.size());
    for (std::size_t i = 0; i < memory.verdict.findings.size(); ++i)
      EXPECT_EQ(other.verdict.findings[i].text, memory.verdict.findings[i].text);
  }
  EXPECT_EQ(memory.history.column("epoch").size(), 25u);
  EXPECT_EQ(memory.history.column("loss").back(), memory.last.loss);
  EXPECT_FALSE(memory.verdict.headline.empty());
  EXPECT_THROW(memory.history.column("los"), std::runtime_error);
}

TEST(TrainingTest, ASeedThatNoFileCanNameIsRefusedByItsName) {
  EXPECT_NO_THROW(poisson("adam", 1).seed(std::uint64_t{1} << 53));
  for (const std::uint64_t seed : {(std::uint64_t{1} << 53) + 1, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    try {
      poisson("adam", 1).seed(seed);
      ADD_FAILURE() << seed;
    } catch (const std::exception& error) {
      EXPECT_EQ(std::string(error.what()).find("seed = "), 0u) << error.what();
    }
  }
}

TEST(TrainingTest, NumbersThatNoMachineHasAreRefused) {
  const auto refusal = [](const TrainOptions& options) -> std::string {
    try {
      poisson("adam", 1).train(options);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "accepted";
  };
  for (const int threads : {-1, 1025, 1'000'000'000})
    EXPECT_NE(refusal({.threads = threads}).find("threads = " + std::to_string(threads) + ": must be from 1 to 1024"),
              std::string::npos);
  for (const double seconds : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_NE(
        refusal({.checkpoint_seconds = seconds, .threads = 1}).find("checkpoint_seconds: must be a finite number"),
        std::string::npos);
  const Result result = poisson("adam", 1).train({.threads = 1});
  const double place = 0.5;
  const Strided where{&place, 1};
  const std::string field = "u";
  EXPECT_THROW(result.solution.evaluate({&field, 1}, {&where, 1}, 1, 1'000'000'000), std::runtime_error);
}

TEST(TrainingTest, EstimatesAreNearTheTrueErrors) {
  const Problem problem = poisson("lm", 12);
  const Result result = problem.train({.threads = 1});
  const Estimate estimate = result.estimate();
  ASSERT_EQ(estimate.fields.size(), 1u) << estimate.decided;
  const FieldEstimate& field = estimate.fields[0];
  EXPECT_EQ(field.field, "u");
  ASSERT_TRUE(field.trusted) << field.decided;
  const double truth = result.summary.errors.at(0).relative_l2;
  EXPECT_GT(field.relative_l2, truth / 2);
  EXPECT_LT(field.relative_l2, truth * 2);
  EXPECT_LE(field.low, field.relative_l2);
  EXPECT_GE(field.high, field.relative_l2);
  EXPECT_FALSE(result.summary.estimate);

  const std::string folder = fresh_folder("estimate");
  const Result with = problem.train({.folder = folder, .threads = 1, .estimate = true});
  ASSERT_TRUE(with.summary.estimate);
  EXPECT_EQ(with.summary.estimate->fields.at(0).relative_l2, field.relative_l2);
  EXPECT_EQ(Result::open(folder).estimate().fields.at(0).relative_l2, field.relative_l2);
  EXPECT_EQ(with.summary.json, file_text(folder + "/summary.json"));
  const Result memory = problem.train({.threads = 1, .estimate = true});
  EXPECT_EQ(memory.summary.verdict.headline, with.summary.verdict.headline);
  for (const char* key : {"\"verdict\"", "\"estimate\"", "\"residuals\"", "\"facts\""})
    EXPECT_NE(memory.summary.json.find(key), std::string::npos) << key;
}

/// Nothing but the problem.
Problem rod() {
  const Coordinate s("s", 0, 1), t("t", 0, 1);
  const Field v("v", {s, t});
  Problem problem("Heat in a rod", {s, t});
  problem.fields({v})
      .equation(d(v, t) == laplacian(v), interior())
      .equation("v = 0", boundary())
      .equation(v == sin(pi * s), initial_time())
      .exact(v, exp(-pi * pi * t) * sin(pi * s));
  return problem;
}

TEST(TrainingTest, AnAccuracyIsSearchedFor) {
  const std::string folder = fresh_folder("accuracy");
  const Result result = rod().accuracy(1e-5).train({.folder = folder, .threads = 1});
  ASSERT_TRUE(result.summary.accuracy);
  EXPECT_TRUE(result.summary.accuracy->reached) << result.summary.accuracy->ending;
  EXPECT_EQ(result.summary.accuracy->asked, 1e-5);
  EXPECT_LT(result.summary.errors.at(0).relative_l2, 2e-5);
  EXPECT_LE(result.estimate().fields.at(0).relative_l2, 1e-5);
  EXPECT_TRUE(std::filesystem::exists(folder + "/attempt-1/problem.toml"));
  EXPECT_EQ(Result::open(folder).solution.parameters(), result.solution.parameters());
  // A search that has ended goes on to the same answer; without a folder nothing is left.
  EXPECT_EQ(rod().accuracy(1e-5).train({.folder = folder, .resume = true, .threads = 1}).solution.parameters(),
            result.solution.parameters());
  EXPECT_EQ(rod().accuracy(1e-5).train({.threads = 1}).solution.parameters(), result.solution.parameters());
}

TEST(TrainingTest, WhatASearchCannotTakeIsRefused) {
  EXPECT_THROW(rod().accuracy(1e-5).train({.start = {1.0}}), std::runtime_error);
  EXPECT_THROW(rod().accuracy(2).train(), std::runtime_error);
  EXPECT_THROW(
      rod().accuracy(1e-14).train({.observer = [](const Epoch&) -> Directive { throw std::domain_error(""); }}),
      std::domain_error);
}

TEST(TrainingTest, StartParametersAreTakenOver) {
  const Problem problem = poisson("lbfgs", 3);
  const Result first = problem.train();
  const Result second = problem.train({.start = first.solution.parameters()});
  EXPECT_LT(second.summary.last.loss, first.summary.last.loss);
  EXPECT_THROW(problem.train({.start = {1, 2, 3}}), std::runtime_error);
}

/// Gradient descent with the step length as its state: it must survive a stop.
class Descent final : public Optimizer {
 public:
  explicit Descent(std::size_t size) : gradient_(size) {}
  StepOutcome step(Objective& objective, std::span<double> x) override {
    objective.value_and_gradient(x, gradient_);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= rate_ * length_ * gradient_[i];
    length_ *= 1.25;
    return StepOutcome::Moved;
  }
  void set_learning_rate(double rate) override { rate_ = rate; }
  std::vector<double> state() const override { return {length_}; }
  void restore(std::span<const double> state) override { length_ = state[0]; }

 private:
  std::vector<double> gradient_;
  double rate_ = 0, length_ = 1;
};

std::unique_ptr<Optimizer> make_descent(const Phase& phase, std::size_t size) {
  return phase.optimizer == "adam" ? std::make_unique<Descent>(size) : nullptr;
}

TEST(TrainingTest, AnOwnOptimizerTakesThePhasesItWants) {
  Problem problem = poisson("adam", 4);
  problem.phase({.optimizer = "lbfgs", .epochs = 2});
  std::vector<int> evaluations;
  const Result result = problem.train({.observer =
                                           [&](const Epoch& epoch) {
                                             evaluations.push_back(epoch.evaluations);
                                             return Directive::Continue;
                                           },
                                       .optimizer = make_descent});
  ASSERT_EQ(evaluations.size(), 6u);
  EXPECT_EQ(evaluations[3], 1);  // ours asks once
  EXPECT_GT(evaluations[4], 1);  // L-BFGS searches along a line
  EXPECT_EQ(result.summary.epochs, 6);
}

TEST(TrainingTest, AStoppedTrainingInAFolderGoesOnBitForBit) {
  const Problem problem = poisson("adam", 12);
  TrainOptions options{.optimizer = make_descent};
  const Result whole = problem.train(options);
  options.folder = fresh_folder("resume");
  options.observer = [](const Epoch& epoch) { return epoch.number == 5 ? Directive::Stop : Directive::Continue; };
  EXPECT_EQ(problem.train(options).summary.epochs, 5);
  EXPECT_THROW(problem.train(options), std::runtime_error);  // never overwritten
  options.resume = true;
  options.observer = nullptr;
  const Result rest = problem.train(options);
  EXPECT_EQ(rest.summary.epochs, 12);
  EXPECT_EQ(rest.solution.parameters(), whole.solution.parameters());
  EXPECT_EQ(Solution::open(options.folder).parameters(), whole.solution.parameters());
  EXPECT_TRUE(std::filesystem::exists(options.folder + "/summary.json"));
  // Without the optimizer that the state belongs to, going on would be another method.
  EXPECT_THROW(problem.train({.folder = options.folder, .resume = true}), std::runtime_error);
}

TEST(TrainingTest, AFolderInUseIsRefused) {
  const Problem problem = poisson("adam", 3);
  TrainOptions options{.folder = fresh_folder("lock")};
  std::string refusal;
  options.observer = [&](const Epoch& epoch) {
    if (epoch.number > 1) return Directive::Continue;
    try {
      problem.train({.folder = options.folder, .resume = true});
    } catch (const std::runtime_error& error) {
      refusal = error.what();
    }
    return Directive::Continue;
  };
  EXPECT_EQ(problem.train(options).summary.epochs, 3);
  EXPECT_NE(refusal.find("is in use by process " + std::to_string(::getpid())), std::string::npos) << refusal;
  EXPECT_EQ(problem.train({.folder = options.folder, .resume = true}).summary.epochs, 3) << "the lock is gone";
}

TEST(TrainingTest, OnlyATrainingThatHasBegunIsResumed) {
  const std::string folder = fresh_folder("nothing");
  EXPECT_THROW(poisson("adam", 3).train({.folder = folder, .resume = true}), std::runtime_error);
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/problem.toml") << poisson("adam", 3).text();
  EXPECT_THROW(poisson("adam", 3).train({.folder = folder, .resume = true}), std::runtime_error);
}

TEST(TrainingTest, SolutionsAreWrittenForOtherTools) {
  const std::string folder = fresh_folder("files");
  const Result result = poisson("lbfgs", 3).train();
  result.solution.write(folder + "/u.csv", {u, d(u, x)}, {5});
  const std::string csv = file_text(folder + "/u.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "x,u,u_x");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6);
  result.solution.write_header(folder + "/u.hpp", "field");
  EXPECT_NE(file_text(folder + "/u.hpp").find("namespace field"), std::string::npos);
  EXPECT_THROW(result.solution.write(folder + "/u.csv", {}, {5, 5}), std::runtime_error);
}

TEST(TrainingTest, CoordinatesAreReadWhereTheyLie) {
  const Solution solution = poisson("lbfgs", 3).train().solution;
  const double places[] = {0.1, -1, 0.5, -1, 0.9, -1};
  const std::string texts[] = {"u", "u_xx"};
  const Strided every_second{places, 2}, backwards{places + 4, -2};
  const auto values = solution.evaluate(texts, {&every_second, 1}, 3);
  EXPECT_EQ(values[0], solution.evaluate("u", std::vector<double>{0.1, 0.5, 0.9}));
  EXPECT_EQ(values[1][2], solution.evaluate(texts, {&backwards, 1}, 3)[1][0]);
  EXPECT_THROW(solution.evaluate(texts, {}, 3), std::runtime_error);
  EXPECT_EQ(solution.fields(), std::vector<std::string>{"u"});
}

TEST(TrainingTest, AMistakeHasParts) {
  try {
    Problem::from_text("titel = 'x'\ncoordinates = { x = [0, 1] }\n");
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    const auto fault = input_fault(error);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->file, "problem text");
    EXPECT_FALSE(fault->rule.empty());
  }
  EXPECT_FALSE(input_fault(std::runtime_error("other")));
}

}  // namespace
}  // namespace pecann
