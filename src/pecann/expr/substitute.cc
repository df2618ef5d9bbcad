#include <unordered_map>

#include "pecann/base/input_error.h"
#include "pecann/expr/derivative.h"
#include "pecann/expr/expr.h"
#include "pecann/expr/node.h"

namespace pecann::expr {
namespace {

/// Rebuilds a tree with its leaves replaced by `leaf(expr)`; shared nodes are rebuilt once.
template <class Leaf>
class Rebuild {
 public:
  explicit Rebuild(Leaf leaf) : leaf_(std::move(leaf)) {}

  Expr operator()(const Expr& a) {
    if (a->arguments.empty()) return leaf_(a);
    if (const auto found = done_.find(&a.node()); found != done_.end()) return found->second;
    std::vector<Expr> arguments;
    arguments.reserve(a->arguments.size());
    for (const Expr& argument : a->arguments) arguments.push_back((*this)(argument));
    return done_.emplace(&a.node(), with_arguments(a, std::move(arguments))).first->second;
  }

 private:
  Leaf leaf_;
  std::unordered_map<const Node*, Expr> done_;
};

using Site = std::map<std::string, Expr>;

Expr replaced_coordinates(const Expr& a, const Site& site);

/// The field of `a` at the composition of its own site with `site` (x -> s(x) first, then x -> site in s).
Expr moved_field(const Expr& a, const Site& site) {
  Node node{.kind = Kind::Field};
  node.name = a->name;
  node.derivative = a->derivative;
  for (const auto& [name, replacement] : a->site) node.site.emplace(name, replaced_coordinates(replacement, site));
  for (const auto& [name, replacement] : site) node.site.emplace(name, replacement);
  std::erase_if(node.site, [](const auto& entry) {
    return entry.second->kind == Kind::Coordinate && entry.second->name == entry.first;
  });
  return make_node(std::move(node));
}

Expr replaced_coordinates(const Expr& a, const Site& site) {
  return Rebuild([&site](const Expr& leaf) {
    if (leaf->kind == Kind::Field) return moved_field(leaf, site);
    if (leaf->kind != Kind::Coordinate) return leaf;
    const auto found = site.find(leaf->name);
    return found == site.end() ? leaf : found->second;
  })(a);
}

}  // namespace

Expr at(const Expr& a, const std::map<std::string, Expr>& site) {
  for (const auto& [name, replacement] : site) {
    if (coordinate_only(replacement)) continue;
    InputError::Parts parts;
    parts.value = "at(…, " + name + " = " + shortened(to_string(replacement)) + ")";
    parts.rule = "a coordinate may be replaced only by an expression of coordinates and constants";
    throw InputError(parts);
  }
  if (a->reads_data && !site.empty())
    throw InputError(
        {.rule = "the values of '" + first_data(a) + "' are known at the points only, not where at() looks",
         .hint = "apply at() to the fields alone, as in at(u, x = 1) = data.u"});
  if (a->integrates && !site.empty())
    throw InputError({.rule = "an integral has one value, not one at every place: at() does not go with it",
                      .hint = "use at() inside, as in integral(at(u, x = 1))"});
  return replaced_coordinates(a, site);
}

Expr substitute_fields(const Expr& a, const std::map<std::string, Expr>& fields) {
  return Rebuild([&fields](const Expr& leaf) {
    const auto found = leaf->kind == Kind::Field ? fields.find(leaf->name) : fields.end();
    if (found == fields.end()) return leaf;
    Expr result = found->second;
    for (const auto& [coordinate, order] : leaf->derivative)
      for (int i = 0; i < order; ++i) result = derivative(result, coordinate);
    return at(result, leaf->site);
  })(a);
}

}  // namespace pecann::expr
