#include "pecann/base/input_error.h"
#include "pecann/base/toml_number.h"
#include "pecann/optim/schedule.h"
#include "pecann/penalty/registry.h"
#include "pecann/problem/joints.h"
#include "pecann/problem/parts.h"
#include "pecann/problem/problem_file.h"
#include "pecann/problem/recommended.h"
#include "pecann/problem/sections.h"
#include "pecann/problem/write_draft.h"

namespace pecann::problem {
namespace {

std::string number(double value) { return toml_number(value); }

std::string quoted(const std::string& text) { return toml_text(text); }

template <class Range, class Write>
std::string list(const Range& range, const Write& write) {
  std::string text;
  for (const auto& element : range) text += (text.empty() ? "" : ", ") + write(element);
  return "[" + text + "]";
}

std::string integers(const std::vector<int>& values) {
  return list(values, [](int value) { return std::to_string(value); });
}

std::string texts(const std::vector<std::string>& values) { return list(values, quoted); }

/// "[name]" and its lines, or nothing when there are no lines.
class Lines {
 public:
  explicit Lines(std::string header) : header_(std::move(header)) {}
  void add(const std::string& key, const std::string& value) { body_ += key + " = " + value + "\n"; }
  void add(const std::string& key, double value) { add(key, number(value)); }
  void add(const std::string& key, const std::optional<double>& value) {
    if (value) add(key, *value);
  }
  void add(const std::string& key, const std::optional<int>& value) {
    if (value) add(key, std::to_string(*value));
  }
  std::string text() const { return body_.empty() ? "" : "\n" + header_ + "\n" + body_; }

