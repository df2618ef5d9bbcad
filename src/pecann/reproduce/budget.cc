#include "pecann/reproduce/budget.h"

#include <algorithm>

#include "pecann/base/input_error.h"
#include "pecann/optim/registry.h"
#include "pecann/problem/catalogue.h"
#include "pecann/problem/problem_file.h"

namespace pecann::reproduce {
namespace {

constexpr int kQuickGradients = 300, kQuickEpochs = 10;
constexpr double kQuickSeconds = 10;

/// The problem as text without what may differ between runs of one training: names, panels of the report, seeds.
std::string training_text(problem::Problem problem) {
  problem.trials = 1;
  problem.seed = 1;
  for (std::string* name : {&problem.title, &problem.source, &problem.origin, &problem.recipe, &problem.recommendation})
    name->clear();
  problem.report = {};
  return problem::write_problem(problem);
}

/// The row's problem without any training of its file, asked for 1e-6 within ten minutes.
std::optional<problem::Problem> problem_to_search(const Row& row) {
  if (!row.best) return std::nullopt;
  std::vector<std::string> overrides = row.set;
  overrides.insert(overrides.end(),
                   {"seed=1", "trials=" + std::to_string(row.trials), "windows={count=1}", "penalty={}",
                    "phase=[{optimizer=\"auto\"}]", "accuracy=1e-6", "stop.seconds=600"});
  return problem::load_problem(row.problem, overrides, "none");
}

}  // namespace

const char* name_of(Budget budget) {
  switch (budget) {
    case Budget::Quick:
      return "quick";
    case Budget::Short:
      return "short";
    case Budget::Best:
      return "best";
    case Budget::Accuracy:
      return "accuracy";
    default:
      return "paper";
  }
}

Budget budget_of(const std::string& word) {
  std::vector<std::string> known;
  for (const Budget budget : {Budget::Quick, Budget::Short, Budget::Paper, Budget::Best, Budget::Accuracy}) {
    if (word == name_of(budget)) return budget;
    known.emplace_back(name_of(budget));
  }
  throw InputError({.place = {.file = "command line"},
                    .key = "--budget",
                    .value = word,
                    .rule = "must be \"quick\", \"short\", \"paper\", \"best\" or \"accuracy\"",
                    .hint = hint_for(word, known)});
}

std::optional<problem::Problem> problem_of(const Row& row, Budget budget) {
  if (budget == Budget::Accuracy) return problem_to_search(row);
  if (budget == Budget::Best) {
    if (!row.best) return std::nullopt;
    const std::vector<std::string> offered = problem::load_problem(row.problem, {}, row.recipe).recipes;
    if (std::ranges::find(offered, "best") == offered.end()) return std::nullopt;
  }
  if (budget == Budget::Short && row.short_set.empty()) return std::nullopt;
  std::vector<std::string> overrides = row.set;
  if (budget == Budget::Short) overrides.insert(overrides.end(), row.short_set.begin(), row.short_set.end());
  overrides.push_back("seed=1");
  overrides.push_back("trials=" + std::to_string(row.trials));
  problem::Problem problem =
      problem::load_problem(row.problem, overrides, budget == Budget::Best ? "best" : row.recipe);
  if (budget == Budget::Quick) {
    for (problem::PhaseSpec& phase : problem.phases)
      phase.epochs =
          std::min(phase.epochs, optim::optimizer_row(phase.optimizer).one_gradient ? kQuickGradients : kQuickEpochs);
    problem.stop.seconds = kQuickSeconds;
  }
  return problem;
}

bool same_training(const problem::Problem& a, const problem::Problem& b) {
  return training_text(a) == training_text(b);
}

}  // namespace pecann::reproduce
