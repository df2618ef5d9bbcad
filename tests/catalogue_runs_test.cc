// Every problem that comes with the program trains from its text: with few points and a few epochs its loss
// falls.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/base/parallel.h"
#include "pecann/problem/catalogue.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"

namespace pecann {
namespace {

/// Changes that leave the problem what it is, but small: about 48 points a region, at most two windows, a few
/// epochs a phase.
std::vector<std::string> reduced(const problem::Problem& problem) {
  std::vector<std::string> changes;
  const auto nodes = [&](int count) {
    std::string text;
    for (int c = 0; c < problem.box.dimension(); ++c) text += (c == 0 ? "[" : ", ") + std::to_string(count);
    return text + "]";
  };
  for (const problem::TermSpec& term : problem.terms) {
    if (!term.points_of.empty() || !term.points_file.empty()) continue;
    if (term.points.kind == sampling::PointRule::Kind::Grid) {
      changes.push_back("term." + term.name + ".points.grid=" + nodes(problem.box.dimension() == 1 ? 50 : 9));
    } else {
      constexpr const char* kKinds[] = {"grid", "sobol", "uniform", "latin"};
      changes.push_back("term." + term.name + ".points." + kKinds[static_cast<int>(term.points.kind)] +
                        "=48");
    }
  }
  for (std::size_t p = 0; p < problem.phases.size(); ++p) {
    const char* const epochs = problem.phases[p].optimizer == "adam" ? "150" : "4";
    changes.push_back("phase." + std::to_string(p + 1) + ".epochs=" + epochs);
  }
  if (problem.windows.count > 2) changes.push_back("windows.count=2");
  changes.push_back("evaluate.grid=" + nodes(5));
  return changes;
}

class CatalogueRuns : public ::testing::TestWithParam<std::string> {};

TEST_P(CatalogueRuns, LossFalls) {
  set_own_thread_count(1);
  const problem::Problem problem =
      problem::load_problem(GetParam(), reduced(problem::load_problem(GetParam())));
  train::Trainer trainer(problem, problem.seed);
  train::testing::Rows rows;
  trainer.add_observer(rows);
  const train::Outcome outcome = trainer.run();
  EXPECT_NE(outcome.termination, train::Termination::NotFinite) << outcome.message;
  EXPECT_EQ(rows.rows.back().window, problem.windows.count - 1);

  // J + Σ C, which no change of multipliers touches: of the first window's initial network, and at that
  // window's end.
  const train::Solution nothing(problem, problem.seed);
  train::Assembly assembly(problem, problem.seed, {0, problem.windows.count}, nothing);
  evaluate::Evaluator& evaluator = assembly.evaluator();
  const evaluate::TermValues& start = evaluator.values(assembly.model().initial_parameters(problem.seed));
  double before = start.objective, after = 0;
  for (const evaluate::ConstraintEntries& entries : evaluator.constraints())
    before += start.terms[entries.term];
  for (const train::EpochRecord& row : rows.rows) {
    if (row.window != 0) break;
    after = row.objective;
    for (const train::ConstraintRecord& constraint : row.constraints) after += constraint.value;
  }
  EXPECT_LT(after, 0.99 * before);
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const problem::CatalogueEntry& entry : problem::catalogue()) result.push_back(entry.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Every, CatalogueRuns, ::testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '/'; }, '_');
  return name;
});

}  // namespace
}  // namespace pecann
