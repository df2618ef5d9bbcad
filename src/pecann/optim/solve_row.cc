#include "pecann/optim/solve_row.h"

namespace pecann::optim {
namespace {

const OptionDescription kSolveNumbers[] = {
    {"cut", SolveOptions{}.cut, kPositive,
     "shift of columns of length 1; one within 3 times this of others is left out"},
    {"conditions", SolveOptions{}.conditions, kPositive, "weight of constraints beside the objective"},
    {"each_row",
     0,
     {.low = 0, .high = 1, .whole = true},
     "1: each row is divided by its own length, not by that of its equation"},
    {"max_halvings", static_cast<double>(SolveOptions{}.max_halvings), kCount, "of a step that lowers nothing"},
    {"memory_limit", SolveOptions{}.memory_limit, kPositive, "bytes of the matrices; beyond it the problem is refused"},
};

SolveOptions from_values(const OptionValues& options) {
  SolveOptions solve;
  solve.cut = options.number("cut");
  solve.conditions = options.number("conditions");
  solve.each_row = options.number("each_row") != 0;
  solve.max_halvings = options.whole("max_halvings");
  solve.memory_limit = options.number("memory_limit");
  return solve;
}

/// An epoch costs two Jacobians, the QR of all rows and that of the shifted triangle.
EpochCost solve_cost(const OptionValues&, const TrainingSize& size) {
  const double p = size.front > 0 ? size.front : size.parameters;
  return {.evaluations = 3, .operations = 2 * size.rows * p * p + 4 * p * p * size.parameters / 3};
}

OptimizerNumbers solve_numbers(const OptionValues&, const TrainingSize& size) {
  return {.kept = 0,
          .working = solve_bytes({static_cast<std::size_t>(size.parameters), static_cast<std::size_t>(size.rows),
                                  static_cast<std::size_t>(size.front)}) /
                     sizeof(double)};
}

std::unique_ptr<Optimizer> make_solve(double, const OptionValues& options, std::size_t) {
  return std::make_unique<Solve>(from_values(options));
}

}  // namespace

SolveOptions solve_options(const std::map<std::string, double>& options) {
  return from_values(OptionValues(kSolveNumbers, options));
}

OptimizerRow solve_row() {
  return {.name = "solve",
          .title = "Least-squares solve",
          .epoch = "one least-squares solve over all residuals: the solution where the equations are linear",
          .suits = "random features (features = 800), smooth solutions",
          .options = kSolveNumbers,
          .least_squares = true,
          .features_only = true,
          .cost = solve_cost,
          .numbers = solve_numbers,
          .make = make_solve};
}

}  // namespace pecann::optim
