#include "pecann/page/page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "pecann/base/input_error.h"
#include "pecann/page/embedded_files.h"
#include "pecann/page/page_problem.h"
#include "pecann/page/page_race.h"
#include "pecann/results/sample_runs.h"
#include "pecann/verdict/text_report.h"
#include "pecann/verdict/wrapped_text.h"

namespace pecann::page {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

/// The JSON that the page's script reads.
Json data_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

std::string page_of(const std::string& folder) { return html_report(std::span(&folder, 1)); }

TEST(PageTest, ResidualsAreThoseOfTheEquationAtThePoints) {
  const results::TemporaryFolder folder;
  const problem::Problem problem = results::make_run(folder / "run", results::kPoissonText);
  const Json set = data_of(page_of(folder / "run"))["runs"][0]["residual_points"][0];
  EXPECT_EQ(set["term"], "pde");
  const auto x = set["columns"][0].get<std::vector<double>>(), sizes = set["values"].get<std::vector<double>>();
  ASSERT_GT(x.size(), 100u);
  ASSERT_EQ(x.size(), sizes.size());
  sampling::PointSet points{.count = x.size(), .coordinates = {{}}, .columns = {}};
  points.coordinates[0].assign(points.padded(), x[0]);
  std::copy(x.begin(), x.end(), points.coordinates[0].begin());
  std::vector<std::vector<double>> values;
  const train::RunFolder run(folder / "run");
  train::load_solution(problem, run, 1).evaluate(problem.terms[0].residuals, points, values);
  double largest = 0;
  for (const double size : sizes) largest = std::max(largest, size);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(std::abs(values[0][i]), sizes[i], 2e-2 * largest) << x[i];  // x has five digits
}

TEST(PageTest, ASolveShowsItsPartsAndNoMultipliers) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", R"toml(
coordinates = { x = [0, 1], y = [0, 2] }
[[network]]
fields = ["u"]
features = 20
activation = "sin"
[decompose]
x = 2
y = [0.5]
points = 6
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "laplacian(u) = 1"
points = { sobol = 200 }
[[term]]
name = "walls"
role = "constraint"
region = "boundary"
equation = "u = 0"
points = { sobol = 20 }
[[phase]]
optimizer = "solve"
epochs = 1
[evaluate]
grid = [9, 9]
)toml");
  const Json run = data_of(page_of(folder / "run"))["runs"][0];
  EXPECT_EQ(run["solved"], "solved in one step by 20 sin features of u in each of 2 × 2 parts");
  EXPECT_EQ(run["about"]["planes"], (std::vector<std::vector<double>>{{0.5}, {0.5}}));
  for (const Json& column : run["history"]["columns"])
    EXPECT_THAT(column["name"].get<std::string>(),
                testing::AnyOf("seconds", "objective", "evaluations", testing::StartsWith("constraint.")));
  for (const Json& term : run["terms"]) EXPECT_FALSE(term.contains("multiplier"));
  EXPECT_EQ(run["terms"][2]["planes"], 1) << "joints-x";
  EXPECT_FALSE(run["terms"][0].contains("planes"));
}

TEST(PageTest, ResidualsOfIntegralsOverSpaceStandAtTheirTimes) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", R"toml(
coordinates = { x = [0, 1], t = [2, 3] }
[[network]]
fields = ["u"]
hidden = [6]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t = u_xx"
points = { sobol = 40 }
[[term]]
name = "mass"
role = "constraint"
region = "interior"
equation = "integral(u, over = space) = 1"
points = { gauss = [9, 5] }
[[phase]]
optimizer = "lbfgs"
epochs = 2
[evaluate]
grid = [9, 9]
)toml");
  const Json set = data_of(page_of(folder / "run"))["runs"][0]["residual_points"][1];
  EXPECT_EQ(set["term"], "mass");
  ASSERT_EQ(set["columns"][1].size(), set["values"].size());
  for (std::size_t i = 0; i < set["values"].size(); ++i) {
    EXPECT_TRUE(set["columns"][0][i].is_null()) << "at no place in space";
    EXPECT_GE(set["columns"][1][i].get<double>(), 2);
    if (i > 0) EXPECT_NE(set["columns"][1][i], set["columns"][1][i - 1]);
  }
}

