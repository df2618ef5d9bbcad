// pecann predict, pecann report, pecann export: what to do with the folder of a run.
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "pecann/base/input_error.h"
#include "pecann/cli/commands.h"
#include "pecann/cli/option_checks.h"
#include "pecann/cli/terminal.h"
#include "pecann/estimate/estimate.h"
#include "pecann/page/page.h"
#include "pecann/results/export_header.h"
#include "pecann/results/prediction.h"
#include "pecann/results/run.h"
#include "pecann/train/run_folder.h"
#include "pecann/train/trial.h"
#include "pecann/verdict/text_report.h"

namespace pecann::cli {
namespace {

/// "u,d(u,x)" -> "u", "d(u,x)": commas inside parentheses belong to the expression.
std::vector<std::string> split_expressions(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// A prediction of the solution with its estimated error added; refused where the estimate is not good.
std::vector<std::string> predict_corrected(const results::PredictRequest& request) {
  results::Prediction prediction = results::predict_values(request);
  const results::Run run = results::open_run(request.folder);
  const int trial = results::chosen_trial(run, request.trial);
  const train::Solution solution = train::load_solution(run.problem, run.folder, trial);
  const estimate::ErrorEstimate estimate =
      estimate::estimate_error(run.problem, solution, train::trial_seed(run.problem, trial), {.trial = trial});
  if (!estimate.good()) {
    std::string why = estimate.summary().decided;
    for (const results::FieldEstimate& field : estimate.summary().fields)
      if (!field.good) why += (why.empty() ? "" : "; ") + field.field + ": " + field.decided;
    throw InputError({.place = {.file = request.folder},
                      .key = "--corrected",
                      .rule = "the estimate of the error is not good: " + shortened(why, 400),
                      .hint = "train further, or leave --corrected out"});
  }
  prediction.values = estimate.corrected(results::parse_fields(run.problem, prediction.names), prediction.points);
  sampling::hide_outside(*run.problem.domain, prediction.points, prediction.values);
  return results::write_prediction(prediction, request.output);
}

/// The files that were written, a line each; of the many times of a .pvd the first and the last.
std::string written_text(const std::vector<std::string>& files) {
  constexpr std::size_t kMostLines = 6;
  std::string text;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files.size() > kMostLines && i > 1 && i + 1 < files.size()) continue;
    text += shortened(files[i], kLongestPath) + "\n";
    if (files.size() > kMostLines && i == 1) text += fmt::format("… ({} more)\n", files.size() - 3);
  }
  return text;
}

}  // namespace

void add_predict_command(CLI::App& app, Result&) {
  CLI::App* const command = app.add_subcommand("predict", "Evaluates a trained solution and its derivatives");
  auto request = std::make_shared<results::PredictRequest>();
  command->add_option("folder", request->folder, "folder of the run, finished or not")->required();
  CLI::Option* const grid =
      command->add_option("--grid", request->grid, "nodes per coordinate, e.g. 201,201 (default: the evaluation grid)")
          ->delimiter(',');
  command->add_option("--points", request->points_file, ".csv or .npy with the coordinates of the points")
      ->excludes(grid);
  auto fields = std::make_shared<std::string>();
  command->add_option("--fields", *fields,
                      "fields, derivatives or expressions of them, e.g. u,u_x,laplacian(u) (default: all fields)");
  command->add_option("--trial", request->trial, "which trial (default: the best)")->check(count_up_to(kMostTrials));
  command->add_option("-o,--output", request->output, "file to write: .csv, .npy, .vti (grids) or .vtu")->required();
  auto corrected = std::make_shared<bool>(false);
  command->add_flag("--corrected", *corrected, "add the estimated error, where its estimate is good");
  command->callback([request, fields, corrected] {
    if (!fields->empty()) request->expressions = split_expressions(*fields);
    const auto warn = [](const std::string& note) { say(stderr, "pecann: " + shortened(note, kLongestPath) + "\n"); };
    say(stdout, written_text(*corrected ? predict_corrected(*request) : results::predict(*request, warn)));
  });
}

void add_report_command(CLI::App& app, Result&) {
  CLI::App* const command =
      app.add_subcommand("report", "One self-contained HTML page for one run or several side by side");
  struct Options {
    std::vector<std::string> folders;
    std::string output;
    bool text = false;
  };
  auto options = std::make_shared<Options>();
  command->add_option("folder", options->folders, "folders of runs")->required();
  command->add_option("-o,--output", options->output,
                      "file to write (default: report.html in the folder, or comparison.html)");
  command->add_flag("--text", options->text, "print it as text instead");
  command->callback([options] {
    if (options->text) {
      std::fputs(verdict::text_report(options->folders, colour_for(stdout)).c_str(), stdout);
      return;
    }
    std::string output = options->output;
    if (output.empty())
      output = options->folders.size() == 1 ? train::RunFolder(options->folders[0]).report_file() : "comparison.html";
    page::write_report(options->folders, output);
    say(stdout, shortened(output, kLongestPath) + "\n");
  });
}

void add_export_command(CLI::App& app, Result&) {
  CLI::App* const command = app.add_subcommand("export", "The trained field and its derivatives as one C++17 header");
  struct Options {
    std::string folder, header;
    int trial = 0;
  };
  auto options = std::make_shared<Options>();
  command->add_option("folder", options->folder, "folder of the run")->required();
  command->add_option("--header", options->header, "header to write, e.g. u.hpp")->required();
  command->add_option("--trial", options->trial, "which trial (default: the best)")->check(count_up_to(kMostTrials));
  command->callback([options] {
    results::export_header_file(options->folder, options->trial, options->header);
    say(stdout, shortened(options->header, kLongestPath) + "\n");
  });
}

}  // namespace pecann::cli
