// Closed surfaces of meshes: that of the whole, those of its groups of cells, and named parts of them.
//
// A surface consists of facets, segments in the plane and triangles in space (quadrangles are cut along the diagonal
// through their first node), oriented so that their normals point out: the corners of a facet go round against the
// clock
// as seen from outside, in the plane the inside is on the left.
#pragma once

#include "pecann/mesh/mesh.h"

namespace pecann::mesh {

using Point3 = std::array<double, 3>;
using Facet = std::array<std::uint32_t, 3>;  // numbers of points; in the plane the third is unused and 0

/// Facets of one set of points.
using Facets = std::vector<Facet>;

struct NamedFacets {
  std::string name;
  Facets facets;
  bool inner = false;  // a side that lies inside the whole: facets are oriented as the file has them
};

struct Body {
  int dimension = 0;  // 2 or 3
  std::vector<Point3> points;
  Facets whole;
  std::vector<NamedFacets> sides;    // groups of facets
  std::vector<NamedFacets> volumes;  // groups of cells: their closed surfaces
};

/// The surfaces of a mesh in a space of two or three dimensions. The surface is that of the cells of this
/// dimension; where there are none, cells with one dimension less must close one themselves, and those whose normals
/// point the wrong way are turned round. Throws InputError naming the file for open surfaces (with an edge), surfaces
/// that cannot be oriented, that touch or overlap themselves, cells that overlap or have no volume, and meshes of
/// another dimension.
Body body_of(const Mesh& mesh, int dimension);

/// The measure within a closed surface, by the divergence theorem: V = (1/n) Σ ∫ x·normal dS.
double enclosed_measure(const std::vector<Point3>& points, const Facets& facets, int dimension);

}  // namespace pecann::mesh
