#include "pecann/results/prediction.h"

#include <gmock/gmock.h>

#include "pecann/base/input_error.h"
#include "pecann/base/npy.h"
#include "pecann/results/run.h"
#include "pecann/results/sample_runs.h"
#include "pecann/sampling/grid.h"
#include "pecann/sampling/table.h"

namespace pecann::results {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

TEST(PredictionTest, GridHasTheFirstCoordinateFastestAndBothEnds) {
  const sampling::Box box{{"x", "t"}, {0, 10}, {1, 14}, 1};
  const std::vector<int> grid = {3, 2};
  const sampling::PointSet points = sampling::grid_points(box, grid);
  ASSERT_EQ(points.count, 6u);
  EXPECT_THAT(std::vector<double>(points.coordinates[0].begin(), points.coordinates[0].begin() + 6),
              ElementsAre(0, 0.5, 1, 0, 0.5, 1));
  EXPECT_THAT(std::vector<double>(points.coordinates[1].begin(), points.coordinates[1].begin() + 6),
              ElementsAre(10, 10, 10, 14, 14, 14));
  EXPECT_EQ(points.coordinates[1][7], 14) << "padded with the last point";
}

TEST(PredictionTest, WritesTheSameNumbersAsCsvAndNpy) {
  const TemporaryFolder folder;
  const problem::Problem problem = make_run(folder / "run", kPoissonText);
  PredictRequest request;
  request.folder = folder / "run";
  request.grid = {11};
  request.expressions = {"u", "u_x", "laplacian(u) + 2*exact.u"};
  request.output = folder / "deeper/u.csv";
  EXPECT_THAT(predict(request), ElementsAre(request.output));
  request.output = folder / "u.npy";
  predict(request);

  const train::Solution solution = train::load_solution(problem, request.folder, 1);
  const std::vector<expr::Expr> expressions = parse_fields(problem, request.expressions);
  std::vector<std::vector<double>> values;
  const std::vector<int> grid = {11};
  solution.evaluate(expressions, sampling::grid_points(problem.box, grid), values);

  const sampling::Table table = sampling::read_table(folder / "deeper/u.csv");
  EXPECT_THAT(table.names, ElementsAre("x", "u", "u_x", "laplacian(u) + 2*exact.u"));
  const NpyArray array = read_npy(folder / "u.npy");
  EXPECT_THAT(array.shape, ElementsAre(11, 4));
  for (std::size_t i = 0; i < 11; ++i) {
    EXPECT_DOUBLE_EQ(table.columns[0][i], static_cast<double>(i) / 10);
    for (std::size_t e = 0; e < 3; ++e) {
      EXPECT_EQ(table.columns[e + 1][i], values[e][i]);
      EXPECT_EQ(array.data[4 * i + e + 1], values[e][i]);
    }
  }
}

TEST(PredictionTest, TakesPointsFromAFile) {
  const TemporaryFolder folder;
  make_run(folder / "run", kPoissonText);
  write_text_file(folder / "points.csv", "name,x\n7,0.25\n8,0.5\n");
  PredictRequest request;
  request.folder = folder / "run";
  request.points_file = folder / "points.csv";
  const Prediction prediction = predict_values(request);
  EXPECT_EQ(prediction.points.count, 2u);
  EXPECT_EQ(prediction.points.coordinates[0][1], 0.5);
  EXPECT_THAT(prediction.names, ElementsAre("u"));
}

TEST(PredictionTest, ExplainsWhatIsWrongWithARequest) {
  const TemporaryFolder folder;
  make_run(folder / "run", kPoissonText);
  PredictRequest request;
  request.folder = folder / "run";
  request.output = folder / "u.cssv";
  EXPECT_THAT(message_of([&] { predict(request); }), AllOf(HasSubstr("'.cssv'"), HasSubstr("did you mean '.csv'?")));
  request.output = folder / "u.csv";
  request.grid = {3, 3};
  EXPECT_THAT(message_of([&] { predict(request); }),
              AllOf(HasSubstr("--grid = 3,3"), HasSubstr("2 numbers for 1 coordinate")));
  request.grid = {3};
  request.expressions = {"u", "w_x"};
  EXPECT_THAT(message_of([&] { predict(request); }),
              AllOf(HasSubstr("command line"), HasSubstr("w_x"), HasSubstr("--fields")));
  request.expressions = {};
  request.trial = 4;
  EXPECT_THAT(message_of([&] { predict(request); }), HasSubstr("the run has the trials 1"));
  request.folder = folder / "nowhere";
  EXPECT_THAT(message_of([&] { predict(request); }), HasSubstr("there is no such folder"));
  request.folder = folder.path();
  EXPECT_THAT(message_of([&] { predict(request); }), HasSubstr("not the folder of a run"));
}

TEST(PredictionTest, TheBestTrialIsTheOneWithTheSmallestError) {
  results::Run run;
  run.trials = {1, 2, 3};
  run.summary.emplace();
  run.summary->trials = {sample_trial(1, std::nan("")), sample_trial(2, 3e-3), sample_trial(3, 1e-3)};
  EXPECT_EQ(best_trial(run), 3);
  run.trials = {1, 2};
  EXPECT_EQ(best_trial(run), 1) << "the best one has no folder any more";
}

TEST(PredictionTest, NeitherAFailedTrialNorOneWithoutANumberIsTheBest) {
  results::Run run;
  run.trials = {1, 2, 3};
  run.summary.emplace();
  run.summary->trials = {sample_trial(1, 1e-5), sample_trial(2, std::nan("")), sample_trial(3, 3e-3)};
  run.summary->trials[0].outcome.termination = train::Termination::NotFinite;
  EXPECT_EQ(best_trial(run), 3);
  run.summary->trials[2].errors = {{"u", 1e-3}, {"v", std::nan("")}};
  EXPECT_EQ(best_trial(run), 2) << "none has a number: the first that did not fail";
  for (train::TrialSummary& trial : run.summary->trials) trial.errors.clear();
  run.summary->trials[1].last.loss = std::nan("");
  EXPECT_EQ(best_trial(run), 3) << "by the loss";
}

TEST(PredictionTest, OfATrialThatWasNotTrainedItSaysSo) {
  const TemporaryFolder folder;
  std::string toml = kPoissonText;
  toml.insert(toml.find("u_xx = d"), "log(u - 1000)*");
  make_run(folder / "run", toml);
  PredictRequest request;
  request.folder = folder / "run";
  request.output = folder / "u.csv";
  for (const int trial : {0, 1}) {
    request.trial = trial;
    EXPECT_THAT(message_of([&] { predict(request); }),
                AllOf(HasSubstr("nothing was trained in trial 1: epoch 1: term 'pde'"), HasSubstr("run it anew")));
  }
}

}  // namespace
}  // namespace pecann::results
