// How nodes come into being. Only the building functions include this; everything else goes through expr.h.
#pragma once

#include "pecann/expr/expr.h"

namespace pecann::expr {

/// Completes a node (hash, size, depth) and shares it. Throws InputError beyond kMaxDepth or kMaxSize.
Expr make_node(Node node);

/// Makes a node without simplification.
Expr make_node(Kind kind, std::vector<Expr> arguments);

/// The name of a column that an expression with reads_data reads.
const std::string& first_data(const Expr& a);

/// Bounds the work on one text: while it lives, this thread makes at most `most` nodes, then make_node
/// throws InputError. A bound inside another one changes nothing. Sizes alone do not bound the work: nested derivatives
/// build and drop one large tree after another.
inline constexpr std::uint64_t kMaxMade = 1'000'000;
class WorkBound {
 public:
  explicit WorkBound(std::uint64_t most = kMaxMade);
  ~WorkBound();
  WorkBound(const WorkBound&) = delete;
  WorkBound& operator=(const WorkBound&) = delete;

 private:
  bool outermost_;
};

}  // namespace pecann::expr
