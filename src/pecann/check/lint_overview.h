// What a problem amounts to: sizes, what each network carries through its layers, and how long training may take. Its
// memory is in memory_estimate.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pecann/optim/optimizer.h"
#include "pecann/problem/problem.h"
#include "pecann/train/assembly.h"

namespace pecann::check {

struct Overview {
  struct Network {
    std::string name, shape;  // "x, t → 20 → 20 → u"
    std::size_t parameters;
  };
  struct Term {
    std::string name;
    problem::Role role;
    std::string region;
    std::size_t equations, points;
    std::vector<std::pair<std::string, std::size_t>> parts;  // of a boundary with shapes: how many points on each
    double size = 0;                                         // rms of its residuals where training begins
    std::vector<double> weights;  // of its equations where training begins; empty where the strategy weighs none
  };
  /// A network as the terms of one point set read it, at the points themselves or at substituted coordinates.
  struct Pass {
    std::string terms, network;
    bool substituted;
    int channels;
    std::string kinds;  // "value, 2 first, 1 second"
    std::size_t points;
  };
  struct Phase {
    std::string optimizer;
    int epochs;
    double evaluations;  // of loss and gradient, per epoch and at most
    double seconds;      // of the phase, in one window, where it runs to its last epoch
  };
  std::vector<Network> networks;
  std::vector<Term> terms;
  std::vector<Pass> passes;
  std::vector<Phase> phases;
  std::size_t parameters = 0, rows = 0;  // rows: residuals over all points and equations
  double milliseconds = 0;               // measured: one loss and gradient
  double seconds = 0;                    // of one trial, all windows, to the last epoch
  /// Between which a trial ends on a quiet machine: later phases may find nothing to do after a tenth of their epochs,
  /// and line searches and rejected steps may take twice the evaluations that are counted. stop.seconds bounds both.
  double least_seconds = 0, most_seconds = 0;
};

/// Measures the time of a few evaluations at the initial parameters. `assembly` is the first window's.
Overview look_over(const problem::Problem& problem, train::Assembly& assembly);

/// The cost of a phase; flops_per_second is the rate that the evaluation reaches.
Overview::Phase phase_cost(const problem::PhaseSpec& phase, const optim::MatrixSizes& sizes, double evaluation_seconds,
                           double flops_per_second);

}  // namespace pecann::check
