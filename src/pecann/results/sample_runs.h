// Small problems and hand-made results for the tests of this module.
#pragma once

#include <string>

#include "pecann/base/parallel.h"
#include "pecann/base/text_file.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/trial.h"
#include "support/temporary_folder.h"

namespace pecann::results {

inline const char* const kPoissonText = R"toml(
title = "Poisson on an interval"
coordinates = { x = [0, 1] }
[exact]
u = "sin(2*pi*x)"
[[network]]
fields = ["u"]
hidden = [8, 8]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_xx = d(exact.u, x, x)"
points = { grid = [33] }
[[term]]
name = "ends"
role = "constraint"
region = "boundary"
equation = "u = 0"
points = { grid = [33] }
[[phase]]
optimizer = "lbfgs"
epochs = 30
[evaluate]
grid = [101]
)toml";

/// A problem with two coordinates in space and time, three windows, a sigmoid output and a Fourier layer, which is
/// trained for a moment only.
inline const char* const kTransportText = R"toml(
title = "Transport of a bump"
coordinates = { x = [0, 1], y = [-1, 1], t = [0, 2] }
[exact]
phi = "0.5 + 0.4*sin(x - 0.1*t)*y"
[[network]]
fields = ["phi"]
hidden = [6, 5]
output = "sigmoid"
fourier = { sigma = 0.5 }
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "phi_t + 0.1*phi_x = 0"
points = { sobol = 40 }
[[term]]
name = "start"
role = "constraint"
region = "initial"
equation = "phi = exact.phi"
points = { sobol = 20 }
aggregate = "pointwise"
[windows]
count = 3
[[phase]]
optimizer = "adam"
epochs = 5
[[phase]]
optimizer = "lbfgs"
epochs = 3
[evaluate]
grid = [5, 4, 3]
)toml";

using test::TemporaryFolder;

/// The summary of a trial of kPoissonText (one constraint) that ended after ten epochs.
inline train::TrialSummary sample_trial(int trial, double error) {
  train::TrialSummary summary;
  summary.trial = trial;
  summary.seed = 40 + static_cast<std::uint64_t>(trial);
  summary.outcome = {train::Termination::EpochsDone, "all 10 epochs done"};
  summary.last.loss = 0.5;
  summary.last.objective = 0.25;
  summary.last.learning_rate = 1;
  summary.last.constraints = {{.value = 4e-6, .multiplier = 1.5, .penalty = 20}};
  summary.epochs = 10;
  summary.evaluations = 120;
  summary.seconds = 2.5;
  summary.parameters = 97;
  summary.points = 33;
  summary.errors = {{"u", error, 2 * error, 0.5 * error, 0.25 * error}};
  return summary;
}

/// A run as the command line makes it: problem.toml, trained trials, summary.json.
inline problem::Problem make_run(const std::string& folder, const std::string& toml, int trials = 1) {
  const problem::Problem problem = problem::read_problem(toml, "sample");
  set_thread_count(1);  // problems this small gain nothing from threads, and tests run side by side
  const train::RunFolder run(folder);
  run.write_problem(problem::write_problem(problem));
  std::vector<train::TrialSummary> summaries;
  for (int trial = 1; trial <= trials; ++trial) {
    train::TrialOptions options;
    options.folder = run.trial(trial);
    options.folder.create();
    summaries.push_back(train::run_trial(problem, trial, options));
  }
  write_summary(run, problem, summaries, facts_of_this_machine());
  return problem;
}

}  // namespace pecann::results
