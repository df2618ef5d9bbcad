#include "pecann/mesh/vtk_cells.h"

namespace pecann::mesh {
namespace {

constexpr std::string_view kGroupArrays[] = {"group",    "gmsh:physical", "CellEntityIds", "MaterialIds",
                                             "material", "medit:ref",     "cell_tags"};
constexpr std::int64_t kPolyLine = 4, kPolygon = 7, kPixel = 8, kVoxel = 11;

}  // namespace

int group_array_rank(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kGroupArrays); ++i)
    if (kGroupArrays[i] == name) return static_cast<int>(i);
  return -1;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> add_vtk_cells(const BytesReader& reader, const VtkCells& cells,
                                                                   std::size_t first_point, Mesh& mesh) {
  const std::size_t points = mesh.points.size() - first_point;
  if (cells.offsets.size() != cells.types.size()) reader.fail("the cells have not as many types as ends");
  std::vector<std::pair<std::uint32_t, std::uint32_t>> became;
  std::int64_t begin = 0;
  std::vector<std::uint32_t> own;
  for (std::size_t i = 0; i < cells.offsets.size(); ++i) {
    const std::int64_t end = cells.offsets[i];
    if (end < begin || end > static_cast<std::int64_t>(cells.connectivity.size()))
      reader.fail("the nodes of cell " + std::to_string(i + 1) + " are not there");
    own.clear();
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t node = cells.connectivity[static_cast<std::size_t>(k)];
      if (node < 0 || node >= static_cast<std::int64_t>(points))
        reader.fail("cell " + std::to_string(i + 1) + " uses a point that is not there", std::to_string(node));
      own.push_back(static_cast<std::uint32_t>(first_point + static_cast<std::size_t>(node)));
    }
    begin = end;
    std::int64_t type = cells.types[i];
    const auto from = static_cast<std::uint32_t>(mesh.cells());
    if (type == kPolyLine) {
      for (std::size_t k = 0; k + 1 < own.size(); ++k) mesh.add_cell(CellKind::Line, std::array{own[k], own[k + 1]});
    } else {
      if (type == kPolygon && (own.size() == 3 || own.size() == 4)) type = own.size() == 3 ? 5 : 9;
      if ((type == kPixel && own.size() == 4) || (type == kVoxel && own.size() == 8)) {
        std::swap(own[2], own[3]);
        if (type == kVoxel) std::swap(own[6], own[7]);
        type = type == kPixel ? 9 : 12;
      }
      const CellRow* row = vtk_cell(type);
      if (row == nullptr)
        reader.fail("cells of VTK's type " + std::to_string(type) + " are not read", "",
                    "first-order cells are: triangles, quadrangles, tetrahedra, hexahedra, wedges, pyramids");
      if (static_cast<int>(own.size()) != row->nodes)
        reader.fail("cell " + std::to_string(i + 1) + " is a " + row->name + " and must have " +
                    std::to_string(row->nodes) + " points");
      mesh.add_cell(row->kind, own);
    }
    became.emplace_back(from, static_cast<std::uint32_t>(mesh.cells()));
  }
  return became;
}

}  // namespace pecann::mesh
