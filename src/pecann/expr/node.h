// How nodes come into being. Only the building functions include this; everything else goes through expr.h.
#pragma once

#include "pecann/expr/expr.h"

namespace pecann::expr {

/// Completes a node (hash, size, depth) and shares it. Throws InputError beyond kMaxDepth or kMaxSize.
Expr make_node(Node node);

/// A node without simplification.
Expr make_node(Kind kind, std::vector<Expr> arguments);

}  // namespace pecann::expr
