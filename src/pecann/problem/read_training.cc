#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "pecann/penalty/registry.h"
#include "pecann/problem/constraint_terms.h"
#include "pecann/problem/penalty_defaults.h"
#include "pecann/problem/scope.h"
#include "pecann/problem/sections.h"
#include "pecann/reference/registry.h"

namespace pecann::problem {
namespace {

/// Reads [penalty]. A file that says nothing there leaves the strategy open, which is "" then; one that sets an option
/// of `capu` means that strategy.
void read_penalty(Section& root, PenaltySpec& penalty) {
  penalty.strategy.clear();
  auto section = root.section("penalty");
  if (!section) return;
  section->read("strategy", penalty.strategy, penalty::strategy_names());
  for (const penalty::PenaltyOption& option : penalty::penalty_options()) {
    const auto item = section->find(option.description.name);
    if (!item) continue;
    if (penalty.strategy.empty()) penalty.strategy = PenaltySpec{}.strategy;
    if (const auto* const flag = std::get_if<bool PenaltySpec::*>(&option.member))
      penalty.** flag = item->flag();
    else if (const auto* const number = std::get_if<double PenaltySpec::*>(&option.member))
      penalty.** number = item->number(option.description.limits);
    else
      penalty.*std::get<std::optional<double> PenaltySpec::*>(option.member) = item->number(option.description.limits);
  }
  section->finish();
}

/// The keys of a try, in [windows] itself, in first = { … } and in retry = { … }.
void read_try(Section& section, WindowTry& attempt) {
  section.read("start", attempt.start);
  section.read("grow", attempt.grow, {.low = 1, .high = 1000});
}

void read_tries(Section& section, WindowSpec& windows) {
  read_try(section, windows.usual);
  windows.first = windows.usual;
  windows.retry = default_retry(windows.usual);
  for (const auto& [key, attempt] : {std::pair{"first", &windows.first}, std::pair{"retry", &windows.retry}}) {
    auto own = section.section(key);
    if (!own) continue;
    read_try(*own, *attempt);
    own->read("epochs", attempt->epochs, kPositive);
    own->finish();
  }
  section.read("give_up", windows.give_up, {.low = 1});
}

void read_check(Section& section, Problem& problem) {
  section.read("check_points", problem.windows.check_points, {.low = 1, .high = 1e7});
  auto check = section.section("check");
  if (!check) return;
  std::vector<std::string> names;
  for (const TermSpec& term : problem.terms) names.push_back(term.name);
  for (const auto& [name, limit] : check->entries()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) limit.refuse("no such term", hint_for(name, names));
    problem.windows.check[name] = limit.number(kPositive);
  }
}

void check_extrapolation(const Section& section, const Problem& problem) {
  const WindowSpec& windows = problem.windows;
  if (windows.normalise != Normalise::Window || problem.box.time < 0) return;
  const std::string& time = problem.box.names[problem.box.time];
  const bool wanted =
      windows.usual.start == WindowStart::Extrapolate || windows.retry.start == WindowStart::Extrapolate;
  for (const NetworkSpec& network : problem.networks) {
    const bool of_time = std::find(network.inputs.begin(), network.inputs.end(), time) != network.inputs.end();
    if (wanted && (network.fourier_sigma || network.features) && of_time)
      section.refuse("\"extrapolate\" moves the biases of the first layer, and that of '" + network.name +
                         "' is fixed (Fourier or random features)",
                     "use start = \"previous\", or normalise = \"whole\"");
  }
}

void read_windows(Section& root, Problem& problem) {
  auto section = root.section("windows");
  problem.windows.retry =
      default_retry(problem.windows.usual);  // as with an empty section: what is written reads back as the same
  if (!section) return;
  section->read("count", problem.windows.count, {.low = 1, .high = 1e6});
  section->read("normalise", problem.windows.normalise);
  section->read("curvature", problem.windows.curvature);
  read_tries(*section, problem.windows);
  read_check(*section, problem);
  section->finish();
  check_extrapolation(*section, problem);
  if (problem.windows.count == 1 && problem.box.time < 0) {
    const WindowSpec& windows = problem.windows;
    if (windows.usual.grow > 1 || windows.first.grow > 1 || !windows.check.empty())
      section->refuse("windows cut time; the problem has no coordinate named t");
  }
  if (problem.windows.count == 1) return;
  if (problem.box.time < 0) section->refuse("windows cut time; the problem has no coordinate named t");
  const auto starts = [](const sampling::RegionPointer& region) { return region->times() == sampling::Times::Start; };
  const bool has_start = std::any_of(problem.terms.begin(), problem.terms.end(), [&](const TermSpec& term) {
    return std::any_of(term.regions.begin(), term.regions.end(), starts);
  });
  for (const TermSpec& term : problem.terms)
    for (const sampling::RegionPointer& region : term.regions)
      if (region->times() == sampling::Times::Later)
        section->refuse("term '" + term.name + "' holds at one later time, which windows do not have");
  if (!has_start) section->refuse("windows hand over the initial state, and no term has the region \"initial\"");
}

void read_stop(Section& root, Problem& problem) {
  StopSpec& stop = problem.stop;
  auto section = root.section("stop");
  if (!section) return;
  if (const auto epochs = section->find("epochs")) stop.epochs = epochs->integer({.low = 1});
  section->read("seconds", stop.seconds, kPositive);
  section->read("loss", stop.loss);
  section->read("violation", stop.violation, kPositive);
  section->read("error", stop.error, kPositive);
  if (stop.violation && constraint_terms(problem).empty())
    section->require("violation", "")
        .refuse("is the largest violation of a constraint, and the problem has no constraint",
                "give a term role = \"constraint\", or take stop.loss");
  if (stop.error && problem.exact.empty() && problem.reference.empty())
    section->require("error", "")
        .refuse("is the error against a known solution, and the problem has neither [exact] nor reference",
                "add [exact], or take stop.loss or stop.stall");
  if (const auto stall = section->find("stall")) stop.stall = stall->integer({.low = 1});
  section->finish();
}

/// The paper's trainings and a file's own phases report the last iterate; ours look at held-out points
/// unless told otherwise.
void read_held_out(Section& root, Problem& problem) {
  problem.held_out.keep = problem.recipe == "best" || !problem.recommendation.empty() ? Keep::Best : Keep::Last;
  HeldOutSpec& held_out = problem.held_out;
  auto section = root.section("held_out");
  if (section) {
    section->read("keep", *held_out.keep);
    section->read("every", held_out.every, {.low = 0});
  }
  held_out.watch = held_out.keep == Keep::Best || held_out.every > 0;
  if (!section) return;
  if (const auto watch = section->find("watch")) {
    held_out.watch = watch->flag();
    if (!held_out.watch && held_out.keep == Keep::Best)
      watch->refuse("the best iterate is known only by watching", "add keep = \"last\"");
  }
  section->finish();
}

void read_measure_sites(Section& evaluate, Problem& problem) {
  auto at = evaluate.section("at");
  if (!at) return;
  const std::vector<std::string> fields = field_names(problem);
  for (const auto& [field, item] : at->entries()) {
    if (std::find(fields.begin(), fields.end(), field) == fields.end()) {
      item.refuse("'" + shortened(field) + "' is no field", hint_for(field, fields));
    }
    Section site = item.table();
    for (const auto& [coordinate, value] : site.entries()) {
      if (problem.box.index_of(coordinate) < 0) {
        value.refuse("'" + shortened(coordinate) + "' is no coordinate", hint_for(coordinate, problem.box.names));
      }
      problem.evaluate.at[field][coordinate] = value.number();
    }
  }
}

/// together = ["u", "v", "p"]: one error over several quantities.
void read_together(const Item& item, Problem& problem) {
  const std::vector<std::string> known = quantity_names(problem);
  problem.evaluate.together = item.texts();
  std::set<std::string> taken;
  for (const std::string& name : problem.evaluate.together) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      item.refuse("'" + shortened(name) + "' is neither a field nor a function of fields that [exact] knows",
                  hint_for(name, known));
    if (!taken.insert(name).second) item.refuse("'" + name + "' comes twice");
    if (problem.reference.empty() && !problem.exact.contains(name))
      item.refuse("[exact] has no '" + name + "' to compare with");
  }
  if (taken.size() < 2) item.refuse("an error of several fields needs at least two of them");
  if (std::find(known.begin(), known.end(), kTogether) != known.end())
    item.refuse("a field is called '" + std::string(kTogether) + "', as the error of several fields is",
                "rename the field");
}

