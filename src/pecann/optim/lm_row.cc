#include "pecann/optim/lm_row.h"

#include <algorithm>

#include "pecann/optim/lm.h"
#include "pecann/optim/lm_equations.h"

namespace pecann::optim {
namespace {

const OptionDescription kLmNumbers[] = {
    {"initial_damping", LmOptions{}.initial_damping, kPositive, "ν of the first epoch over trace(G)/P"},
    {"min_damping", LmOptions{}.min_damping, kNotNegative, "least ν over the mean diagonal entry of the matrix"},
    {"max_trials", static_cast<double>(LmOptions{}.max_trials), kCount, "factorisations of an epoch"},
    {"acceleration_limit", LmOptions{}.acceleration_limit, kNotNegative,
     "the acceleration a is used where 2‖a‖ is below this times ‖d‖; 0 turns it off"},
    {"acceleration_step", LmOptions{}.acceleration_step, kPositive, "h of its second difference"},
    {"memory_limit", LmOptions{}.memory_limit, kPositive, "bytes of the matrices; beyond it the problem is refused"},
};

/// An epoch costs the Gram matrix of the smaller form and its Cholesky factor, a linearisation, a Jacobian
/// and trial values.
EpochCost lm_cost(const OptionValues&, const TrainingSize& size) {
  const double small = std::min(size.parameters, size.rows), large = std::max(size.parameters, size.rows);
  return {.evaluations = 3, .operations = small * small * large + small * small * small / 3};
}

OptimizerNumbers lm_numbers(const OptionValues&, const TrainingSize& size) {
  const NormalForm form = size.parameters <= size.rows ? NormalForm::Primal : NormalForm::Dual;
  const double bytes =
      normal_form_bytes(form, static_cast<std::size_t>(size.parameters), static_cast<std::size_t>(size.rows));
  return {.kept = 4 * size.parameters, .working = bytes / sizeof(double) + 6 * size.rows};
}

std::unique_ptr<Optimizer> make_lm(double, const OptionValues& options, std::size_t) {
  LmOptions lm;
  lm.initial_damping = options.number("initial_damping");
  lm.min_damping = options.number("min_damping");
  lm.max_trials = options.whole("max_trials");
  lm.acceleration_limit = options.number("acceleration_limit");
  lm.acceleration_step = options.number("acceleration_step");
  lm.memory_limit = options.number("memory_limit");
  return std::make_unique<LevenbergMarquardt>(lm);
}

}  // namespace

OptimizerRow lm_row() {
  return {.name = "lm",
          .title = "Levenberg-Marquardt",
          .epoch = "one accepted step of Levenberg–Marquardt on the Lagrangian",
          .suits = "where the smaller of parameters and residuals is up to some 3,500",
          .options = kLmNumbers,
          // The method makes a constraint fall faster than its running mean, so that μC stays below η: hence a larger η
          // (measured on the Helmholtz problem).
          .eta = 100,
          .least_squares = true,
          .warm_up = true,
          .second_order = true,
          .capu = {.keys = "eta=100, zeta=0.9, omega=0.5, rebase=true", .words = "updates by halving"},
          .cost = lm_cost,
          .numbers = lm_numbers,
          .make = make_lm};
}

}  // namespace pecann::optim
