// From text to expression. The grammar, by rising precedence: comparison (< <= > >= == !=), + -, * /, unary -, ^
// (right to left), call or name or number or ( … ). `a = b` at the outermost level is read as a − b (parse_equation).
//
// Names are looked up in the Scope: coordinates, constants (and pi, e), functions, fields, trainable parameters,
// `exact.u`, `data.u`. Functions: sin cos tan exp log sqrt tanh sinh cosh asin acos atan erf abs sign,
// `min max and or` (two or more arguments), not, if(condition, a, b), and the user's own; a function without arguments
// is used as a plain name.
//
// Derivatives: u_x, u_xy (name, underscore, coordinates run together) of fields, exact solutions and functions without
// arguments; d(expr, x), d(expr, x, y) of anything; laplacian(expr); dn(expr), that along the columns `normal.x`,
// …, where there is one. Vectors: [u, v], grad(expr), div(vector), curl(vector), dot(vector, vector), with sums and
// multiples; d, laplacian, dn and at take them component by component. integral(expr), mean(expr) and
// `integral(expr, over = space)`: expr/integral.h. Substitution: `at(expr, x = 1, y = x + 1)`.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pecann/expr/derivative.h"
#include "pecann/expr/expr.h"

namespace pecann::expr {

struct Function {
  std::vector<std::string> arguments;
  std::string body;  // parsed in the same scope plus the arguments; recursion is refused
};

struct Scope {
  std::vector<std::string> coordinates;
  std::string time;                 // the coordinate that is not of space; empty = none
  std::vector<std::string> family;  // coordinates that number the members of a family of problems: not of space either
  std::map<std::string, double> constants;
  std::map<std::string, Function> functions;
  std::vector<std::string> fields;
  FieldInputs field_inputs;
  std::vector<std::string> parameters;
  std::map<std::string, Expr> exact;  // exact.NAME
  std::vector<std::string> data;      // columns of the points by their whole names: data.u
  std::map<std::string, std::shared_ptr<const Interpolant>> tables;
  int max_derivative_order = 4;
  bool integrals = false;  // integral() and mean() have a meaning: in the equations of terms
};

/// Throws InputError, in which place.column is the position in the text (from 1), key is left empty for the caller to
/// fill, the hint has the nearest known name. Nesting deeper than 200, texts over 100,000 characters and
/// derivatives that take too long to write out are refused the same way.
Expr parse(std::string_view text, const Scope& scope);

/// The same as parse, but `a = b` is allowed once at the outermost level and means a − b; and `a <= b`, `a >= b` mean
/// the violations max(a − b, 0) and max(b − a, 0).
Expr parse_equation(std::string_view text, const Scope& scope);

/// The same for an equation that may be one of vectors: a residual for every component.
std::vector<Expr> parse_equations(std::string_view text, const Scope& scope);

/// The components of an expression that may be a vector; of a number that number itself.
std::vector<Expr> parse_components(std::string_view text, const Scope& scope);

/// The coordinates of space, which grad, div, curl, laplacian and dn are about.
std::vector<std::string> space_of(const Scope& scope);
/// True where the text, which parse_equation() reads, is an inequality.
bool is_inequality(std::string_view text);

/// Names that mean something in every text and cannot be a user's own: functions, pi, e, exact, data, normal.
std::vector<std::string> reserved_names();

}  // namespace pecann::expr
