// The training that optimizer = "auto" stands for, and that of a problem that names none: chosen by sizes and
// smoothness, and explained in words.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"

namespace pecann::problem {

/// Number of trainable parameters of a network.
double count_parameters(const NetworkSpec& network);
/// Number of residuals of all terms.
double count_residuals(const Problem& problem);

struct Recommendation {
  std::vector<PhaseSpec> phases;
  std::string reason;  // what was picked and why, one line
};

/// The word for an optimiser that is chosen here.
inline constexpr const char* kAuto = "auto";
/// The same, but the networks are trained: no solve of random features stands for it (train/choose_training.h).
inline constexpr const char* kTrain = "train";

/// What bends sharply in an unknown, in words ("abs of an unknown in term 'pde'"); "" when nothing does.
std::string kink_of(const Problem& problem);

/// Points that stay for fewer epochs than this are no ground for second-order steps.
inline constexpr int kFewEpochs = 10;

/// Products of a step of Levenberg–Marquardt, N P min(N, P), that are worth their time beside iterations of Broyden's
/// method, where points are drawn near a density and steps cannot be few: a third of a second.
inline constexpr double kProductsOfStep = 1.5e10;

/// The training of a problem with P parameters and N residuals, by the first line that applies:
///   points that change every few (kFewEpochs) epochs        Adam: curvature of one draw misleads on the next
///   equations or distances with kinks in the unknowns       Adam, then L-BFGS: second derivatives mean nothing there
///   min(N, P) ≤ 3,500, N P ≤ 2e8, with points near a
///     density N P min(N, P) ≤ kProductsOfStep               L-BFGS, then Levenberg–Marquardt
///   P ≤ 10,000                                              L-BFGS, then self-scaled Broyden
///   else                                                    Adam, then L-BFGS
/// The bounds keep the matrices below 2 GB: the choice depends on the problem alone, not on the machine.
/// The networks, terms and parameters of the problem must be there; its phases are not looked at.
Recommendation recommended_training(const Problem& problem);

/// The constants of a continuation that leaves all else open: where the phases are the recommended ones once for each
/// of several sets of constants (phases "train" with `constants` or `continue`), these in their order. Else nothing.
std::vector<std::map<std::string, double>> continued_constants(const Problem& problem);

/// The same phases with `epochs` epochs in all, in the same proportion.
Recommendation with_epochs(Recommendation recommendation, int epochs);

}  // namespace pecann::problem
