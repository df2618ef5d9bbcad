#include "pecann/report/page_data.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pecann/base/input_error.h"
#include "pecann/report/base64.h"
#include "pecann/report/constraint_terms.h"
#include "pecann/report/field_view.h"
#include "pecann/report/page_history.h"
#include "pecann/report/statistics.h"
#include "pecann/train/trial.h"

namespace pecann::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 1500;  // shown of a term
constexpr int kHistogramBins = 40;

std::string base64_floats(const std::vector<float>& values) {
  return base64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

Json verdict_json(const Verdict& verdict) {
  Json findings = Json::array();
  for (const Finding& finding : verdict.findings)
    findings.push_back({{"level", name_of(finding.level)}, {"text", finding.text}});
  return {{"level", name_of(verdict.level)},
          {"headline", verdict.headline},
          {"findings", findings},
          {"advice", verdict.advice}};
}

/// One row per term: residuals and, of constraints, multiplier and penalty (means over trials).
Json terms_json(const RunReport& report) {
  Json rows = Json::array();
  const std::vector<const problem::TermSpec*> constraints = constraint_terms(report.run.problem);
  for (std::size_t t = 0; t < report.run.problem.terms.size(); ++t) {
    const problem::TermSpec& term = report.run.problem.terms[t];
    Json row = {{"name", term.name},
                {"role", term.role == problem::Role::Objective ? "objective" : "constraint"},
                {"equations", term.equation_texts}};
    if (t < report.residuals.size()) {
      const TermResidual& residual = report.residuals[t];
      row["points"] = residual.points;
      row["rms"] = residual.rms;
      row["largest"] = residual.largest;
      if (residual.held_out_rms) row["held_out_rms"] = *residual.held_out_rms;
      if (residual.ratio()) row["ratio"] = *residual.ratio();
    }
    const auto at = std::find(constraints.begin(), constraints.end(), &term);
    if (at != constraints.end()) {
      const auto i = static_cast<std::size_t>(at - constraints.begin());
      std::vector<double> multipliers, penalties;
      for (const train::TrialSummary& trial : report.trials) {
        if (i >= trial.last.constraints.size()) continue;
        multipliers.push_back(trial.last.constraints[i].multiplier);
        penalties.push_back(trial.last.constraints[i].penalty);
      }
      row["multiplier"] = spread_of(multipliers).mean;
      row["penalty"] = spread_of(penalties).mean;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json trials_json(const RunReport& report) {
  Json rows = Json::array();
  for (const train::TrialSummary& trial : report.trials) {
    Json row = {{"trial", trial.trial},
                {"seed", trial.seed},
                {"termination", train::name_of(trial.outcome.termination)},
                {"message", trial.outcome.message},
                {"epochs", trial.epochs},
                {"evaluations", trial.evaluations},
                {"seconds", trial.seconds},
                {"parameters", trial.parameters},
                {"points", trial.points},
                {"loss", trial.last.loss}};
    Json& errors = row["errors"] = Json::array();
    for (const train::FieldError& error : trial.errors)
      for (const std::string& measure : report.run.problem.evaluate.measures)
        errors.push_back(
            {{"field", error.field}, {"measure", measure}, {"value", train::measure_of(error, measure)}});
    Json& scalars = row["scalars"] = Json::array();
    for (const train::ScalarResult& scalar : trial.scalars) {
      scalars.push_back({{"name", scalar.name}, {"value", scalar.value}});
      if (scalar.exact) scalars.back()["exact"] = *scalar.exact;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json fields_json(const RunReport& report, std::size_t budget) {
  Json fields = Json::array();
  const train::Solution solution = train::load_solution(report.run.problem, report.run.folder, report.best);
  for (const FieldView& view : field_views(report.run.problem, solution, budget)) {
    Json field = {{"name", view.name}, {"coordinates", view.coordinates}, {"axes", Json::array()}};
    for (const std::vector<double>& axis : view.axes) field["axes"].push_back(five_digits(axis));
    field["time"] =
        report.run.problem.box.time >= 0 ? report.run.problem.box.names[report.run.problem.box.time] : "";
    field["slider"] = view.slider;
    field["frames"] = five_digits(view.frames);
    field["fixed"] = view.fixed;
    field["prediction"] = base64_floats(view.prediction);
    field["error"] = base64_floats(view.error);
    field["interface"] = view.sigmoid;
    fields.push_back(std::move(field));
  }
  return fields;
}

Json histogram_json(const std::string& name, std::span<const double> values) {
  double low = values[0], high = values[0];
  for (const double value : values) low = std::min(low, value), high = std::max(high, value);
  const double width = high > low ? (high - low) / kHistogramBins : 1;
  std::vector<double> centres;
  std::vector<int> counts(high > low ? kHistogramBins : 1);
  for (std::size_t b = 0; b < counts.size(); ++b)
    centres.push_back(five_digits(high > low ? low + (static_cast<double>(b) + 0.5) * width : low));
  for (const double value : values)
    if (std::isfinite(value))
      ++counts[std::min(counts.size() - 1, static_cast<std::size_t>((value - low) / width))];
  return {{"name", name}, {"centres", centres}, {"counts", counts}, {"width", five_digits(width)}};
}

/// Points of training and multipliers of point-wise constraints, both of the best trial's last window.
void add_state(const RunReport& report, Json& run) {
  Json& points = run["points"] = Json::array();
  Json& histograms = run["multipliers"] = Json::array();
  if (!report.residual_note.empty()) return;  // the points cannot be made again
  const TrainedState state = load_state(report.run.problem, report.run.folder, report.best);
  const evaluate::Evaluator& evaluator = state.assembly->evaluator();
  for (const evaluate::Term& term : evaluator.terms()) {
    const sampling::PointSet& set = evaluator.program(term.point_set).points();
    const std::size_t stride = (set.count + kMostPoints - 1) / kMostPoints;
    Json columns = Json::array();
    for (const auto& coordinate : set.coordinates) {
      std::vector<double> shown;
      for (std::size_t i = 0; i < set.count; i += stride) shown.push_back(coordinate[i]);
      columns.push_back(five_digits(shown));
    }
    points.push_back({{"term", term.name}, {"count", set.count}, {"columns", columns}});
  }
  for (const evaluate::ConstraintEntries& entries : evaluator.constraints())
    if (entries.pointwise)
      histograms.push_back(
          histogram_json(entries.name, std::span(state.multipliers).subspan(entries.first, entries.count)));
}

Json facts_json(const RunReport& report) {
  if (!report.run.summary) return Json::object();
  const RunFacts& facts = report.run.summary->facts;
  return {{"version", facts.version},
          {"commit", facts.commit},
          {"date", facts.date},
          {"machine", describe_machine(facts)}};
}

}  // namespace

std::string page_data(std::span<const RunReport> reports, Mode mode, const PageBudget& budget) {
  std::size_t series = 0;
  for (const RunReport& report : reports)
    for (const HistoryTable& history : report.histories) series += 2 * history.names.size();
  const std::size_t limit =
      std::clamp<std::size_t>(budget.history_numbers / std::max<std::size_t>(1, series), 100, 2000);

  Json runs = Json::array();
  for (const RunReport& report : reports) {
    const problem::Problem& problem = report.run.problem;
    Json run = {{"folder", report.run.folder},
                {"title", problem.title},
                {"source", problem.source},
                {"recipe", problem.recipe},
                {"seed", problem.seed},
                {"strategy", problem.penalty.strategy},
                {"coordinates", problem.box.names},
                {"best", report.best},
                {"verdict", verdict_json(report.verdict)},
                {"terms", terms_json(report)},
                {"residual_note", report.residual_note},
                {"trials", trials_json(report)},
                {"history", page_history(report, limit)},
                {"fields", fields_json(report, budget.field_numbers / reports.size())},
                {"facts", facts_json(report)},
                {"problem", report.run.problem_text}};
    add_state(report, run);
    runs.push_back(std::move(run));
  }
  const Json data = {{"live", mode == Mode::Live}, {"runs", runs}};
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pecann::report
