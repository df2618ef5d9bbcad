/// \file
/// What may be chosen about networks, terms and training, each choice with the formula that it enters. With the
/// objective J, the constraints C, their multipliers λ and penalties μ, the augmented Lagrangian is
///
///     L = J + Σ λ C + ½ Σ μ C².
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pecann {

/// A fully connected network; its outputs are fields.
struct Network {
  std::vector<int> hidden = {20, 20, 20};  ///< widths of the hidden layers
  std::string activation = "tanh";         ///< "tanh", "sin" or "silu"
  std::string output = "linear";           ///< "linear", or "sigmoid" for fields in (0, 1)
  /// σ of a Fourier layer in place of the first hidden one: cos(2πBx), sin(2πBx), B ~ N(0, σ²), fixed.
  std::optional<double> fourier_sigma;
  double first_scale = 1;      ///< first-layer weights W ~ N(0, 2/(in + out)) times this
  bool spread_biases = false;  ///< zeros of first-layer features spread over the domain: b = -W x₀, x₀ random
};

/// Fixed random functions whose sum is a field: u = Σ c_k σ(w_k·x + b_k) + c_0, linear in its unknowns c. The method
/// "solve" finds them for linear equations in one epoch.
struct Features {
  int count = 800;                 ///< functions of each field
  std::string activation = "sin";  ///< "sin" or "tanh"
  std::vector<double> scale;       ///< steepness along each input where it runs over [-1, 1]; empty: 4 along all
  double graded = 0;  ///< least distance from an end of an input, in (0, 1), towards which they crowd; 0: none
};

/// How the residuals r of a term become one number, or many.
enum class Aggregate {
  Mean,      ///< C = (1/N) Σ φ(r)
  Sum,       ///< C = Σ φ(r)
  Pointwise  ///< C_j = φ(r_j): a multiplier and a penalty for every point (constraints)
};

/// The distance φ(r), which is aggregated.
enum class Distance {
  Square,   ///< φ(r) = r²
  Absolute  ///< φ(r) = |r|
};

/// Values that equations call data("NAME").
struct Data {
  std::string file;                            ///< .csv with a header or .npy; empty: made from the exact solution
  std::map<std::string, std::string> columns;  ///< NAME -> column of the file, or NAME -> exact field
  double noise = 0;                            ///< made: data = u + noise · scale · N(0, 1), drawn once
  std::string noise_scale = "rms";             ///< scale: "rms" of all values of u, or "value", each its own
};

/// Further choices for a term.
struct Term {
  Aggregate aggregate = Aggregate::Mean;  ///< mean, sum, or one constraint per point
  Distance distance = Distance::Square;   ///< φ
  double weight = 1;                      ///< objectives: J = Σ weight · J_k
  std::optional<double> eta;              ///< constraints: η in μ = η/√(v̄ + ε); default: Penalty::eta
  std::size_t batch = 0;                  ///< > 0: a fresh random subset of so many points each epoch
  std::optional<Data> data;               ///< measured values
};

/// The dual update after every epoch.
struct Penalty {
  /// The rule of the update, where v̄ ← ζ v̄ + (1 - ζ) C² is a moving average:
  ///
  ///     "capu"      if L ≥ ω L_prev:  λ += μ C,  μ = max(μ, η/√(v̄ + ε))
  ///     "balance"   λ from the curvatures of the equations, taken anew while the networks find their scales; μ = 0
  ///     "mpu"       λ += μ C,  μ = min(β μ, μ_max)
  ///     "cpu"       if ‖C‖ fell:  λ += μ C,  else:  μ = min(β μ, μ_max)
  ///     "rmsprop"   μ = η/√(v̄ + ε),  λ += μ C
  ///     "fixed"     λ constant,  μ = 0
  ///     "sa"        λ = c ωᑫ,  where ω climbs L
  std::string strategy = "capu";
  // What is left open has the default of problem files (`pecann methods strategies`).
  std::optional<double> eta;               ///< η of constraints without their own; default: by the optimisers
  std::optional<double> beta;              ///< β, growth of mpu and cpu
  std::optional<double> penalty_max;       ///< μ_max of mpu and cpu
  std::optional<double> zeta;              ///< ζ, memory of v̄
  std::optional<double> omega;             ///< ω, how much L must fall to postpone a dual update
  std::optional<double> epsilon;           ///< ε, floor of v̄
  std::optional<double> multiplier;        ///< λ at the start
  std::optional<double> penalty;           ///< μ at the start (fixed and sa have none)
  std::optional<bool> rebase;              ///< capu: L_prev is L with the new multipliers after an update
  std::optional<double> sa_scale;          ///< c of sa
  std::optional<double> sa_power;          ///< q of sa
  std::optional<double> sa_learning_rate;  ///< of the ascent of ω
};

/// How the learning rate changes in a phase.
struct Schedule {
  std::string kind = "constant";  ///< "constant", "plateau", "step" or "cosine"
  // What is left open has the default of problem files (`pecann methods schedules`); give what the kind knows.
  std::optional<double> factor;    ///< plateau, step: rate ← factor · rate
  std::optional<double> patience;  ///< plateau: cut after more than so many epochs without L < best · (1 - 1e-4)
  std::optional<double> every;     ///< step: cut every so many epochs
  std::optional<double> floor;     ///< cosine: the last rate
};

/// A part of the training with one optimiser. An epoch is one step of it.
struct Phase {
  std::string optimizer = "lbfgs";          ///< "adam", "lbfgs", "ssbroyden", "bfgs" or "lm"
  int epochs = 1000;                        ///< length of the phase
  std::optional<double> learning_rate;      ///< default 1e-3 with Adam, else 1
  Schedule schedule;                        ///< of the learning rate
  std::string mode;                         ///< lbfgs: "compatible" repeats PyTorch's
  std::map<std::string, double> options;    ///< further numbers of the optimiser, by name
  std::optional<double> until;              ///< the phase ends early when L < until · L of its first epoch
  std::map<std::string, double> constants;  ///< Constants with another value in this phase (continuation)
};

/// How a window is tried.
struct WindowTry {
  std::string start = "fresh";  ///< as Windows::start
  int grow = 1;                 ///< as Windows::grow
  double epochs = 1;            ///< times the epochs of every phase
};

/// Time cut into equal windows, trained in order; each hands its end to the next as initial condition.
struct Windows {
  int count = 1;                    ///< number of windows
  std::string normalise = "whole";  ///< range of t at network inputs: "whole" or "window"
  std::string start = "fresh";      ///< a window's networks begin "fresh", from the "previous" one, or "extrapolate" it
  std::string curvature = "fresh";  ///< the optimiser's memory begins "fresh", or is that of the "previous" window
  int grow = 1;                     ///< the phases run on the first 1/grow of a window, on 2/grow, …, on all of it
  std::optional<WindowTry> first;   ///< the first window, which has nothing to begin from; default: as the others
  std::optional<WindowTry> retry;   ///< a window that fails its check; default: fresh, grow doubled, epochs doubled
  /// Term -> the largest mean of φ(r) on fresh points with which a window passes; empty: windows are not checked.
  std::map<std::string, double> check;
  int check_points = 10000;  ///< fresh points of a term whose own are a grid; others have as many as in training
  double give_up = 1;        ///< after a second failure training goes on if no value exceeds its limit by this factor
};

/// Points that training never sees, and which iterate is the answer.
struct HeldOut {
  std::string keep = "best";  ///< "best" on held-out points, or "last"
  int every = 0;              ///< epochs between looks; 0: as often as a twentieth of the evaluations allows
};

/// How errors are measured.
struct Evaluation {
  std::vector<int> grid;    ///< nodes per coordinate; empty: chosen by the number of coordinates
  int every = 0;            ///< epochs between error norms; 0: a hundredth of all, with Stop::seconds by time
  bool final_only = false;  ///< the exact solution holds at the last time only
  std::vector<std::string> measures = {"relative_l2", "linf"};  ///< also "l1", "integral", those of the reference
  /// Field -> the coordinates that are frozen where its error is taken: {{"F", {{"t", 0.5}}}}.
  std::map<std::string, std::map<std::string, double>> at;
  std::string reference;  ///< a reference solution (docs/problem-files.md) or a .csv/.npy file; empty: none
  std::string mesh;       ///< a shape made of a mesh, at whose nodes errors are taken; empty: at those of the grid
};

/// The rules that end the training before its last phase does; the first one that holds counts.
struct Stop {
  std::optional<int> epochs;        ///< of all phases together, per window
  std::optional<double> seconds;    ///< of training
  std::optional<double> loss;       ///< L ≤ loss
  std::optional<double> violation;  ///< √C ≤ violation for every constraint (C itself with absolute values)
  std::optional<double> error;      ///< relative l² error ≤ error for every field with an exact solution
  std::optional<int> stall;         ///< so many epochs without a new lowest L
};

}  // namespace pecann
