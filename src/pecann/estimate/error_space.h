// Where the error of a trained solution is looked for, and the solution with an error of this space added:
//
//   e = Σ_p δ_p ∂u_N/∂θ_p + Σ_k c_k h_k,
//
// the tangent space of the trained networks, which contains u_N's own rough shapes, and random features h of several
// scales, which contain what small or badly trained networks miss. Both are columns of one Jacobian: that of a model
// whose networks are the trained ones, at θ, and networks of features beside them, at coefficients zero.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pecann/evaluate/model.h"
#include "pecann/sampling/points.h"
#include "pecann/train/window.h"

namespace pecann::estimate {

class ErrorSpace {
 public:
  /// `draw` names the random features; the problem must outlive the space.
  ErrorSpace(const problem::Problem& problem, const train::Window& window, std::uint64_t seed,
             std::span<const double> trained, const std::string& draw);

  const evaluate::Model& model() const { return *model_; }
  const std::vector<std::string>& coordinates() const { return problem_->box.names; }
  /// The parameters of the trained solution: θ, zero coefficients, trainable scalars.
  const std::vector<double>& origin() const { return origin_; }
  std::size_t size() const { return origin_.size(); }
  std::size_t trained_columns() const { return first_feature_; }  // the θ of networks come first
  std::size_t first_scalar() const { return model_->scalar_offset(); }

  /// The field of a leaf and those of the features that are added to it.
  expr::Expr with_features(const expr::Expr& leaf) const;

  /// The change [leaf][point] of fields and derivatives along a direction of the space.
  std::vector<std::vector<double>> change(std::span<const expr::Expr> leaves, const sampling::PointSet& points,
                                          std::span<const double> direction) const;

  /// Expressions [e][point] of the trained solution with the error `direction` added.
  std::vector<std::vector<double>> corrected(std::span<const expr::Expr> expressions, const sampling::PointSet& points,
                                             std::span<const double> direction) const;

 private:
  const problem::Problem* problem_;
  std::unique_ptr<evaluate::Model> model_;
  std::vector<double> origin_;
  std::size_t first_feature_ = 0;
  std::vector<std::string> prefixes_;  // of the features' fields, one per scale
};

/// The column that holds the change of a leaf.
std::string change_column(std::size_t leaf);

/// The expression with the columns of its leaves' changes added; `leaves` has all of them.
expr::Expr with_changes(const expr::Expr& expression, std::span<const expr::Expr> leaves,
                        const std::function<expr::Expr(const expr::Expr& leaf)>& field);

}  // namespace pecann::estimate
