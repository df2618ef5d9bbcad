// The balance of a problem's equations: weights that make them count alike, so that neither units nor the number of
// points nor the roles of the terms decide what is trained.
//
// Every equation e of a term t has the weight
//
//     b_te = boost_t(k) g_t / curv_te
//
// in L = Σ b_te mean φ(r_te), where curv_te is the size of its block of the Gauss–Newton matrix (evaluate/curvature.h).
// An equation times s changes nothing in this L, not even its size. People are told L, its parts and its weights
// divided by the largest weight of an objective, in the units of that equation.
// The curvatures are taken anew before the epochs k = 0, 1, 2, 3, 5, 8, 12, …, each half as far again as the one
// before: at first the network has not found its scales, and the ratios are wrong by up to a thousand; later they stand
// still. Where a term is a mean over points it counts as such, where it is a sum its weight is divided by their number.
//
//     boost_t(k) = max(1, 100 · 2^(−k/4))   for conditions on the boundary and for data,  else 1:
//
// the equation has many solutions that are smooth and small (u = 0 for one), and what is said at the boundary or by
// measurements picks the right one. It has to be heard first. A state at the first time is not boosted: the equation
// carries it on, and a jump that was fitted before the equation is heard stays where it is (an expansion shock instead
// of the rarefaction of the transonic Burgers problem, error 0.38 instead of 0.025).
//
// Data with noise have a floor below which no solution brings them. Where training stalls (L has not halved in five
// epochs) and the data outweigh everything else by ten, the noise bends the solution: their weight is divided by ten,
// g_t ← g_t/10. Where the misfit has then risen by 30 % at the next stall, the data have left their noise: the last
// division is taken back, and g_t stays. There are kMostReliefs divisions at most. This is the outer loop of the
// method of multipliers for misfits as objectives: the constraints' weights grow relative to the objective, when the
// inner problem is solved, until the solution no longer changes.
//
// An objective that cannot vanish where the constraints hold (an energy, a cost) has a floor too, and there the roles
// decide: constraints hold. Without data, where L stays within one per cent for five epochs and the part of constraints
// in it has not halved, or no step lowers it, the inner problem is solved: every constraint with more of L than a
// millionth gets ten times its weight, g_t ← 10 g_t, eight times at most, and the next time only where that has halved
// its part. By then its violation no longer matters for the objective, whose distance from its value at the saddle
// point is of the size of that part. From the first such step on, all equations of objectives have the same weight: the
// file says what they are worth to each other. Where an objective falls to half of its value at the first such step, it
// was on a plateau and not at its floor: all g_t are 1 again.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pecann/base/state_archive.h"
#include "pecann/evaluate/evaluator.h"
#include "pecann/problem/problem.h"

namespace pecann::train {

/// What a term says: an equation that holds throughout the interior, a condition on a part of lower dimension, the
/// state at the first time, or measured values.
enum class TermKind { Equation, Condition, Start, Data };
TermKind kind_of(const problem::Problem& problem, const problem::TermSpec& term);

class Balance {
 public:
  explicit Balance(const problem::Problem& problem);

  /// Called before the step of an epoch, `steps` after the start; sets the evaluator's equation weights when they are
  /// due. Returns the largest factor by which a weight changed relative to another, 1 where none did.
  double prepare(double steps, evaluate::Evaluator& evaluator, std::span<const double> parameters);
  /// Called after an epoch of at least one step, with the values of its end and what each term adds to L there.
  void see(double steps, std::span<const double> parts, const evaluate::TermValues& values);
  /// True when the weights will change before the next step.
  bool changes() const { return changed_; }
  /// Sets the weights anew in an evaluator of the same terms (after a change of points or of constants).
  void apply(evaluate::Evaluator& evaluator) const;

  /// The weights b_te by term and equation; empty before the first prepare().
  const std::vector<std::vector<double>>& weights() const { return weights_; }
  /// The largest weight of an objective's equation: what people are told is relative to it; 1 before prepare().
  double unit() const { return unit_; }

  void save(StateWriter& writer) const;  // names begin with "balance."
  void load(const StateReader& reader, const evaluate::Evaluator& evaluator);

  static constexpr double kBoost = 100, kBoostHalfLife = 4;  // steps
  static constexpr double kReliefStart = 30, kRelief = 10, kStall = 0.5, kFloorRise = 1.3;
  static constexpr double kSolved = 0.01, kMatters = 1e-6;
  static constexpr int kStallEpochs = 5, kMostReliefs = 8;

 private:
  struct Term {
    TermKind kind;
    problem::Role role;
    double relief = 1;          // g
    double lowest_stalled = 0;  // least misfit of data, first of an objective, last share of a constraint; 0: none yet
    bool closed = false;        // its relief stays as it is
    int reliefs = 0;
  };
  /// The epochs since the weights changed or the last look, kStallEpochs at most.
  struct Window {
    int epochs = 0;
    double first_loss = 0, least_loss = 0, most_loss = 0;
    double first_constraints = 0;  // the constraints' part of L
  };
  void relieve_data(std::span<const double> parts, const evaluate::TermValues& values);
  void strengthen_constraints(std::span<const double> parts, const evaluate::TermValues& values);
  /// Takes g back where the objectives have left what was taken for their floor; true then.
  bool leave_plateau(const evaluate::TermValues& values);
  void compute_weights(double steps, const evaluate::Evaluator& evaluator);

  std::vector<Term> terms_;
  std::vector<std::vector<double>> base_, weights_;  // 1/curv and b, by term and equation
  double unit_ = 1;
  double next_due_ = 0;    // steps at which the curvatures are taken next
  bool changed_ = false;   // a relief has changed since the weights were computed
  bool measured_ = false;  // some term is of data
  Window window_;
};

}  // namespace pecann::train
