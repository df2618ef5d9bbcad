#include "pecann/check/gradient_timing.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

#include "pecann/penalty/dual_state.h"
#include "pecann/train/assembly.h"

namespace pecann::check {
namespace {

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

GradientTiming time_gradient(const problem::Problem& problem, double seconds) {
  const train::Solution nothing(problem, problem.seed);
  train::Assembly assembly(problem, problem.seed, {0, problem.windows.count}, nothing);
  evaluate::Evaluator& evaluator = assembly.evaluator();
  std::vector<double> parameters = assembly.model().initial_parameters(problem.seed), gradient(parameters.size());
  const penalty::DualState duals(evaluator.num_constraint_entries());

  std::vector<double> times, processor_times;
  const auto begin = std::chrono::steady_clock::now();
  double elapsed = 0;
  for (int repeat = 0; repeat < 5 || (elapsed < seconds && repeat < 100000); ++repeat) {
    parameters[0] += 1e-9;  // new parameters: nothing may come from the cache
    const double processor_start = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    evaluator.gradient(parameters, {duals.multiplier, duals.penalty}, gradient);
    const auto end = std::chrono::steady_clock::now();
    if (repeat > 0) {
      times.push_back(std::chrono::duration<double, std::milli>(end - start).count());
      processor_times.push_back(1e3 * (processor_seconds() - processor_start));
    }
    elapsed = std::chrono::duration<double>(end - begin).count();
  }
  std::sort(times.begin(), times.end());
  std::sort(processor_times.begin(), processor_times.end());
  GradientTiming result;
  result.parameters = parameters.size();
  result.points = evaluator.num_points();
  result.median_ms = times[times.size() / 2];
  result.min_ms = times.front();
  result.cpu_ms = processor_times[processor_times.size() / 2];
  result.flops = evaluator.flops();
  return result;
}

}  // namespace pecann::check
