// The evaluator turns terms on points into J, C and their gradients.
//
// Points that several terms share go through the networks once: the terms of a point set form a group. A group's
// tiles are cut into work items by the problem alone; every item has its own gradient, and sums over items are taken
// in the items' order, so that results are the same bits for any number of threads. Ranks (base/communicator.h) own
// consecutive items, exchange the sums and rows of theirs, and pass the gradient's sum from one to the next: the
// same bits again.
//
// An aggregated constraint enters ∇L = Σ w_i ∇C_i with a weight w_i = λ_i + μ_i C_i that is known only when all
// points are done. A group with one such term keeps the unit gradient ∇C_i in its items and applies w_i in the final
// sum: no second pass, and a change of multipliers at the same θ costs no network evaluation. A group with several of
// them is evaluated forward first, then forward and backward with the weights known. A point-wise constraint has its
// weight at the point.
//
// Terms of integrals (expr/integral.h) form groups of their own, behind those of the points: their residuals are
// functions of sums over all points, one for the term, or one for every time in integrals over space. They are
// evaluated forward first, like constraints that share points, and the seeds of the integrands are the slopes of L by
// the integrals. What is said of a term's points (share, count_of, rows, point-wise entries) is said of these times.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pecann/evaluate/bound_program.h"
#include "pecann/evaluate/tile_runner.h"
#include "pecann/penalty/dual_state.h"

namespace pecann::evaluate {

struct Term {
  std::string name;
  problem::Role role = problem::Role::Objective;
  problem::Aggregate aggregate = problem::Aggregate::Mean;
  problem::Distance distance = problem::Distance::Square;
  double weight = 1;  // of objectives
  std::vector<expr::Expr> residuals;
  std::size_t point_set = 0;             // terms of one point set share network passes
  std::vector<double> equation_weights;  // what φ of each equation counts in the term's value; empty: all 1
  /// A point-wise inequality g ≤ 0 with multipliers of its own kind (Powell, Hestenes, Rockafellar,
  /// penalty/dual_state.h): its only residual and its entries are g, of either sign, and the term's value is the mean
  /// of φ(max(g, 0)).
  bool multiplied_inequality = false;

  double equation_weight(std::size_t equation) const {
    return equation_weights.empty() ? 1.0 : equation_weights[equation];
  }
};

/// What a row of a term's residuals violates: the residual, or max(g, 0) of an inequality.
inline double violation(const Term& term, double row) { return term.multiplied_inequality && row < 0 ? 0.0 : row; }

/// The distance φ of a residual (r² or |r|) and its derivative.
double distance(problem::Distance kind, double residual);
double distance_slope(problem::Distance kind, double residual);

struct TermValues {
  double objective = 0;             // Σ weight · value over the objective terms
  std::vector<double> terms;        // each term's value: its mean or sum (a point-wise term: the mean of its entries)
  std::vector<double> plain;        // the same with all equation weights 1: what the user's equations leave
  std::vector<double> constraints;  // one entry per aggregated constraint, one per point of a point-wise one
};

/// Where a constraint's entries lie in TermValues::constraints.
struct ConstraintEntries {
  std::string name;
  int term;
  std::size_t first, count;
  bool pointwise;
  bool inequality = false;  // Term::multiplied_inequality
};

struct Multipliers {
  std::span<const double> multiplier, penalty;  // λ, μ by constraint entry

  /// ∂L/∂C of an entry.
  double weight(std::size_t entry, std::span<const double> constraints) const {
    return pecann::penalty::lagrangian_weight(multiplier[entry], penalty[entry], constraints[entry]);
  }
};

/// A place where a residual is not finite.
struct NotFinite {
  std::string term;
  std::size_t point;
  std::vector<double> coordinates;
  double residual;
};

/// About how many work items a problem is cut into: enough that up to 64 threads find work, few enough that clearing
/// and summing their gradients stays cheap. For large networks the items' gradients together are held near half a
/// million numbers (on 6x128 the sum of 64 gradients took a tenth of the time). Beyond a million points there are more,
/// one for every 16,384 points, while their gradients together stay below 240 MB.
double target_items(std::size_t parameters, double points);

class Evaluator {
 public:
  /// The model must outlive the evaluator. Points with the column sampling::kImportanceColumn count by it in means and
  /// sums; the points of point-wise terms have no such column.
  Evaluator(const Model& model, std::vector<Term> terms, const std::vector<sampling::PointSet>& points,
            std::vector<std::string> coordinates);
  ~Evaluator();