TEST(PageTest, TheEstimatedErrorIsAMapOfItsOwn) {
  const results::TemporaryFolder folder;
  const problem::Problem problem = results::make_run(folder / "run", results::kPoissonText);
  const train::RunFolder run(folder / "run");
  const results::RunSummary summary = *results::read_summary(run, problem);
  results::RunEstimate estimate{
      .fields = {{.field = "u", .relative_l2 = 0.5, .low = 0.4, .high = 0.625, .trusted = true}},
      .scalars = {},
      .decided = "",
      .maps = {{.field = "u",
                .coordinates = {"x"},
                .axes = {{0, 0.5, 1}},
                .slider = "",
                .frames = {},
                .fixed = {},
                .values = {0.25F, -0.5F, std::nanf("")}}}};
  const auto maps = [&] {
    results::write_summary(run, problem, summary.trials, summary.facts, {.estimate = estimate});
    return data_of(page_of(folder / "run"))["runs"][0]["error_maps"];
  };
  const Json shown = maps();
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0]["name"], "u");
  EXPECT_EQ(shown[0]["axes"][0], (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(shown[0]["prediction"], "AACAPgAAAL8AAMB/");  // Python: b64encode(struct.pack("<3f", 0.25, -0.5, nan))
  estimate.fields[0].trusted = false;
  EXPECT_TRUE(maps().empty()) << "an estimate that is not trusted has no map";
}

TEST(PageTest, ARunInTrainingHasProgressAndNoVerdict) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  std::filesystem::remove(folder / "run/summary.json");
  const std::vector<verdict::RunReport> reports = {verdict::gather_report(folder / "run")};
  const Json live = Json::parse(page_data(reports, {}, Mode::Live, 1000))["runs"][0];
  EXPECT_EQ(live["progress"]["share"], 1.0) << "all 30 epochs";
  EXPECT_EQ(live["progress"]["phase"], "lbfgs");
  EXPECT_EQ(live["progress"]["epoch"], 30);
  EXPECT_EQ(live["verdict"]["headline"], "In training: no verdict yet.");
  const Json last = Json::parse(page_data(reports, {}, Mode::Final, 1000))["runs"][0];
  EXPECT_FALSE(last.contains("progress"));
  EXPECT_NE(last["verdict"]["headline"], live["verdict"]["headline"]);
}

TEST(PageTest, OneUnitOfTimeOrOfAFamilyIsNoLength) {
  const problem::Problem problem = problem::read_problem(R"toml(
coordinates = { x = [0, 1], t = [0, 1], k = { range = [1, 4], role = "parameter" } }
[[network]]
fields = ["u"]
hidden = [3]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t = k*u_xx"
points = { sobol = 9 }
)toml",
                                                         "family.toml");
  std::vector<bool> space;
  const Json about = page_problem(problem);
  for (const Json& coordinate : about["coordinates"]) space.push_back(coordinate["space"]);
  EXPECT_EQ(space, (std::vector<bool>{true, false, false}));
}

TEST(PageTest, ARaceIsRankedByTheMedian) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  const std::vector<std::string> folders(2, folder / "run");
  const std::vector<verdict::RaceRow> rows = {
      {"slow", {{.curve = {{1, 0.5}, {2, 0.02}}, .seconds = 2, .epochs = 2}}},
      {"quick", {{.curve = {{1, 0.01}, {2, 0.001}}, .seconds = 2, .epochs = 2}}}};
  const std::vector<double> levels = {0.1, 0.005};
  const Json race = data_of(race_page({.rows = rows, .folders = folders, .levels = levels, .seconds = 2}))["race"];
  EXPECT_EQ(race["rows"][0]["name"], "quick");
  EXPECT_EQ(race["rows"][0]["median"], 0.001);
  EXPECT_EQ(race["rows"][0]["to"], Json({1.0, 2.0}));
  EXPECT_EQ(race["rows"][1]["to"], Json({2.0, nullptr})) << "never at the second level";
  EXPECT_EQ(race["rows"][1]["trials"][0]["values"], Json({0.5, 0.02}));
  EXPECT_EQ(race["rows"][1]["training"], "lbfgs 30");
}

