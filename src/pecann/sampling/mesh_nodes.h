// The nodes of a mesh as points of a problem: where errors are taken and predictions are written.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pecann/mesh/mesh.h"
#include "pecann/sampling/points.h"

namespace pecann::sampling {

/// The numbers of the points that a mesh's cells have, ascending. Cells are those of its largest dimension: points that
/// only lines or surfaces beside them use are left out.
std::vector<std::uint32_t> nodes_of_cells(const mesh::Mesh& mesh);

/// Nodes of a mesh as points of a box, once for each of `times` moments from the first time to the last (one: the
/// last); all of one moment, then those of the next.
PointSet points_of_nodes(const mesh::Mesh& mesh, std::span<const std::uint32_t> nodes, const Box& box, int times);

}  // namespace pecann::sampling
