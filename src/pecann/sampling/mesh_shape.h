// Shapes from meshes: the whole of a file, and one for each of its groups of cells.
//
// Levels are signed distances near the surface, and lower bounds of them elsewhere: the distances of the middles of a
// lattice of boxes, less the way from there. Only points in boxes that the surface may pass through ask the tree of
// facets.
#pragma once

#include <utility>

#include "pecann/mesh/mesh.h"
#include "pecann/sampling/shape.h"

namespace pecann::sampling {

struct MeshShapes {
  ShapePointer whole;
  std::vector<std::pair<std::string, ShapePointer>> volumes;  // by the groups' names, which need not differ
};

/// The shapes of a mesh in a space of two or three dimensions; `box` is that of the coordinates' ranges. Points that
/// miss an end of a range by less than single precision tells apart are moved there. Throws InputError naming the
/// file (mesh/body.h).
MeshShapes mesh_shapes(mesh::Mesh mesh, const Bounds& box);

}  // namespace pecann::sampling
