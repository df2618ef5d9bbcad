#include "pecann/check/memory_estimate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/parallel.h"
#include "pecann/evaluate/evaluator.h"
#include "pecann/expr/integral.h"
#include "pecann/optim/registry.h"
#include "pecann/sampling/sampler.h"
#include "pecann/train/window.h"

namespace pecann::check {
namespace {

constexpr double kBytes = sizeof(double);
constexpr double kProgram = 30e6;  // code, libraries, the problem itself, the page of the report

/// All points of a term's own rule; 0 where it shares another term's.
double own_points(const problem::Problem& problem, const problem::TermSpec& term) {
  if (!term.points_of.empty()) return 0;
  if (term.points_table) return static_cast<double>(term.points_table->rows());
  return sampling::count_points(term.regions, term.points);
}

/// Bytes of the files that terms name, which are held once, however many trials read them.
double bytes_of_tables(const problem::Problem& problem) {
  std::set<const sampling::Table*> tables;
  for (const problem::TermSpec& term : problem.terms) {
    tables.insert(term.points_table.get());
    if (term.data) tables.insert(term.data->table.get());
  }
  tables.erase(nullptr);
  double numbers = 0;
  for (const sampling::Table* table : tables)
    numbers += static_cast<double>(table->rows()) * static_cast<double>(table->columns.size());
  return kBytes * numbers;
}

/// What a term takes that grows with its points and what does not.
struct TermNeeds {
  double points = 0, columns = 0;  // columns: numbers per point that are computed once
  double runner = 0;               // numbers of one thread's tile
  double tile = 1;                 // points
};

TermNeeds needs_of(const problem::Problem& problem, const evaluate::Model& model, const problem::TermSpec& term,
                   const std::map<std::string, double>& points_by_name) {
  const std::string time = problem.box.time < 0 ? "" : problem.box.names[problem.box.time];
  const evaluate::BoundProgram bound(model, expr::point_expressions(term.residuals, time), problem.box.names);
  TermNeeds needs;
  const auto shared = points_by_name.find(term.points_of);
  needs.points = shared != points_by_name.end() ? shared->second : points_by_name.at(term.name);
  needs.columns = static_cast<double>(bound.program().columns.size());
  for (const evaluate::BoundProgram::NetworkUse& use : bound.uses())
    needs.columns += static_cast<double>(use.coefficients.size());
  needs.runner = evaluate::TileRunner::numbers(bound);
  needs.tile = static_cast<double>(bound.tile());
  return needs;
}

}  // namespace

double MemoryEstimate::total() const {
  double sum = 0;
  for (const Part& part : parts) sum += part.bytes;
  return sum;
}

std::string MemoryEstimate::text() const {
  std::vector<Part> sorted = parts;
  std::ranges::stable_sort(sorted, std::greater<>(), &Part::bytes);
  std::string list;
  for (const Part& part : sorted)
    if (part.bytes >= 0.01 * total())
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", part.name, memory_text(part.bytes));
  return list;
}

MemoryEstimate estimate_memory(const problem::Problem& problem, int jobs) {
  const double trials = std::clamp(jobs, 1, problem.trials);
  const double threads = std::max(trials, static_cast<double>(thread_count()));
  const evaluate::Model model(problem, train::normalisation_box(problem, {0, problem.windows.count}), problem.seed);
  const auto parameters = static_cast<double>(model.num_parameters());
  const double dimension = problem.box.dimension();

  std::map<std::string, double> points_by_name;
  for (const problem::TermSpec& term : problem.terms)
    points_by_name[term.name] = own_points(problem, term) + (term.near ? static_cast<double>(term.near->count) : 0);
  double points = 0, pool = 0, runners = 0, rows = 0, entries = 0, tiles = 0, all_points = 0;
  for (const problem::TermSpec& term : problem.terms) {
    const TermNeeds needs = needs_of(problem, model, term, points_by_name);
    const double trained = term.batch > 0 ? std::min(needs.points, static_cast<double>(term.batch)) : needs.points;
    if (term.points_of.empty()) {
      // The assembly's points, the evaluator's copy, what drawing them takes for a moment, and as many fresh
      // points for the report.
      points += needs.points * (4 * dimension + 2) + trained * dimension;
      if (term.near) pool = std::max(pool, static_cast<double>(term.near->pool) * (4 * dimension + 6));
    }
    points += trained * (needs.columns + static_cast<double>(term.residuals.size()));
    runners += needs.runner;
    rows += trained * static_cast<double>(term.residuals.size());
    if (term.role == problem::Role::Constraint)
      entries += term.aggregate == problem::Aggregate::Pointwise ? needs.points : 1;
    tiles += std::ceil(trained / needs.tile);
    all_points += trained;
  }
  const double items = std::min(
      tiles, evaluate::target_items(model.num_parameters(), all_points) + static_cast<double>(problem.terms.size()));
  if (problem.held_out.watch) {
    points *= 2;
    runners *= 2;
  }
  optim::OptimizerNumbers optimiser;
  for (const problem::PhaseSpec& phase : problem.phases) {
    const optim::OptimizerRow& row = optim::optimizer_row(phase.optimizer, phase.mode);
    const optim::OptimizerNumbers needs =
        row.numbers(OptionValues(row.options, phase.options), {.parameters = parameters,
                                                               .rows = rows + entries,
                                                               .epochs = static_cast<double>(phase.epochs),
                                                               .front = static_cast<double>(model.front())});
    if (needs.kept + needs.working > optimiser.kept + optimiser.working) optimiser = needs;
  }
  double nodes = 1, fields = 0;
  for (const int count : problem.evaluate.grid) nodes *= count;
  for (const problem::NetworkSpec& network : problem.networks) fields += static_cast<double>(network.fields.size());
  // The parameters: the present ones, the last good ones, those packed twice and as they were, those of the windows
  // before; and a gradient for each work item.
  const double networks = parameters * (7 + problem.windows.count + (problem.held_out.watch ? 3 : 0));
  const double state = networks + optimiser.kept + 5 * entries;

  MemoryEstimate estimate;
  const auto add = [&](const char* name, double numbers) {
    estimate.parts.push_back({name, kBytes * trials * numbers});
  };
  add("points", points + pool);
  add("networks", networks);
  add("gradients of work items", items * parameters);
  add("multipliers", 6 * entries);
  add("optimiser", optimiser.kept + optimiser.working);
  add("checkpoint", 3 * state);  // blocks, their joining, the bytes on the way to the file
  add("evaluation grid", nodes * (dimension + 4 * fields));
  estimate.parts.push_back({"data files", bytes_of_tables(problem)});
  estimate.parts.push_back({"work buffers", kBytes * threads * runners});
  estimate.parts.push_back({"program", kProgram});
  return estimate;
}

void require_memory(const problem::Problem& problem, const MemoryEstimate& estimate) {
  const double available = available_memory();
  if (estimate.total() <= available) return;
  throw InputError(
      {.place = {.file = problem.source},
       .rule = fmt::format("training needs about {}, and there are {}: {}", exact_memory_text(estimate.total()),
                           exact_memory_text(available), estimate.text()),
       .hint = "take fewer points (batch and redraw them), a smaller network, or adam or lbfgs"});
}

}  // namespace pecann::check
