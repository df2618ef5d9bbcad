// pecann check: what a problem amounts to, and what is wrong with it, before any training.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/not_finite.h"
#include "pecann/base/parallel.h"
#include "pecann/base/text_file.h"
#include "pecann/check/lint.h"
#include "pecann/check/lint_gradient.h"
#include "pecann/check/lint_overview.h"
#include "pecann/check/memory_estimate.h"
#include "pecann/check/points_picture.h"
#include "pecann/cli/commands.h"
#include "pecann/cli/option_checks.h"
#include "pecann/cli/terminal.h"
#include "pecann/problem/catalogue.h"
#include "pecann/train/check_training.h"
#include "pecann/train/trial.h"
#include "pecann/verdict/number_text.h"
#include "pecann/verdict/wrapped_text.h"

namespace pecann::cli {
namespace {

constexpr double kLarge = 5e8;  // bytes of a training that takes seconds to lay out

std::string size_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.1e}", value) : words_of_not_finite(value);
}

constexpr std::size_t kLongestTitle = 400;

struct CheckOptions {
  std::string problem, recipe;
  std::vector<std::string> overrides;
  std::string picture;
  int threads = 0;
};

void line(const std::string& text, std::size_t indent) { std::fputs(verdict::wrapped(text, indent).c_str(), stdout); }

/// Text padded to a number of columns.
std::string padded(const std::string& text, std::size_t width) {
  const std::size_t columns = verdict::columns_of(text);
  return text + std::string(columns < width ? width - columns : 0, ' ');
}

