#include "pecann/expression.h"

#include <functional>

#include "pecann/api/expression_data.h"
#include "pecann/base/input_error.h"
#include "pecann/expr/integral.h"
#include "pecann/problem/scope.h"

namespace pecann {
namespace api {
namespace {

template <class Map>
void merge_equal(Map& own, const Map& other, const char* meaning) {
  for (const auto& [name, value] : other) {
    const auto [place, inserted] = own.emplace(name, value);
    if (!inserted && place->second != value)
      throw InputError({.key = name, .rule = std::string("two ") + meaning + " of one name that differ"});
  }
}

}  // namespace

void Leaves::merge(const Leaves& other) {
  coordinates.insert(other.coordinates.begin(), other.coordinates.end());
  merge_equal(field_inputs, other.field_inputs, "fields");
  merge_equal(parameters, other.parameters, "trainable parameters");
  merge_equal(constants, other.constants, "constants");
  family.insert(other.family.begin(), other.family.end());
  merge_equal(tables, other.tables, "tables");
}

namespace {

std::shared_ptr<const ExpressionData> made(expr::Expr tree, Leaves leaves = {}) {
  return std::make_shared<const ExpressionData>(ExpressionData{std::move(tree), std::move(leaves)});
}

Expression unary(const Expression& a, expr::Expr (*function)(const expr::Expr&)) {
  return Expression(made(function(a.data().tree), a.data().leaves));
}

Expression binary(const Expression& a, const Expression& b,
                  expr::Expr (*function)(const expr::Expr&, const expr::Expr&)) {
  Leaves leaves = a.data().leaves;
  leaves.merge(b.data().leaves);
  return Expression(made(function(a.data().tree, b.data().tree), std::move(leaves)));
}

std::shared_ptr<const ExpressionData> field_data(const std::string& name, const std::vector<Coordinate>& inputs) {
  Leaves leaves;
  std::vector<std::string>& names = leaves.field_inputs[name];
  for (const Coordinate& input : inputs) {
    names.push_back(input.name());
    leaves.merge(input.data().leaves);
  }
  return made(expr::field(name), std::move(leaves));
}

std::shared_ptr<const ExpressionData> parameter_data(const std::string& name, const ParameterOptions& options) {
  Leaves leaves;
  leaves.parameters.emplace(name, options);
  return made(expr::parameter(name), std::move(leaves));
}

/// A constant enters equations by its name; the reader of the problem's text puts the number in its place.
std::shared_ptr<const ExpressionData> constant_data(const std::string& name, double value) {
  Leaves leaves;
  leaves.constants.emplace(name, value);
  return made(expr::named_constant(name), std::move(leaves));
}

std::shared_ptr<const ExpressionData> coordinate_data(const std::string& name, Coordinate::Role role) {
  Leaves leaves;
  leaves.coordinates.insert(name);
  if (role == Coordinate::Role::Parameter) leaves.family.insert(name);
  return made(expr::coordinate(name), std::move(leaves));
}

}  // namespace
}  // namespace api

Expression::Expression(double constant) : data_(api::made(expr::Expr(constant))) {}
std::string Expression::text() const { return expr::to_string(data_->tree); }

Coordinate::Coordinate(std::string name, double lower, double upper, Role role)
    : Expression(api::coordinate_data(name, role)), name_(std::move(name)), lower_(lower), upper_(upper), role_(role) {}
Substitution Coordinate::operator=(const Expression& value) const { return {name_, value}; }

Field::Field(std::string name, std::vector<Coordinate> inputs)
    : Expression(api::field_data(name, inputs)), name_(std::move(name)), inputs_(std::move(inputs)) {}

Parameter::Parameter(std::string name, const ParameterOptions& options)
    : Expression(api::parameter_data(name, options)), name_(std::move(name)) {}

Constant::Constant(std::string name, double value) : Expression(api::constant_data(name, value)) {}

Expression operator+(const Expression& a, const Expression& b) { return api::binary(a, b, expr::operator+); }
Expression operator-(const Expression& a, const Expression& b) { return api::binary(a, b, expr::operator-); }
Expression operator*(const Expression& a, const Expression& b) { return api::binary(a, b, expr::operator*); }
Expression operator/(const Expression& a, const Expression& b) { return api::binary(a, b, expr::operator/); }
Expression operator-(const Expression& a) { return api::unary(a, expr::operator-); }
Expression pow(const Expression& base, const Expression& exponent) { return api::binary(base, exponent, expr::pow); }
Expression sin(const Expression& a) { return api::unary(a, expr::sin); }
Expression cos(const Expression& a) { return api::unary(a, expr::cos); }
Expression tan(const Expression& a) { return api::unary(a, expr::tan); }
Expression exp(const Expression& a) { return api::unary(a, expr::exp); }
Expression log(const Expression& a) { return api::unary(a, expr::log); }
Expression sqrt(const Expression& a) { return api::unary(a, expr::sqrt); }
Expression tanh(const Expression& a) { return api::unary(a, expr::tanh); }
Expression sinh(const Expression& a) { return api::unary(a, expr::sinh); }
Expression cosh(const Expression& a) { return api::unary(a, expr::cosh); }
Expression asin(const Expression& a) { return api::unary(a, expr::asin); }
Expression acos(const Expression& a) { return api::unary(a, expr::acos); }
Expression atan(const Expression& a) { return api::unary(a, expr::atan); }
Expression erf(const Expression& a) { return api::unary(a, expr::erf); }
Expression abs(const Expression& a) { return api::unary(a, expr::abs); }
Expression sign(const Expression& a) { return api::unary(a, expr::sign); }
Expression min(const Expression& a, const Expression& b) { return api::binary(a, b, expr::min); }
Expression max(const Expression& a, const Expression& b) { return api::binary(a, b, expr::max); }
Expression operator<(const Expression& a, const Expression& b) { return api::binary(a, b, expr::less); }
Expression operator<=(const Expression& a, const Expression& b) { return api::binary(a, b, expr::less_equal); }
Expression operator>(const Expression& a, const Expression& b) { return b < a; }
Expression operator>=(const Expression& a, const Expression& b) { return b <= a; }

Expression if_else(const Expression& condition, const Expression& then, const Expression& otherwise) {
  api::Leaves leaves = condition.data().leaves;
  leaves.merge(then.data().leaves);
  leaves.merge(otherwise.data().leaves);
  return Expression(
      api::made(expr::if_else(condition.data().tree, then.data().tree, otherwise.data().tree), std::move(leaves)));
}

Expression derivative(const Expression& a, const Coordinate& x) {
  const api::Leaves& leaves = a.data().leaves;
  return Expression(api::made(expr::derivative(a.data().tree, x.name(), leaves.field_inputs), leaves));
}

Expression laplacian(const Expression& a) {
  const api::Leaves& leaves = a.data().leaves;
  std::vector<std::string> space;
  for (const std::string& name : leaves.coordinates)
    if (name != "t" && !leaves.family.contains(name)) space.push_back(name);
  return Expression(api::made(expr::laplacian(a.data().tree, space, leaves.field_inputs), leaves));
}

Expression at(const Expression& a, const std::vector<Substitution>& substitutions) {
  api::Leaves leaves = a.data().leaves;
  std::map<std::string, expr::Expr> site;
  for (const Substitution& substitution : substitutions) {
    leaves.merge(substitution.value.data().leaves);
    site.emplace(substitution.coordinate, substitution.value.data().tree);
  }
  return Expression(api::made(expr::at(a.data().tree, site), std::move(leaves)));
}

Expression normal(const Coordinate& x) {
  return Expression(api::made(expr::data_column(sampling::kNormalColumn + x.name())));
}

Expression dn(const Field& u) {
  std::optional<Expression> sum;
  for (const Coordinate& x : u.inputs()) {
    if (!x.in_space()) continue;
    const Expression term = normal(x) * d(u, x);
    sum = sum ? *sum + term : term;
  }
  return sum.value_or(Expression(0.0));
}

Expression integral(const Expression& a, Over over) {
  return Expression(
      api::made(expr::integral(a.data().tree, over == Over::Space ? expr::kOverSpace : ""), a.data().leaves));
}
Expression mean(const Expression& a, Over over) {
  return Expression(api::made(expr::mean(a.data().tree, over == Over::Space ? expr::kOverSpace : ""), a.data().leaves));
}

Expression residual() { return Expression(api::made(expr::data_column(problem::kResidual))); }
Expression data(const std::string& name) { return Expression(api::made(expr::data_column("data." + name))); }

}  // namespace pecann
