#include "pecann/results/summary_json.h"

#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "pecann/base/input_error.h"
#include "pecann/results/sample_runs.h"

namespace pecann::results {
namespace {

using Json = nlohmann::json;

const RunFacts kFacts{"0.1.0", "abc123", "AVX2", "Some CPU", "2026-01-31T12:00:00Z", 4, "Some BLAS"};

TEST(SummaryJsonTest, CarriesEveryNumberOfATrial) {
  const problem::Problem problem = problem::read_problem(kPoissonText, "poisson.toml");
  const train::TrialSummary trial = sample_trial(1, 1e-3);
  const Json json = Json::parse(summary_json(problem, std::span(&trial, 1), kFacts));
  EXPECT_EQ(json["title"], "Poisson on an interval");
  EXPECT_EQ(json["source"], "poisson.toml");
  const Json& first = json["trials"][0];
  EXPECT_EQ(first["termination"], "epochs done");
  EXPECT_EQ(first["evaluations"], 120);
  EXPECT_DOUBLE_EQ(first["constraints"]["ends"]["rms"], 2e-3);  // √4e-6
  EXPECT_DOUBLE_EQ(first["constraints"]["ends"]["penalty"], 20);
  EXPECT_DOUBLE_EQ(first["errors"]["u"]["relative_l2"], 1e-3);
  EXPECT_FALSE(first["errors"]["u"].contains("l1")) << "only the measures that the problem asks for";
  EXPECT_EQ(json["facts"]["threads"], 4);
  EXPECT_EQ(json["facts"]["blas"], "Some BLAS");
  EXPECT_FALSE(json["over_trials"].contains("success_rate")) << "[stop] asks for nothing";
}

TEST(SummaryJsonTest, TheChoiceOnHeldOutPointsIsThereWhereTheyWereWatched) {
  const problem::Problem problem = problem::read_problem(kPoissonText, "poisson.toml");
  std::vector<train::TrialSummary> trials = {sample_trial(1, 1e-3), sample_trial(2, 1e-3)};
  trials[1].held_out = {.epoch = 12, .last_over_best = 3.5, .best_reported = true, .residual = 0.25};
  const RunSummary again = parse_summary(summary_json(problem, trials, kFacts), problem, "summary.json");
  EXPECT_FALSE(again.trials[0].held_out);
  ASSERT_TRUE(again.trials[1].held_out);
  EXPECT_EQ(again.trials[1].held_out->epoch, 12);
  EXPECT_EQ(again.trials[1].held_out->last_over_best, 3.5);
  EXPECT_TRUE(again.trials[1].held_out->best_reported);
  EXPECT_EQ(again.trials[1].held_out->residual, 0.25);
}

TEST(SummaryJsonTest, ConstantsOfAnotherProblemAreThereWhereATrialEndedWithThem) {
  const problem::Problem problem = problem::read_problem(kPoissonText, "poisson.toml");
  std::vector<train::TrialSummary> trials = {sample_trial(1, 1), sample_trial(2, 2)};
  trials[1].other_constants["nu"] = 0.25;
  const std::string text = summary_json(problem, trials, kFacts);
  EXPECT_FALSE(Json::parse(text)["trials"][0].contains("other_constants"));
  EXPECT_EQ(parse_summary(text, problem, "summary.json").trials[1].other_constants, trials[1].other_constants);
}

TEST(SummaryJsonTest, SpreadsErrorsOverTrials) {
  const problem::Problem problem = problem::read_problem(kPoissonText, "poisson.toml");
  const std::vector<train::TrialSummary> trials = {sample_trial(1, 1), sample_trial(2, 2), sample_trial(3, 6)};
  const Json spread = Json::parse(summary_json(problem, trials, kFacts))["over_trials"]["errors"]["u"]["relative_l2"];
  EXPECT_DOUBLE_EQ(spread["mean"], 3);
  EXPECT_DOUBLE_EQ(spread["std"], std::sqrt(7));  // (4 + 1 + 9) / 2
  EXPECT_DOUBLE_EQ(spread["best"], 1);
  EXPECT_DOUBLE_EQ(spread["worst"], 6);
}

TEST(SummaryJsonTest, CountsSuccessesWhereThereIsATarget) {
  const problem::Problem problem =
      problem::read_problem(std::string(kPoissonText) + "[stop]\nerror = 1e-2\n", "poisson.toml");
  std::vector<train::TrialSummary> trials = {sample_trial(1, 1e-3), sample_trial(2, 1)};
  trials[0].outcome.termination = train::Termination::TargetReached;
  EXPECT_DOUBLE_EQ(success_rate(problem, trials).value(), 0.5);
}

TEST(SummaryJsonTest, IsValidForNumbersThatAreNotFiniteAndTextsThatAreNotUtf8) {
  problem::Problem problem = problem::read_problem(kPoissonText, "poisson.toml");
  problem.title = "\"<script>\xff\n\\";
  std::vector<train::TrialSummary> trials = {sample_trial(1, std::numeric_limits<double>::quiet_NaN()),
                                             sample_trial(2, 1e-3)};
  trials[0].last.loss = std::numeric_limits<double>::infinity();
  const std::string text = summary_json(problem, trials, kFacts);
  const Json json = Json::parse(text);
  EXPECT_TRUE(json["trials"][0]["loss"].is_null());
  const Json& spread = json["over_trials"]["errors"]["u"]["relative_l2"];
  EXPECT_TRUE(spread["mean"].is_null());
  EXPECT_DOUBLE_EQ(spread["best"], 1e-3);
  EXPECT_TRUE(std::isnan(parse_summary(text, problem, "x").trials[0].last.loss));
}

/// As a trial ends that fails in its first epoch.
train::TrialSummary failed_trial(int trial) {
  const double nan = std::nan("");
  train::TrialSummary summary = sample_trial(trial, 1);
  summary.outcome = {train::Termination::NotFinite, "epoch 1: term 'pde' is nan"};
  summary.epochs = 0;
  summary.last.loss = summary.last.objective = nan;
  summary.last.constraints = {{nan, nan, nan}};
  return summary;
}

TEST(SummaryJsonTest, ATrialThatFailsInItsFirstEpochIsReadBack) {
  const problem::Problem problem = problem::read_problem(kPoissonText, "poisson.toml");
  train::TrialSummary trial = failed_trial(1);
  const std::string text = summary_json(problem, std::span(&trial, 1), kFacts);
  const train::TrialSummary read = parse_summary(text, problem, "x").trials.at(0);
  EXPECT_EQ(read.outcome.message, "epoch 1: term 'pde' is nan");
  EXPECT_TRUE(std::isnan(read.last.loss));
  ASSERT_EQ(read.last.constraints.size(), 1u);
  EXPECT_TRUE(std::isnan(read.last.constraints[0].penalty));

  Json earlier = Json::parse(text);  // as an earlier version wrote it
  earlier["trials"][0]["constraints"] = Json::object();
  EXPECT_EQ(parse_summary(earlier.dump(), problem, "x").trials.at(0).last.constraints.size(), 1u);
  trial.last.constraints.clear();
  EXPECT_EQ(summary_json(problem, std::span(&trial, 1), kFacts), text) << "of a program that leaves them out";
}

TEST(SummaryJsonTest, StatisticsAreOverTheTrialsThatDidNotFailAndSaySo) {
  const problem::Problem problem =
      problem::read_problem(std::string(kPoissonText) + "[stop]\nerror = 1e-2\n", "poisson.toml");
  std::vector<train::TrialSummary> trials = {failed_trial(1), sample_trial(2, 1e-3), sample_trial(3, 3e-3)};
  trials[1].outcome.termination = trials[2].outcome.termination = train::Termination::TargetReached;
  const Json over = Json::parse(summary_json(problem, trials, kFacts))["over_trials"];
  EXPECT_EQ(over["trials"], 2);
  EXPECT_EQ(over["failed"], Json::array({1}));
  EXPECT_DOUBLE_EQ(over["errors"]["u"]["relative_l2"]["mean"], 2e-3);
  EXPECT_DOUBLE_EQ(over["errors"]["u"]["relative_l2"]["worst"], 3e-3);
  EXPECT_DOUBLE_EQ(over["success_rate"], 2.0 / 3) << "of all trials";

  const std::vector<train::TrialSummary> none = {failed_trial(1), failed_trial(2)};
  const Json nothing = Json::parse(summary_json(problem, none, kFacts))["over_trials"];
  EXPECT_EQ(nothing["trials"], 0);
  EXPECT_TRUE(nothing["errors"]["u"]["relative_l2"]["mean"].is_null());
  EXPECT_TRUE(nothing["errors"]["u"]["relative_l2"]["best"].is_null());
}

TEST(SummaryJsonTest, ReadsBackWhatItWrote) {
  const problem::Problem problem = problem::read_problem(kPoissonText, "poisson.toml");
  std::vector<train::TrialSummary> trials = {sample_trial(1, 1e-3), sample_trial(2, 2e-3)};
  trials[1].outcome = {train::Termination::NotFinite, "epoch 3: \"pde\" is nan"};
  trials[1].windows = {
      {.window = 0, .attempt = 0, .epochs = 3, .checks = {{"pde", 2e-3, 1e-3}}},
      {.window = 0, .attempt = 1, .epochs = 9, .not_finite = "epoch 4: the step made parameters infinite"}};
  trials[1].scalars = {{"nu", 0.1, 0.12}, {"kappa", 3, std::nullopt}};
  const std::string text = summary_json(problem, trials, kFacts);
  const RunSummary read = parse_summary(text, problem, "summary.json");
  EXPECT_EQ(summary_json(problem, read.trials, read.facts), text);
  EXPECT_EQ(read.trials[1].outcome.message, "epoch 3: \"pde\" is nan");
}

TEST(SummaryJsonTest, CarriesTheCauseAndReadsSummariesWithoutOne) {
  const problem::Problem problem = problem::read_problem(kPoissonText, "poisson.toml");
  train::TrialSummary trial = sample_trial(1, 1e-3);
  trial.outcome = {train::Termination::NotFinite, "epoch 3: …", {train::Cause::Kind::EquationFails, "pde", {0.5}}};
  trial.last.learning_rate.reset();
  trial.last.damping = 0.25;
  const std::string text = summary_json(problem, std::span(&trial, 1), kFacts);
  const train::TrialSummary read = parse_summary(text, problem, "summary.json").trials.at(0);
  EXPECT_EQ(read.outcome.cause.kind, train::Cause::Kind::EquationFails);
  EXPECT_EQ(read.outcome.cause.term, "pde");
  EXPECT_EQ(read.outcome.cause.point, std::vector<double>{0.5});
  EXPECT_EQ(read.last.learning_rate, std::nullopt);
  EXPECT_EQ(read.last.damping, 0.25);

  Json old = Json::parse(text);  // as an earlier version wrote it
  old["trials"][0].erase("cause");
  old["trials"][0].erase("damping");
  old["trials"][0]["learning_rate"] = 2.5;
  const train::TrialSummary earlier = parse_summary(old.dump(), problem, "summary.json").trials.at(0);
  EXPECT_EQ(earlier.outcome.termination, train::Termination::NotFinite);
  EXPECT_EQ(earlier.outcome.cause.kind, train::Cause::Kind::Unknown);
  EXPECT_EQ(earlier.last.learning_rate, 2.5);
}

TEST(SummaryJsonTest, MeasuresOfAReferenceAreReadBackByName) {
  problem::Problem problem = problem::read_problem(kPoissonText, "poisson.toml");
  problem.evaluate.measures = {"relative_l2", "projected"};
  std::vector<train::TrialSummary> trials = {sample_trial(1, 1e-3)};
  train::set_measure(trials[0].errors[0], "projected", 0.25);
  const RunSummary read = parse_summary(summary_json(problem, trials, kFacts), problem, "x");
  EXPECT_EQ(train::measure_of(read.trials[0].errors[0], "projected"), 0.25);
  EXPECT_EQ(train::measure_of(read.trials[0].errors[0], "relative_l2"), 1e-3);
}

TEST(SummaryJsonTest, RefusesWhatIsNoSummaryAndNamesTheFile) {
  const problem::Problem problem = problem::read_problem(kPoissonText, "poisson.toml");
  for (const char* text : {"", "{", "[1]", "{\"format\": 2}", "{\"format\": 1, \"trials\": [{}], \"facts\": {}}"}) {
    try {
      (void)parse_summary(text, problem, "run/summary.json");
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("run/summary.json: ")) << text;
    }
  }
}

TEST(SummaryJsonTest, RefusesCountsThatAreNone) {
  const problem::Problem problem = problem::read_problem(kPoissonText, "poisson.toml");
  const train::TrialSummary trial = sample_trial(1, 1e-3);
  const Json sound = Json::parse(summary_json(problem, std::span(&trial, 1), kFacts));
  for (const char* key : {"trial", "seed", "epochs", "evaluations", "parameters", "points"}) {
    for (const Json& value : {Json(1e300), Json(-1e300), Json(1.5), Json(nullptr), Json("1"), Json(true)}) {
      Json changed = sound;
      changed["trials"][0][key] = value;
      EXPECT_THROW((void)parse_summary(changed.dump(), problem, "summary.json"), InputError) << key << " " << value;
    }
  }
  for (const Json& value : {Json(0), Json(-1), Json(std::int64_t{1} << 40)}) {
    Json changed = sound;
    changed["trials"][0]["trial"] = value;
    EXPECT_THROW((void)parse_summary(changed.dump(), problem, "summary.json"), InputError) << value;
  }
}

TEST(SummaryJsonTest, AMissingFileIsNoSummary) {
  const TemporaryFolder folder;
  const problem::Problem problem = problem::read_problem(kPoissonText, "poisson.toml");
  EXPECT_FALSE(read_summary(folder.path(), problem));
  const train::TrialSummary trial = sample_trial(1, 1e-3);
  write_summary(folder.path(), problem, std::span(&trial, 1), kFacts);
  EXPECT_EQ(read_summary(folder.path(), problem)->facts.cpu, "Some CPU");
}

}  // namespace
}  // namespace pecann::results