std::string plural(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void print_overview(const problem::Problem& problem, const check::Overview& overview,
                    const check::MemoryEstimate& memory) {
  if (!problem.title.empty()) line(shortened(problem.title, kLongestTitle), 0);
  std::string coordinates = "coordinates ";
  for (int c = 0; c < problem.box.dimension(); ++c)
    coordinates += fmt::format(" {} in [{:.6g}, {:.6g}]{}", problem.box.names[c], problem.box.lower[c],
                               problem.box.upper[c], c + 1 < problem.box.dimension() ? "," : "");
  line(coordinates, 13);
  for (const check::Overview::Network& network : overview.networks)
    line(fmt::format("{}  {}: {}", padded(network.name, 11), network.shape, plural(network.parameters, "parameter")),
         13);
  for (const problem::ParameterSpec& parameter : problem.parameters)
    line(fmt::format("unknown      {}", parameter.name), 13);

  std::size_t width = 4;
  for (const check::Overview::Term& term : overview.terms) width = std::max(width, verdict::columns_of(term.name));
  std::printf("\n%s  %-10s  %9s  %9s  region\n", padded("term", width).c_str(), "role", "equations", "points");
  for (const check::Overview::Term& term : overview.terms)
    line(fmt::format("{}  {:<10}  {:>9}  {:>9}  {}", padded(term.name, width),
                     term.role == problem::Role::Objective ? "objective" : "constraint", term.equations, term.points,
                     term.region),
         width + 36);
  for (const check::Overview::Term& term : overview.terms) {
    std::string parts;
    for (const auto& [name, count] : term.parts)
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", name, count);
    if (!parts.empty()) line(fmt::format("  points of {}: {}", term.name, parts), 4);
  }

  std::string sizes;
  for (const check::Overview::Term& term : overview.terms)
    sizes += fmt::format("{}{} {}", sizes.empty() ? "sizes        " : ", ", term.name, size_text(term.size));
  line(sizes + " (rms of the residuals at the start)", 13);
  std::string weights;
  for (const check::Overview::Term& term : overview.terms)
    for (const double weight : term.weights)
      weights += fmt::format("{}{} {}", weights.empty() ? "balance      " : ", ", term.name, size_text(weight));
  if (!weights.empty()) line(weights + " (weights of the equations at the start)", 13);

  std::printf("\nderivative channels that the networks carry\n");
  for (const check::Overview::Pass& pass : overview.passes)
    line(fmt::format("  {}{}{}: {} ({})", pass.terms, overview.networks.size() > 1 ? " / " + pass.network : "",
                     pass.substituted ? " / at()" : "", pass.channels, pass.kinds),
         4);

  std::printf("\n");
  line(fmt::format("memory       about {} of {} available: {}", memory_text(memory.total()),
                   memory_text(available_memory()), memory.text()),
       13);
  line(fmt::format("speed        {:.3g} ms per loss and gradient ({}, {}, {})", overview.milliseconds,
                   plural(overview.parameters, "parameter"), plural(overview.rows, "residual"),
                   plural(thread_count(), "thread")),
       13);
  std::string phases;
  for (const check::Overview::Phase& phase : overview.phases)
    phases += fmt::format("{}{} {}", phases.empty() ? "" : ", then ", phase.optimizer, phase.epochs);
  const int windows = problem.windows.count;
  line(fmt::format("training     {}{}: {} to {} a trial on a quiet machine{}{}", phases,
                   windows > 1 ? fmt::format(" in each of {} windows", windows) : "",
                   verdict::duration_text(overview.least_seconds), verdict::duration_text(overview.most_seconds),
                   problem.trials > 1 ? fmt::format(", {} trials", problem.trials) : "",
                   problem.training_open ? "; seconds where a solve over random features does" : ""),
       13);
}

int check(const CheckOptions& options) {
  if (options.threads > 0) set_thread_count(options.threads);
  const problem::Problem problem = problem::load_problem(options.problem, options.overrides, options.recipe);
  const std::uint64_t seed = train::trial_seed(problem, 1);
  const check::MemoryEstimate memory = check::estimate_memory(problem);
  check::require_memory(problem, memory);
  if (memory.total() > kLarge)
    std::fprintf(stderr, "pecann: a training of about %s: this takes a while\n", memory_text(memory.total()).c_str());
  train::check_training(problem);
  const train::Solution nothing(problem, seed);
  train::Assembly assembly(problem, seed, {0, problem.windows.count}, nothing);

  print_overview(problem, check::look_over(problem, assembly), memory);
  if (!options.picture.empty()) {
    write_text_file(options.picture, check::points_picture(problem, assembly));
    line("picture      " + options.picture, 13);
  }
  check::Findings findings = check::lint(problem, problem::problem_text(options.problem), options.overrides, assembly);
  const auto broken = assembly.evaluator().find_not_finite(assembly.model().initial_parameters(seed));
  const check::GradientCheck gradient =
      check::check_gradient(assembly.evaluator(), assembly.model().initial_parameters(seed), seed);
  line(broken                   ? std::string("gradient     not tested: the loss is not finite")
       : gradient.halvings == 0 ? std::string("gradient     agrees with differences to rounding")
                                : fmt::format("gradient     Taylor test of order {:.2f}: {}", gradient.order,
                                              gradient.passed() ? "right" : "WRONG"),
       13);
  if (!broken && !gradient.passed())
    findings.push_back({check::Finding::Level::Warning,
                        "The gradient of the loss is wrong, or the loss is not smooth at the initial network: "
                        "its Taylor test should have the order 2."});

  std::printf("\n");
  for (const check::Finding& finding : findings) {
    const bool warning = finding.level == check::Finding::Level::Warning;
    const std::string word = warning ? "warning" : "note";
    std::string text = verdict::wrapped(word + ": " + finding.text, 2);
    text.replace(0, word.size(), verdict::painted(word, warning ? "33" : "36", colour_for(stdout)));
    std::fputs(text.c_str(), stdout);
  }
  if (findings.empty()) std::printf("no findings\n");
  return check::has_warning(findings) ? 1 : 0;
}

}  // namespace

void add_check_command(CLI::App& app, Result& result) {
  CLI::App* const command = app.add_subcommand("check", "Looks for mistakes in a problem before training it");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("problem", options->problem, "catalogue name (`pecann list`) or file")->required();
  command->add_option("--recipe", options->recipe, "a named recipe of the problem, e.g. paper");
  command->add_option("--set", options->overrides, "key=value: changes the problem, e.g. --set constants.b=32")
      ->allow_extra_args(false);
  command->add_option("--picture", options->picture, "writes an .svg with the points of every term");
  command->add_option("--threads", options->threads, "number of threads (default: all cores)")
      ->check(count_up_to(kMostThreads));
  command->callback([options, &result] { result.exit_code = check(*options); });
}

}  // namespace pecann::cli
