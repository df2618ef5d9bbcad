#include "pecann/results/export_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/base/text_file.h"
#include "pecann/kernel/activation.h"
#include "pecann/problem/joints.h"
#include "pecann/results/cpp_names.h"
#include "pecann/results/export_runtime.h"
#include "pecann/results/run.h"
#include "pecann/results/run_facts.h"
#include "pecann/train/trial.h"

namespace pecann::results {
namespace {

std::string numbers(std::span<const double> values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? "" : i % 6 == 0 ? ",\n    " : ", ") + cpp_number(values[i]);
  return text;
}

std::string array(const std::string& name, std::span<const double> values) {
  return fmt::format("inline constexpr double {}[] = {{\n    {}}};\n", name, values.empty() ? "0" : numbers(values));
}

/// The name of an activation in the exported header.
const char* exported_name(problem::Activation activation) {
  for (const kernel::ActivationRow& row : kernel::kActivations)
    if (row.function == activation) return row.enumerator;
  for (const kernel::ActivationRow& row : kernel::kEndFunctions)
    if (row.function == activation) return row.enumerator;
  contract_broken("an activation without a row", std::source_location::current());
}

/// The enumeration of all functions and `activate`, which evaluates them, from the rows of kernel/activation.h.
std::string activation_text() {
  std::string enumerators, cases;
  const auto add = [&](const kernel::ActivationRow& row) {
    enumerators += (enumerators.empty() ? "" : ", ") + std::string(row.enumerator);
    std::string body(row.cpp);
    for (std::size_t at = 0; (at = body.find('\n', at)) != std::string::npos; ++at) body.replace(at, 1, "\n        ");
    cases += fmt::format("      case Activation::{}: {{\n        {}\n      }}\n", row.enumerator, body);
  };
  for (const kernel::ActivationRow& row : kernel::kActivations) add(row);
  for (const kernel::ActivationRow& row : kernel::kEndFunctions) add(row);
  return fmt::format(
      "  enum class Activation {{ {} }};\n\n"
      "  /// s(z) with its first two derivatives.\n"
      "  struct Scalar {{\n    double value, first, second;\n  }};\n\n"
      "  inline Scalar activate(Activation activation, double z) {{\n    switch (activation) {{\n{}    }}\n"
      "    return {{0, 0, 0}};\n  }}\n",
      enumerators, cases);
}

/// Weights of every window, shapes and the function that evaluates one network: detail::network_N(window, x, jets).
std::string network_text(const problem::Problem& problem, const train::Solution& solution, int n) {
  const auto& network = solution.model(0).networks()[n];
  const problem::NetworkSpec& spec = problem.networks[n];
  std::string text;
  std::vector<double> means, scales;  // [window][input]
  for (int w = 0; w < solution.num_windows(); ++w) {
    const auto& shape = solution.model(w).networks()[n].shape();
    for (std::size_t i = 0; i < shape.lower.size(); ++i) {
      means.push_back(0.5 * (shape.lower[i] + shape.upper[i]));
      scales.push_back((shape.upper[i] - shape.lower[i]) / std::sqrt(12.0));
    }
    const auto all = solution.parameters(w);
    text += array(fmt::format("kParameters{}_{}", n, w),
                  all.subspan(solution.model(w).network_offset(n), network.num_parameters()));
  }
  std::vector<std::string> windows;
  for (int w = 0; w < solution.num_windows(); ++w) windows.push_back(fmt::format("kParameters{}_{}", n, w));
  text += fmt::format("inline constexpr const double* kParameters{}[] = {{{}}};\n", n, fmt::join(windows, ", "));
  text += array(fmt::format("kMean{}", n), means) + array(fmt::format("kScale{}", n), scales);
  const network::Network::FrozenLayer& frozen = network.frozen();
  text += array(fmt::format("kFrozenWeights{}", n), frozen.weights);
  text += array(fmt::format("kFrozenBiases{}", n), frozen.biases);
  std::vector<std::string> blocks;
  for (const auto& block : frozen.blocks)
    blocks.push_back(fmt::format("{{Activation::{}, {}}}", exported_name(block.activation), block.rows));
  if (blocks.empty()) blocks.push_back("{}");
  text += fmt::format("inline constexpr Block kFrozenBlocks{}[] = {{{}}};\n", n, fmt::join(blocks, ", "));
  std::vector<int> inputs, widths;
  for (const std::string& input : spec.inputs) inputs.push_back(problem.box.index_of(input));
  widths.push_back(frozen.empty() ? network.inputs() : frozen.rows());
  for (const auto& layer : network.layers()) widths.push_back(layer.out);
  text += fmt::format(
      "inline constexpr int kInputs{0}[] = {{{1}}}, kWidths{0}[] = {{{2}}};\n"
      "inline void network_{0}(int window, const double* x, Jet* fields) {{\n"
      "  evaluate<{3}, {4}, {5}, Activation::{6}, {7}, {8}>(kParameters{0}[window], kMean{0} + {3} * window, "
      "kScale{0} + {3} * window,\n      kFrozenWeights{0}, kFrozenBiases{0}, kFrozenBlocks{0}, kInputs{0}, kWidths{0}, "
      "x, fields);\n}}\n\n",
      n, fmt::join(inputs, ", "), fmt::join(widths, ", "), network.inputs(), network.layers().size(),
      *std::max_element(widths.begin(), widths.end()), exported_name(spec.activation),
      spec.output == problem::Output::Sigmoid ? "true" : "false", frozen.rows());
  return text;
}

/// The arguments of all functions, "double x_, double t_" and "x_, t_", and names for what is local to them.
struct Arguments {
  std::string list, call, point, jets;
  std::vector<std::string> each;
};

Arguments arguments_of(const problem::Problem& problem, CppNames names) {
  std::vector<std::string> list, call;
  for (const std::string& coordinate : problem.box.names) {
    call.push_back(names.take(coordinate + "_"));
    list.push_back("double " + call.back());
  }
  return {fmt::format("{}", fmt::join(list, ", ")), fmt::format("{}", fmt::join(call, ", ")), names.take("point"),
          names.take("jets"), call};
}

/// Where a field is computed, and the names of its function and of its jet's.
struct ExportedField {
  std::string field, name, jet;
  int network = 0, output = 0, outputs = 0;
};

/// u_jet, u and one function for each first and second derivative.
std::string field_text(const problem::Problem& problem, const ExportedField& field, const Arguments& arguments,
                       CppNames& taken) {
  const std::vector<std::string>& names = problem.box.names;
  std::string text = fmt::format(
      "/// Value, gradient and Hessian of {0}.\ninline Jet {1}({2}) {{\n  const double {8}[] = {{{3}}};\n  "
      "Jet {9}[{4}];\n"
      "  detail::network_{5}(detail::window_of({8}), {8}, {9});\n  return {9}[{6}];\n}}\n"
      "inline double {7}({2}) {{ return {1}({3}).value; }}\n",
      field.field, field.jet, arguments.list, arguments.call, field.outputs, field.network, field.output, field.name,
      arguments.point, arguments.jets);
  const auto add = [&](const std::string& by, const std::string& suffix, const std::string& member) {
    const std::string wanted = field.field + "_" + suffix, name = taken.take(wanted);
    text += fmt::format("inline double {}({}) {{ return {}({}).{}; }}{}\n", name, arguments.list, field.jet,
                        arguments.call, member, name == wanted ? "" : fmt::format("  // d({}, {})", field.field, by));
  };
  for (std::size_t i = 0; i < names.size(); ++i) add(names[i], names[i], fmt::format("first[{}]", i));
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i; j < names.size(); ++j)
      add(names[i] + ", " + names[j], names[i] + names[j], fmt::format("second[{}][{}]", i, j));
  return text + "\n";
}

