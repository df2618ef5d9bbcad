#include "pecann/expr/replace_fields.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "pecann/expr/node.h"

namespace pecann::expr {
namespace {

using Replaced = std::unordered_map<const Node*, Expr>;

Expr replaced_leaves(const Expr& a, const std::function<Expr(const Expr&)>& leaf, Replaced& done) {
  if (a->arguments.empty()) return a->kind == Kind::Field ? leaf(a) : a;
  if (const auto found = done.find(&a.node()); found != done.end()) return found->second;
  std::vector<Expr> arguments;
  arguments.reserve(a->arguments.size());
  for (const Expr& argument : a->arguments) arguments.push_back(replaced_leaves(argument, leaf, done));
  return done.emplace(&a.node(), with_arguments(a, std::move(arguments))).first->second;
}

}  // namespace

Expr replace_fields(const Expr& a, const std::function<Expr(const Expr& leaf)>& leaf) {
  Replaced done;
  return replaced_leaves(a, leaf, done);
}

std::vector<Expr> field_leaves(std::span<const Expr> expressions) {
  std::vector<Expr> leaves;
  std::unordered_set<Expr, ExprHash, ExprSame> known;
  for (const Expr& expression : expressions)
    replace_fields(expression, [&](const Expr& leaf) {
      if (known.insert(leaf).second) leaves.push_back(leaf);
      return leaf;
    });
  return leaves;
}

Expr renamed_field(const Expr& leaf, const std::string& name) {
  Node node{.kind = Kind::Field};
  node.name = name;
  node.derivative = leaf->derivative;
  node.site = leaf->site;
  return make_node(std::move(node));
}

bool linear_in_fields(const Expr& a) {
  if (coordinate_only(a) || a->arguments.empty()) return true;
  switch (a->kind) {
    case Kind::Add:
      return std::ranges::all_of(a->arguments, linear_in_fields);
    case Kind::Multiply:
      return std::ranges::count_if(a->arguments, [](const Expr& factor) { return !coordinate_only(factor); }) == 1 &&
             std::ranges::all_of(a->arguments, linear_in_fields);
    case Kind::Divide:
      return coordinate_only(a->arguments[1]) && linear_in_fields(a->arguments[0]);
    case Kind::If:
      return coordinate_only(a->arguments[0]) && linear_in_fields(a->arguments[1]) && linear_in_fields(a->arguments[2]);
    default:
      return false;
  }
}

}  // namespace pecann::expr
