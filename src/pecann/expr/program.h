// A set of residuals made ready to run: what the network must deliver (jets), what is computed once per point
// set (coordinate-only columns), and the tape that combines them.
//
// Collapsed operators: a sub-sum that is linear in the derivatives of one field with coordinate-only coefficients,
//
//   Σ a_ij(x) ∂_ij u + Σ b_i(x) ∂_i u,
//
// needs one channel of the network instead of one per derivative. compile() finds the maximal linear forms, and
// collapses them where that makes the number of channels of the network smaller.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "pecann/expr/expr.h"
#include "pecann/kernel/tape.h"

namespace pecann::expr {

/// Σ coefficient · ∂^index over orders 1 and 2; coefficients are coordinate-only. Structurally equal operators are one
/// and the same.
struct LinearOperator {
  struct Term {
    MultiIndex index;
    Expr coefficient;
  };
  std::vector<Term> terms;  // sorted by index
};

/// One array the tape reads from a network pass.
struct JetInput {
  std::string field;
  int site = 0;              // index into Program::sites
  int linear_operator = -1;  // index into Program::operators, or -1: the derivative `index` (empty = the value)
  MultiIndex index;
};

struct Program {
  std::vector<std::map<std::string, Expr>> sites;  // [0] is the point itself (empty map); others replace coordinates
  std::vector<LinearOperator> operators;
  std::vector<Expr> columns;  // coordinate-only, computed once per point set
  std::vector<JetInput> jets;
  std::vector<std::string> parameters;  // trainable scalars used
  kernel::Tape tape;                    // inputs: columns, then jets, then parameters; outputs: the residuals
};

/// network_of: fields with the same number share the channels of one network. Residuals are in the order
/// of the outputs.
Program compile(std::span<const Expr> residuals, const std::map<std::string, int>& network_of);

/// The number of channels that `network` carries for the program, summed over its passes (one per site at which its
/// fields are read).
int count_channels(const Program& program, const std::map<std::string, int>& network_of, int network);

/// Values of coordinate-only expressions on points: values[name], of a coordinate or a column of data, has `count`
/// numbers; results[e] gets `count` numbers.
void evaluate_columns(std::span<const Expr> expressions, const std::map<std::string, const double*>& values,
                      std::size_t count, std::span<double* const> results);

}  // namespace pecann::expr
