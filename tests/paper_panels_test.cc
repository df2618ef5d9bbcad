// The page of every case of the paper shows the panels of the paper's figures for it. The test makes a small run of
// each; the table below is read off the figures' captions.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pecann/page/page_data.h"
#include "pecann/problem/catalogue.h"
#include "pecann/results/sample_runs.h"
#include "support/reduced_problem.h"

namespace pecann {
namespace {

using Json = nlohmann::json;

struct Panels {
  const char* name;
  std::vector<std::string> histories;            // evolution, with bands over trials
  std::vector<std::string> maps = {};            // prediction and error
  std::vector<std::string> curves = {};          // lines over the only coordinate, with the exact solution
  std::vector<std::string> profile_fields = {};  // with profile_times
  std::vector<double> profile_times = {};
  std::vector<std::string> pointwise = {};  // terms with a distribution of multipliers
  std::vector<double> snapshots = {}, contours = {}, contour_times = {};
  bool fourier = false, windows = false, measured = false;
};

const std::vector<std::string> kOneConstraint = {"loss", "objective", "constraint.boundary", "multiplier.boundary",
                                                 "penalty.boundary"};
const std::vector<std::string> kBoundaryAndInitial = {"loss",
                                                      "objective",
                                                      "constraint.boundary",
                                                      "constraint.initial",
                                                      "multiplier.boundary",
                                                      "multiplier.initial",
                                                      "penalty.boundary",
                                                      "penalty.initial"};

std::vector<std::string> with(std::vector<std::string> names, std::initializer_list<const char*> more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

const Panels kCases[] = {
    {.name = "heat-composite",
     .histories = {"error.u.relative_l2", "error.q.relative_l2"},
     .maps = {"u", "q"},
     .profile_fields = {"u", "q"},
     .profile_times = {1}},
    {.name = "heat-composite-pointwise",
     .histories = {"error.u.relative_l2", "error.q.relative_l2"},
     .maps = {"u", "q"},
     .profile_fields = {"u", "q"},
     .profile_times = {1},
     .pointwise = {"flux", "boundary", "initial"}},
    {.name = "burgers-rarefaction-coarse",
     .histories = with(kBoundaryAndInitial, {"error.u.relative_l2"}),
     .maps = {"u"},
     .profile_fields = {"u"},
     .profile_times = {0, 1}},
    {.name = "burgers-rarefaction",
     .histories = with(kBoundaryAndInitial, {"error.u.relative_l2"}),
     .maps = {"u"},
     .profile_fields = {"u"},
     .profile_times = {0, 1}},
    {.name = "poisson", .histories = kOneConstraint, .curves = {"u"}},
    {.name = "poisson-fourier", .histories = kOneConstraint, .curves = {"u"}, .fourier = true},
    {.name = "helmholtz-6-6",
     .histories = with(kOneConstraint, {"error.u.relative_l2", "error.u.linf"}),
     .maps = {"u"}},
    {.name = "helmholtz-6-6-adam",
     .histories = with(kOneConstraint, {"error.u.relative_l2", "error.u.linf"}),
     .maps = {"u"}},
    {.name = "helmholtz-1-4", .histories = with(kOneConstraint, {"error.u.relative_l2"}), .maps = {"u"}},
    {.name = "helmholtz-source-l4", .histories = kOneConstraint, .maps = {"u"}},
    {.name = "helmholtz-source-l5", .histories = kOneConstraint, .maps = {"u"}, .fourier = true},
    {.name = "vortex",
     .histories = kBoundaryAndInitial,
     .snapshots = {0, 2, 4, 6, 8},
     .contours = {0.2, 0.4, 0.6, 0.8},
     .contour_times = {4, 8},
     .windows = true},
    {.name = "vortex-fine",
     .histories = kBoundaryAndInitial,
     .snapshots = {0, 2, 4, 6, 8},
     .contours = {0.2, 0.4, 0.6, 0.8},
     .contour_times = {4, 8},
     .windows = true},
    {.name = "heat-source-inverse",
     .histories = {"error.u.relative_l2", "error.F.relative_l2"},
     .maps = {"u"},
     .curves = {"F"},
     .measured = true},
};

/// The entries of a list whose `key` is `value`.
std::vector<Json> entries_with(const Json& list, const std::string& key, const std::string& value) {
  std::vector<Json> found;
  for (const Json& entry : list)
    if (entry[key] == value) found.push_back(entry);
  return found;
}

void expect_lines_over_trials(const Json& profile) {
  for (const char* part : {"best", "mean", "deviation", "exact"})
    EXPECT_GT(profile[part].get<std::string>().size(), 100u) << part;
}

class PaperPanels : public ::testing::TestWithParam<Panels> {};

TEST_P(PaperPanels, AreOnThePage) {
  const Panels& panels = GetParam();
  const results::TemporaryFolder folder;
  const problem::Problem whole = problem::load_problem(panels.name, {}, "paper");
  const problem::Problem small = problem::load_problem(panels.name, reduced(whole, 2, 2), "paper");
  results::make_run(folder / "run", problem::write_problem(small), 2);
  const verdict::RunReport gathered = verdict::gather_report(folder / "run");
  const Json run =
      Json::parse(page::page_data({&gathered, 1}, page::Mode::Final, {.field_numbers = 20'000}))["runs"][0];

  for (const std::string& name : panels.histories) {
    const std::vector<Json> column = entries_with(run["history"]["columns"], "name", name);
    ASSERT_EQ(column.size(), 1u) << name;
    EXPECT_FALSE(column[0]["band"]["mean"].empty()) << name << " has no band over trials";
    EXPECT_EQ(column[0].contains("windows") && !column[0]["windows"]["mean"].empty(), panels.windows) << name;
  }
  for (const std::string& field : panels.maps) {
    const Json view = entries_with(run["fields"], "name", field).at(0);
    EXPECT_EQ(view["coordinates"].size(), 2u);
    EXPECT_GT(view["error"].get<std::string>().size(), 100u);
  }
  for (const std::string& field : panels.curves) {
    EXPECT_EQ(entries_with(run["fields"], "name", field).at(0)["coordinates"].size(), 1u);
    expect_lines_over_trials(entries_with(run["profiles"], "field", field).at(0));
  }
  for (const std::string& field : panels.profile_fields) {
    std::vector<double> times;
    for (const Json& profile : entries_with(run["profiles"], "field", field)) {
      times.push_back(profile["place"]);
      expect_lines_over_trials(profile);
    }
    EXPECT_EQ(times, panels.profile_times);
  }
  for (const std::string& term : panels.pointwise)
    EXPECT_EQ(entries_with(run["multipliers"], "name", term).size(), 1u) << term;
  EXPECT_EQ(run["snapshot_times"], Json(panels.snapshots));
  EXPECT_EQ(run["contour_times"], Json(panels.contour_times));
  if (!panels.snapshots.empty()) {
    EXPECT_EQ(run["snapshots"][0]["frames"], Json(panels.snapshots));
    EXPECT_EQ(run["snapshots"][0]["contours"], Json(panels.contours));
  }
  EXPECT_EQ(!run["fourier"].empty(), panels.fourier);
  EXPECT_EQ(!run["measured"].empty(), panels.measured);
  std::string terms;
  for (const Json& set : run["points"]) terms += set["term"].get<std::string>() + ", ";
  for (const problem::TermSpec& term : small.terms) EXPECT_THAT(terms, testing::HasSubstr(term.name + ", "));
}

INSTANTIATE_TEST_SUITE_P(Paper, PaperPanels, ::testing::ValuesIn(kCases), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(PaperPanelsTest, NoCaseIsForgotten) {
  for (const problem::CatalogueEntry& entry : problem::catalogue()) {
    if (entry.name.find('/') != std::string::npos) continue;  // the gallery
    EXPECT_TRUE(std::any_of(std::begin(kCases), std::end(kCases), [&](const Panels& panels) {
      return panels.name == entry.name;
    })) << entry.name;
  }
}

}  // namespace
}  // namespace pecann