  const Model& model() const { return *model_; }
  std::span<const Term> terms() const { return terms_; }
  std::span<const ConstraintEntries> constraints() const { return entries_; }
  std::size_t num_constraint_entries() const { return num_entries_; }
  std::size_t num_points() const;
  std::size_t num_items() const { return items_.size(); }  // each with a gradient of its own
  double flops() const;                                    // of one loss and gradient, as in network::flops_per_point

  /// New weights of the equations of a term (Term::equation_weights), one for each of them.
  void set_equation_weights(std::size_t term, std::span<const double> weights);
  std::span<const std::string> coordinates() const { return coordinates_; }
  /// New points for a set (same number of points where a term of it is point-wise).
  void set_points(std::size_t point_set, const sampling::PointSet& points);
  /// What is computed at the points of a set: its equations, or the integrands where it has only integrals.
  const BoundProgram& program(std::size_t point_set) const;
  /// What a point counts in the value of an aggregated term: its importance, for a mean over the number of points.
  double share(const Term& term, std::size_t point) const;
  /// √share of the point of every row: what residuals are multiplied by to be rows of least squares.
  std::span<const double> row_scale() const;
  /// How many residuals each equation of a term has: one per point; of integrals one, or one for every time.
  std::size_t count_of(const Term& term) const;

  /// What will be asked next at the same parameters: a group whose gradient needs no weights computes it along
  /// with the values.
  enum class Next { Nothing, Gradient };
  const TermValues& values(std::span<const double> parameters, Next next = Next::Nothing);

  /// ∇L = ∇J + Σ (λ_i + μ_i C_i) ∇C_i; values() of these parameters are up to date afterwards.
  const TermValues& gradient(std::span<const double> parameters, const Multipliers& duals, std::span<double> gradient);

  /// Residual rows, for methods that see the least-squares structure. A tile of points gives one run of rows per
  /// equation; row_offsets()[tile] is the first row of each tile, with the number of rows at the end.
  struct RowRun {
    int term, equation;
    std::size_t first_row, first_point, count;
  };
  std::size_t num_rows() const { return row_offsets_.back(); }
  std::span<const std::size_t> row_offsets() const { return row_offsets_; }
  std::span<const RowRun> row_runs() const { return row_runs_; }
  void residuals(std::span<const double> parameters, std::span<double> rows);

  /// The Jacobian rows of the tiles [first_tile, first_tile + num_tiles), times row_scale, as
  /// columns[parameter * stride + row].
  void jacobian(std::span<const double> parameters, std::span<const double> row_scale, std::size_t first_tile,
                std::size_t num_tiles, double* columns, std::size_t stride);

  /// The networks (numbers of Model::networks()) that the rows of a tile depend on; empty for rows of integrals, which
  /// depend on all.
  std::vector<int> networks_of(std::size_t tile) const;
  /// The Jacobian rows of some tiles, none of integrals, one tile after another, for some networks only:
  /// columns[(first_column[n] + q) * stride + row] is that of parameter q of network n. What these tiles do not depend
  /// on stays as it is, and so do networks whose entry is negative. Every rank computes all of them.
  void jacobian(std::span<const double> parameters, std::span<const double> row_scale,
                std::span<const std::size_t> tiles, std::span<const std::ptrdiff_t> first_column, double* columns,
                std::size_t stride);

  /// Σ_row seeds[row] ∇r_row: one reverse pass.
  void pull_back(std::span<const double> parameters, std::span<const double> seeds, std::span<double> gradient);

