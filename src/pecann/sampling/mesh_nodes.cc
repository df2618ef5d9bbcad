#include "pecann/sampling/mesh_nodes.h"

namespace pecann::sampling {

std::vector<std::uint32_t> nodes_of_cells(const mesh::Mesh& mesh) {
  std::vector<char> used(mesh.points.size(), 0);
  const int dimension = mesh.dimension();
  for (std::size_t cell = 0; cell < mesh.cells(); ++cell)
    if (mesh::row_of(mesh.kinds[cell]).dimension == dimension)
      for (const std::uint32_t node : mesh.nodes_of(cell)) used[node] = 1;
  std::vector<std::uint32_t> nodes;
  for (std::size_t node = 0; node < used.size(); ++node)
    if (used[node] != 0) nodes.push_back(static_cast<std::uint32_t>(node));
  return nodes;
}

PointSet points_of_nodes(const mesh::Mesh& mesh, std::span<const std::uint32_t> nodes, const Box& box, int times) {
  std::vector<std::vector<double>> columns(box.names.size());
  for (int t = 0; t < times; ++t)
    for (const std::uint32_t node : nodes)
      for (int c = 0, k = 0; c < box.dimension(); ++c) {
        const double share = times > 1 ? static_cast<double>(t) / (times - 1) : 1;
        columns[c].push_back(c == box.time ? box.lower[c] + share * (box.upper[c] - box.lower[c])
                                           : mesh.points[node][static_cast<std::size_t>(k++)]);
      }
  PointSet points;
  points.count = columns[0].size();
  for (const std::vector<double>& column : columns) points.coordinates.push_back(padded_column(column));
  return points;
}

}  // namespace pecann::sampling
