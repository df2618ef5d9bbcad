/// \file
/// Vector calculus in equations: grad, div, dot, curl. A vector has a component for each of its coordinates of space:
///
///     const Field u("u", {x, y}), v("v", {x, y});
///     const Vector flow({x, y}, {u, v});
///     problem.equation(dot(flow, grad(u)) == 0.1 * laplacian(u), interior());
///     problem.equation(div(flow) == 0, interior());
#pragma once

#include <vector>

#include "pecann/export.h"
#include "pecann/expression.h"

namespace pecann {

/// Expressions along coordinates of space.
class PECANN_API Vector {
 public:
  /// As many components as coordinates.
  Vector(std::vector<Coordinate> space, std::vector<Expression> components);

  const std::vector<Coordinate>& space() const { return space_; }                  ///< as it was given
  const std::vector<Expression>& components() const { return components_; }        ///< along each of them
  const Expression& operator[](std::size_t i) const { return components_.at(i); }  ///< the component along space()[i]

 private:
  std::vector<Coordinate> space_;
  std::vector<Expression> components_;
};

/// \name Arithmetic of vectors
/// @{
PECANN_API Vector operator+(const Vector& a, const Vector& b);      ///< a + b, of one space
PECANN_API Vector operator-(const Vector& a, const Vector& b);      ///< a - b, of one space
PECANN_API Vector operator-(const Vector& a);                       ///< -a
PECANN_API Vector operator*(const Expression& s, const Vector& a);  ///< s a
PECANN_API Vector operator*(const Vector& a, const Expression& s);  ///< s a
PECANN_API Vector operator/(const Vector& a, const Expression& s);  ///< a / s
PECANN_API Expression dot(const Vector& a, const Vector& b);        ///< Σ aᵢ bᵢ
PECANN_API Equations operator==(const Vector& a, const Vector& b);  ///< an equation for every component
/// @}

/// \name Derivatives of vectors
/// @{
PECANN_API Vector grad(const Field& u);  ///< along the coordinates of space that u depends on, in its order
PECANN_API Vector grad(const Expression& a, const std::vector<Coordinate>& space);  ///< ∂a/∂x for each x of space
PECANN_API Expression div(const Vector& a);                                         ///< Σ ∂aᵢ/∂xᵢ
PECANN_API Vector laplacian(const Vector& a);                                       ///< of every component
/// ∇ × a in three coordinates.
PECANN_API Vector curl(const Vector& a);
/// ∂a_y/∂x - ∂a_x/∂y in two coordinates.
PECANN_API Expression curl_in_plane(const Vector& a);
/// @}

}  // namespace pecann
