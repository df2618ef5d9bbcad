#include "pecann/expr/node.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/expr/interpolant.h"

namespace pecann::expr {
namespace {

std::uint64_t mixed(std::uint64_t hash,
                    std::uint64_t value) {  // FNV-1a on words, then one round of a finaliser
  hash = (hash ^ value) * 0x100000001B3u;
  return hash ^ (hash >> 29);
}

std::uint64_t mixed(std::uint64_t hash, const std::string& text) {
  for (const char c : text) hash = mixed(hash, static_cast<unsigned char>(c));
  return mixed(hash, text.size());
}

[[noreturn]] void refuse(const std::string& rule, const std::string& hint) {
  InputError::Parts parts;
  parts.rule = rule;
  parts.hint = hint;
  throw InputError(parts);
}

struct Work {
  std::uint64_t most = 0;  // 0: not bounded
  std::uint64_t made = 0;
};
thread_local Work work;

Expr named_leaf(Kind kind, std::string name) {
  Node node{.kind = kind};
  node.name = std::move(name);
  return make_node(std::move(node));
}

}  // namespace

WorkBound::WorkBound(std::uint64_t most) : outermost_(work.most == 0) {
  if (outermost_) work = {.most = most};
}

WorkBound::~WorkBound() {
  if (outermost_) work.most = 0;
}

Expr make_node(Node node) {
  std::uint64_t hash = mixed(0xCBF29CE484222325u, static_cast<std::uint64_t>(node.kind));
  std::uint64_t size = 1;
  std::uint32_t depth = 0;
  node.integrates = node.kind == Kind::Integral || node.kind == Kind::Mean;
  node.coordinate_only = node.kind != Kind::Field && node.kind != Kind::Parameter && !node.integrates;
  node.reads_data = node.kind == Kind::Data;
  if (node.kind == Kind::Constant) hash = mixed(hash, std::bit_cast<std::uint64_t>(node.value));
  if (!node.name.empty()) hash = mixed(hash, node.name);
  for (const auto& [coordinate, order] : node.derivative)
    hash = mixed(mixed(hash, coordinate), static_cast<std::uint64_t>(order));
  for (const auto& [coordinate, replacement] : node.site) {
    hash = mixed(mixed(hash, coordinate), replacement->hash);
    size += replacement->size;
    depth = std::max(depth, replacement->depth);
    node.reads_data = node.reads_data || replacement->reads_data;
  }
  for (const Expr& argument : node.arguments) {
    hash = mixed(hash, argument->hash);
    size += argument->size;
    depth = std::max(depth, argument->depth);
    node.coordinate_only = node.coordinate_only && argument->coordinate_only;
    node.reads_data = node.reads_data || argument->reads_data;
    node.integrates = node.integrates || argument->integrates;
  }
  if (work.most != 0 && ++work.made > work.most)
    refuse("the expression takes too long to write out: nested derivatives or functions make more than " +
               std::to_string(work.most) + " parts on the way",
           "split the equation, or add a field for an inner derivative");
  if (depth >= kMaxDepth)
    refuse("an expression may be nested at most " + std::to_string(kMaxDepth) + " deep", "write it in a flatter form");
  if (size > kMaxSize)
    refuse(
        "an expression may have at most " + std::to_string(kMaxSize) + " parts, functions and derivatives written out",
        "split the equation");
  node.hash = hash;
  node.size = static_cast<std::uint32_t>(size);
  node.depth = depth + 1;
  return Expr(std::make_shared<const Node>(std::move(node)));
}

Expr make_node(Kind kind, std::vector<Expr> arguments) {
  Node node{.kind = kind};
  node.arguments = std::move(arguments);
  return make_node(std::move(node));
}

Expr::Expr(double constant) : node_() {
  if (!std::isfinite(constant)) refuse("the constants of an expression do not give a finite number", "");
  Node node{.kind = Kind::Constant};
  node.value = constant == 0 ? 0.0 : constant;  // no negative zero
  *this = make_node(std::move(node));
}

Expr coordinate(std::string name) { return named_leaf(Kind::Coordinate, std::move(name)); }
Expr data_column(std::string name) { return named_leaf(Kind::Data, std::move(name)); }
Expr named_constant(std::string name) { return named_leaf(Kind::NamedConstant, std::move(name)); }
Expr parameter(std::string name) { return named_leaf(Kind::Parameter, std::move(name)); }

Expr field(std::string name, MultiIndex derivative) {
  std::erase_if(derivative, [](const auto& entry) { return entry.second == 0; });
  Node node{.kind = Kind::Field};
  node.name = std::move(name);
  node.derivative = std::move(derivative);
  return make_node(std::move(node));
}

Expr table_value(std::shared_ptr<const Interpolant> table, std::vector<Expr> arguments, MultiIndex derivative) {
  require(table != nullptr && arguments.size() == table->coordinates().size(),
          "table_value: an argument per coordinate");
  std::erase_if(derivative, [](const auto& entry) { return entry.second == 0; });
  if (!std::ranges::all_of(arguments, [](const Expr& argument) { return argument->coordinate_only; }))
    refuse("the table '" + table->name() + "' is a function of coordinates: its arguments may not have fields",
           "a law that depends on a field is written as a function");
  for (const auto& [coordinate, order] : derivative) {
    if (order <= table->smoothness()) continue;
    if (table->rule() == Interpolate::Cubic)
      refuse("the table '" + table->name() + "' has derivatives up to the second one in '" + coordinate +
                 "': the third jumps at the nodes of a cubic spline",
             "add a field for an inner derivative, or give the derivative as a table of its own");
    refuse("the table '" + table->name() + "' has no derivative in '" + coordinate + "': interpolated by " +
               (table->rule() == Interpolate::Linear ? "straight lines it has kinks" : "the nearest node it jumps") +
               " at the nodes",
           "use interpolate = \"cubic\" where the values are smooth; where they jump, make the flux a field of its "
           "own, as "
           "in q = k*u_x and q_x = f");
  }
  Node node{.kind = Kind::Table};
  node.name = table->name();
  node.derivative = std::move(derivative);
  node.arguments = std::move(arguments);
  node.table = std::move(table);
  return make_node(std::move(node));
}

Expr vector_of(std::vector<Expr> components) { return make_node(Kind::Vector, std::move(components)); }

int order_of(const MultiIndex& index) {
  int order = 0;
  for (const auto& entry : index) order += entry.second;
  return order;
}

bool coordinate_only(const Expr& a) { return a->coordinate_only; }

const std::string& first_data(const Expr& a) {
  if (a->kind == Kind::Data) return a->name;
  for (const auto& entry : a->site)
    if (entry.second->reads_data) return first_data(entry.second);
  const auto argument = std::ranges::find_if(a->arguments, [](const Expr& part) { return part->reads_data; });
  require(argument != a->arguments.end(), "first_data: the expression reads no data");
  return first_data(*argument);
}

}  // namespace pecann::expr
