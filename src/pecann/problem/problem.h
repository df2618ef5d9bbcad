// A problem as plain data: what a problem file says, checked and with its equations parsed. Nothing here runs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pecann/expr/expr.h"
#include "pecann/expr/parse.h"
#include "pecann/penalty/strategy.h"
#include "pecann/problem/choices.h"
#include "pecann/sampling/domain.h"
#include "pecann/sampling/table.h"

namespace pecann::problem {

using Range = std::pair<double, double>;  // from a smaller to a larger number

struct NetworkSpec {
  std::string name;  // default: "network-1", …
  std::vector<std::string> fields;
  std::vector<std::string> inputs;  // coordinates; default: all
  std::vector<int> hidden;
  Activation activation = Activation::Tanh;
  Output output = Output::Linear;
  std::optional<double> fourier_sigma;
  std::optional<network::Features> features;  // the hidden layer is fixed, its one width the number of features
  double first_scale = 1;      // the first layer's start weights times this: steeper features for high frequencies
  bool spread_biases = false;  // first-layer biases that spread the features over the domain instead of zero
  bool automatic = false;      // made for unknowns that the file only names (problem/automatic.h)
};

struct ParameterSpec {  // a trainable scalar
  std::string name;
  double initial = 1;
  std::optional<double> lower, upper;  // kept inside by a smooth map of an unbounded variable
  bool log_scale = false;              // trained as its logarithm (must be positive)
  std::optional<double> exact;
};

/// Values the equations of a data term compare with: `data.NAME` in its equations, one number per point.
struct DataSpec {
  std::string file;                              // CSV with a header or NPY; empty: synthesised from [exact]
  std::shared_ptr<const sampling::Table> table;  // what the file held when the problem was read
  std::map<std::string, std::string> columns;    // data name -> column of the file
  double noise = 0;                              // synthesised: relative standard deviation, drawn once per trial
  NoiseScale noise_scale = NoiseScale::Rms;      // what noise is relative to
};

/// A function of coordinates that is interpolated between the nodes of a file's grid.
struct TableSpec {
  std::string file;                      // CSV, COMSOL's text, NPY, VTI; or a table of the program
  std::vector<std::string> coordinates;  // in the order of an array's indices
  std::map<std::string, Range> ranges;   // of the nodes of an array, where they are not those of the coordinates
  std::string value;                     // the column or array that is taken; empty: the only one there is
  Interpolate interpolate = Interpolate::Cubic;
  std::shared_ptr<const expr::Interpolant> interpolant;  // made when the problem was read
};

/// Points drawn where an expression is large, besides those of the term's rule (sampling/density_choice.h).
struct NearSpec {
  std::size_t count = 0;  // how many
  std::string
      density_text;  // an expression of coordinates, fields and `residual`, the root of the term's sum of squares
  expr::Expr density = 1.0;
  std::size_t pool = 0;  // candidates that they are chosen from, per region piece
};

struct TermSpec {
  std::string name;
  Role role = Role::Objective;
  sampling::Regions regions;
  std::string region_text;  // as written, for messages and output
  std::vector<std::string> equation_texts;
  std::vector<expr::Expr> residuals;  // parsed, constants filled in; sum of their squares counts
  sampling::PointRule points;
  std::string points_of;                                // non-empty: shares the points of that term
  std::string points_file;                              // non-empty: CSV/NPY of coordinates
  std::shared_ptr<const sampling::Table> points_table;  // what it held when the problem was read
  std::optional<NearSpec> near;
  std::size_t batch = 0;  // > 0: a fresh random subset of this many points each epoch
  Aggregate aggregate = Aggregate::Mean;
  Distance distance = Distance::Square;
  double weight = 1;          // of objectives
  std::optional<double> eta;  // of constraints; default: penalty.eta
  std::optional<DataSpec> data;
  bool automatic_points = false;  // the file says nothing of points (problem/automatic.h)
  bool joint = false;             // made of [decompose] (problem/joints.h), not written into files
};

using PenaltySpec = penalty::StrategyOptions;

struct ScheduleSpec {
  std::string kind = "constant";          // a row of optim/schedule.h
  std::map<std::string, double> options;  // all options that the row has
};

struct PhaseSpec {
  std::string optimizer = "adam";  // with `mode` a row of optim/registry.h
  int epochs = 1000;
  double learning_rate = 1e-3;  // default: the row's
  ScheduleSpec schedule;
  std::string mode;
  std::map<std::string, double> options;    // further numbers the optimiser knows, by name
  std::optional<double> until;              // the phase ends early when L < until · L of its first epoch
  std::map<std::string, double> constants;  // constants with another value in this phase (continuation)
};

/// How a window is tried.
struct WindowTry {
  WindowStart start = WindowStart::Fresh;
  int grow = 1;       // the phases run on the first 1/grow of the window, on 2/grow, …, on all of it
  double epochs = 1;  // factor of the epochs of every phase
};

/// How a window that failed its check is tried again, unless the problem says how.
inline WindowTry default_retry(const WindowTry& usual) {
  return {.start = WindowStart::Fresh, .grow = 2 * usual.grow, .epochs = 2};
}

struct WindowSpec {
  int count = 1;  // equal windows over the time range
  Normalise normalise = Normalise::Whole;
  Curvature curvature = Curvature::Fresh;
  WindowTry usual;                      // how every window is tried
  WindowTry first;                      // the first window, which has nothing to begin from
  WindowTry retry;                      // a window that failed its check, once more
  std::map<std::string, double> check;  // term -> largest mean of its distance on fresh points; none: no check
  int check_points = 10000;             // fresh points of a term with a grid (others have as many as in training)
  double give_up = 1;  // after a second failure training goes on if no value exceeds its limit by this factor
};

/// Parts of the box with networks of their own (problem/parts.h), joined by conditions (problem/joints.h).
struct DecomposeSpec {
  std::vector<std::vector<double>> planes;  // between parts, by coordinate, ascending; none: one part
  int points = 0;                           // of every joint, for each part that it crosses
  int along(int coordinate) const {
    return planes.empty() ? 1 : static_cast<int>(planes[static_cast<std::size_t>(coordinate)].size()) + 1;
  }
};

struct StopSpec {
  std::optional<int> epochs;  // the most of all phases together (of one window)
  std::optional<double> seconds, loss, violation, error;
  std::optional<int> stall;  // epochs without a new best loss
};

/// Points that training never sees, and which iterate is the answer (train/held_out.h).
struct HeldOutSpec {
  std::optional<Keep> keep = Keep::Last;  // nothing in drafts: chosen with the training when they are read
  bool watch = false;                     // looks at held-out points; Keep::Best needs it
  int every = 0;                          // epochs between looks; 0: by cost
};

struct EvaluateSpec {
  std::vector<int> grid;  // default: 10001; 201 × 201; 51 × 51 × 51; then about 200,000 nodes
  std::string mesh;  // a shape made of a mesh, at whose nodes errors are taken instead; empty: at those of the grid
  int every = 0;     // epochs between error norms in the history; 0: a hundredth of all; with stop.seconds by time
  bool final_only = false;  // the exact solution holds at the last time only (vortex)
  /// The measures of the error by name: "relative_l2", "linf", "l1" Σ|û−u|·cell, "integral" |Σû·cell − Σu·cell|, and
  /// those of the reference.
  std::vector<std::string> measures = {"relative_l2", "linf"};
  std::map<std::string, std::map<std::string, double>> at;  // field -> coordinates frozen where its error is taken
  std::vector<std::string> together;                        // fields with one error over all of them; none: no such
};

/// Panels of the report page beyond those that every problem has.
struct ReportSpec {
  std::map<std::string, std::vector<double>> profiles;  // coordinate -> where lines are cut out of a map
  std::vector<double> snapshots;                        // times of the pictures beside the slider
  std::vector<double> contours;                         // levels of iso-lines
  std::vector<double> contour_times;                    // where the iso-lines have pictures of their own
};

/// Tables of the program that makes a problem, by the names that its terms write where others name files.
using GivenTables = std::map<std::string, std::shared_ptr<const sampling::Table>>;

/// The largest seed: a double has all whole numbers up to it, and so has a problem file.
inline constexpr std::uint64_t kMostSeed = std::uint64_t{1} << 53;

struct Problem {
  std::string title;
  std::string source;              // file or catalogue name, for messages
  std::string origin;              // in a run's problem.toml: the file or catalogue name that it was made from
  sampling::Box box;               // the coordinates' ranges
  sampling::DomainPointer domain;  // the part of the box that the problem is posed on
  std::map<std::string, double> constants;
  std::map<std::string, TableSpec> interpolated;  // [tables]
  std::map<std::string, expr::Function> functions;
  std::map<std::string, std::string> exact_texts;
  std::map<std::string, expr::Expr> exact;  // by field, or by function without arguments
  std::vector<NetworkSpec> networks;
  std::vector<ParameterSpec> parameters;
  std::vector<TermSpec> terms;
  std::vector<std::string> free;  // names of regions that have no condition on purpose ("x = 1")
  GivenTables tables;
  PenaltySpec penalty;
  std::vector<PhaseSpec> phases;
  WindowSpec windows;
  DecomposeSpec decompose;
  StopSpec stop;
  HeldOutSpec held_out;
  EvaluateSpec evaluate;
  std::map<std::string, std::string> units;  // of coordinates, fields and numbers, for pictures and tables alone
  ReportSpec report;
  std::string reference;             // "" or a named reference solution (reference/registry.h), or a CSV/NPY file
  std::string recipe;                // the recipe that was chosen; "" = the file's own training
  std::string recommendation;        // why the phases are what they are, when the problem names none
  bool training_open = false;        // the file asks for no training in particular: a solve may stand for it
  std::vector<std::string> recipes;  // the recipes that the file offers
  std::optional<double> accuracy;    // the largest relative l² error asked for (accuracy/accuracy.h)
  int trials = 1;
  std::uint64_t seed = 1;
};

}  // namespace pecann::problem
