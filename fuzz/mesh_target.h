// What the targets of meshes have in common: a mesh that is read is sound, and so are the surfaces made of it.
#pragma once

#include "fuzz/target.h"
#include "pecann/mesh/body.h"
#include "pecann/mesh/facet_tree.h"

namespace pecann::fuzz {

inline void fuzz_mesh(std::string_view bytes, mesh::Mesh (*parse)(std::string_view, const std::string&)) {
  accepted([&] {
    const mesh::Mesh mesh = parse(bytes, "fuzz");
    require(mesh.cells() == 0 || mesh.starts.size() == mesh.cells() + 1, "every cell has its nodes");
    for (const std::uint32_t node : mesh.nodes) require(node < mesh.points.size(), "nodes are points");
    for (const mesh::Group& group : mesh.groups)
      for (const std::uint32_t cell : group.cells) require(cell < mesh.cells(), "groups have cells of the mesh");
    for (const int dimension : {2, 3})
      accepted([&] {
        const mesh::Body body = mesh::body_of(mesh, dimension);
        require(!body.whole.empty(), "a body has a surface");
        mesh::FacetTree(body.points, body.whole, dimension).winding({0.1, 0.2, 0.3});
      });
  });
}

}  // namespace pecann::fuzz
