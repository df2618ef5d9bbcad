// A tree of boxes around facets: the nearest facet of a point, and how often a closed surface goes round it.
//
// The winding number is counted by a ray along the first coordinate. Whether the ray passes on one or the other side
// of an
// edge is decided by the edge alone, the same for all facets that share it, so that no ray slips through between two
// facets or is counted twice: the number is right for every point that rounding does not put on the other side of the
// plane of a facet.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pecann/mesh/body.h"

namespace pecann::mesh {

class FacetTree {
 public:
  /// Facets with n corners in a space of n = 2 or 3 dimensions.
  FacetTree(const std::vector<Point3>& points, const Facets& facets, int dimension);

  struct Nearest {
    std::size_t facet;
    double distance;
  };
  /// The facet nearest to a point; of several with the same distance the first in the tree. `reach`: no facet is
  /// further away than that (a bound that the caller knows; infinity else).
  Nearest nearest(const Point3& point, double reach) const;
  /// How often the closed surface goes round the point: 1 inside, 0 outside.
  int winding(const Point3& point) const;
  /// The unit normal of a facet; zero where it has no area.
  const Point3& normal(std::size_t facet) const { return normals_[facet]; }
  const std::vector<double>& measures() const { return measures_; }  // length or area of the facets
  /// The facets in an order in which neighbours are near each other in space.
  const std::vector<std::uint32_t>& order() const { return order_; }
  const Point3& lower() const { return nodes_[0].lower; }
  const Point3& upper() const { return nodes_[0].upper; }

 private:
  struct Node {
    Point3 lower, upper;
    std::uint32_t first = 0, count = 0;  // of a leaf, in order_; else count 0 and first the second child
  };
  using Corners = std::array<Point3, 3>;

  std::uint32_t build(std::uint32_t first, std::uint32_t end, const std::vector<Point3>& middles, int depth);
  double square_distance(const Corners& corners, const Point3& point) const;

  int dimension_;
  std::vector<Node> nodes_;           // the first child of a node follows it
  std::vector<std::uint32_t> order_;  // facets in the order of the leaves
  std::vector<Corners> corners_;      // in the same order
  std::vector<char> flat_;            // in the same order: facets without area, which have no normal
  std::vector<Point3> normals_;       // by facet
  std::vector<double> measures_;
};

}  // namespace pecann::mesh
