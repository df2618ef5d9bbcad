// Meshes that other programs made: points, cells, and groups of cells with names. What is read is what the file says;
// surfaces (mesh/surface.h) are made of it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pecann::mesh {

enum class CellKind : std::uint8_t { Point, Line, Triangle, Quad, Tetrahedron, Hexahedron, Prism, Pyramid };

/// A kind of cell, with its numbers in the files of Gmsh and VTK; both order its nodes alike.
struct CellRow {
  CellKind kind;
  const char* name;
  int dimension, nodes;
  int gmsh, vtk;
  std::vector<std::vector<int>>
      faces;  // the nodes of each, seen from outside against the clock; two-dimensional: edges
};
const CellRow& row_of(CellKind kind);
const CellRow* gmsh_cell(std::int64_t number);  // null: none that is read
const CellRow* vtk_cell(std::int64_t number);

struct Group {
  std::string name;
  int dimension = 0;
  std::vector<std::uint32_t> cells;  // ascending
};

struct Mesh {
  std::string file;  // for messages
  std::vector<std::array<double, 3>> points;
  std::vector<CellKind> kinds;        // of the cells
  std::vector<std::uint64_t> starts;  // where the nodes of each cell begin in `nodes`; one more than cells
  std::vector<std::uint32_t> nodes;   // numbers of points
  std::vector<Group> groups;

  std::size_t cells() const { return kinds.size(); }
  std::span<const std::uint32_t> nodes_of(std::size_t cell) const {
    return std::span(nodes).subspan(starts[cell], starts[cell + 1] - starts[cell]);
  }
  void add_cell(CellKind kind, std::span<const std::uint32_t> own);
  /// The largest dimension of the cells; -1 where there are none.
  int dimension() const;
};

inline constexpr double kMostCells = 4e6, kMostNodes = 4e6;
inline constexpr std::size_t kMostGroups = 1000;

/// Reads Gmsh's .msh (2.2 and 4.1, text and binary), .stl (text and binary), .vtu, and VTK's legacy .vtk by the name's
/// ending. Throws InputError with the file, and the line where it has lines, for anything else, for files that are cut
/// short or contradict themselves, and for more than kMostCells cells.
Mesh read_mesh(const std::string& path);
/// True where a name ends like a mesh's.
bool is_mesh_name(std::string_view path);

Mesh parse_msh(std::string_view bytes, const std::string& file);
Mesh parse_stl(std::string_view bytes, const std::string& file);
Mesh parse_vtu(std::string_view bytes, const std::string& file);
Mesh parse_vtk(std::string_view bytes, const std::string& file);

}  // namespace pecann::mesh
