// What an optimiser says about itself: one row per name and mode, made in the optimiser's own file and listed in
// registry.cc. Problem files, commands, estimates and documents ask the row; nobody else knows an optimiser by name.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "pecann/base/option_description.h"
#include "pecann/optim/optimizer.h"

namespace pecann::optim {

struct TrainingSize {
  double parameters = 0;  // P
  double rows = 0;        // N: residuals at all points, and a row per constraint
  double epochs = 1;      // epochs of the phase
  double front = 0;       // as MatrixSizes::front
};

struct EpochCost {
  double evaluations = 1;  // of value and gradient, on average
  double operations = 0;   // floating-point, of the optimiser's own algebra
};

/// The memory of an optimiser, in numbers of 8 bytes.
struct OptimizerNumbers {
  double kept = 0;     // kept from epoch to epoch, and in checkpoints
  double working = 0;  // taken while the optimiser works
};

/// Further settings of `capu` that suit the optimiser.
struct CapuSettings {
  const char* keys = "";   // keys of [penalty], as in "eta=100, zeta=0.9"
  const char* words = "";  // what they do
};

struct OptimizerRow {
  const char* name;
  const char* mode = "";  // one row per mode; the usual one is ""
  const char* title;      // "Adam"
  const char* epoch;      // what an epoch is
  const char* suits;      // what it is good for
  std::span<const OptionDescription> options = {};
  double learning_rate = 1;  // default
  /// The η of constraints, unless the problem sets one. Of several phases the first one's counts, but where a later
  /// one's is above one, the largest does (problem/penalty_defaults.h).
  double eta = 1;
  /// How far an epoch brings the training, where an accepted step of a second-order method counts 1.
  double steps = 1;
  bool one_gradient = false;   // an epoch is one gradient, so that a training takes many epochs
  bool least_squares = false;  // works on the rows of the Jacobian, needs squares; its rate is a damping of its own
  bool features_only = false;  // for networks of random features: weighs residuals itself and heeds no multiplier
  bool warm_up = false;        // trainings begin with some epochs of lbfgs
  bool second_order = false;   // an epoch lowers L by much until it has converged (problem/penalty_defaults.h)
  bool repeats_stalls = true;  // where an epoch moved nothing and no multiplier changed, no later one will
  CapuSettings capu = {};
  EpochCost (*cost)(const OptionValues& options, const TrainingSize& size);
  OptimizerNumbers (*numbers)(const OptionValues& options, const TrainingSize& size);
  std::unique_ptr<Optimizer> (*make)(double learning_rate, const OptionValues& options, std::size_t parameters);
};

}  // namespace pecann::optim
