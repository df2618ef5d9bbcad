#include "pecann/results/summary_json.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "pecann/base/input_error.h"
#include "pecann/problem/constraint_terms.h"
#include "pecann/results/accuracy_json.h"
#include "pecann/results/error_maps.h"
#include "pecann/results/estimate_json.h"
#include "pecann/results/json_numbers.h"
#include "pecann/results/over_trials.h"
#include "pecann/results/statistics.h"

namespace pecann::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr train::ConstraintRecord kUnknownConstraint{kNan, kNan, kNan};

Json errors_json(const problem::Problem& problem, const std::vector<train::FieldError>& errors) {
  Json result = Json::object();
  for (const train::FieldError& error : errors)
    for (const std::string& measure : problem.evaluate.measures)
      result[error.field][measure] = train::measure_of(error, measure);
  return result;
}

Json timings_json(const train::Timings& timings) {
  Json result = Json::object();
  for (std::size_t i = 0; i < timings.seconds.size(); ++i) result[train::kTimingNames[i]] = timings.seconds[i];
  return result;
}

Json optional_json(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

Json cause_json(const train::Cause& cause) {
  Json result = {{"kind", train::name_of(cause.kind)}};
  if (!cause.term.empty()) result["term"] = cause.term;
  if (!cause.point.empty()) result["point"] = cause.point;
  return result;
}

Json trial_json(const problem::Problem& problem, const train::TrialSummary& trial) {
  Json result = {{"trial", trial.trial},
                 {"seed", trial.seed},
                 {"termination", train::name_of(trial.outcome.termination)},
                 {"message", trial.outcome.message},
                 {"epochs", trial.epochs},
                 {"evaluations", trial.evaluations},
                 {"seconds", trial.seconds},
                 {"timings", timings_json(trial.timings)},
                 {"parameters", trial.parameters},
                 {"points", trial.points},
                 {"loss", trial.last.loss},
                 {"objective", trial.last.objective},
                 {"learning_rate", optional_json(trial.last.learning_rate)},
                 {"damping", optional_json(trial.last.damping)}};
  if (trial.outcome.cause.kind != train::Cause::Kind::Unknown) result["cause"] = cause_json(trial.outcome.cause);
  const std::vector<const problem::TermSpec*> terms = problem::constraint_terms(problem);
  Json& constraints = result["constraints"] = Json::object();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const train::ConstraintRecord record =
        i < trial.last.constraints.size() ? trial.last.constraints[i] : kUnknownConstraint;
    constraints[terms[i]->name] = {{"value", record.value},
                                   {"rms", problem::violation_of(*terms[i], record.value)},
                                   {"multiplier", record.multiplier},
                                   {"penalty", record.penalty}};
  }
  if (trial.last.updates >= 0) result["updates"] = trial.last.updates;
  if (!trial.last.shares.empty()) {
    Json& shares = result["shares"] = Json::object();
    for (std::size_t t = 0; t < problem.terms.size(); ++t) shares[problem.terms[t].name] = trial.last.shares[t];
  }
  if (!trial.last.weights.empty()) {
    Json& weights = result["weights"] = Json::object();
    std::size_t next = 0;
    for (const problem::TermSpec& term : problem.terms)
      for (std::size_t e = 0; e < term.residuals.size(); ++e)
        weights[problem::equation_name(term, e)] = trial.last.weights[next++];
  }
  if (trial.held_out)
    result["held_out"] = {{"best_epoch", trial.held_out->epoch},
                          {"last_over_best", trial.held_out->last_over_best},
                          {"reported", trial.held_out->best_reported ? "best" : "last"},
                          {"residual", trial.held_out->residual}};
  result["errors"] = errors_json(problem, trial.errors);
  Json& scalars = result["scalars"] = Json::object();
  for (const train::ScalarResult& scalar : trial.scalars) {
    scalars[scalar.name]["value"] = scalar.value;
    if (scalar.exact) scalars[scalar.name]["exact"] = *scalar.exact;
  }
  result["windows_done"] = trial.windows_done;
  for (const auto& [name, value] : trial.other_constants) result["other_constants"][name] = value;
  for (const train::WindowReport& report : trial.windows) {
    Json window = {{"window", report.window + 1},
                   {"try", report.attempt + 1},
                   {"passed", report.passed()},
                   {"epochs", report.epochs}};
    for (const train::CheckValue& check : report.checks)
      window["check"][check.term] = {{"value", check.value}, {"limit", check.limit}};
    if (!report.not_finite.empty()) window["not_finite"] = report.not_finite;
    result["windows"].push_back(std::move(window));
  }
  return result;
}

