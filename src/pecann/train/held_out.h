// Held-out points: the same conditions on fresh points that training never sees, and the best iterate on them.
//
// A small training loss is no proof: with few points, or a network steep between them, L on the training points falls
// to 1e-13 while the error grows. So every now and then L is also computed on other points of the same regions, drawn
// once per window from streams of their own. Terms that cannot be drawn anew (measured data, points from a file,
// conditions at single points) keep theirs: what they ask still counts.
//
// Which iterate is better? The multipliers change during training, so values of L of different epochs do not compare.
// The kept iterate is remembered with its term values, and L of both iterates is taken with the multipliers of now:
//     L_h(θ; λ, μ) = J_h(θ) + Σ λ_i C_i,h(θ) + ½ Σ μ_i C_i,h(θ)².
// That is the function whose minimum is the constrained solution, the same for both, whatever the strategy has done.
// (Sums of residuals relative to their first values are not safe: an objective that must not vanish, a regularisation
// say, is smallest for the trivial field of the first epochs.) A point-wise constraint has no multipliers at other
// points and takes their means. An iterate that was beaten under earlier multipliers does not come back.
//
// J_h and C_h are squares of mean sizes, (mean |r|)², and not means of squares. At a kink or a jump of the solution the
// residual of a better network is larger: in a layer of width δ it grows like 1/δ, and so does the mean of r² while
// the error falls; the mean of |r| does not. On burgers-rarefaction-coarse means of squares prefer epoch 8 (error
// 6.8e-2) to the last one (3.1e-2). Points may not be left out either: where the equation fails near a kink only (the
// strike of an option at maturity), the few points there are all there is to see.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pecann/base/state_archive.h"
#include "pecann/penalty/dual_state.h"
#include "pecann/train/assembly.h"

namespace pecann::train {

/// The problem with fresh points: Sobol points in the regions of all terms that can be drawn anew, as many as
/// the term trains on, but no fewer than about `least` and no more than about `most`. Other terms keep their
/// points, without batches.
problem::Problem held_out_problem(const problem::Problem& problem, double least, double most);

/// The same kind of points with more nodes, none of which is told in training: for integrals.
sampling::PointRule fresh_quadrature(const sampling::PointRule& rule);

/// False for measured data, points from a file and conditions at single points.
bool can_be_drawn_anew(const problem::Problem& problem, const problem::TermSpec& term);

/// The measure of a term on held-out points, (mean |r|)², from the distances of its points: their roots where these are
/// squares. Infinite where one is no number.
double held_out_mean(std::span<const double> distances, bool squares);

class HeldOut {
 public:
  static constexpr double kLeastPoints = 100, kMostPoints = 2000;  // per term
  static constexpr int kJacobianEvaluations = 20;                  // the least cost of a Jacobian with its Gram matrix
  static constexpr double kShareOfTime = 0.05;                     // of the training's evaluations, for looks
  /// The last iterate is clearly worse when its L_h is more than this times the best one's (residuals three times as
  /// large). Less is no evidence: with 60 points in a square, the kept iterate was 2.1 to 2.6 times better on held-out
  /// points in four of six runs, and its error was smaller in two of them, larger in two.
  static constexpr double kClearlyWorse = 10;

  /// `trained` is the evaluator of the training points; problem and finished windows must outlive the object.
  HeldOut(const problem::Problem& problem, std::uint64_t seed, const Window& window, const Solution& finished,
          const evaluate::Evaluator& trained);

  /// Takes the parameters before training: residual() is relative to their residuals.
  void start(std::span<const double> parameters);
  /// Makes residual() relative to what it was relative to in `earlier`: a window whose start is handed over begins with
  /// residuals that are zero.
  void start_like(const HeldOut& earlier) { first_ = earlier.first_; }

  /// Weighs the equations by term as in training (evaluate::Term::equation_weights); the kept iterate is measured anew.
  void set_weights(const std::vector<std::vector<double>>& weights);

  bool started() const { return !first_.empty(); }

  /// Counts an epoch's evaluations; true when it is time to look. The answer depends on counts alone, so that every run
  /// looks at the same epochs, whatever its number of threads and wherever it was resumed.
  bool due(long epoch, int evaluations);
  /// Keeps the iterate when it is better than the kept one under these multipliers.
  void look(long epoch, std::span<const double> parameters, const penalty::DualState& duals);

  double loss() const;  // L_h of the last look, with the multipliers of that look
  /// Of the last look: √ of the mean over terms of (mean |r|)² over its value before training. Terms whose value was
  /// zero then have nothing to be relative to and are left out: a solve begins with the zero solution, which meets
  /// homogeneous conditions. NaN where none is left.
  double residual() const { return residual_of(last_); }
  bool has_best() const { return !best_.parameters.empty(); }
  long best_epoch() const { return best_.epoch; }
  std::span<const double> best_parameters() const { return best_.parameters; }

  struct Comparison {
    double last_over_best;                // L_h(given iterate)/L_h(kept iterate), with these multipliers
    double last_residual, best_residual;  // of the kind of residual()
  };
  /// Compares the given iterate with the kept one; nothing is kept.
  Comparison compare(std::span<const double> parameters, const penalty::DualState& duals);

  void save(StateWriter& writer) const;  // names begin with "held_out."
  void load(const StateReader& reader);

 private:
  struct TermMoments {
    double mean = 0, square = 0;  // held_out_mean of φ weighted by equations, and its square
    double plain = 0;             // the same without weights
  };
  using Moments = std::vector<TermMoments>;
  struct Iterate {
    long epoch = 0;
    Moments moments;
    std::vector<double> parameters;
  };

  Moments measure(std::span<const double> parameters);
  double residual_of(const Moments& moments) const;
  double lagrangian(const Moments& moments, const penalty::DualState& duals) const;

  std::unique_ptr<problem::Problem> problem_;  // with fresh points; the assembly reads it
  std::unique_ptr<Assembly> assembly_;
  std::vector<double> trained_points_;                // number of training points by term
  std::vector<evaluate::ConstraintEntries> entries_;  // entries of the multipliers, which belong to the training points
  double evaluations_between_ = 1;
  int every_ = 0;
  long evaluations_since_ = 0;
  std::vector<double> first_;  // mean φ by term before training
  Moments last_;
  double last_loss_ = 0;
  Iterate best_;
};

}  // namespace pecann::train