/// Nodes per coordinate of the default grid: in more than three dimensions about 200,000 in all.
int default_nodes(int dimension) {
  if (dimension <= 3) return dimension == 1 ? 10001 : dimension == 2 ? 201 : 51;
  return std::max(2, static_cast<int>(std::pow(200000.0, 1.0 / dimension)));
}

/// mesh = "part": a shape with cells. Sums over nodes are no integrals, and a reference has points of its own.
void read_evaluation_mesh(const Item& item, Problem& problem) {
  const std::string name = item.text();
  std::vector<std::string> known;
  for (const std::string& shape : problem.domain->shape_names())
    if (problem.domain->mesh(shape)) known.push_back(shape);
  const auto mesh = problem.domain->mesh(name);
  if (name.empty() || !mesh)
    item.refuse("is no shape that is made of a mesh",
                known.empty() ? "as in part = { file = \"part.msh\" } of [shapes]" : hint_for(name, known));
  int space = 0;
  for (int c = 0; c < problem.box.dimension(); ++c) space += c != problem.box.time ? 1 : 0;
  if (mesh->dimension() < space) item.refuse("the mesh is a surface without cells: it has no nodes inside");
  if (!problem.reference.empty()) item.refuse("errors against a reference are taken at the points of the reference");
  for (const std::string& measure : problem.evaluate.measures)
    if (measure != "relative_l2" && measure != "linf")
      item.refuse("'" + measure + "' is an integral, for which nodes of a mesh do not count alike",
                  "take a grid for it");
  problem.evaluate.mesh = name;
}

