#include "pecann/page/page_data.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pecann/page/page_fields.h"
#include "pecann/page/page_history.h"
#include "pecann/page/page_problem.h"
#include "pecann/page/page_residuals.h"
#include "pecann/page/page_state.h"
#include "pecann/page/page_surface.h"
#include "pecann/problem/constraint_terms.h"
#include "pecann/results/over_trials.h"
#include "pecann/results/statistics.h"
#include "pecann/train/trial.h"
#include "pecann/verdict/solve_text.h"

namespace pecann::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostOfALine = 1200;  // points: more than the pixels of a plot's width

Json verdict_json(const verdict::Verdict& verdict) {
  Json findings = Json::array();
  for (const verdict::Finding& finding : verdict.findings)
    findings.push_back({{"level", verdict::name_of(finding.level)}, {"text", finding.text}});
  return {{"level", verdict::name_of(verdict.grade)},
          {"headline", verdict.headline},
          {"findings", findings},
          {"advice", verdict.advice}};
}

/// A run that is training has no verdict yet: half a training looks like a bad one.
Json training_verdict() {
  return {{"level", "note"},
          {"headline", "In training: no verdict yet."},
          {"findings", Json::array()},
          {"advice", Json::array()}};
}

std::string region_of(const problem::TermSpec& term) {
  std::string text;
  for (const sampling::RegionPointer& region : term.regions) text += (text.empty() ? "" : ", ") + region->text();
  std::erase(text, '"');  // of the problem file
  return text;
}

