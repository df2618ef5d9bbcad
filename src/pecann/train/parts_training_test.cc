// Problems in parts: features in every part, joined by conditions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/parallel.h"
#include "pecann/problem/joints.h"
#include "pecann/problem/problem_file.h"
#include "pecann/train/check_training.h"
#include "pecann/train/choose_training.h"
#include "pecann/train/find_parts.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"

namespace pecann::train {
namespace {

using ::testing::HasSubstr;

/// Helmholtz's equation with two waves each way, in 2 × 2 parts.
const std::string kWaves = R"toml(title = "waves"
coordinates = { x = [0, 1], y = [0, 1] }
[exact]
u = "sin(4*pi*x)*sin(4*pi*y)"
[[network]]
fields = ["u"]
features = 160
activation = "sin"
scale = 5
[decompose]
x = [0.4]
y = 2
points = 40
[[term]]
name = "pde"
region = "interior"
equation = "laplacian(u) + 16*pi^2*u = -16*pi^2*exact.u"
points = { sobol = 1920 }
[[term]]
name = "walls"
region = "boundary"
equation = "u = exact.u"
points = { sobol = 80 }
[[phase]]
optimizer = "solve"
epochs = 1
[evaluate]
grid = [23, 23]
)toml";

double error_in(Trainer& trainer) { return trainer.measure_errors()[0].relative_l2; }

TEST(PartsTrainingTest, ASolveInPartsIsExactAndThreadsChangeNoBit) {
  const problem::Problem problem = problem::read_problem(kWaves, "waves.toml");
  const int usual = thread_count();
  set_thread_count(1);
  Trainer one(problem, 1);
  one.run();
  set_thread_count(2);
  Trainer two(problem, 1);
  two.run();
  set_thread_count(usual);
  EXPECT_LT(error_in(one), 1e-5);
  EXPECT_TRUE(std::ranges::equal(one.parameters(), two.parameters()));
}

TEST(PartsTrainingTest, WithoutJointsThePartsKnowNothingOfEachOther) {
  problem::Problem problem = problem::read_problem(kWaves, "waves.toml");
  std::erase_if(problem.terms, [](const problem::TermSpec& term) { return term.joint; });
  Trainer trainer(problem, 1);
  trainer.run();
  EXPECT_GT(error_in(trainer), 1e-2);
}

TEST(PartsTrainingTest, NetworksTrainInPartsToo) {
  const problem::Problem problem = problem::read_problem(R"toml(title = "two networks"
coordinates = { x = [-1, 1], y = [0, 1] }
[exact]
u = "sin(2*x)*cos(y)"
[[network]]
fields = ["u"]
hidden = [8, 8]
[decompose]
x = 2
[[term]]
region = "interior"
equation = "laplacian(u) = -5*exact.u"
points = { sobol = 200 }
[[term]]
region = "boundary"
equation = "u = exact.u"
points = { sobol = 40 }
[[phase]]
optimizer = "lm"
epochs = 40
[evaluate]
grid = [23, 23]
)toml",
                                                         "two.toml");
  Trainer trainer(problem, 1);
  trainer.run();
  EXPECT_LT(error_in(trainer), 1e-4);
  problem::Problem apart = problem;
  std::erase_if(apart.terms, [](const problem::TermSpec& term) { return term.joint; });
  Trainer unjoined(apart, 1);
  unjoined.run();
  EXPECT_GT(error_in(unjoined), 100 * error_in(trainer));
}

TEST(PartsTrainingTest, ASolveRefusesWhatTiesAllPartsTogether) {
  const std::string mean =
      "\n[[term]]\nname = \"mean\"\nregion = \"interior\"\nequation = \"mean(u) = 0\"\npoints = { gauss = [4, 4] }\n";
  for (const auto& [more, named] : {std::pair{mean, "the integral of term 'mean'"},
                                    std::pair{std::string("\n[parameters]\nnu = 2\n"), "the trainable scalar 'nu'"}}) {
    const problem::Problem problem = problem::read_problem(kWaves + more, "waves.toml");
    try {
      check_training(problem);
      FAIL() << named;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(named));
    }
  }
}

