#include "pecann/reproduce/estimate.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/check/gradient_timing.h"
#include "pecann/optim/registry.h"
#include "pecann/reproduce/budget.h"
#include "pecann/results/run_facts.h"
#include "pecann/train/run_folder.h"

namespace pecann::reproduce {
namespace {

using Json = nlohmann::ordered_json;

std::string path_of(const std::string& root) { return root + "/estimates.json"; }

}  // namespace

double expected_evaluations(const problem::Problem& problem) {
  double evaluations = 0;
  for (const problem::PhaseSpec& phase : problem.phases) {
    const optim::OptimizerRow& row = optim::optimizer_row(phase.optimizer, phase.mode);
    evaluations += phase.epochs * row.cost(OptionValues(row.options, phase.options), {}).evaluations;
  }
  return evaluations * problem.windows.count;
}

Estimates measure_estimates(const std::vector<Table>& tables, double seconds) {
  set_own_thread_count(1);
  Estimates estimates;
  for (const Table& table : tables)
    for (const Row& row : table.rows)
      if (const auto problem = problem_of(row, Budget::Paper))
        estimates[row.id()] = expected_evaluations(*problem) * 1e-3 * check::time_gradient(*problem, seconds).cpu_ms;
  return estimates;
}

void write_estimates(const std::string& root, const Estimates& estimates) {
  Json rows = Json::object();
  for (const auto& [row, seconds] : estimates) rows[row] = std::round(seconds);
  const results::RunFacts facts = results::facts_of_this_machine();
  const Json json = {{"cpu", facts.cpu}, {"threads", 1}, {"date", facts.date}, {"seconds_per_trial", rows}};
  train::write_run_file(path_of(root), json.dump(1) + "\n");
}

Estimates read_estimates(const std::string& root) {
  Estimates estimates;
  if (!train::run_file_exists(path_of(root))) return estimates;
  try {
    const Json json = Json::parse(train::read_run_file(path_of(root), train::kLongestSummary));
    for (const auto& [row, seconds] : json.at("seconds_per_trial").items()) estimates[row] = seconds.get<double>();
  } catch (const Json::exception& error) {
    throw InputError({.place = {.file = path_of(root)},
                      .rule = std::string("not a file of estimates: ") + shortened(error.what(), 200)});
  }
  return estimates;
}

}  // namespace pecann::reproduce
