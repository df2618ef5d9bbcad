// The patches of facets: chains of segments in the plane, triangles in space.
#pragma once

#include "pecann/mesh/facet_tree.h"
#include "pecann/sampling/shape.h"

namespace pecann::sampling {

/// Facets as patches; in space in the order given, which should be one of neighbours.
std::vector<PatchPointer> facet_patches(const std::vector<mesh::Point3>& points, const mesh::Facets& facets,
                                        int dimension);

/// The same facets in an order of neighbours.
mesh::Facets in_order(const mesh::FacetTree& tree, const mesh::Facets& facets);

}  // namespace pecann::sampling
