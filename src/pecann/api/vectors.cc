#include "pecann/vectors.h"

#include "pecann/base/input_error.h"

namespace pecann {
namespace {

[[noreturn]] void refuse_vector(const std::string& rule, const std::string& hint = "") {
  throw InputError({.key = "equation", .rule = rule, .hint = hint});
}

std::string names_of(const std::vector<Coordinate>& space) {
  std::string text;
  for (const Coordinate& x : space) text += (text.empty() ? "" : ", ") + x.name();
  return "(" + text + ")";
}

void require_one_space(const Vector& a, const Vector& b) {
  if (names_of(a.space()) != names_of(b.space()))
    refuse_vector("vectors along " + names_of(a.space()) + " and " + names_of(b.space()) + " do not go together");
}

Expression added(const std::vector<Expression>& terms) {
  Expression sum = terms.front();
  for (std::size_t i = 1; i < terms.size(); ++i) sum = sum + terms[i];
  return sum;
}

/// f of the components of one vector, or of two of one space.
template <class Function>
Vector of_components(const Vector& a, const Function& function) {
  std::vector<Expression> components;
  for (std::size_t i = 0; i < a.components().size(); ++i) components.push_back(function(i));
  return Vector(a.space(), std::move(components));
}

}  // namespace

Vector::Vector(std::vector<Coordinate> space, std::vector<Expression> components)
    : space_(std::move(space)), components_(std::move(components)) {
  if (space_.empty() || space_.size() != components_.size())
    refuse_vector("a vector along " + names_of(space_) + " has " + std::to_string(components_.size()) + " components");
  for (const Coordinate& x : space_)
    if (!x.in_space()) refuse_vector("'" + x.name() + "' is no coordinate of space");
}

Vector operator+(const Vector& a, const Vector& b) {
  require_one_space(a, b);
  return of_components(a, [&](std::size_t i) { return a[i] + b[i]; });
}
Vector operator-(const Vector& a, const Vector& b) {
  require_one_space(a, b);
  return of_components(a, [&](std::size_t i) { return a[i] - b[i]; });
}
Vector operator-(const Vector& a) {
  return of_components(a, [&](std::size_t i) { return -a[i]; });
}
Vector operator*(const Expression& s, const Vector& a) {
  return of_components(a, [&](std::size_t i) { return s * a[i]; });
}
Vector operator*(const Vector& a, const Expression& s) { return s * a; }
Vector operator/(const Vector& a, const Expression& s) {
  return of_components(a, [&](std::size_t i) { return a[i] / s; });
}

Expression dot(const Vector& a, const Vector& b) {
  require_one_space(a, b);
  return added(of_components(a, [&](std::size_t i) { return a[i] * b[i]; }).components());
}

Equations operator==(const Vector& a, const Vector& b) {
  require_one_space(a, b);
  std::vector<Equation> several;
  for (std::size_t i = 0; i < a.components().size(); ++i) several.push_back(a[i] == b[i]);
  return several;
}

Vector grad(const Field& u) {
  std::vector<Coordinate> space;
  for (const Coordinate& x : u.inputs())
    if (x.in_space()) space.push_back(x);
  return grad(u, space);
}
Vector grad(const Expression& a, const std::vector<Coordinate>& space) {
  std::vector<Expression> components;
  for (const Coordinate& x : space) components.push_back(derivative(a, x));
  return Vector(space, std::move(components));
}

Expression div(const Vector& a) {
  return added(of_components(a, [&](std::size_t i) { return derivative(a[i], a.space()[i]); }).components());
}
Vector laplacian(const Vector& a) {
  return of_components(a, [&](std::size_t i) { return div(grad(a[i], a.space())); });
}

Vector curl(const Vector& a) {
  if (a.space().size() != 3) refuse_vector("curl needs three coordinates of space", "in two: curl_in_plane");
  const auto slope = [&](std::size_t part, std::size_t by) { return derivative(a[part], a.space()[by]); };
  return Vector(a.space(), {slope(2, 1) - slope(1, 2), slope(0, 2) - slope(2, 0), slope(1, 0) - slope(0, 1)});
}
Expression curl_in_plane(const Vector& a) {
  if (a.space().size() != 2) refuse_vector("curl_in_plane needs two coordinates of space", "in three: curl");
  return derivative(a[1], a.space()[0]) - derivative(a[0], a.space()[1]);
}

}  // namespace pecann
