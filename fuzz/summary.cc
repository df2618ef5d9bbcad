// The summary of a run that somebody sent: read, written and read again. And the maps of its estimated error.
#include "fuzz/small_problem.h"
#include "fuzz/target.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/error_maps.h"
#include "pecann/results/summary_json.h"

namespace pecann::fuzz {
namespace {

constexpr std::string_view kRest = R"toml(points = { uniform = 3 }
[[term]]
name = "sides"
role = "constraint"
region = "initial"
equation = "u = exact.u"
points = { grid = [3, 3] }
[windows]
count = 2
[[phase]]
optimizer = "lbfgs"
epochs = 3
)toml";

}  // namespace

void fuzz_one(std::string_view bytes) {
  static const problem::Problem problem =
      problem::read_problem(std::string(kSmallProblem) + std::string(kRest), "summary.toml");
  accepted([&] {
    const results::RunSummary read = results::parse_summary(std::string(bytes), problem, "summary.json");
    const results::Assessment assessment{.estimate = read.estimate, .conclusion = {}, .accuracy = read.accuracy};
    const std::string written = results::summary_json(problem, read.trials, read.facts, assessment);
    require(accepted([&] { results::parse_summary(written, problem, "summary.json"); }), "what was written is read",
            written);
  });
  results::RunEstimate estimate;
  estimate.fields = {{.field = "u", .relative_l2 = 0.5, .low = 0.25, .high = 1, .trusted = true}};
  for (const results::ErrorMap& map : results::parse_error_maps(std::string(bytes), estimate)) {
    std::size_t nodes = map.slider.empty() ? 1 : map.frames.size();
    for (const std::vector<double>& axis : map.axes) nodes *= axis.size();
    require(nodes == map.values.size(), "a value for each node");
  }
}

}  // namespace pecann::fuzz