/// One row per term: residuals and, for constraints, multiplier and penalty (means over trials).
Json terms_json(const verdict::RunReport& report) {
  Json rows = Json::array();
  const std::vector<const problem::TermSpec*> constraints = problem::constraint_terms(report.run.problem);
  for (std::size_t t = 0; t < report.run.problem.terms.size(); ++t) {
    const problem::TermSpec& term = report.run.problem.terms[t];
    Json row = {{"name", term.name},
                {"role", term.role == problem::Role::Objective ? "objective" : "constraint"},
                {"distance", term.distance == problem::Distance::Square ? "square" : "absolute"},
                {"region", region_of(term)},
                {"equations", term.equation_texts}};
    if (term.joint) row["planes"] = term.regions.size();
    if (t < report.residuals.size()) {
      const results::TermResidual& residual = report.residuals[t];
      row["points"] = residual.points;
      row["rms"] = residual.rms;
      row["largest"] = residual.largest;
      if (residual.held_out_rms) row["held_out_rms"] = *residual.held_out_rms;
      if (residual.ratio()) row["ratio"] = *residual.ratio();
      row["relative"] = residual.relative;
    }
    const auto at = std::find(constraints.begin(), constraints.end(), &term);
    if (at != constraints.end() && !verdict::is_solve(report.run.problem)) {
      const auto i = static_cast<std::size_t>(at - constraints.begin());
      std::vector<double> multipliers, penalties;
      for (const train::TrialSummary& trial : results::shown_trials(report.trials)) {
        if (i >= trial.last.constraints.size()) continue;
        multipliers.push_back(trial.last.constraints[i].multiplier);
        penalties.push_back(trial.last.constraints[i].penalty);
      }
      row["multiplier"] = results::spread_of(multipliers).mean;
      row["penalty"] = results::spread_of(penalties).mean;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json trials_json(const verdict::RunReport& report) {
  Json rows = Json::array();
  for (const train::TrialSummary& trial : report.trials) {
    Json row = {{"trial", trial.trial},
                {"seed", trial.seed},
                {"termination", train::name_of(trial.outcome.termination)},
                {"failed", results::failed(trial)},
                {"solved", verdict::solved_whole(report.run.problem, trial)},
                {"message", trial.outcome.message},
                {"epochs", trial.epochs},
                {"evaluations", trial.evaluations},
                {"seconds", trial.seconds},
                {"timings", Json::object()},
                {"parameters", trial.parameters},
                {"points", trial.points},
                {"loss", trial.last.loss}};
    for (std::size_t i = 0; i < trial.timings.seconds.size(); ++i)
      row["timings"][train::kTimingNames[i]] = trial.timings.seconds[i];
    Json& errors = row["errors"] = Json::array();
    for (const train::FieldError& error : trial.errors)
      for (const std::string& measure : report.run.problem.evaluate.measures)
        errors.push_back({{"field", error.field}, {"measure", measure}, {"value", train::measure_of(error, measure)}});
    Json& scalars = row["scalars"] = Json::array();
    for (const train::ScalarResult& scalar : trial.scalars) {
      scalars.push_back({{"name", scalar.name}, {"value", scalar.value}});
      if (scalar.exact) scalars.back()["exact"] = *scalar.exact;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json facts_json(const verdict::RunReport& report) {
  if (!report.run.summary) return Json::object();
  const results::RunFacts& facts = report.run.summary->facts;
  return {{"version", facts.version},
          {"commit", facts.commit},
          {"date", facts.date},
          {"machine", results::describe_machine(facts)}};
}

}  // namespace

Json estimate_json(const results::RunEstimate& estimate) {
  Json fields = Json::array(), scalars = Json::array();
  for (const results::FieldEstimate& field : estimate.fields)
    fields.push_back({{"field", field.field},
                      {"relative_l2", field.relative_l2},
                      {"low", field.low},
                      {"high", field.high},
                      {"trusted", field.trusted},
                      {"decided", field.decided}});
  for (const results::ScalarEstimate& scalar : estimate.scalars)
    scalars.push_back({{"name", scalar.name}, {"value", scalar.value}, {"standard_error", scalar.standard_error}});
  return {{"trial", estimate.trial},
          {"fields", fields},
          {"scalars", scalars},
          {"decided", estimate.decided},
          {"seconds", estimate.seconds}};
}

Json solution_data(const verdict::RunReport& report, std::size_t field_numbers) {
  Json data = page_fields(report, field_numbers);
  data.update(page_state(report));
  data.update(page_residuals(report));
  data.update(page_surface(report));
  return data;
}

std::string page_data(std::span<const verdict::RunReport> reports, std::span<const Json> solutions, Mode mode,
                      std::size_t history_numbers, const Json& more) {
  std::size_t series = 0;
  for (const verdict::RunReport& report : reports)
    for (const results::HistoryTable& history : report.histories) series += 2 * history.names.size();
  const std::size_t limit =
      std::clamp<std::size_t>(history_numbers / std::max<std::size_t>(1, series), 100, kMostOfALine);

  Json runs = Json::array();
  for (std::size_t r = 0; r < reports.size(); ++r) {
    const verdict::RunReport& report = reports[r];
    const problem::Problem& problem = report.run.problem;
    const bool training = mode == Mode::Live && !report.run.summary;
    Json run = {{"folder", report.run.folder.path()},
                {"title", problem.title},
                {"source", problem.origin.empty() ? problem.source : problem.origin},
                {"recipe", problem.recipe},
                {"seed", problem.seed},
                {"strategy", problem.penalty.strategy},
                {"solved", verdict::is_solve(problem) ? Json(verdict::solve_text(problem, report.trials)) : Json()},
                {"coordinates", problem.box.names},
                {"best", report.best},
                {"verdict", training ? training_verdict() : verdict_json(report.verdict)},
                {"estimate", report.estimate ? estimate_json(*report.estimate) : Json()},
                {"about", page_problem(problem)},
                {"terms", terms_json(report)},
                {"residual_note", report.residual_note},
                {"trials", trials_json(report)},
                {"history", page_history(report, limit)},
                {"facts", facts_json(report)},
                {"problem", report.run.problem_text}};
    if (training) run["progress"] = page_progress(report);
    if (r < solutions.size()) run.update(solutions[r]);
    runs.push_back(std::move(run));
  }
  Json data = {{"live", mode == Mode::Live}};
  data.update(more);
  data["runs"] = std::move(runs);
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string page_data(std::span<const verdict::RunReport> reports, Mode mode, const PageBudget& budget) {
  std::vector<Json> solutions;
  for (const verdict::RunReport& report : reports)
    solutions.push_back(solution_data(report, budget.field_numbers / reports.size()));
  return page_data(reports, solutions, mode, budget.history_numbers);
}

}  // namespace pecann::page