Json networks_json(const problem::Problem& problem) {
  Json networks = Json::array();
  for (const problem::NetworkSpec& network : problem.networks)
    networks.push_back({{"name", network.name},
                        {"fields", network.fields},
                        {"inputs", network.inputs},
                        {"hidden", network.hidden},
                        {"activation", word_of(network.activation)}});
  return networks;
}

/// The windows that every trial has done, of those that the problem has.
Json windows_json(const problem::Problem& problem, std::span<const train::TrialSummary> trials) {
  int done = problem.windows.count;
  for (const train::TrialSummary& trial : trials)
    if (!failed(trial) || trials.size() == 1) done = std::min(done, trial.windows_done);
  return {{"done", done}, {"of", problem.windows.count}};
}

Json conclusion_json(const Conclusion& conclusion) {
  Json result = {{"verdict", conclusion.verdict},
                 {"reasons", conclusion.reasons},
                 {"advice", conclusion.advice},
                 {"best_trial", conclusion.best_trial}};
  Json& residuals = result["residuals"] = Json::object();
  for (const TermResidual& term : conclusion.residuals)
    residuals[term.name] = {{"rms", term.rms},
                            {"fresh_rms", optional_json(term.held_out_rms)},
                            {"relative", term.relative},
                            {"largest_at", term.place}};
  return result;
}

Json spread_json(std::span<const double> values) {
  const Spread spread = spread_of(values);
  return {{"mean", spread.mean}, {"std", spread.std}, {"best", spread.best}, {"worst", spread.worst}};
}

Json over_trials_json(const problem::Problem& problem, std::span<const train::TrialSummary> trials) {
  const std::vector<train::TrialSummary> sound = sound_trials(trials);
  Json result = {{"trials", sound.size()}, {"failed", failed_trials(trials)}, {"errors", Json::object()}};
  if (trials.empty()) return result;
  for (std::size_t f = 0; f < trials[0].errors.size(); ++f) {
    for (const std::string& measure : problem.evaluate.measures) {
      std::vector<double> values;
      for (const train::TrialSummary& trial : sound)
        values.push_back(f < trial.errors.size() ? train::measure_of(trial.errors[f], measure) : kNan);
      result["errors"][trials[0].errors[f].field][measure] = spread_json(values);
    }
  }
  std::vector<double> seconds;
  for (const train::TrialSummary& trial : sound) seconds.push_back(trial.seconds);
  result["seconds"] = spread_json(seconds);
  if (const auto rate = success_rate(problem, trials)) result["success_rate"] = *rate;
  return result;
}

/// The number of a name; NaN where it is missing or null.
double number_or_nan(const Json& object, const std::string& name) {
  const auto found = object.find(name);
  return found == object.end() ? kNan : number(*found);
}

