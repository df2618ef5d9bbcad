/// \file
/// Equations written with operators. Coordinates, fields, trainable numbers and named constants are expressions;
/// operators and functions make larger ones; `lhs == rhs` makes an equation:
///
///     const Coordinate x("x", -1, 1), t("t", 0, 2);
///     const Field u("u", {x, t});
///     const Equation heat = d(u, t) == 0.1 * d(u, x, x) + sin(pi * x);
///     const Equation periodic = u == at(u, x = 1);
///
/// Expressions are immutable and cheap to copy. Derivatives are exact: a field's derivative is carried through its
/// network, everything else follows the rules of calculus.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pecann/export.h"

namespace pecann {

namespace api {
struct ExpressionData;
}

/// A formula of coordinates, fields and numbers.
class PECANN_API Expression {
 public:
  /// A number, so that `2 * u` reads as written.
  Expression(double constant);  // NOLINT(google-explicit-constructor)
  /// Wraps what the library has built; not for users.
  explicit Expression(std::shared_ptr<const api::ExpressionData> data) : data_(std::move(data)) {}

  /// The formula as a problem file writes it.
  std::string text() const;
  /// What stands behind the formula; not for users.
  const api::ExpressionData& data() const { return *data_; }

 private:
  std::shared_ptr<const api::ExpressionData> data_;
};

/// `x = 1` inside at(): the coordinate and what takes its place.
struct Substitution {
  std::string coordinate;  ///< name of the coordinate
  Expression value;        ///< of coordinates and numbers
};

/// A coordinate with its range [a, b]; the one named "t" is time. Its values enter networks as
///
///     (x - (a + b)/2) / ((b - a)/√12),
///
/// which has mean 0 and variance 1 over the range.
class PECANN_API Coordinate : public Expression {
 public:
  /// One of a family of problems (Parameter) is sampled and enters networks like the others, but is not of space:
  /// laplacian, grad, div and dn leave it out, and boundary() has no faces there.
  enum class Role { Usual, Parameter };
  /// Range [lower, upper].
  Coordinate(std::string name, double lower, double upper, Role role = Role::Usual);
  Coordinate(const Coordinate&) = default;  ///< the same coordinate
  /// A coordinate cannot become another one; inside at(), write `x = Expression(y)` if x is not const.
  Coordinate& operator=(const Coordinate&) = delete;
  /// `x = 1` names a substitution for at(); it changes nothing.
  [[nodiscard]] Substitution operator=(const Expression& value) const;

  const std::string& name() const { return name_; }                       ///< as in problem files
  double lower() const { return lower_; }                                 ///< beginning of the range
  double upper() const { return upper_; }                                 ///< end of the range
  Role role() const { return role_; }                                     ///< as it was given
  bool in_space() const { return name_ != "t" && role_ == Role::Usual; }  ///< neither time nor of a family

 private:
  std::string name_;
  double lower_, upper_;
  Role role_;
};

/// An unknown function of some coordinates: an output of a network (Problem::network).
class PECANN_API Field : public Expression {
 public:
  /// The field depends on `inputs` only: its derivative by any other coordinate is zero.
  Field(std::string name, std::vector<Coordinate> inputs);

  const std::string& name() const { return name_; }                  ///< as in problem files
  const std::vector<Coordinate>& inputs() const { return inputs_; }  ///< in the order of the network's inputs

 private:
  std::string name_;
  std::vector<Coordinate> inputs_;
};

/// How a trainable number ν begins and where it may go. Inside, an unbounded number ξ is trained:
///
///     ν = ξ                                    without bounds,
///     ν = e^ξ                                  with log_scale,
///     ν = lower + e^ξ                          with a lower bound,
///     ν = upper - e^ξ                          with an upper bound,
///     ν = lower + (upper - lower)/(1 + e^-ξ)   with both bounds.
struct ParameterOptions {
  double initial = 1;           ///< ν at the start
  std::optional<double> lower;  ///< ν > lower
  std::optional<double> upper;  ///< ν < upper
  bool log_scale = false;       ///< ν > 0, trained as its logarithm; not with bounds
  std::optional<double> exact;  ///< true value, for the error in the summary
  /// Two equal parameters may share a name.
  bool operator==(const ParameterOptions&) const = default;
};

/// A number that is trained with the networks: the unknown of an inverse problem.
class PECANN_API Parameter : public Expression {
 public:
  /// Every problem whose equations mention the parameter has it.
  explicit Parameter(std::string name, const ParameterOptions& options = {});

  const std::string& name() const { return name_; }  ///< as in problem files

 private:
  std::string name_;
};

/// A number with a name, which phases of training (Phase::constants) and `pecann run --set` may change.
class PECANN_API Constant : public Expression {
 public:
  /// Every problem whose equations mention the constant has it.
  Constant(std::string name, double value);
};

/// lhs = rhs, whose residual is lhs - rhs; or, in constraints, an inequality: `u >= 0`, `u <= x`.
struct Equation {
  Equation(Expression a, Expression b) : left(std::move(a)), right(std::move(b)) {}  ///< a = b
  /// Not for users, who write `a <= b` or `a >= b`; a strict inequality is refused when the problem is made.
  Equation(Expression condition) : left(std::move(condition)), right(0.0), inequality(true) {}
  /// As problem files write it: "div(kappa*grad(u)) = 1". Parameters, constants and tables that no other equation
  /// mentions are made known by Problem::uses.
  Equation(std::string file_text) : left(0.0), right(0.0), text(std::move(file_text)) {}
  Equation(const char* file_text) : Equation(std::string(file_text)) {}  ///< the same

