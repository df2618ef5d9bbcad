// Expressions: immutable trees over coordinates, columns of data, tables, constants, trainable scalars, fields,
// derivatives of fields by multi-index, and fields at substituted coordinates. C++ users build them with operators,
// text users with parse(); both get the same tree.
//
// A field's derivative only raises its multi-index; everything else is differentiated by the product and
// chain rules (derivative.h). Nodes are shared, never changed.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pecann::expr {

/// Derivative orders by coordinate name, without zeros: {x: 2, t: 1} is ∂³/∂x²∂t.
using MultiIndex = std::map<std::string, int>;
int order_of(const MultiIndex& index);

enum class Kind {
  Constant,
  NamedConstant,  // a number known by its name alone; the reader of the printed text puts the value in its place
  Coordinate,
  Data,  // a named column of the points: one number per point, known nowhere else
  Parameter,
  Field,
  Add,       // two or more arguments
  Multiply,  // two or more arguments
  Divide,    // two arguments
  Power,     // two arguments
  Sin,       // Sin to Sign: one argument
  Cos,
  Tan,
  Exp,
  Log,
  Sqrt,
  Tanh,
  Sinh,
  Cosh,
  Asin,
  Acos,
  Atan,
  Erf,
  Abs,
  Sign,
  Min,  // Min to Equal: two arguments
  Max,
  Less,
  LessEqual,
  Equal,     // a > b is b < a; a != b is 1 - (a == b)
  If,        // condition, then, else
  Table,     // an interpolated function of as many coordinate-only arguments as the table has coordinates
  Vector,    // components side by side, of which parsing makes equations of their own; nothing behind it has vectors
  Integral,  // Integral, Mean: one argument, over the region and points of its term (expr/integral.h)
  Mean
};

class Expr;
class Interpolant;  // expr/interpolant.h

struct Node {
  Kind kind;
  double value = 0;       // Constant
  std::string name;       // NamedConstant, Coordinate, Data, Parameter, Field, Table; Integral, Mean: what over
  MultiIndex derivative;  // Field; Table: orders by the names of the table's coordinates
  std::map<std::string, Expr> site;  // Field: coordinates replaced by coordinate-only expressions; empty = at the point
  std::vector<Expr> arguments;
  std::shared_ptr<const Interpolant> table;  // Table

  // Filled in when the node is made.
  std::uint64_t hash = 0;  // of the structure: same() trees have the same hash
  std::uint32_t size = 1;  // nodes of the tree, shared ones counted as often as they occur
  std::uint32_t depth = 1;
  bool coordinate_only = true;  // no field and no parameter below
  bool reads_data = false;      // Data below, the sites of fields included
  bool integrates = false;      // Integral or Mean here or below
};

/// Larger trees are refused with an InputError, so that recursion over a tree is safe and its cost bounded.
inline constexpr std::uint32_t kMaxDepth = 2000;
inline constexpr std::uint32_t kMaxSize = 500'000;

class Expr {
 public:
  Expr(double constant);  // NOLINT: numbers are expressions, 2 * u reads as written
  explicit Expr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  const Node& node() const { return *node_; }
  const Node* operator->() const { return node_.get(); }
  bool is_constant(double value) const { return node_->kind == Kind::Constant && node_->value == value; }

 private:
  std::shared_ptr<const Node> node_;
};

Expr coordinate(std::string name);
Expr data_column(std::string name);
Expr named_constant(std::string name);
Expr parameter(std::string name);
Expr field(std::string name, MultiIndex derivative = {});
/// The table at these arguments, which must be coordinate-only: its coordinates themselves, or where else it is read.
/// Throws InputError where the interpolation has no such derivative.
Expr table_value(std::shared_ptr<const Interpolant> table, std::vector<Expr> arguments, MultiIndex derivative = {});
Expr vector_of(std::vector<Expr> components);

// Building simplifies as it goes (constant folding, x + 0, x * 1, x * 0, flattened sums and products, double
// negation), so that derivatives of sums of products stay small. Sums and products of many are built in one
// go, in time linear in their length.
Expr sum(std::vector<Expr> terms);
Expr product(std::vector<Expr> factors);
Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator-(const Expr& a);
Expr pow(const Expr& base, const Expr& exponent);
Expr sin(const Expr& a);
Expr cos(const Expr& a);
Expr tan(const Expr& a);
Expr exp(const Expr& a);
Expr log(const Expr& a);
Expr sqrt(const Expr& a);
Expr tanh(const Expr& a);
Expr sinh(const Expr& a);
Expr cosh(const Expr& a);
Expr asin(const Expr& a);
Expr acos(const Expr& a);
Expr atan(const Expr& a);
Expr erf(const Expr& a);
Expr abs(const Expr& a);
Expr sign(const Expr& a);
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);
Expr less(const Expr& a, const Expr& b);
Expr less_equal(const Expr& a, const Expr& b);
Expr equal(const Expr& a, const Expr& b);
Expr if_else(const Expr& condition, const Expr& then, const Expr& otherwise);

/// The expression `a` with every field at substituted coordinates and every coordinate replaced, as in
/// `at(u, {{"x", 1}})`. Data are refused, for they have no values there.
Expr at(const Expr& a, const std::map<std::string, Expr>& site);

/// The expression `a` with every field named in `fields` replaced by its expression, derivatives and sites included
/// (for the residual of an exact solution).
Expr substitute_fields(const Expr& a, const std::map<std::string, Expr>& fields);

/// Structural equality and a total order that does not depend on addresses.
bool same(const Expr& a, const Expr& b);
std::strong_ordering compare(const Expr& a, const Expr& b);

/// True when no field and no trainable parameter occurs: the value depends on the point and its data alone.
bool coordinate_only(const Expr& a);

/// The same kind of node with other arguments, simplified as when it was built (leaves return themselves).
Expr with_arguments(const Expr& a, std::vector<Expr> arguments);

/// These two are for hash maps whose keys are equal when the trees are.
struct ExprHash {
  std::size_t operator()(const Expr& a) const { return a->hash; }
};
struct ExprSame {
  bool operator()(const Expr& a, const Expr& b) const { return same(a, b); }
};

/// An expression of C++17 for an expression of coordinates and numbers, called as `names` says. It uses <cmath>
/// with std:: and conditions as the numbers 0 and 1.
std::string to_cpp(const Expr& a, const std::map<std::string, std::string>& names);

/// Text that parse() reads back to the same tree; numbers with 17 digits where needed.
std::string to_string(const Expr& a);

}  // namespace pecann::expr