/// The function that finds the window a point belongs to, as train::Solution chooses it.
std::string window_text(const problem::Problem& problem, const train::Solution& solution) {
  if (solution.num_windows() == 1) return "inline int window_of(const double*) { return 0; }\n\n";
  const sampling::Box& box = problem.box;
  return fmt::format(
      "inline int window_of(const double* x) {{\n"
      "  const double position = (x[{}] - {}) / ({}) * {};\n"
      "  const int window = static_cast<int>(std::ceil(position - 1e-9)) - 1;\n"
      "  return window < 0 ? 0 : window > {} ? {} : window;\n}}\n\n",
      box.time, box.lower[box.time], box.upper[box.time] - box.lower[box.time], problem.windows.count,
      solution.num_windows() - 1, solution.num_windows() - 1);
}

/// A text made fit for a line comment.
std::string comment(std::string text) {
  std::ranges::replace(text, '\\', ' ');  // at the end of a line it would take the next one in
  return shortened(text, 200);
}

/// Refuses, with a reason, a place where the name is a macro: the compiler's own words would tell nobody why.
std::string macro_check(const std::string& name) {
  return fmt::format(
      "#ifdef {0}\n#error \"{0} is a macro here: undefine it, or rename the field or parameter of the problem\"\n"
      "#endif\n",
      name);
}

