// The shape where a function of space is negative, in two or three dimensions.
//
// Its surface is found on a lattice over the box around everything (kLatticeNodes along each axis): every triangle
// or tetrahedron of the lattice whose corners have different signs has a piece of it. Parts smaller than the meshes
// of the lattice may be missed. Points are put on the surface by Newton steps along the gradient and are true to length
// and area up to the square of the ratio of a mesh to the radius of curvature.
#pragma once

#include <functional>

#include "pecann/sampling/shape.h"

namespace pecann::sampling {

/// Values of the function and its gradient, [coordinate][point].
using LevelFunction = std::function<void(const SpacePoints&, std::vector<double>& values, Columns& gradient)>;

/// `text` is the condition as problem files write it, `cpp` writes it as C++ (Shape::cpp_condition).
ShapePointer level_set(LevelFunction function, const Bounds& around, std::string text,
                       std::function<std::string(std::span<const std::string>)> cpp);

}  // namespace pecann::sampling
