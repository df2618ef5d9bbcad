// pecann bench: milliseconds per loss and gradient of the catalogue's configurations, and of epochs by part.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "pecann/base/parallel.h"
#include "pecann/check/gradient_timing.h"
#include "pecann/check/training_timing.h"
#include "pecann/cli/bench_gram.h"
#include "pecann/cli/bench_solve.h"
#include "pecann/cli/commands.h"
#include "pecann/cli/option_checks.h"
#include "pecann/kernel/fma_peak.h"
#include "pecann/kernel/simd_target.h"
#include "pecann/optim/dense_gram.h"
#include "pecann/optim/registry.h"
#include "pecann/problem/catalogue.h"

namespace pecann::cli {
namespace {

/// A row of the benchmark: a catalogue problem, with overrides where the benchmark's size is not the file's.
struct Case {
  const char* name;
  std::vector<std::string> overrides;
};

const std::vector<Case>& standard_cases() {
  static const std::vector<Case> cases = {
      {"burgers-rarefaction", {}},
      {"heat-composite", {}},
      {"poisson", {"constants.b=50", "term.pde.points.grid=[514]"}},
      {"poisson-fourier", {"constants.b=50", "term.pde.points.sobol=512"}},
      {"helmholtz-6-6", {}},
      {"helmholtz-6-6-adam", {}},
      {"helmholtz-1-4", {}},
      {"helmholtz-source-l5", {}},
      {"vortex", {}},
      {"heat-source-inverse", {}},
  };
  return cases;
}

/// The resident memory of this process in MB. It grows with the largest problem so far; only a fresh process shows
/// what one problem takes.
double resident_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void bench(const std::vector<std::string>& names, const std::vector<std::string>& overrides, double seconds,
           bool as_json) {
  std::vector<Case> cases;
  for (const std::string& name : names) {
    const auto known =
        std::find_if(standard_cases().begin(), standard_cases().end(), [&](const Case& c) { return name == c.name; });
    cases.push_back(known != standard_cases().end() ? *known : Case{name.c_str(), {}});
  }
  if (names.empty()) cases = standard_cases();

  const int threads = thread_count();
  const double peak = kernel::measure_fma_peak(threads);
  nlohmann::json rows = nlohmann::json::array();
  if (!as_json) {
    std::printf("%d thread%s, %s, measured multiply-add peak %.0f GFLOP/s\n\n", threads, threads == 1 ? "" : "s",
                kernel::simd_target(), peak / 1e9);
    std::printf("%-22s %8s %8s %10s %10s %8s %6s %8s\n", "problem", "params", "points", "median ms", "min ms",
                "GFLOP/s", "peak", "RSS MB");
  }
  for (Case& c : cases) {
    c.overrides.insert(c.overrides.end(), overrides.begin(), overrides.end());
    // The benchmark takes the paper's network and points, which a recipe may change.
    const bool in_paper =
        problem::find_in_catalogue(c.name) != nullptr && !std::string_view(c.name).starts_with("gallery/");
    const problem::Problem problem = problem::load_problem(c.name, c.overrides, in_paper ? "paper" : "");
    const check::GradientTiming m = check::time_gradient(problem, seconds);
    const double gflops = m.flops / m.median_ms / 1e6, share = gflops * 1e9 / peak;
    if (as_json) {
      rows.push_back({{"problem", c.name},
                      {"parameters", m.parameters},
                      {"points", m.points},
                      {"threads", threads},
                      {"median_ms", m.median_ms},
                      {"min_ms", m.min_ms},
                      {"cpu_ms", m.cpu_ms},
                      {"gflops", gflops},
                      {"peak_fraction", share},
                      {"peak_rss_mb", resident_mb()}});
    } else {
      std::printf("%-22s %8zu %8zu %10.3f %10.3f %8.1f %5.0f%% %8.0f\n", c.name, m.parameters, m.points, m.median_ms,
                  m.min_ms, gflops, 100 * share, resident_mb());
      std::fflush(stdout);
    }
  }
  if (as_json) std::printf("%s\n", rows.dump(2).c_str());
}

/// Milliseconds of an epoch by part, for every optimiser that fits the problem.
void bench_training(const problem::Problem& problem, double seconds, bool as_json) {
  const double peak = kernel::measure_fma_peak(thread_count());
  nlohmann::json rows = nlohmann::json::array();
  if (!as_json)
    std::printf("%d thread%s, %s, measured multiply-add peak %.0f GFLOP/s\n\n%-18s %-13s %10s %7s %9s %6s\n",
                thread_count(), thread_count() == 1 ? "" : "s", kernel::simd_target(), peak / 1e9, "optimizer", "part",
                "ms/epoch", "share", "GFLOP/s", "peak");
  for (const optim::OptimizerRow& row : optim::optimizer_table()) {
    if (row.features_only) continue;  // a solve is one epoch of its own kind of network
    const check::TrainingTiming timing = check::time_training(problem, row.name, row.mode, seconds);
    if (as_json) {
      nlohmann::json parts = nlohmann::json::array();
      for (const check::PartTiming& part : timing.parts)
        parts.push_back({{"part", part.name}, {"ms", part.ms}, {"gflops", part.flops / part.ms / 1e6}});
      rows.push_back({{"optimizer", timing.optimizer},
                      {"parameters", timing.parameters},
                      {"rows", timing.rows},
                      {"epochs", timing.epochs},
                      {"ms", timing.ms},
                      {"parts", parts},
                      {"refusal", timing.refusal}});
      continue;
    }
    if (!timing.refusal.empty()) {
      std::printf("%-18s %s\n", timing.optimizer.c_str(), timing.refusal.c_str());
      continue;
    }
    std::printf("%-18s %-13s %10.3f\n", timing.optimizer.c_str(), "", timing.ms);
    for (const check::PartTiming& part : timing.parts) {
      std::printf("%-18s %-13s %10.3f %6.0f%%", "", part.name.c_str(), part.ms, 100 * part.ms / timing.ms);
      if (part.flops > 0)
        std::printf(" %9.1f %5.0f%%", part.flops / part.ms / 1e6, 100 * part.flops / part.ms * 1e3 / peak);
      std::printf("\n");
    }
    std::fflush(stdout);
  }
  if (as_json) std::printf("%s\n", rows.dump(2).c_str());
}

int bench_gram(double seconds, bool as_json) {
  const GramRate rate = measure_gram(seconds);
  if (as_json) {
    const nlohmann::json row = {{"blas", optim::blas_description()},
                                {"threads", thread_count()},
                                {"gflops", rate.flops / 1e9},
                                {"peak_gflops", rate.peak / 1e9},
                                {"peak_fraction", rate.share()}};
    std::printf("%s\n", row.dump(2).c_str());
  } else {
    std::printf(
        "%s, %d thread%s\nGram product of 2601 x 3441: %.0f GFLOP/s, %.0f %% of the measured multiply-add peak of %.0f "
        "GFLOP/s\n",
        optim::blas_description().c_str(), thread_count(), thread_count() == 1 ? "" : "s", rate.flops / 1e9,
        100 * rate.share(), rate.peak / 1e9);
  }
  if (rate.share() >= kLeastGramShare) return 0;
  std::fprintf(stderr,
               "pecann: below %.0f %%: others use the machine, or the BLAS chose poor kernels (OPENBLAS_CORETYPE names "
               "better ones)\n",
               100 * kLeastGramShare);
  return 1;
}

/// Least-squares solves of features, from small ones to the largest that fit into some seconds.
void bench_solve(bool as_json) {
  const double peak = kernel::measure_fma_peak(thread_count());
  nlohmann::json rows = nlohmann::json::array();
  if (!as_json)
    std::printf("%d thread%s, %s, measured multiply-add peak %.0f GFLOP/s\n\n%8s %12s %9s %6s %9s\n", thread_count(),
                thread_count() == 1 ? "" : "s", kernel::simd_target(), peak / 1e9, "columns", "rows: s", "GFLOP/s",
                "peak", "solve: s");
  for (const std::size_t columns : {800, 1600, 4000, 6000}) {
    const SolveRate rate = measure_solve(columns);
    if (as_json) {
      rows.push_back({{"columns", columns},
                      {"threads", thread_count()},
                      {"rows_seconds", rate.rows_seconds},
                      {"gflops", rate.flops / 1e9},
                      {"peak_fraction", rate.flops / peak},
                      {"solve_seconds", rate.solve_seconds}});
      continue;
    }
    std::printf("%8zu %12.3f %9.1f %5.0f%% %9.3f\n", columns, rate.rows_seconds, rate.flops / 1e9,
                100 * rate.flops / peak, rate.solve_seconds);
    std::fflush(stdout);
  }
  if (as_json) std::printf("%s\n", rows.dump(2).c_str());
}

}  // namespace

void add_bench_command(CLI::App& app, Result& result) {
  CLI::App* const command =
      app.add_subcommand("bench", "Milliseconds per loss and gradient, GFLOP/s and share of the measured peak");
  struct Options {
    std::vector<std::string> names, overrides;
    double seconds = 2;
    int threads = 0;
    bool json = false, gram = false, solve = false, training = false;
  };
  auto options = std::make_shared<Options>();
  command->add_option("problem", options->names, "catalogue names or files (default: the paper's ten configurations)");
  command->add_option("--set", options->overrides, "key=value: changes the problem")->allow_extra_args(false);
  command->add_option("--seconds", options->seconds, "time per problem")
      ->capture_default_str()
      ->check(positive_number());
  command->add_option("--threads", options->threads, "number of threads (default: all cores)")
      ->check(count_up_to(kMostThreads));
  command->add_flag("--json", options->json, "a list of objects instead of the table");
  command->add_flag("--training", options->training,
                    "milliseconds of an epoch of every optimiser, by part, instead of loss and gradient");
  command->add_flag(
      "--gram", options->gram,
      "the Gram product of second-order methods instead; exit code 1 below 60 % of the peak (idle machines reach it)");
  command->add_flag("--solve", options->solve,
                    "least-squares solves of 800 to 6000 features, three rows a column, instead");
  command->callback([options, &result] {
    if (options->threads > 0) set_thread_count(options->threads);
    if (options->solve) return bench_solve(options->json);
    if (options->gram) {
      result.exit_code = bench_gram(options->seconds, options->json);
      return;
    }
    if (options->training) {
      if (options->names.empty()) options->names = {"helmholtz-6-6"};
      for (const std::string& name : options->names)
        bench_training(problem::load_problem(name, options->overrides), options->seconds, options->json);
      return;
    }
    bench(options->names, options->overrides, options->seconds, options->json);
  });
}

}  // namespace pecann::cli