std::optional<double> optional_number(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

train::Cause cause_from(const Json& json) {
  train::Cause cause{.kind = train::cause_kind(json.at("kind")), .term = json.value("term", ""), .point = {}};
  for (const Json& coordinate : json.value("point", Json::array())) cause.point.push_back(number(coordinate));
  return cause;
}

train::Termination termination_of(const std::string& name) {
  using enum train::Termination;
  for (const train::Termination known :
       {EpochsDone, TargetReached, TimeUp, Stalled, NotFinite, Interrupted, CheckFailed})
    if (name == train::name_of(known)) return known;
  throw std::runtime_error("unknown termination '" + shortened(name) + "'");
}

train::FieldError error_from(const std::string& field, const Json& measures) {
  train::FieldError error{field};
  for (const auto& [name, value] : measures.items()) train::set_measure(error, name, number(value));
  return error;
}

train::TrialSummary trial_from(const Json& json, const problem::Problem& problem) {
  train::TrialSummary trial;
  trial.trial = counted<int>(json.at("trial"));
  trial.seed = whole<std::uint64_t>(json.at("seed"));
  trial.outcome = {termination_of(json.at("termination")), json.at("message"), {}};
  if (json.contains("cause")) trial.outcome.cause = cause_from(json["cause"]);
  trial.epochs = whole<long>(json.at("epochs"));
  trial.evaluations = whole<long>(json.at("evaluations"));
  trial.seconds = number(json.at("seconds"));
  for (std::size_t i = 0; json.contains("timings") && i < trial.timings.seconds.size(); ++i)
    trial.timings.seconds[i] = number(json["timings"].at(train::kTimingNames[i]));
  trial.parameters = whole<std::size_t>(json.at("parameters"));
  trial.points = whole<std::size_t>(json.at("points"));
  trial.last.epoch = trial.epochs;
  trial.last.seconds = trial.seconds;
  trial.last.loss = number(json.at("loss"));
  trial.last.objective = number(json.at("objective"));
  trial.last.learning_rate = optional_number(json.at("learning_rate"));
  if (json.contains("damping")) trial.last.damping = optional_number(json["damping"]);
  const Json& constraints = json.at("constraints");
  for (const problem::TermSpec* term : problem::constraint_terms(problem)) {
    const auto found = constraints.find(term->name);  // missing where a constraint was added since
    trial.last.constraints.push_back(found == constraints.end()
                                         ? kUnknownConstraint
                                         : train::ConstraintRecord{number(found->at("value")),
                                                                   number(found->at("multiplier")),
                                                                   number(found->at("penalty"))});
  }
  if (json.contains("updates")) trial.last.updates = whole<long>(json["updates"]);
  for (const problem::TermSpec& term : problem.terms) {
    if (json.contains("shares")) trial.last.shares.push_back(number_or_nan(json["shares"], term.name));
    for (std::size_t e = 0; e < term.residuals.size() && json.contains("weights"); ++e)
      trial.last.weights.push_back(number_or_nan(json["weights"], problem::equation_name(term, e)));
  }
  if (json.contains("held_out")) {
    const Json& held_out = json["held_out"];
    trial.held_out = train::HeldOutChoice{whole<long>(held_out.at("best_epoch")), number(held_out.at("last_over_best")),
                                          held_out.at("reported") == "best", number(held_out.at("residual"))};
  }
  for (const auto& [field, measures] : json.at("errors").items()) trial.errors.push_back(error_from(field, measures));
  for (const auto& [name, scalar] : json.at("scalars").items()) {
    trial.scalars.push_back({name, number(scalar.at("value")), std::nullopt});
    if (scalar.contains("exact")) trial.scalars.back().exact = number(scalar["exact"]);
  }
  trial.windows_done = problem.windows.count;  // older summaries do not tell
  if (json.contains("windows_done")) trial.windows_done = whole<int>(json["windows_done"]);
  const Json other_constants = json.value("other_constants", Json::object());
  for (const auto& [name, value] : other_constants.items()) trial.other_constants[name] = number(value);
  for (const Json& window : json.value("windows", Json::array())) {
    train::WindowReport report{.window = counted<int>(window.at("window")) - 1,
                               .attempt = counted<int>(window.at("try")) - 1,
                               .epochs = whole<long>(window.at("epochs"))};
    const Json checks = window.value("check", Json::object());
    for (const auto& [term, check] : checks.items())
      report.checks.push_back({term, number(check.at("value")), number(check.at("limit"))});
    report.not_finite = window.value("not_finite", "");
    trial.windows.push_back(std::move(report));
  }
  return trial;
}

}  // namespace

