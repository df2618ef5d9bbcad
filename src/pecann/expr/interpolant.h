// A function of one to three coordinates between the nodes of a grid, the product of the same rule in each of them:
// the nearest node, a straight line, or the cubic spline with the not-a-knot condition at its ends (de Boor, A
// Practical Guide to Splines, 2001, chapters IX and XIII). Splines are held as coefficients of B-splines, as many as
// nodes, so that derivatives are exact ones of the interpolant. Beyond its ends a table keeps the value of the edge.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pecann::expr {

enum class Interpolate { Nearest, Linear, Cubic };

class Interpolant {
 public:
  static constexpr std::size_t kMostCoordinates = 3;

  /// Axes: at least two nodes each, finite and rising. Values: row-major, the last axis fastest, finite.
  Interpolant(std::string name, std::vector<std::string> coordinates, std::vector<std::vector<double>> axes,
              std::vector<double> values, Interpolate rule);

  const std::string& name() const { return name_; }
  const std::vector<std::string>& coordinates() const { return coordinates_; }
  Interpolate rule() const { return rule_; }
  double lower(std::size_t axis) const { return axes_[axis].nodes.front(); }
  double upper(std::size_t axis) const { return axes_[axis].nodes.back(); }

  /// Where the values jump along an axis: half way between the nodes of the nearest-node rule, nowhere for others.
  std::vector<double> jumps(std::size_t axis) const;
  /// The largest order of a derivative in one coordinate that is a function without jumps: 2 for cubic, else 0.
  int smoothness() const { return rule_ == Interpolate::Cubic ? 2 : 0; }

  /// The derivative of these orders, one per axis, at `count` points: arguments[axis][point].
  void evaluate(std::span<const int> orders, std::span<const double* const> arguments, std::size_t count,
                double* results) const;

 private:
  struct Axis {
    std::vector<double> nodes;
    std::vector<double> knots;  // of the B-splines; none for the nearest node
    int degree = 0;
  };
  /// What a point takes from an axis: `count` coefficients from `first` on, each times its weight.
  struct Support {
    std::size_t first = 0;
    int count = 1;
    double weights[4] = {1, 0, 0, 0};
  };

  static Axis make_axis(std::vector<double> nodes, Interpolate rule);
  static Support support(const Axis& axis, double at, int order);
  void solve_along(std::size_t axis);

  std::string name_;
  std::vector<std::string> coordinates_;
  std::vector<Axis> axes_;
  std::vector<std::size_t> strides_;
  std::vector<double> coefficients_;  // row-major, as the values are
  Interpolate rule_;
};

}  // namespace pecann::expr
