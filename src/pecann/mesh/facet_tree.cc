#include "pecann/mesh/facet_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pecann::mesh {
namespace {

constexpr std::uint32_t kLeaf = 4;  // facets of a leaf
constexpr int kDeepest = 60;        // of the tree: halves of 2^32 facets are fewer
constexpr double kNoArea = 1e-14;   // of the square of a facet's longest side

double dot(const Point3& a, const Point3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point3 minus(const Point3& a, const Point3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point3 cross(const Point3& a, const Point3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double square_to_segment(const Point3& a, const Point3& b, const Point3& p) {
  const Point3 along = minus(b, a), way = minus(p, a);
  const double length = dot(along, along);
  const double share = length > 0 ? std::clamp(dot(way, along) / length, 0.0, 1.0) : 0;
  const Point3 rest = {way[0] - share * along[0], way[1] - share * along[1], way[2] - share * along[2]};
  return dot(rest, rest);
}

/// The nearest point of a triangle lies in its plane where the point's projection is within, else on an edge
/// (Ericson, Real-Time Collision Detection, 2005, 5.1.5).
double square_to_triangle(const std::array<Point3, 3>& t, const Point3& p) {
  const Point3 ab = minus(t[1], t[0]), ac = minus(t[2], t[0]), ap = minus(p, t[0]);
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return dot(ap, ap);
  const Point3 bp = minus(p, t[1]);
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return dot(bp, bp);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return square_to_segment(t[0], t[1], p);
  const Point3 cp = minus(p, t[2]);
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return dot(cp, cp);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return square_to_segment(t[0], t[2], p);
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) return square_to_segment(t[1], t[2], p);
  const Point3 normal = cross(ab, ac);
  const double height = dot(normal, ap);
  return height * height / dot(normal, normal);
}

/// +1 or −1 where a ray from (s, t) towards larger s crosses the edge upwards or downwards; 0 where it does not. The
/// edge from b to a gives the opposite of that from a to b, to the bit.
template <int S, int T>
int crossing(const Point3& a, const Point3& b, double s, double t) {
  const bool up = b[T] > t;
  if ((a[T] > t) == up) return 0;
  const Point3 &low = up ? a : b, &high = up ? b : a;
  const double left = (high[S] - low[S]) * (t - low[T]) - (high[T] - low[T]) * (s - low[S]);
  return left > 0 ? (up ? 1 : -1) : 0;
}

double square_to_box(const Point3& lower, const Point3& upper, const Point3& p) {
  double sum = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const double out = std::max({lower[c] - p[c], p[c] - upper[c], 0.0});
    sum += out * out;
  }
  return sum;
}

}  // namespace

FacetTree::FacetTree(const std::vector<Point3>& points, const Facets& facets, int dimension) : dimension_(dimension) {
  std::vector<Point3> middles;
  for (const Facet& facet : facets) {
    Point3 middle{};
    for (int k = 0; k < dimension; ++k)
      for (std::size_t c = 0; c < 3; ++c) middle[c] += points[facet[static_cast<std::size_t>(k)]][c] / dimension;
    middles.push_back(middle);
    order_.push_back(static_cast<std::uint32_t>(order_.size()));
    const Point3 ab = minus(points[facet[1]], points[facet[0]]);
    Point3 normal{ab[1], -ab[0], 0};
    double longest = dot(ab, ab), least = 0;
    if (dimension == 3) {
      const Point3 ac = minus(points[facet[2]], points[facet[0]]), bc = minus(points[facet[2]], points[facet[1]]);
      normal = cross(ab, ac);
      longest = std::max({longest, dot(ac, ac), dot(bc, bc)});
      least = kNoArea * longest;
    }
    const double length = std::sqrt(dot(normal, normal));
    measures_.push_back(dimension == 3 ? 0.5 * length : length);
    for (double& component : normal) component = length > least ? component / length : 0;
    normals_.push_back(normal);
  }
  // The corners of facets, first by facet, for the boxes; then in the order of the leaves.
  std::vector<Corners> own;
  for (const Facet& facet : facets)
    own.push_back({points[facet[0]], points[facet[1]], points[facet[static_cast<std::size_t>(dimension) - 1]]});
  corners_ = std::move(own);
  nodes_.reserve(facets.size());
  build(0, static_cast<std::uint32_t>(facets.size()), middles, 0);
  std::vector<Corners> ordered;
  for (const std::uint32_t facet : order_) {
    ordered.push_back(corners_[facet]);
    flat_.push_back(normals_[facet] == Point3{} ? 1 : 0);
  }
  corners_ = std::move(ordered);
}

std::uint32_t FacetTree::build(std::uint32_t first, std::uint32_t end, const std::vector<Point3>& middles, int depth) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Node node{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}, 0, 0};
  Point3 low = node.lower, high = node.upper;
  for (std::uint32_t i = first; i < end; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      for (const Point3& corner : corners_[order_[i]]) {
        node.lower[c] = std::min(node.lower[c], corner[c]);
        node.upper[c] = std::max(node.upper[c], corner[c]);
      }
      low[c] = std::min(low[c], middles[order_[i]][c]);
      high[c] = std::max(high[c], middles[order_[i]][c]);
    }
  nodes_.push_back(node);
  if (end - first <= kLeaf || depth == kDeepest) {
    nodes_[index].first = first;
    nodes_[index].count = end - first;
    return index;
  }
  std::size_t axis = 0;
  for (std::size_t c = 1; c < 3; ++c)
    if (high[c] - low[c] > high[axis] - low[axis]) axis = c;
  const std::uint32_t half = first + (end - first) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + half, order_.begin() + end,
                   [&](std::uint32_t a, std::uint32_t b) {
                     return middles[a][axis] != middles[b][axis] ? middles[a][axis] < middles[b][axis] : a < b;
                   });
  build(first, half, middles, depth + 1);
  nodes_[index].first = build(half, end, middles, depth + 1);
  return index;
}

