// The last window of a trial as its checkpoint left it, ready to be evaluated; and its residuals on the points it was
// trained on and on fresh ones.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/train/assembly.h"
#include "pecann/train/balance.h"
#include "pecann/train/run_folder.h"

namespace pecann::results {

struct TrainedState {
  std::unique_ptr<train::Solution> finished;  // the windows before the last one; the assembly reads it
  std::unique_ptr<train::Assembly> assembly;
  train::Window window;
  std::uint64_t seed = 0;
  std::vector<double> parameters;
  std::vector<double> multipliers, penalties;  // one per constraint entry
};

/// Loads the state of a trial. The problem must outlive it.
TrainedState load_state(const problem::Problem& problem, const train::RunFolder& folder, int trial);

/// The same from the bytes of Trainer::save. `file` stands for them in messages (InputError).
TrainedState state_of(const problem::Problem& problem, std::string_view bytes, std::uint64_t seed,
                      const std::string& file);

/// A term's residual in its own units.
struct TermResidual {
  std::string name;
  problem::Role role = problem::Role::Objective;
  std::size_t points = 0;
  double rms = 0, largest = 0;         // on the points of training: √(mean r²) over all equations, max |r|
  std::optional<double> held_out_rms;  // on as many fresh points; nothing where there are none to draw
  train::TermKind kind = train::TermKind::Equation;
  /// The residual over the size of the equation's parts (results/part_sizes.h), the largest of its equations and of all
  /// windows; on fresh points where there are some. NaN: not known.
  double relative = std::numeric_limits<double>::quiet_NaN();
  double fresh_largest = std::numeric_limits<double>::quiet_NaN();  // max |r| on fresh points
  std::vector<double> place;  // where the residual is largest on those points; empty: not known

  /// The rms on fresh points over that on the points of training, where both are numbers. Where it is far above one,
  /// the network fits the points and not the equation between them.
  std::optional<double> ratio() const;
};
inline constexpr double kLargeRatio = 10;

inline constexpr double kLeastFreshPoints = 1000;

/// The residuals of each term. Fresh points are Sobol points of streams that training never draws from
/// (train/held_out.h), as many as the term was trained on and kLeastFreshPoints at least. Terms
/// with measured data, with points from a file, and conditions at single points have none.
std::vector<TermResidual> term_residuals(const problem::Problem& problem, TrainedState& state);

}  // namespace pecann::results
