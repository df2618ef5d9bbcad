// A pass is one network with one channel set on one thread: it carries the jets of a tile of points forward and then
// runs the hand-derived reverse pass. All memory is taken in the constructor. A tile's forward, residuals and backward
// happen before the next tile begins, so the activations stay in cache.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "pecann/network/channels.h"
#include "pecann/network/network.h"

namespace pecann::network {

/// Weights rearranged for the kernels, once per evaluation and shared by all threads; read-only during passes.
class PackedParameters {
 public:
  explicit PackedParameters(const Network& network);
  ~PackedParameters();
  PackedParameters(PackedParameters&&) noexcept;
  void pack(std::span<const double> parameters);  // parameters of this network alone

 private:
  friend class Pass;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Points per tile (a multiple of kLanes) at which a pass over this network runs fastest; depends on shape
/// and channels only.
std::size_t preferred_tile(const Network& network, const ChannelSet& channels);

/// Floating-point operations per point of forward + backward, as counted for GFLOP/s (2 per multiply-add of
/// the dense layers).
double flops_per_point(const Network& network, const ChannelSet& channels);

class Pass {
 public:
  /// network must outlive the pass. Parameters of other networks of the same shape may go through it too: theirs are
  /// the input ranges and the frozen layer.
  Pass(const Network& network, ChannelSet channels, std::size_t max_points);
  ~Pass();
  Pass(Pass&&) noexcept;

  /// inputs[i]: coordinate i of the points (user's units); columns: per-point coefficients that the channels refer to.
  /// points is a multiple of kLanes, at most max_points; all arrays are aligned to a cache line.
  void forward(const PackedParameters& parameters, std::span<const double* const> inputs,
               std::span<const double* const> columns, std::size_t points);

  /// After forward: the values of a channel of an output at the `points` points.
  const double* output(int field, int channel) const;

  /// Where to put dL/d(output) before backward; clear_adjoints sets all of them to zero.
  double* adjoint(int field, int channel);
  void clear_adjoints();

  /// The reverse pass of the last forward: adds dL/dθ to gradient (this network's parameters, user order).
  /// The adjoints may be overwritten.
  void backward(const PackedParameters& parameters, std::span<double> gradient);

  /// As backward, but with one row of the Jacobian per point,
  ///   jacobian[parameter * stride + point] = dL_point/dθ_parameter,
  /// written (not added) for the `points` of the last forward. stride >= points.
  void jacobian(const PackedParameters& parameters, double* jacobian, std::size_t stride);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pecann::network