  Expression left;          ///< left side; the whole condition of an inequality
  Expression right;         ///< right side
  bool inequality = false;  ///< left is a condition that is to hold
  std::string text;         ///< given as a text, which stands for both sides; else empty
};

/// A term may have several equations on the same points; the sum of their squares counts.
class Equations {
 public:
  /// `a == b`. All constructors are implicit, so that terms take equations as they are written.
  Equations(Equation one) : list_{std::move(one)} {}
  Equations(std::string text) : list_{Equation(std::move(text))} {}  ///< an equation as problem files write it
  Equations(const char* text) : list_{Equation(text)} {}             ///< the same
  /// `a <= b` or `a >= b`.
  Equations(Expression condition) : list_{Equation(std::move(condition))} {}
  /// `{a == b, c == d}`.
  Equations(std::initializer_list<Equation> several) : list_(several) {}
  /// A computed list.
  Equations(std::vector<Equation> several) : list_(std::move(several)) {}
  const std::vector<Equation>& list() const { return list_; }  ///< in the order given

 private:
  std::vector<Equation> list_;
};

inline constexpr double pi = 3.141592653589793238462643383279502884;  ///< π

/// \name Arithmetic
/// @{
PECANN_API Expression operator+(const Expression& a, const Expression& b);  ///< a + b
PECANN_API Expression operator-(const Expression& a, const Expression& b);  ///< a - b
PECANN_API Expression operator*(const Expression& a, const Expression& b);  ///< a b
PECANN_API Expression operator/(const Expression& a, const Expression& b);  ///< a / b
PECANN_API Expression operator-(const Expression& a);                       ///< -a
PECANN_API Expression pow(const Expression& base,
                          const Expression& exponent);                ///< base to the power exponent
PECANN_API Expression sin(const Expression& a);                       ///< sine
PECANN_API Expression cos(const Expression& a);                       ///< cosine
PECANN_API Expression tan(const Expression& a);                       ///< tangent
PECANN_API Expression exp(const Expression& a);                       ///< exponential
PECANN_API Expression log(const Expression& a);                       ///< natural logarithm
PECANN_API Expression sqrt(const Expression& a);                      ///< square root
PECANN_API Expression tanh(const Expression& a);                      ///< hyperbolic tangent
PECANN_API Expression sinh(const Expression& a);                      ///< hyperbolic sine
PECANN_API Expression cosh(const Expression& a);                      ///< hyperbolic cosine
PECANN_API Expression asin(const Expression& a);                      ///< inverse sine
PECANN_API Expression acos(const Expression& a);                      ///< inverse cosine
PECANN_API Expression atan(const Expression& a);                      ///< inverse tangent
PECANN_API Expression erf(const Expression& a);                       ///< error function
PECANN_API Expression abs(const Expression& a);                       ///< |a|; derivative sign(a)
PECANN_API Expression sign(const Expression& a);                      ///< -1, 0 or 1; derivative 0
PECANN_API Expression min(const Expression& a, const Expression& b);  ///< the smaller one
PECANN_API Expression max(const Expression& a, const Expression& b);  ///< the larger one
/// @}

/// \name Conditions: 1 where they hold, else 0
/// @{
PECANN_API Expression operator<(const Expression& a, const Expression& b);   ///< a < b
PECANN_API Expression operator<=(const Expression& a, const Expression& b);  ///< a ≤ b
PECANN_API Expression operator>(const Expression& a, const Expression& b);   ///< a > b
PECANN_API Expression operator>=(const Expression& a, const Expression& b);  ///< a ≥ b
PECANN_API Expression if_else(const Expression& condition, const Expression& then,
                              const Expression& otherwise);  ///< `then` where the condition holds
/// @}

/// Makes an equation; this is not a comparison.
inline Equation operator==(const Expression& left, const Expression& right) { return {left, right}; }

/// ∂a/∂x.
PECANN_API Expression derivative(const Expression& a, const Coordinate& x);

/// Derivatives of any expression, up to order 4 of a field: d(u, x, x) is ∂²u/∂x², d(u, x, t) is ∂²u/∂x∂t.
template <class... Rest>
Expression d(const Expression& a, const Coordinate& x, const Rest&... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return derivative(a, x);
  } else {
    return d(derivative(a, x), rest...);
  }
}

/// The sum Σ ∂²a/∂x² over the coordinates of space that `a` depends on.
PECANN_API Expression laplacian(const Expression& a);

/// The expression `a` with coordinates replaced, in fields too.
PECANN_API Expression at(const Expression& a, const std::vector<Substitution>& substitutions);

/// The same with substitutions as they are written, at(u, x = 1) or at(u, x = 1, t = 0): for periodic conditions and
/// fields frozen in time.
template <class... More>
Expression at(const Expression& a, const Substitution& first, const More&... more) {
  return at(a, std::vector<Substitution>{first, more...});
}

/// The measured values `name` of the term that uses them (Data): one number per point. They are known there only:
/// d(data("u"), x) and at(data("u"), x = 1) are refused.
PECANN_API Expression data(const std::string& name);

/// The component along x of the unit normal that points out of the domain, for terms on boundaries and faces.
PECANN_API Expression normal(const Coordinate& x);
/// The derivative of a field along the normal: normal(x) d(u, x) + … over its coordinates in space.
PECANN_API Expression dn(const Field& u);

/// What an integral is over: the region of its term, time included; or space alone, with a value for every time.
enum class Over { Region, Space };
/// Σ w a over the points of the term, with their quadrature weights w; a term of such equations has one residual (or
/// one for every time), as in integral(u * u) == 1. Outside of integrals stand numbers and Parameters.
PECANN_API Expression integral(const Expression& a, Over over = Over::Region);
/// integral(a) / integral(1).
PECANN_API Expression mean(const Expression& a, Over over = Over::Region);

/// The root of the sum of squares of a term's residuals at a point, for the density of Points::near.
PECANN_API Expression residual();

}  // namespace pecann
