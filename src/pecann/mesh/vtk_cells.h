// What VTK's two kinds of files have in common: cells by VTK's numbers, and the array of whole numbers that groups
// them.
#pragma once

#include "pecann/mesh/group_list.h"

namespace pecann::mesh {

/// Cells as VTK stores them: cell i has the nodes connectivity[offsets[i - 1]] … connectivity[offsets[i] - 1].
struct VtkCells {
  std::vector<std::int64_t> connectivity, offsets, types;
};

/// Adds the cells, whose nodes count from `first_point`; poly-lines become lines, pixels quadrangles, voxels
/// hexahedra. Returns for every cell of the file the cells of the mesh that it has become: from, up to.
std::vector<std::pair<std::uint32_t, std::uint32_t>> add_vtk_cells(const BytesReader& reader, const VtkCells& cells,
                                                                   std::size_t first_point, Mesh& mesh);

/// How good a name of a cell array is for groups, from 0 on; -1: not at all.
int group_array_rank(std::string_view name);

}  // namespace pecann::mesh
