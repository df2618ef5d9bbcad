// What stands for the training of a problem whose file asks for none in particular: one solve over random features
// (find_features.h) where that is good on points that it has not seen, else the recommended training of its networks.
//
// The choice is a function of the problem and its seed: all trials, threads and ranks have the same. It becomes part of
// the problem before a run has a folder, so that its problem.toml, and all that is made from it, says what was done.
#pragma once

#include <memory>
#include <string>

#include "pecann/problem/problem.h"
#include "pecann/train/find_features.h"
#include "pecann/train/head_start.h"

namespace pecann::train {

/// A problem to train, and what the first trial takes over from the search; null where none was made. The search's
/// seconds count for stop.seconds of every trial, up to half of them.
struct ChosenTraining {
  problem::Problem problem;
  std::shared_ptr<const HeadStart> head_start;
};

/// Why no solve of features is tried; "" where it is.
std::string obstacle_to_solve(const problem::Problem& problem);

/// The problem whose networks are trained, where its training is chosen and not its file's: points that the file leaves
/// open follow the residual (problem/automatic.h), and the phases are recommended for these.
problem::Problem with_trained_networks(problem::Problem problem);

/// The problem to train: with features, their points and one phase `solve`; or with trained networks. Its
/// `recommendation` says which and why. A linear problem of a long time that one solve cannot answer is solved in time
/// windows, where their first is solved well enough.
ChosenTraining choose_training(const problem::Problem& problem, const Tell& tell = {});

}  // namespace pecann::train
