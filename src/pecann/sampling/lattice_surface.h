// The zeros of a function on a lattice over a box: chains of segments in the plane (marching triangles), triangles in
// space (marching tetrahedra; Doi and Koide, 1991). Neither has the ambiguous cases of squares and cubes.
#pragma once

#include <array>
#include <functional>

#include "pecann/sampling/shape.h"

namespace pecann::sampling {

inline constexpr int kLatticeNodes[] = {0, 0, 256, 40};  // by dimension: meshes along each coordinate

struct LatticeSurface {
  Columns vertices;                                   // [coordinate][vertex]
  std::vector<std::array<std::size_t, 3>> simplices;  // segments use two vertices

  std::vector<double> cumulative_measures() const;
};

/// In the plane every chain on its own, its segments one after the other; in space one surface. `values_at` gives the
/// function, `onto` puts points near its zeros on them. The lattice reaches two meshes beyond the box.
std::vector<LatticeSurface> lattice_surface(const Bounds& box,
                                            const std::function<std::vector<double>(const Columns&)>& values_at,
                                            const std::function<void(Columns&)>& onto);

}  // namespace pecann::sampling
