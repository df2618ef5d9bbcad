#include "pecann/expr/interpolant.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pecann/base/require.h"

namespace pecann::expr {
namespace {

/// The k + 1 B-splines of degree k that are not zero at x in [knots[j], knots[j + 1]), lowest first (de Boor, X (4)).
void b_splines(std::span<const double> knots, std::size_t j, int degree, double x, double* values) {
  values[0] = 1;
  for (int k = 1; k <= degree; ++k) {
    double carried = 0;
    for (int i = 0; i < k; ++i) {
      const double right = knots[j + 1 + static_cast<std::size_t>(i)];
      const double left = knots[j + 1 + static_cast<std::size_t>(i) - static_cast<std::size_t>(k)];
      const double share = values[i] / (right - left);
      values[i] = carried + (right - x) * share;
      carried = (x - left) * share;
    }
    values[k] = carried;
  }
}

/// Their derivatives of some order: d/dx Σ a_i B_{i,k} = Σ k (a_i − a_{i−1}) / (t_{i+k} − t_i) B_{i,k−1}, put the
/// other way round: what a B-spline of the lower degree gives to the two coefficients beside it (de Boor, X (15)).
void b_spline_derivatives(std::span<const double> knots, std::size_t j, int degree, double x, int order,
                          double* values) {
  std::fill_n(values, degree + 1, 0.0);
  if (order > degree) return;
  std::array<double, 4> now{};
  b_splines(knots, j, degree - order, x, now.data());
  for (int k = degree - order + 1; k <= degree; ++k) {
    std::array<double, 4> next{};
    for (int i = 0; i < k; ++i) {  // the i-th B-spline of degree k − 1 begins at knot j − k + 1 + i
      const std::size_t begin = j + 1 + static_cast<std::size_t>(i) - static_cast<std::size_t>(k);
      const double slope =
          k * now[static_cast<std::size_t>(i)] / (knots[begin + static_cast<std::size_t>(k)] - knots[begin]);
      next[static_cast<std::size_t>(i)] -= slope;
      next[static_cast<std::size_t>(i) + 1] += slope;
    }
    now = next;
  }
  std::copy_n(now.begin(), degree + 1, values);
}

}  // namespace

Interpolant::Axis Interpolant::make_axis(std::vector<double> nodes, Interpolate rule) {
  const std::size_t count = nodes.size();
  require(count >= 2, "Interpolant: an axis has at least two nodes");
  for (std::size_t i = 0; i < count; ++i)
    require(std::isfinite(nodes[i]) && (i == 0 || nodes[i - 1] < nodes[i]), "Interpolant: the nodes of an axis rise");
  Axis axis{.nodes = std::move(nodes), .knots = {}};
  if (rule == Interpolate::Nearest) return axis;
  axis.degree = rule == Interpolate::Linear ? 1 : static_cast<int>(std::min<std::size_t>(3, count - 1));
  const auto degree = static_cast<std::size_t>(axis.degree);
  // As many B-splines as nodes. For cubic ones the second node and the last but one are no knots.
  const std::size_t skipped = (degree + 1) / 2;
  axis.knots.assign(degree + 1, axis.nodes.front());
  for (std::size_t i = skipped; i + skipped < count && count > degree + 1; ++i) axis.knots.push_back(axis.nodes[i]);
  axis.knots.insert(axis.knots.end(), degree + 1, axis.nodes.back());
  require(axis.knots.size() == count + degree + 1, "Interpolant: as many B-splines as nodes");
  return axis;
}

Interpolant::Support Interpolant::support(const Axis& axis, double at, int order) {
  const double lower = axis.nodes.front(), upper = axis.nodes.back(), slack = 1e-6 * (upper - lower);
  Support result;
  if (axis.knots.empty()) {
    const auto above =
        static_cast<std::size_t>(std::lower_bound(axis.nodes.begin(), axis.nodes.end(), at) - axis.nodes.begin());
    if (above == 0) return result;
    result.first =
        above == axis.nodes.size() || at - axis.nodes[above - 1] < axis.nodes[above] - at ? above - 1 : above;
    return result;
  }
  const auto degree = static_cast<std::size_t>(axis.degree);
  const double x = std::clamp(at, lower, upper);
  // The last knot that is not beyond x, before the end.
  const auto last = axis.knots.end() - static_cast<std::ptrdiff_t>(degree) - 1;
  const auto beyond = std::upper_bound(axis.knots.begin() + static_cast<std::ptrdiff_t>(degree) + 1, last, x);
  const auto j = static_cast<std::size_t>(beyond - axis.knots.begin()) - 1;
  result.first = j - degree;
  result.count = axis.degree + 1;
  if (order == 0)
    b_splines(axis.knots, j, axis.degree, x, result.weights);
  else if (at < lower - slack || at > upper + slack)
    result.weights[0] = 0;
  else
    b_spline_derivatives(axis.knots, j, axis.degree, x, order, result.weights);
  if (std::isnan(at)) std::fill_n(result.weights, result.count, at);
  return result;
}

/// Replaces values by the coefficients of the B-splines with these values at the nodes, on all lines along an axis. The
/// matrix has two diagonals on each side and is totally positive: elimination needs no pivots (de Boor, XIII).
void Interpolant::solve_along(std::size_t number) {
  const Axis& axis = axes_[number];
  const std::size_t count = axis.nodes.size(), stride = strides_[number];
  constexpr std::size_t kBand = 2;
  // rows[i][kBand + k − i]: the B-spline k at the node i. Full where the degree is less than three (few nodes).
  std::vector<std::array<double, 2 * kBand + 1>> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Support at_node = support(axis, axis.nodes[i], 0);
    for (std::size_t k = 0; k < static_cast<std::size_t>(at_node.count); ++k) {
      const std::size_t column = at_node.first + k;
      if (column + kBand >= i && column <= i + kBand) rows[i][kBand + column - i] = at_node.weights[k];
    }
  }
  std::vector<std::array<double, kBand>> factors(count);  // of the rows below a row
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t below = 1; below <= kBand && i + below < count; ++below) {
      const double factor = rows[i + below][kBand - below] / rows[i][kBand];
      factors[i][below - 1] = factor;
      for (std::size_t k = 0; k <= kBand; ++k) rows[i + below][kBand - below + k] -= factor * rows[i][kBand + k];
    }
  for (std::size_t start = 0; start < coefficients_.size(); ++start) {
    if (start / stride % count != 0) continue;  // not the begin of a line
    double* const line = coefficients_.data() + start;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t below = 1; below <= kBand && i + below < count; ++below)
        line[(i + below) * stride] -= factors[i][below - 1] * line[i * stride];
    for (std::size_t i = count; i-- > 0;) {
      double value = line[i * stride];
      for (std::size_t k = 1; k <= kBand && i + k < count; ++k) value -= rows[i][kBand + k] * line[(i + k) * stride];
      line[i * stride] = value / rows[i][kBand];
    }
  }
}

