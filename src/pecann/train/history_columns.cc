#include "pecann/train/history_columns.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "pecann/penalty/registry.h"
#include "pecann/problem/constraint_terms.h"
#include "pecann/problem/scope.h"

namespace pecann::train {
namespace {

/// A column of a number that every record has. Numbers come back bit for bit.
template <class Number>
HistoryColumn number_column(std::string name, Number number) {
  return {std::move(name), [number](const EpochRecord& record, std::string& line) {
            fmt::format_to(std::back_inserter(line), "{}", number(record));
          }};
}

/// A column of a number that a record may lack.
HistoryColumn optional_column(std::string name, std::optional<double> EpochRecord::*number) {
  return {std::move(name), [number](const EpochRecord& record, std::string& line) {
            if (record.*number) fmt::format_to(std::back_inserter(line), "{}", *(record.*number));
          }};
}

HistoryColumn constraint_column(const std::string& name, std::size_t index, double ConstraintRecord::*number) {
  return {name, [index, number](const EpochRecord& record, std::string& line) {
            if (index < record.constraints.size())
              fmt::format_to(std::back_inserter(line), "{}", record.constraints[index].*number);
          }};
}

HistoryColumn error_column(const std::string& field, const std::string& measure) {
  return {"error." + field + "." + measure, [field, measure](const EpochRecord& record, std::string& line) {
            for (const FieldError& error : record.errors)
              if (error.field == field) fmt::format_to(std::back_inserter(line), "{:.6e}", measure_of(error, measure));
          }};
}

HistoryColumn scalar_column(const std::string& name, std::size_t index) {
  return {"scalar." + name, [index](const EpochRecord& record, std::string& line) {
            if (index < record.scalars.size()) fmt::format_to(std::back_inserter(line), "{}", record.scalars[index]);
          }};
}

HistoryColumn standard_error_column(const std::string& name, std::size_t index) {
  return {"standard_error." + name, [index](const EpochRecord& record, std::string& line) {
            if (index < record.standard_errors.size() && std::isfinite(record.standard_errors[index]))
              fmt::format_to(std::back_inserter(line), "{:.6e}", record.standard_errors[index]);
          }};
}

/// Fields with an exact or a reference solution, by name.
std::vector<std::string> measured_fields(const problem::Problem& problem) {
  std::vector<std::string> fields;
  for (const std::string& name : problem::quantity_names(problem))
    if (problem.exact.contains(name) || !problem.reference.empty()) fields.push_back(name);
  std::ranges::sort(fields);
  if (!problem.evaluate.together.empty()) fields.emplace_back(problem::kTogether);
  return fields;
}

void add_held_out_columns(std::vector<HistoryColumn>& columns) {
  columns.push_back({"held_out", [](const EpochRecord& record, std::string& line) {
                       if (record.held_out) fmt::format_to(std::back_inserter(line), "{}", record.held_out->loss);
                     }});
  columns.push_back({"held_out_residual", [](const EpochRecord& record, std::string& line) {
                       if (record.held_out && !std::isnan(record.held_out->residual))
                         fmt::format_to(std::back_inserter(line), "{:.6e}", record.held_out->residual);
                     }});
}

/// How often weights changed so far, and the weight of every equation: weight.TERM, or weight.TERM.1, weight.TERM.2, …
/// where a term has several.
void add_weight_columns(const problem::Problem& problem, std::vector<HistoryColumn>& columns) {
  columns.push_back(number_column("updates", [](const EpochRecord& r) { return r.updates; }));
  std::size_t index = 0;
  for (const problem::TermSpec& term : problem.terms)
    for (std::size_t e = 0; e < term.residuals.size(); ++e, ++index)
      columns.push_back(
          {"weight." + problem::equation_name(term, e), [index](const EpochRecord& record, std::string& line) {
             if (index < record.weights.size()) fmt::format_to(std::back_inserter(line), "{}", record.weights[index]);
           }});
}

}  // namespace

std::vector<HistoryColumn> history_columns(const problem::Problem& problem) {
  const problem::WindowSpec& windows = problem.windows;
  std::vector<HistoryColumn> columns;
  if (windows.count > 1) columns.push_back(number_column("window", [](const EpochRecord& r) { return r.window + 1; }));
  columns.push_back(number_column("epoch", [](const EpochRecord& r) { return r.epoch; }));
  columns.push_back({"seconds", [](const EpochRecord& record, std::string& line) {
                       fmt::format_to(std::back_inserter(line), "{:.3f}", record.seconds);
                     }});
  columns.push_back(number_column("loss", [](const EpochRecord& r) { return r.loss; }));
  columns.push_back(number_column("objective", [](const EpochRecord& r) { return r.objective; }));
  const std::vector<const problem::TermSpec*> terms = problem::constraint_terms(problem);
  for (const auto& [kind, number] :
       {std::pair{"constraint.", &ConstraintRecord::value}, std::pair{"multiplier.", &ConstraintRecord::multiplier},
        std::pair{"penalty.", &ConstraintRecord::penalty}})
    for (std::size_t c = 0; c < terms.size(); ++c)
      columns.push_back(constraint_column(kind + terms[c]->name, c, number));
  columns.push_back(optional_column("learning_rate", &EpochRecord::learning_rate));
  columns.push_back(number_column("evaluations", [](const EpochRecord& r) { return r.evaluations; }));
  for (const std::string& field : measured_fields(problem))
    for (const std::string& measure : problem.evaluate.measures) columns.push_back(error_column(field, measure));
  if (problem.held_out.watch) add_held_out_columns(columns);

  columns.push_back(number_column("phase", [](const EpochRecord& r) { return r.phase + 1; }));
  columns.push_back(optional_column("damping", &EpochRecord::damping));
  const bool checked = !windows.check.empty();
  if (windows.first.grow > 1 || (windows.count > 1 && windows.usual.grow > 1) || (checked && windows.retry.grow > 1))
    columns.push_back(number_column("part", [](const EpochRecord& r) { return r.part + 1; }));
  if (checked) columns.push_back(number_column("try", [](const EpochRecord& r) { return r.attempt + 1; }));
  for (std::size_t i = 0; i < problem.parameters.size(); ++i)
    columns.push_back(scalar_column(problem.parameters[i].name, i));
  if (penalty::strategy_row(problem.penalty.strategy).balances) add_weight_columns(problem, columns);
  if (std::ranges::any_of(problem.terms, [](const problem::TermSpec& term) { return bool(term.data); }))
    for (std::size_t i = 0; i < problem.parameters.size(); ++i)
      columns.push_back(standard_error_column(problem.parameters[i].name, i));
  return columns;
}

std::vector<HistoryColumn> chosen_columns(std::vector<HistoryColumn> known, const std::vector<std::string>& names) {
  std::vector<HistoryColumn> chosen;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(known, name, &HistoryColumn::name);
    chosen.push_back(found != known.end() ? *found : HistoryColumn{name, [](const EpochRecord&, std::string&) {}});
  }
  return chosen;
}

}  // namespace pecann::train
