// Every problem that comes with the program trains from its text: with few points and a few epochs its loss falls.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/base/parallel.h"
#include "pecann/problem/catalogue.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"
#include "support/reduced_problem.h"

namespace pecann {
namespace {

class CatalogueRuns : public ::testing::TestWithParam<std::string> {};

TEST_P(CatalogueRuns, LossFalls) {
  set_own_thread_count(1);
  // The residual of an eigenfunction grows with it until its size is 1: more steps of second order show that it falls.
  const int epochs = GetParam().starts_with("gallery/eigenvalue") ? 16 : 4;
  const problem::Problem problem =
      problem::load_problem(GetParam(), reduced(problem::load_problem(GetParam()), 150, epochs));
  train::Trainer trainer(problem, problem.seed);
  train::testing::Rows rows;
  trainer.add_observer(rows);
  const train::Outcome outcome = trainer.run();
  EXPECT_NE(outcome.termination, train::Termination::NotFinite) << outcome.message;
  EXPECT_EQ(rows.rows.back().window, problem.windows.count - 1);

  // J + Σ C, which no change of multipliers touches: of the first window's initial network, and at that window's end.
  const train::Solution nothing(problem, problem.seed);
  train::Assembly assembly(problem, problem.seed, {0, problem.windows.count}, nothing);
  evaluate::Evaluator& evaluator = assembly.evaluator();
  const evaluate::TermValues& start = evaluator.values(assembly.model().initial_parameters(problem.seed));
  double before = start.objective, after = 0;
  for (const evaluate::ConstraintEntries& entries : evaluator.constraints()) before += start.terms[entries.term];
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
