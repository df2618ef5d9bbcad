#include "pecann/reproduce/result_store.h"

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "pecann/base/input_error.h"
#include "pecann/problem/constraint_terms.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/summary_json.h"

namespace pecann::reproduce {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::optional<problem::Problem> stored_problem(const std::string& folder) {
  const train::RunFolder place(folder);  // results keep their problem as runs do
  if (!place.has_problem()) return std::nullopt;
  return problem::read_problem(place.read_problem(), place.problem_file());
}

UnitResult read_unit(const std::string& file, const problem::Problem& problem) {
  const std::string text = train::read_run_file(file, train::kLongestSummary);
  const results::RunSummary summary = results::parse_summary(text, problem, file);
  UnitResult result;
  try {
    const Json campaign = Json::parse(text).at("campaign");
    const Json &load = campaign.at("load"), &processor = campaign.at("processor_seconds");
    result.load = load.is_null() ? std::numeric_limits<double>::quiet_NaN() : load.get<double>();
    if (!processor.is_null()) result.processor_seconds = processor.get<double>();
    result.trial = summary.trials.at(0);
  } catch (const std::exception& error) {
    throw InputError(
        {.place = {.file = file}, .rule = std::string("not a result of a campaign: ") + shortened(error.what(), 200)});
  }
  result.facts = summary.facts;
  const std::vector<const problem::TermSpec*> terms = problem::constraint_terms(problem);
  for (std::size_t i = 0; i < terms.size(); ++i)
    result.violations[terms[i]->name] = problem::violation_of(*terms[i], result.trial.last.constraints[i].value);
  return result;
}

}  // namespace

std::string ResultStore::folder(const Row& row, Budget budget) const {
  return root_ + "/" + row.store + "/" + name_of(budget);
}

std::string ResultStore::file(const Row& row, Budget budget, int trial) const {
  return folder(row, budget) + "/trial-" + std::to_string(trial) + ".json";
}

std::string ResultStore::lock_file(const Row& row, Budget budget) const { return folder(row, budget) + ".lock"; }

std::string ResultStore::lock_file(const Row& row, Budget budget, int trial) const {
  return folder(row, budget) + "/trial-" + std::to_string(trial) + ".lock";
}

bool ResultStore::has(const Row& row, Budget budget, int trial) const {
  return train::run_file_exists(file(row, budget, trial));
}

std::string move_aside_if_other(const std::string& folder, const problem::Problem& problem) {
  const std::optional<problem::Problem> stored = stored_problem(folder);
  if (!stored || same_training(*stored, problem)) return "";
  for (int number = 1;; ++number) {
    const std::string aside = folder + ".earlier-" + std::to_string(number);
    std::error_code error;
    if (fs::exists(aside, error)) continue;
    fs::rename(folder, aside, error);
    if (error) throw InputError({.place = {.file = folder}, .rule = "cannot be moved aside: " + error.message()});
    return aside;
  }
}

std::string ResultStore::prepare(const Row& row, Budget budget, const problem::Problem& problem) const {
  const train::RunFolder own(folder(row, budget));
  std::string aside = move_aside_if_other(own.path(), problem);
  if (!own.has_problem()) own.write_problem(problem::write_problem(problem));
  return aside;
}

void ResultStore::write(const Row& row, Budget budget, const problem::Problem& problem,
                        const UnitResult& result) const {
  const train::TrialSummary trials[] = {result.trial};
  Json json = Json::parse(results::summary_json(problem, trials, result.facts));
  json.erase("over_trials");
  json["campaign"] = {
      {"row", row.store}, {"budget", name_of(budget)}, {"load", result.load}, {"processor_seconds", nullptr}};
  if (result.processor_seconds) json["campaign"]["processor_seconds"] = *result.processor_seconds;
  train::write_run_file(file(row, budget, result.trial.trial), json.dump(1) + "\n");
}

RowResults ResultStore::read(const Row& row, Budget budget) const {
  RowResults results;
  const std::string own = folder(row, budget);
  const std::optional<problem::Problem> stored = stored_problem(own);
  if (!stored) return results;
  const std::optional<problem::Problem> present = problem_of(row, budget);
  if (!present && row.store != row.id()) return results;  // a budget that only the row named by same_as offers
  results.superseded = !present || !same_training(*stored, *present);
  for (int trial = 1; trial <= 1000; ++trial)
    if (has(row, budget, trial)) results.units.push_back(read_unit(file(row, budget, trial), *stored));
  return results;
}

}  // namespace pecann::reproduce
