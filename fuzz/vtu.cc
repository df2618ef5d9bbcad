// .vtu files and VTK's older .vtk files: the mesh, the surfaces that it has in the plane and in space, and the values
// at its points.
#include "fuzz/mesh_target.h"
#include "pecann/mesh/point_data.h"

namespace pecann::fuzz {

void fuzz_one(std::string_view bytes) {
  fuzz_mesh(bytes, bytes.starts_with('#') ? mesh::parse_vtk : mesh::parse_vtu);
  accepted([&] {
    const mesh::PointData data = mesh::parse_vtu_points(bytes, "fuzz");
    require(data.names.size() == data.columns.size(), "every column has a name");
    for (const std::vector<double>& column : data.columns)
      require(column.size() == data.columns[0].size(), "columns are equally long");
  });
}

}  // namespace pecann::fuzz