  /// Gradient of one term's value (of a point-wise constraint: of the mean of its entries).
  void term_gradient(std::span<const double> parameters, int term, std::span<double> gradient);

  /// The first point whose residual is not finite, in the order of terms and points.
  std::optional<NotFinite> find_not_finite(std::span<const double> parameters);

 private:
  struct Group;
  struct Item;

  void make_integral_groups(const std::vector<sampling::PointSet>& points);
  Group& integral_group(const Term& term) const;
  void gather_integral_values(const Group& group);
  void bind_integrals(Group& group);
  void finish_integrals(Group& group);
  void weigh_integrals(Group& group, std::span<const double> by_residual);
  void seed_integrals(Group& group, const Multipliers* duals);
  void add_integral_tile(const Group& group, const TileRunner& runner, Item& item);
  bool fill_integral_seeds(const Group& group, TileRunner& runner, std::size_t tile);
  void integral_jacobian(std::span<const double> row_scale, std::size_t first_tile, std::size_t num_tiles,
                         double* columns, std::size_t stride);
  void pull_back_integrals(const Group& group, Item& item, TileRunner& runner);
  void add_scalar_slopes(std::span<double> gradient) const;
  void require_integrals();
  void pull_back_rows(const std::vector<std::size_t>& groups, std::span<const double> seeds,
                      std::span<double> gradient);

  void set_parameters(std::span<const double> parameters);
  void bind(Group& group, const sampling::PointSet& points);
  void cut_into_items();
  int threads_for(double flops) const;
  double flops_of(const std::vector<std::size_t>& groups) const;
  void prepare_runners(const std::vector<std::size_t>& groups, int threads);
  template <class Work>
  void for_items(const std::vector<std::size_t>& groups, double flops, const Work& work);
  void run_forward(const std::vector<std::size_t>& groups);
  void run_backward(const std::vector<std::size_t>& groups, const Multipliers* duals);
  void add_tile_values(const Group& group, const TileRunner& runner, Item& item);
  void fill_seeds(const Group& group, TileRunner& runner, const Multipliers* duals);
  void divide_items();
  void exchange_values(const std::vector<std::size_t>& groups);
  void add_items(std::span<const double> group_weights, std::size_t begin, std::size_t end,
                 std::span<double> gradient) const;
  void gather_values();
  void reduce(std::span<const double> group_weights, std::span<double> gradient);
  std::size_t group_of(std::size_t tile) const;
  const ConstraintEntries* constraint_of(int term) const;  // null for objectives
  double* entries_of(int term);                            // the entries of a point-wise constraint, else null
  void number_rows();
  void share_columns(std::size_t first_tile, std::span<const std::size_t> rank_tiles, double* columns,
                     std::size_t stride);
  const std::vector<std::size_t>& used_groups(bool integrals);

  const Model* model_;
  std::vector<Term> terms_;
  std::vector<std::string> coordinates_;
  std::vector<ConstraintEntries> entries_;
  std::size_t num_entries_ = 0;
  std::vector<std::size_t> row_offsets_;
  std::vector<RowRun> row_runs_;
  mutable std::vector<double> row_scale_;       // empty until it is asked for with the points that there are
  std::vector<std::unique_ptr<Group>> groups_;  // those of the points, then those of integrals
  std::vector<std::size_t> integral_groups_;
  std::vector<std::unique_ptr<Item>> items_;
  std::vector<std::size_t> rank_items_, rank_rows_;  // bounds of the ranks' items and of their rows
  std::vector<double> shared_sums_, shared_rows_;
  PackedModel packed_;
  std::vector<double> parameters_;  // those of the cached results; empty = none
  std::vector<double> group_weights_;
  std::vector<std::size_t> pending_, all_groups_, scheduled_;  // lists kept to avoid allocation
  std::vector<AlignedVector<double>> jacobian_tiles_;          // one per thread
  TermValues values_;
};

}  // namespace pecann::evaluate
