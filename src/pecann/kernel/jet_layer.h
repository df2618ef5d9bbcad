// What the implementations of jet_activation.h hand to each other; not for users of the kernels.
#pragma once

#include <cstddef>

namespace pecann::kernel {

enum class Direction { Forward, Adjoint };

/// All rows of a layer; the arguments of activate and activate_adjoint.
struct LayerTile {
  std::size_t rows, points, stride;
  const double* bias;  // for Forward only
  double *z, *h;       // Adjoint only reads them
  double* adjoint;     // for Adjoint only
};

}  // namespace pecann::kernel