TEST(PageTest, KnowsTheUnitsOfTheProblem) {
  const problem::Problem problem =
      problem::read_problem(results::kPoissonText, "poisson.toml", std::vector<std::string>{"units.x=mm", "units.u=K"});
  EXPECT_EQ(page_problem(problem)["units"], Json({{"u", "K"}, {"x", "mm"}}));
  EXPECT_EQ(page_problem(problem::read_problem(results::kPoissonText, "poisson.toml"))["units"], Json::object());
}

TEST(PageTest, HoldsTheRunAndAsksForNothingElse) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText, 2);
  const std::string page = page_of(folder / "run");
  const Json run = data_of(page)["runs"][0];
  EXPECT_EQ(run["title"], "Poisson on an interval");
  EXPECT_EQ(run["trials"].size(), 2u);
  EXPECT_EQ(run["terms"][1]["name"], "ends");
  EXPECT_EQ(run["fields"][0]["axes"][0].size(), 201u);
  EXPECT_EQ(run["points"][0]["columns"][0].size(), 31u);
  EXPECT_EQ(run["about"]["coordinates"][0]["name"], "x");
  EXPECT_EQ(run["terms"][0]["region"], "interior");
  const Json& column = run["history"]["columns"][1];
  EXPECT_EQ(column["name"], "loss");
  EXPECT_EQ(column["trials"].size(), 2u);
  EXPECT_FALSE(column["band"]["mean"].empty());
  EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(PageTest, NamesOfAProblemCannotBecomeMarkup) {
  const results::TemporaryFolder folder;
  std::string toml = results::kPoissonText;
  const std::string evil = "</script><script>alert(1)</script>\\\"'&<!--" + std::string(10000, 'x');
  std::string quoted;
  for (const char c : evil) quoted += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
  toml.replace(toml.find("Poisson on an interval"), 22, quoted);
  results::make_run(folder / "run", toml);
  const std::string page = page_of(folder / "run");
  EXPECT_EQ(data_of(page)["runs"][0]["title"], evil);
  EXPECT_THAT(page, Not(HasSubstr("alert(1)</script>")));
}

TEST(PageTest, PlaceholdersInTheDataStayWhatTheyAre) {
  const std::string page = page_with("{\"title\": \"{{css}} {{script}}\"}");
  EXPECT_THAT(page, HasSubstr("{\"title\": \"{{css}} {{script}}\"}"));
}

TEST(PageTest, SeveralRunsShareOnePage) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "one", results::kPoissonText);
  results::make_run(folder / "two", results::kTransportText);
  const std::vector<std::string> folders = {folder / "one", folder / "two"};
  write_report(folders, folder / "both.html");
  const Json data = data_of(read_text_file(folder / "both.html"));
  ASSERT_EQ(data["runs"].size(), 2u);
  EXPECT_EQ(data["runs"][1]["multipliers"][0]["name"], "start");
  int points = 0;
  for (const Json& count : data["runs"][1]["multipliers"][0]["counts"]) points += count.get<int>();
  EXPECT_EQ(points, 20);
}

TEST(PageTest, ARunWithoutASummaryStillHasAPage) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  std::filesystem::remove(folder / "run/summary.json");
  const Json run = data_of(page_of(folder / "run"))["runs"][0];
  EXPECT_EQ(run["trials"][0]["termination"], "interrupted");
  EXPECT_EQ(run["verdict"]["level"], "usable") << "interrupted, with a small error";
  EXPECT_GT(run["trials"][0]["loss"], 0);
}