void read_evaluate(Section& root, Problem& problem) {
  const int dimension = problem.box.dimension();
  EvaluateSpec& evaluate = problem.evaluate;
  evaluate.grid.assign(static_cast<std::size_t>(dimension), default_nodes(dimension));
  auto section = root.section("evaluate");
  if (!section) return;
  if (const auto grid = section->find("grid")) {
    evaluate.grid = grid->integers({.low = 2});
    double nodes = 1;
    for (const int count : evaluate.grid) nodes *= count;
    if (static_cast<int>(evaluate.grid.size()) != dimension) {
      grid->refuse("the grid has " + std::to_string(evaluate.grid.size()) + " entries, the problem has " +
                   std::to_string(dimension) + " coordinates");
    }
    if (nodes > 1e8) grid->refuse(fmt::format("the grid has {:.3g} nodes; at most 1e8", nodes));
  }
  section->read("every", evaluate.every, {.low = 0});
  section->read("final_only", evaluate.final_only);
  if (evaluate.final_only && problem.box.time < 0) section->refuse("final_only needs a coordinate named t");
  if (const auto measures = section->find("measures")) {
    std::vector<std::string> known = {"relative_l2", "linf", "l1", "integral"};
    for (std::string& own : reference::measure_names()) known.push_back(std::move(own));
    evaluate.measures.clear();
    for (const Item& item : measures->items()) {
      const std::string& measure = evaluate.measures.emplace_back(item.word(known));
      const reference::Row* const row = reference::row_with_measure(measure);
      if (row != nullptr && row != reference::find_row(problem.reference))
        item.refuse("'" + measure + "' needs reference = \"" + row->name + "\"");
    }
    if (evaluate.measures.empty()) measures->refuse("the list is empty");
  }
  if (const auto mesh = section->find("mesh")) read_evaluation_mesh(*mesh, problem);
  if (const auto together = section->find("together")) read_together(*together, problem);
  read_measure_sites(*section, problem);
  section->finish();
}

}  // namespace

void read_training(Section& root, Problem& problem) {
  read_penalty(root, problem.penalty);
  read_phases(root, problem);
  if (problem.penalty.strategy.empty()) problem.penalty.strategy = default_strategy(problem);
  read_windows(root, problem);
  read_stop(root, problem);
  read_held_out(root, problem);
  read_evaluate(root, problem);
  root.read("trials", problem.trials, {.low = 1, .high = 10000});
  if (const auto seed = root.find("seed")) {
    const double value = seed->number({.low = 0, .high = static_cast<double>(kMostSeed)});
    if (value != std::floor(value)) seed->refuse("must be a whole number");
    problem.seed = static_cast<std::uint64_t>(value);
  }
}

}  // namespace pecann::problem