 private:
  std::string header_, body_;
};

std::string head(const Problem& problem) {
  std::string text = "title = " + quoted(problem.title) + "\n";
  if (problem.accuracy) text += "accuracy = " + number(*problem.accuracy) + "\n";
  if (!problem.reference.empty()) text += "reference = " + quoted(problem.reference) + "\n";
  text +=
      "trials = " + std::to_string(problem.trials) + "\nseed = " + std::to_string(problem.seed) + "\ncoordinates = { ";
  for (int c = 0; c < problem.box.dimension(); ++c) {
    const std::string range = "[" + number(problem.box.lower[c]) + ", " + number(problem.box.upper[c]) + "]";
    const bool family = c != problem.box.time && !problem.box.in_space(c);
    text += (c ? ", " : "") + problem.box.names[c] + " = " +
            (family ? "{ range = " + range + ", role = \"parameter\" }" : range);
  }
  text += " }\n";
  if (!problem.free.empty()) text += "free = " + texts(problem.free) + "\n";
  if (!problem.domain->text().empty()) text += "domain = " + quoted(problem.domain->text()) + "\n";
  return text;
}

/// A mesh by the name that is given for its file; other shapes as they are.
std::string shape_text(const std::string& text, const FileNames& names) {
  const auto written = [](const std::string& file) { return "{ file = " + quoted(file) + " }"; };
  for (const auto& [file, name] : names)
    if (text == written(file)) return written(name);
  return text;
}

std::string definitions(const Problem& problem, const FileNames& names) {
  Lines constants("[constants]"), functions("[functions]"), exact("[exact]"), parameters("[parameters]"),
      shapes("[shapes]"), tables("[tables]"), units("[units]");
  for (const auto& [name, value] : problem.constants) constants.add(name, value);
  for (const auto& [name, function] : problem.functions) {
    std::string arguments;
    for (const std::string& argument : function.arguments) arguments += (arguments.empty() ? "" : ", ") + argument;
    functions.add(arguments.empty() ? name : quoted(name + "(" + arguments + ")"), quoted(function.body));
  }
  for (const auto& [name, text] : problem.exact_texts) exact.add(name, quoted(text));
  for (const ParameterSpec& parameter : problem.parameters) {
    std::string value = "{ initial = " + number(parameter.initial);
    if (parameter.lower) value += ", lower = " + number(*parameter.lower);
    if (parameter.upper) value += ", upper = " + number(*parameter.upper);
    if (parameter.log_scale) value += ", log = true";
    if (parameter.exact) value += ", exact = " + number(*parameter.exact);
    parameters.add(parameter.name, value + " }");
  }
  for (const auto& [name, text] : problem.domain->shape_texts()) shapes.add(name, shape_text(text, names));
  for (const auto& [name, table] : problem.interpolated) {
    std::string value = "{ file = " + quoted(table.file) + ", coordinates = " + texts(table.coordinates);
    for (const auto& [coordinate, range] : table.ranges)
      value += ", " + coordinate + " = [" + number(range.first) + ", " + number(range.second) + "]";
    if (!table.value.empty()) value += ", value = " + quoted(table.value);
    tables.add(name, value + ", interpolate = " + quoted(word_of(table.interpolate)) + " }");
  }
  for (const auto& [name, unit] : problem.units) units.add(name, quoted(unit));
  return constants.text() + tables.text() + functions.text() + exact.text() + parameters.text() + shapes.text() +
         units.text();
}

std::string network_text(const NetworkSpec& network) {
  Lines lines("[[network]]");
  lines.add("name", quoted(network.name));
  lines.add("fields", texts(network.fields));
  lines.add("inputs", texts(network.inputs));
  if (network.features) {
    lines.add("features", std::to_string(network.hidden.front()));
    if (!network.features->scale.empty()) lines.add("scale", list(network.features->scale, number));
    if (network.features->graded > 0) lines.add("graded", network.features->graded);
  } else {
    lines.add("hidden", integers(network.hidden));
  }
  lines.add("activation", quoted(word_of(network.activation)));
  lines.add("output", quoted(word_of(network.output)));
  if (network.fourier_sigma) lines.add("fourier", "{ sigma = " + number(*network.fourier_sigma) + " }");
  if (network.first_scale != 1) lines.add("first_scale", network.first_scale);
  if (network.spread_biases) lines.add("spread_biases", std::string("true"));
  return lines.text();
}

std::string points_text(const TermSpec& term) {
  if (!term.points_of.empty()) return "{ same_as = " + quoted(term.points_of) + " }";
  if (!term.points_file.empty()) return "{ file = " + quoted(term.points_file) + " }";
  using Kind = sampling::PointRule::Kind;
  const sampling::PointRule& rule = term.points;
  const std::string name = rule.kind == Kind::Grid      ? "grid"
                           : rule.kind == Kind::Gauss   ? "gauss"
                           : rule.kind == Kind::Sobol   ? "sobol"
                           : rule.kind == Kind::Uniform ? "uniform"
                                                        : "latin";
  std::string text = name + " = " + (rule.is_product() ? integers(rule.grid) : std::to_string(rule.count));
  if (term.near)
    text += ", near = " + std::to_string(term.near->count) + ", density = " + quoted(term.near->density_text);
  if (term.near && term.near->pool > 0) text += ", pool = " + std::to_string(term.near->pool);  // 0 in drafts
  if (rule.graded > 0) text += ", graded = " + number(rule.graded);
  if (rule.redraw_every > 0) text += ", redraw = " + std::to_string(rule.redraw_every);
  return "{ " + text + " }";
}

std::string data_text(const DataSpec& data) {
  if (!data.file.empty()) {
    std::string text = "{ file = " + quoted(data.file);
    for (const auto& [name, column] : data.columns) text += ", " + name + " = " + quoted(column);
    return text + " }";
  }
  const auto name = [](const auto& entry) { return quoted(entry.first); };
  return "{ exact = " + list(data.columns, name) + ", noise = " + number(data.noise) +
         ", noise_scale = " + quoted(word_of(data.noise_scale)) + " }";
}

/// In a draft, the role and the points may be left to the reader.
struct LeftOpen {
  bool role = false;
  bool points = false;
};

std::string term_text(const TermSpec& term, LeftOpen open = {}) {
  Lines lines("[[term]]");
  lines.add("name", quoted(term.name));
  if (!open.role) lines.add("role", quoted(word_of(term.role)));
  if (!term.regions.empty()) {
    lines.add("region", list(term.regions, [](const sampling::RegionPointer& region) { return region->text(); }));
  }
  lines.add("equation", texts(term.equation_texts));
  if (!open.points) lines.add("points", points_text(term));
  lines.add("aggregate", quoted(word_of(term.aggregate)));
  lines.add("distance", quoted(word_of(term.distance)));
  if (term.batch > 0) lines.add("batch", std::to_string(term.batch));
  if (open.role ? term.weight != 1 : term.role == Role::Objective) lines.add("weight", term.weight);
  lines.add("eta", term.eta);
  if (term.data) lines.add("data", data_text(*term.data));
  return lines.text();
}

/// The number of equal parts, or the planes between others.
std::string planes_text(const Problem& problem, int c) {
  const std::vector<double>& planes = problem.decompose.planes[static_cast<std::size_t>(c)];
  const int parts = problem.decompose.along(c);
  if (planes == equal_planes(problem.box.lower[c], problem.box.upper[c], parts)) return std::to_string(parts);
  return list(planes, number);
}

std::string decompose_text(const Problem& problem) {
  Lines lines("[decompose]");
  if (count_parts(problem) == 1) return "";
  for (int c = 0; c < problem.box.dimension(); ++c)
    if (problem.decompose.along(c) > 1) lines.add(problem.box.names[c], planes_text(problem, c));
  lines.add("points", std::to_string(problem.decompose.points));
  return lines.text();
}

std::string penalty_text(const PenaltySpec& penalty) {
  if (penalty.strategy.empty()) return "";  // a draft that leaves it open
  Lines lines("[penalty]");
  lines.add("strategy", quoted(penalty.strategy));
  // What the strategy looks at, and whatever else is not at its default. A draft may hold any word.
  const penalty::StrategyRow* const row = penalty::find_strategy(penalty.strategy);
  for (const penalty::PenaltyOption& option : penalty::penalty_options()) {
    const OptionDescription& description = option.description;
    const std::optional<double> value = option.value(penalty);
    const bool used = row != nullptr && row->uses(description.name);
    if (!value || (!used && *value == description.usual)) continue;
    lines.add(description.name, description.flag ? std::string(*value != 0 ? "true" : "false") : number(*value));
  }
  return lines.text();
}

std::string schedule_text(const ScheduleSpec& schedule) {
  std::string text = "{ kind = " + quoted(schedule.kind);
  const auto add = [&](const std::string& name, double value) { text += ", " + name + " = " + number(value); };
  const optim::ScheduleRow* const row = optim::find_schedule(schedule.kind);
  if (row != nullptr)  // in the row's order
    for (const OptionDescription& option : row->options)
      if (const auto found = schedule.options.find(option.name); found != schedule.options.end())
        add(option.name, found->second);
  for (const auto& [name, value] : schedule.options)  // those of a draft are refused when it is read
    if (row == nullptr || find_option(row->options, name) == nullptr) add(name, value);
  return text + " }";
}

std::string phase_text(const PhaseSpec& phase) {
  Lines lines("[[phase]]");
  lines.add("optimizer", quoted(phase.optimizer));
  if (phase.epochs > 0) lines.add("epochs", std::to_string(phase.epochs));
  if (phase.optimizer != kAuto && phase.optimizer != kTrain) {  // "auto", in a draft, chooses these itself
    lines.add("learning_rate", phase.learning_rate);
    lines.add("schedule", schedule_text(phase.schedule));
  }
  if (!phase.mode.empty()) lines.add("mode", quoted(phase.mode));
  if (!phase.options.empty()) {
    std::string options;
    for (const auto& [name, value] : phase.options)
      options += (options.empty() ? "" : ", ") + name + " = " + number(value);
    lines.add("options", "{ " + options + " }");
  }
  lines.add("until", phase.until);
  if (!phase.constants.empty()) {
    std::string constants;
    for (const auto& [name, value] : phase.constants)
      constants += (constants.empty() ? "" : ", ") + name + " = " + number(value);
    lines.add("constants", "{ " + constants + " }");
  }
  return lines.text();
}

std::string numbers(const std::vector<double>& values) { return list(values, number); }

std::string report_text(const ReportSpec& report) {
  Lines lines("[report]");
  for (const auto& [coordinate, places] : report.profiles)
    if (!places.empty()) lines.add("profiles." + coordinate, numbers(places));
  if (!report.snapshots.empty()) lines.add("snapshots", numbers(report.snapshots));
  if (!report.contours.empty()) {
    const std::string times = report.contour_times.empty() ? "" : ", t = " + numbers(report.contour_times);
    lines.add("contours", "{ levels = " + numbers(report.contours) + times + " }");
  }
  return lines.text();
}

constexpr std::size_t kLongestOrigin = 4096;

/// Where the file came from: reports name it, and nothing else depends on it.
std::string origin_text(const Problem& problem) {
  Lines lines("[origin]");
  const std::string& made_from = problem.origin.empty() ? problem.source : problem.origin;
  // A path may have bytes that no TOML can hold; nothing is read by this name.
  if (!made_from.empty()) lines.add("problem", quoted(shortened(made_from, kLongestOrigin)));
  if (!problem.recipe.empty()) lines.add("recipe", quoted(problem.recipe));
  if (!problem.recommendation.empty()) lines.add("training", quoted(problem.recommendation));
  return lines.text();
}

std::string try_text(const WindowTry& attempt) {
  return "{ start = " + quoted(word_of(attempt.start)) + ", grow = " + std::to_string(attempt.grow) +
         ", epochs = " + number(attempt.epochs) + " }";
}

std::string running_text(const Problem& problem) {
  Lines windows("[windows]"), stop("[stop]"), held_out("[held_out]"), evaluate("[evaluate]");
  windows.add("count", std::to_string(problem.windows.count));
  windows.add("normalise", quoted(word_of(problem.windows.normalise)));
  windows.add("curvature", quoted(word_of(problem.windows.curvature)));
  windows.add("start", quoted(word_of(problem.windows.usual.start)));
  windows.add("grow", std::to_string(problem.windows.usual.grow));
  windows.add("first", try_text(problem.windows.first));
  windows.add("retry", try_text(problem.windows.retry));
  windows.add("check_points", std::to_string(problem.windows.check_points));
  windows.add("give_up", problem.windows.give_up);
  for (const auto& [term, limit] : problem.windows.check) windows.add("check." + term, limit);
  stop.add("epochs", problem.stop.epochs);
  stop.add("seconds", problem.stop.seconds);
  stop.add("loss", problem.stop.loss);
  stop.add("violation", problem.stop.violation);
  stop.add("error", problem.stop.error);
  stop.add("stall", problem.stop.stall);
  if (problem.held_out.keep) {
    held_out.add("keep", quoted(word_of(*problem.held_out.keep)));
    held_out.add("watch", std::string(problem.held_out.watch ? "true" : "false"));
    held_out.add("every", std::to_string(problem.held_out.every));
  }
  if (!problem.evaluate.grid.empty()) evaluate.add("grid", integers(problem.evaluate.grid));
  if (!problem.evaluate.mesh.empty()) evaluate.add("mesh", quoted(problem.evaluate.mesh));
  evaluate.add("every", std::to_string(problem.evaluate.every));
  if (problem.evaluate.final_only) evaluate.add("final_only", std::string("true"));
  evaluate.add("measures", texts(problem.evaluate.measures));
  if (!problem.evaluate.together.empty()) evaluate.add("together", texts(problem.evaluate.together));
  for (const auto& [field, site] : problem.evaluate.at) {
    std::string values;
    for (const auto& [name, value] : site) values += (values.empty() ? "" : ", ") + name + " = " + number(value);
    evaluate.add("at." + field, "{ " + values + " }");
  }
  return windows.text() + stop.text() + held_out.text() + evaluate.text();
}

}  // namespace

std::string write_problem(const Problem& given, const FileNames& names) {
  const Problem problem = with_file_names(given, names);
  std::string text = head(problem) + definitions(problem, names);
  for (const NetworkSpec& network : problem.networks) text += network_text(network);
  text += decompose_text(problem);
  for (const TermSpec& term : problem.terms)
    if (!term.joint) text += term_text(term);
  text += penalty_text(problem.penalty);
  for (const PhaseSpec& phase : problem.phases) text += phase_text(phase);
  return text + running_text(problem) + report_text(problem.report) + origin_text(problem);
}

namespace {

/// What the problem leaves open stays so: automatic networks and points are not written.
std::string open_text(const Problem& draft, const std::set<std::string>& terms_without_role, const FileNames& names) {
  std::string fields, text;
  for (const NetworkSpec& network : draft.networks) {
    if (!network.automatic) text += network_text(network);
    for (const std::string& field : network.fields)
      if (network.automatic) fields += (fields.empty() ? "" : ", ") + field + " = " + texts(network.inputs);
  }
  text += decompose_text(draft);
  for (const TermSpec& term : draft.terms)
    if (!term.joint)
      text += term_text(term, {.role = terms_without_role.contains(term.name), .points = term.automatic_points});
  text += penalty_text(draft.penalty);
  for (const PhaseSpec& phase : draft.phases)
    if (!draft.training_open) text += phase_text(phase);
  const std::string unknowns = fields.empty() ? "" : "fields = { " + fields + " }\n";
  return head(draft) + unknowns + definitions(draft, names) + text + running_text(draft) + report_text(draft.report) +
         origin_text(draft);
}

}  // namespace

std::string write_draft(const Problem& draft, const std::set<std::string>& terms_without_role) {
  return open_text(draft, terms_without_role, {});
}

std::string write_asked(const Problem& problem, const FileNames& names) {
  const std::vector<std::map<std::string, double>> continued = continued_constants(problem);
  if (!problem.training_open && continued.empty()) return write_problem(problem, names);
  Problem open = with_file_names(problem, names);
  open.phases.clear();
  open.recommendation.clear();
  for (const std::map<std::string, double>& constants : continued) {
    open.phases.push_back({.optimizer = kTrain, .epochs = 0});
    open.phases.back().constants = constants;
  }
  return open_text(open, {}, names);
}

}  // namespace pecann::problem
