#include "pecann/mesh/mesh.h"

#include <algorithm>

#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/read_file.h"
#include "pecann/base/require.h"

namespace pecann::mesh {
namespace {

constexpr double kMemoryPerMeshByte = 6;  // of a file: points and cells as they grow, and the surface made of them

/// The faces of VTK's and Gmsh's cells, which order the nodes of these kinds alike.
const std::vector<CellRow>& rows() {
  static const std::vector<CellRow> all = {
      {CellKind::Point, "point", 0, 1, 15, 1, {}},
      {CellKind::Line, "line", 1, 2, 1, 3, {}},
      {CellKind::Triangle, "triangle", 2, 3, 2, 5, {{0, 1}, {1, 2}, {2, 0}}},
      {CellKind::Quad, "quadrangle", 2, 4, 3, 9, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
      {CellKind::Tetrahedron, "tetrahedron", 3, 4, 4, 10, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}},
      {CellKind::Hexahedron,
       "hexahedron",
       3,
       8,
       5,
       12,
       {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
      {CellKind::Prism, "prism", 3, 6, 6, 13, {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}},
      {CellKind::Pyramid, "pyramid", 3, 5, 7, 14, {{0, 3, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}}};
  return all;
}

struct Ending {
  const char* text;
  Mesh (*parse)(std::string_view, const std::string&);
};
constexpr Ending kEndings[] = {{".msh", parse_msh}, {".stl", parse_stl}, {".vtu", parse_vtu}, {".vtk", parse_vtk}};

const Ending* ending_of(std::string_view path) {
  std::string lower(path.substr(path.size() - std::min<std::size_t>(path.size(), 4)));
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const Ending& ending : kEndings)
    if (lower == ending.text) return &ending;
  return nullptr;
}

}  // namespace

const CellRow& row_of(CellKind kind) { return rows()[static_cast<std::size_t>(kind)]; }

const CellRow* gmsh_cell(std::int64_t number) {
  for (const CellRow& row : rows())
    if (row.gmsh == number) return &row;
  return nullptr;
}

const CellRow* vtk_cell(std::int64_t number) {
  for (const CellRow& row : rows())
    if (row.vtk == number) return &row;
  return nullptr;
}

void Mesh::add_cell(CellKind kind, std::span<const std::uint32_t> own) {
  if (starts.empty()) starts.push_back(0);
  kinds.push_back(kind);
  nodes.insert(nodes.end(), own.begin(), own.end());
  starts.push_back(nodes.size());
}

int Mesh::dimension() const {
  int largest = -1;
  for (const CellKind kind : kinds) largest = std::max(largest, row_of(kind).dimension);
  return largest;
}

bool is_mesh_name(std::string_view path) { return ending_of(path) != nullptr; }

Mesh read_mesh(const std::string& path) {
  const Ending* ending = ending_of(path);
  if (ending == nullptr)
    throw InputError({.place = {.file = path},
                      .rule = "a mesh is a .msh, .stl, .vtu or .vtk file",
                      .hint = "Gmsh and ParaView write them"});
  const double most = available_memory() / kMemoryPerMeshByte;
  return ending->parse(read_file(path, most), path);
}

}  // namespace pecann::mesh
