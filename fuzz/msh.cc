// .msh files: the mesh, and the surfaces that it has in the plane and in space.
#include "fuzz/mesh_target.h"

namespace pecann::fuzz {

void fuzz_one(std::string_view bytes) { fuzz_mesh(bytes, mesh::parse_msh); }

}  // namespace pecann::fuzz