TEST(PageTest, AFailedTrialIsMarkedAndSpoilsNoOther) {
  const results::TemporaryFolder folder;
  const problem::Problem problem = results::make_run(folder / "run", results::kPoissonText, 3);
  const train::RunFolder run_folder(folder / "run");
  results::RunSummary summary = *results::read_summary(run_folder, problem);
  summary.trials[0].outcome = {train::Termination::NotFinite, "epoch 1: term 'pde' is nan"};
  results::write_summary(run_folder, problem, summary.trials, summary.facts);
  const std::string history = run_folder.trial(1).history_file(), text = read_text_file(history);
  write_text_file(history, text.substr(0, text.find('\n') + 1));  // as it is when the first epoch fails
  const Json run = data_of(page_of(folder / "run"))["runs"][0];
  EXPECT_TRUE(run["trials"][0]["failed"]);
  EXPECT_FALSE(run["trials"][1]["failed"]);
  EXPECT_NE(run["best"], 1);
  const Json& column = run["history"]["columns"][1];
  EXPECT_EQ(column["name"], "loss");
  EXPECT_FALSE(column["band"]["mean"].empty()) << "of the two others";
  EXPECT_THAT(run["verdict"]["findings"].dump(), HasSubstr("Trial 1 failed"));
  EXPECT_THAT(verdict::text_report(std::vector<std::string>{folder / "run", folder / "run"}), HasSubstr("   2/3\n"));
}

TEST(PageTest, FiveTrialsOfAHundredThousandEpochsFitIntoTenMegabytes) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText, 5);
  for (int trial = 1; trial <= 5; ++trial) {  // 19,000 rows, as the history keeps of so many epochs
    std::string text =
        "epoch,seconds,loss,objective,constraint.ends,multiplier.ends,penalty.ends,learning_rate,"
        "evaluations\n";
    for (int epoch = 1; epoch <= 100000; epoch += epoch < 10000 ? 1 : 10)
      text += fmt::format("{},{},{},{},{},{},{},{},1\n", epoch, 1e-3 * epoch, 1.0 / epoch + 1e-7 * (epoch * 7919 % 101),
                          1.0 / epoch, 1e-3 / epoch, 1 + 1e-9 * epoch, 1e-2 * epoch, 1e-3);
    write_text_file(folder / fmt::format("run/trial-{}/history.csv", trial), text);
  }
  EXPECT_LT(page_of(folder / "run").size(), 10'000'000u);
}

TEST(PageTest, NamesTheRecipeAndWhereTheProblemCameFrom) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", std::string(results::kPoissonText) +
                                        "[recipe.best]\nphase = [{ optimizer = \"adam\", epochs = 2 }]\n");
  const Json run = data_of(page_of(folder / "run"))["runs"][0];
  EXPECT_EQ(run["recipe"], "best");
  EXPECT_EQ(run["source"], "sample");
}

TEST(PageTest, TheTimeOfAnEpochIsSharedByTheModules) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  const Json trial = data_of(page_of(folder / "run"))["runs"][0]["trials"][0];
  double sum = 0;
  for (const auto& [module, seconds] : trial["timings"].items()) sum += seconds.get<double>();
  EXPECT_GT(trial["timings"]["evaluate"], 0.0);
  EXPECT_GT(sum, 0.5 * trial["seconds"].get<double>());
  EXPECT_LT(trial["timings"]["evaluate"].get<double>() + trial["timings"]["optim"].get<double>(),
            1.01 * trial["seconds"].get<double>());
}

TEST(PageTest, AFolderWithoutARunIsRefused) {
  const results::TemporaryFolder folder;
  EXPECT_THROW(page_of(folder.path()), InputError);
}

TEST(TextReportTest, ComparesRunsWithinEightyColumns) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "one", results::kPoissonText, 2);
  results::make_run(folder / "two", results::kTransportText);
  const std::vector<std::string> folders = {folder / "one", folder / "two"};
  const std::string text = verdict::text_report(folders);
  EXPECT_THAT(text, HasSubstr("fresh rms"));
  EXPECT_THAT(text, HasSubstr("start"));
  EXPECT_THAT(text, HasSubstr("relative l2"));
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.find('/') != std::string::npos) continue;  // folders are as long as they are
    EXPECT_LE(verdict::columns_of(line), 80u) << line;
  }
}

}  // namespace
}  // namespace pecann::page