std::optional<double> success_rate(const problem::Problem& problem, std::span<const train::TrialSummary> trials) {
  const problem::StopSpec& stop = problem.stop;
  if (trials.empty() || !(stop.loss || stop.violation || stop.error)) return std::nullopt;
  const auto reached = std::count_if(trials.begin(), trials.end(), [](const train::TrialSummary& trial) {
    return trial.outcome.termination == train::Termination::TargetReached;
  });
  return static_cast<double>(reached) / static_cast<double>(trials.size());
}

std::string summary_json(const problem::Problem& problem, std::span<const train::TrialSummary> trials,
                         const RunFacts& facts, const Assessment& assessment) {
  Json result = {{"format", kFormat},
                 {"title", problem.title},
                 {"source", problem.origin.empty() ? problem.source : problem.origin},
                 {"recipe", problem.recipe},
                 {"training_chosen", problem.recommendation},
                 {"seed", problem.seed},
                 {"trials", Json::array()}};
  if (assessment.conclusion) result.update(conclusion_json(*assessment.conclusion));
  result["networks"] = networks_json(problem);
  if (!trials.empty()) result["windows"] = windows_json(problem, trials);
  for (const train::TrialSummary& trial : trials) result["trials"].push_back(trial_json(problem, trial));
  result["over_trials"] = over_trials_json(problem, trials);
  if (assessment.accuracy) result["accuracy"] = accuracy_json(*assessment.accuracy);
  if (assessment.estimate) put_estimate(problem, *assessment.estimate, result);
  result["facts"] = {{"version", facts.version}, {"commit", facts.commit}, {"threads", facts.threads},
                     {"simd", facts.simd},       {"blas", facts.blas},     {"cpu", facts.cpu},
                     {"date", facts.date}};
  // Bytes of a title that are not UTF-8 must not prevent the numbers from being written.
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_summary(const train::RunFolder& folder, const problem::Problem& problem,
                   std::span<const train::TrialSummary> trials, const RunFacts& facts, const Assessment& assessment) {
  if (assessment.estimate && !assessment.estimate->maps.empty()) write_error_maps(folder, *assessment.estimate);
  train::write_run_file(folder.summary_file(), summary_json(problem, trials, facts, assessment));
}

RunSummary parse_summary(const std::string& text, const problem::Problem& problem, const std::string& name) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != kFormat)
      throw std::runtime_error("format " + json.at("format").dump() + ", this program reads format " +
                               std::to_string(kFormat));
    RunSummary summary;
    for (const Json& trial : json.at("trials")) summary.trials.push_back(trial_from(trial, problem));
    const Json& facts = json.at("facts");
    summary.facts = {facts.at("version"),
                     facts.at("commit"),
                     facts.at("simd"),
                     facts.at("cpu"),
                     facts.at("date"),
                     whole<int>(facts.at("threads")),
                     facts.value("blas", std::string())};
    summary.estimate = get_estimate(json);
    summary.accuracy = get_accuracy(json);
    return summary;
  } catch (const std::exception& error) {  // of the JSON library, or ours above
    throw InputError({.place = {.file = name},
                      .rule = std::string("not a summary that this program can read: ") + shortened(error.what(), 200),
                      .hint = "`pecann resume` writes it anew"});
  }
}

std::optional<RunSummary> read_summary(const train::RunFolder& folder, const problem::Problem& problem) {
  const std::string path = folder.summary_file();
  if (!train::run_file_exists(path)) return std::nullopt;
  RunSummary summary = parse_summary(train::read_run_file(path, train::kLongestSummary), problem, path);
  if (summary.estimate) read_error_maps(folder, *summary.estimate);
  return summary;
}

std::optional<RunSummary> read_sound_summary(const train::RunFolder& folder, const problem::Problem& problem) {
  try {
    return read_summary(folder, problem);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace pecann::results