TEST(FindPartsTest, WithNothingOfSpaceToCutTheSameSolveIsNoSecondLevel) {
  const problem::Problem problem = problem::read_problem(R"toml(title = "oscillator"
coordinates = { t = [0, 8] }
fields = ["u"]
[[term]]
region = "interior"
equation = "u_tt + u = 0"
[[term]]
region = "initial"
equation = ["u = 1", "u_t = 0"]
[evaluate]
grid = [101]
)toml",
                                                         "oscillator.toml");
  const PartsSearch found = find_parts(problem, true, {.products = 1e12});
  EXPECT_GT(found.change, 0) << "a distance of zero is that of a level from itself";
}

TEST(FindPartsTest, AFrontIsFoundAndThePartsCloseInOnIt) {
  const problem::Problem problem = problem::read_problem(R"toml(title = "front"
coordinates = { x = [0, 1], y = [0, 1] }
fields = ["u"]
[exact]
u = "tanh((x - 0.37)/0.02)*cos(y)"
[[term]]
region = "interior"
equation = "laplacian(u) = laplacian(exact.u)"
[[term]]
region = "boundary"
equation = "u = exact.u"
[evaluate]
grid = [101, 11]
)toml",
                                                         "front.toml");
  std::string said;
  const PartsSearch found = find_parts(problem, true, {.products = 2e11, .enough = 1e-3},
                                       [&](const std::string& what) { said += what + "\n"; });
  ASSERT_TRUE(found.solved) << said;
  EXPECT_LE(found.change, 1e-3) << said;
  const std::vector<double>& planes = found.solved->decompose.planes[0];
  double narrowest = 1, place = 0;
  for (std::size_t i = 1; i < planes.size(); ++i)
    if (planes[i] - planes[i - 1] < narrowest) {
      narrowest = planes[i] - planes[i - 1];
      place = planes[i];
    }
  EXPECT_LE(narrowest, 1.0 / 16);
  EXPECT_NEAR(place, 0.37, 0.1);
  Trainer trainer(*found.solved, 1);
  trainer.run();
  EXPECT_LT(error_in(trainer), 20 * found.change) << "the distance of two levels tells the size of the error";
}

TEST(FindPartsTest, ChoosesPartsWhereTheWholeDomainIsTooMuch) {
  problem::Problem asked = problem::read_problem(R"toml(title = "front in time"
coordinates = { x = [-1, 1], t = [0, 0.5] }
fields = ["u"]
[exact]
u = "-0.5*tanh((x - 0.1 - 0.3*t)/0.04) + 0.3"
[[term]]
region = "interior"
equation = "u_t + u*u_x = 0.01*u_xx + exact.u_t + exact.u*exact.u_x - 0.01*exact.u_xx"
[[term]]
region = "boundary"
equation = "u = exact.u"
[[term]]
region = "initial"
equation = "u = exact.u"
[stop]
seconds = 3
[evaluate]
grid = [101, 11]
)toml",
                                                 "front.toml");
  std::string said;
  problem::Problem chosen = choose_training(asked, [&](const std::string& what) { said += what + "\n"; }).problem;
  EXPECT_GT(problem::count_parts(chosen), 1) << said;
  chosen.stop.seconds.reset();  // what may be spent is chosen with it; the bits are compared without a clock
  EXPECT_GT(chosen.windows.count, 1);
  EXPECT_THAT(chosen.recommendation, HasSubstr("time windows instead of training the networks"));
  Trainer trainer(chosen, chosen.seed);
  trainer.run();
  EXPECT_LT(error_in(trainer), 1e-4);

  const problem::Problem again = problem::read_problem(problem::write_problem(chosen), "run/problem.toml");
  Trainer same(again, again.seed);
  same.run();
  EXPECT_TRUE(std::ranges::equal(same.parameters(), trainer.parameters())) << "problem.toml gives the same bits";
}

}  // namespace
}  // namespace pecann::train