Interpolant::Interpolant(std::string name, std::vector<std::string> coordinates, std::vector<std::vector<double>> axes,
                         std::vector<double> values, Interpolate rule)
    : name_(std::move(name)), coordinates_(std::move(coordinates)), coefficients_(std::move(values)), rule_(rule) {
  require(!axes.empty() && axes.size() <= kMostCoordinates && axes.size() == coordinates_.size(),
          "Interpolant: one axis for each of one to three coordinates");
  std::size_t count = 1;
  for (std::vector<double>& nodes : axes) {
    axes_.push_back(make_axis(std::move(nodes), rule));
    count *= axes_.back().nodes.size();
  }
  require(count == coefficients_.size(), "Interpolant: a value for each node");
  strides_.assign(axes_.size(), 1);
  for (std::size_t axis = axes_.size() - 1; axis-- > 0;)
    strides_[axis] = strides_[axis + 1] * axes_[axis + 1].nodes.size();
  if (rule == Interpolate::Cubic)
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) solve_along(axis);
}

std::vector<double> Interpolant::jumps(std::size_t axis) const {
  std::vector<double> places;
  const std::vector<double>& nodes = axes_[axis].nodes;
  for (std::size_t i = 1; i < nodes.size() && rule_ == Interpolate::Nearest; ++i)
    places.push_back((nodes[i - 1] + nodes[i]) / 2);
  return places;
}

void Interpolant::evaluate(std::span<const int> orders, std::span<const double* const> arguments, std::size_t count,
                           double* results) const {
  require(orders.size() == axes_.size() && arguments.size() == axes_.size(), "Interpolant: an argument for each axis");
  for (const int order : orders)
    require(order >= 0 && order <= smoothness(), "Interpolant: a derivative that the rule has");
  std::array<Support, kMostCoordinates> supports;  // axes that are not there count one coefficient
  std::array<std::size_t, kMostCoordinates> strides{};
  std::copy(strides_.begin(), strides_.end(), strides.begin());
  for (std::size_t point = 0; point < count; ++point) {
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
      supports[axis] = support(axes_[axis], arguments[axis][point], orders[axis]);
    double total = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(supports[0].count); ++i) {
      double plane = 0;
      for (std::size_t j = 0; j < static_cast<std::size_t>(supports[1].count); ++j) {
        const double* const line = coefficients_.data() + (supports[0].first + i) * strides[0] +
                                   (supports[1].first + j) * strides[1] + supports[2].first * strides[2];
        double sum = 0;
        for (std::size_t k = 0; k < static_cast<std::size_t>(supports[2].count); ++k)
          sum += supports[2].weights[k] * line[k * strides[2]];
        plane += supports[1].weights[j] * sum;
      }
      total += supports[0].weights[i] * plane;
    }
    results[point] = total;
  }
}

}  // namespace pecann::expr
