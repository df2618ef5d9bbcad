// What an Expression holds: the tree, and what a problem that uses it must know of its leaves.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "pecann/expr/derivative.h"
#include "pecann/expr/expr.h"
#include "pecann/expression.h"
#include "pecann/problem/problem.h"

namespace pecann::api {

/// A function on the nodes of a grid, as a table with a row for each node.
struct TableData {
  problem::TableSpec spec;
  std::shared_ptr<const sampling::Table> table;
};

/// Facts about the names in a tree; a name must mean the same everywhere.
struct Leaves {
  std::set<std::string> coordinates;  // those that the expression depends on, the inputs of its fields included
  expr::FieldInputs field_inputs;
  std::map<std::string, ParameterOptions> parameters;
  std::map<std::string, double> constants;
  std::set<std::string> family;  // coordinates that are not of space, but for time
  std::map<std::string, std::shared_ptr<const TableData>> tables;

  /// Adds the names of another tree. Throws InputError when a name has another meaning there.
  void merge(const Leaves& other);
};

struct ExpressionData {
  expr::Expr tree;
  Leaves leaves;
};

}  // namespace pecann::api