double FacetTree::square_distance(const Corners& corners, const Point3& point) const {
  return dimension_ == 3 ? square_to_triangle(corners, point) : square_to_segment(corners[0], corners[1], point);
}

FacetTree::Nearest FacetTree::nearest(const Point3& point, double reach) const {
  struct Open {
    std::uint32_t node;
    double square;
  };
  Open open[kDeepest + 2];
  int count = 0;
  std::size_t best = 0;
  double square = reach * reach * (1 + 1e-12);
  bool found = false;
  open[count++] = {0, square_to_box(nodes_[0].lower, nodes_[0].upper, point)};
  while (count > 0) {
    const Open top = open[--count];
    if (found ? top.square >= square : top.square > square) continue;
    const Node& node = nodes_[top.node];
    if (node.count > 0) {
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
        if (flat_[i] != 0) continue;
        const double here = square_distance(corners_[i], point);
        if (here < square || (!found && here <= square)) {
          square = here;
          best = order_[i];
          found = true;
        }
      }
      continue;
    }
    Open children[2] = {{top.node + 1, 0}, {node.first, 0}};
    for (Open& child : children)
      child.square = square_to_box(nodes_[child.node].lower, nodes_[child.node].upper, point);
    const int nearer = children[1].square < children[0].square ? 1 : 0;
    open[count++] = children[1 - nearer];
    open[count++] = children[nearer];
  }
  if (!found && std::isfinite(reach)) return nearest(point, std::numeric_limits<double>::infinity());
  return {best, std::sqrt(square)};
}

int FacetTree::winding(const Point3& point) const {
  std::uint32_t open[kDeepest + 2];
  int count = 0, winding = 0;
  open[count++] = 0;
  while (count > 0) {
    const std::uint32_t at = open[--count];
    const Node& node = nodes_[at];
    if (point[0] > node.upper[0] || point[1] < node.lower[1] || point[1] > node.upper[1]) continue;
    if (dimension_ == 3 && (point[2] < node.lower[2] || point[2] > node.upper[2])) continue;
    if (node.count == 0) {
      open[count++] = node.first;
      open[count++] = at + 1;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      const Corners& t = corners_[i];
      if (dimension_ == 2) {
        winding += crossing<0, 1>(t[0], t[1], point[0], point[1]);
        continue;
      }
      // The triangle as the ray's direction sees it goes round the point: the ray, or its other half, meets it.
      const int round = crossing<1, 2>(t[0], t[1], point[1], point[2]) +
                        crossing<1, 2>(t[1], t[2], point[1], point[2]) + crossing<1, 2>(t[2], t[0], point[1], point[2]);
      if (round == 0) continue;
      const Point3 normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
      if (dot(normal, minus(point, t[0])) * round < 0) winding += round;
    }
  }
  return winding;
}

}  // namespace pecann::mesh