/// Inferred parameters as constants and the functions of all fields. Names are given in the order of how much they
/// matter: fields, parameters, jets, derivatives.
std::string names_text(const problem::Problem& problem, const train::Solution& solution) {
  CppNames names({"Jet", "detail", "inside", "kDimension", "std"});
  std::vector<ExportedField> fields;
  for (std::size_t n = 0; n < problem.networks.size(); ++n) {
    const std::vector<std::string>& own = problem.networks[n].fields;
    for (std::size_t f = 0; f < own.size(); ++f)
      fields.push_back(
          {own[f], names.take(own[f]), "", static_cast<int>(n), static_cast<int>(f), static_cast<int>(own.size())});
  }
  const int last = solution.num_windows() - 1;
  const auto& model = solution.model(last);
  std::string text;
  for (const ExportedField& field : fields) text += macro_check(field.name);
  for (std::size_t i = 0; i < model.scalars().size(); ++i) {
    const std::string& scalar = model.scalars()[i].name;
    const std::string name = names.take(scalar);
    text += macro_check(name);
    text += fmt::format("inline constexpr double {} = {};  // inferred{}\n", name,
                        cpp_number(model.scalar(solution.parameters(last), static_cast<int>(i)).value),
                        name == scalar ? "" : ": " + scalar);
  }
  for (ExportedField& field : fields) field.jet = names.take(field.field + "_jet");
  const Arguments arguments = arguments_of(problem, names);
  text += fmt::format("/// True at points of the domain, at any time.\ninline bool inside({}) {{\n", arguments.list);
  for (int c = 0; c < problem.box.dimension(); ++c)
    if (c == problem.box.time) text += fmt::format("  static_cast<void>({});\n", arguments.each[c]);
  text += fmt::format("  return {};\n}}\n\n", problem.domain->cpp_condition(arguments.each));
  for (const ExportedField& field : fields) text += field_text(problem, field, arguments, names);
  return text;
}

/// Names joined by `::`, none of them a keyword or a macro.
bool names_a_namespace(std::string_view text) {
  while (true) {
    const std::size_t end = std::min(text.find("::"), text.size());
    const std::string name(text.substr(0, end));
    if (name.empty() || cpp_name(name) != name) return false;
    if (end == text.size()) return true;
    text.remove_prefix(end + 2);
  }
}

}  // namespace

std::string export_header(const problem::Problem& problem, const train::Solution& solution,
                          const std::string& name_space, const std::string& origin) {
  if (!names_a_namespace(name_space))
    throw InputError({.key = "namespace",
                      .value = name_space,
                      .rule = "cannot name a namespace of C++",
                      .hint = "names have letters, digits and _, a letter first, as in heat or plant::heat"});
  if (std::isfinite(solution.trained_until()))
    throw InputError({.place = {.file = problem.source},
                      .rule = fmt::format("the run is trained up to {} = {:.6g} only (window {} of {})",
                                          problem.box.names[problem.box.time], solution.trained_until(),
                                          solution.num_windows(), problem.windows.count),
                      .hint = "go on with `pecann resume` before it is exported"});
  if (problem::count_parts(problem) > 1)
    throw InputError({.place = {.file = problem.source},
                      .key = "decompose",
                      .rule = "a solution in " + problem::parts_words(problem) + " has no header yet",
                      .hint = "`pecann predict` evaluates it at any points"});
  const std::vector<std::string>& names = problem.box.names;
  std::string text = fmt::format(
      "// {}\n// Trained by pecann {}: {}. Coordinates, in this order: {}. C++17, needs nothing "
      "else.\n// Names that C++, a macro or this header uses otherwise have an underscore more at their "
      "end.\n#pragma once\n\n"
      "#include <cmath>\n#include <cstddef>\n#include <limits>\n\nnamespace {} {{\n\n"
      "inline constexpr int kDimension = {};\n{}{}{}",
      comment(problem.title), kVersion, comment(origin), comment(fmt::format("{}", fmt::join(names, ", "))), name_space,
      names.size(), kExportJet, activation_text(), kExportRuntime);
  text += window_text(problem, solution);
  for (std::size_t n = 0; n < problem.networks.size(); ++n)
    text += network_text(problem, solution, static_cast<int>(n));
  return text + "}  // namespace detail\n\n" + names_text(problem, solution) +
         fmt::format("}}  // namespace {}\n", name_space);
}

void export_header_file(const std::string& run_folder, int trial, const std::string& path) {
  const Run run = open_run(run_folder);
  const int chosen = chosen_trial(run, trial);
  const train::Solution solution = train::load_solution(run.problem, run_folder, chosen);
  const std::string stem = cpp_name(std::filesystem::path(path).stem().string());
  write_text_file(path, export_header(run.problem, solution, stem + "_solution",
                                      fmt::format("trial {} of {}", chosen,
                                                  std::filesystem::path(run_folder).filename().string())));
}

}  // namespace pecann::results
