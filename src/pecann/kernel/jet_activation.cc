#include "pecann/kernel/jet_activation.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pecann/kernel/jet_activation.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "pecann/kernel/activation-inl.h"
#include "pecann/kernel/jet_fused-inl.h"
#include "pecann/kernel/jet_rules-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pecann::kernel::HWY_NAMESPACE {
namespace {

/// The channels beyond the value, by the fused sweep where there is one for the set.
struct Rules {
  explicit Rules(std::span<const JetChannel> set) : channels(set) { recognise(set, fused); }
  Rules(const Rules&) = delete;

  HWY_INLINE void forward(Chunk& c) const {
    if (fused.forward) return fused.forward(c, fused);
    for (std::size_t i = 1; i < channels.size(); ++i) forward_channel(c, channels[i], static_cast<int>(i));
  }
  HWY_INLINE void adjoint(Chunk& c) const {
    if (fused.adjoint) return fused.adjoint(c, fused);
    for (std::size_t i = 1; i < channels.size(); ++i) adjoint_channel(c, channels[i], static_cast<int>(i));
  }

  std::span<const JetChannel> channels;
  FusedSet fused;
};

template <class Function, int kOrder>
void activate_rows(const Rules& rules, std::size_t rows, std::size_t points, const double* bias, double* z,
                   double* h, std::size_t stride) {
  const Tag d;
  Chunk c;
  c.points = points;
  for (std::size_t row = 0; row < rows; ++row) {
    const Vec b = number(bias[row]);
    for (c.first = 0; c.first < points; c.first += kChunk) {
      c.size = std::min(kChunk, points - c.first);
      double* z0 = z + row * stride + c.first;
      c.z = z0;
      c.h = h + row * stride + c.first;
      double* h0 = c.h;
      const std::size_t size = c.size;
      for (std::size_t t = 0; t < size; t += kStep) {
        Vec companion = hn::Zero(d), s[kOrder + 1];
        const Vec value = Function::value(d, hn::Add(load(z0, t), b), companion);
        store(value, h0, t);
        if constexpr (Function::kHasCompanion) store(companion, z0, t);
        if constexpr (kOrder > 0) Function::template derivatives<kOrder>(d, value, companion, s);
        for (int k = 1; k <= kOrder; ++k) store(s[k], c.s[k], t);
      }
      rules.forward(c);
    }
  }
}

template <class Function, int kOrder>
void adjoint_rows(const Rules& rules, std::size_t rows, std::size_t points, const double* z, const double* h,
                  double* adjoint, std::size_t stride) {
  const Tag d;
  Chunk c;
  c.points = points;
  for (std::size_t row = 0; row < rows; ++row) {
    for (c.first = 0; c.first < points; c.first += kChunk) {
      c.size = std::min(kChunk, points - c.first);
      c.z = z + row * stride + c.first;
      c.adjoint = adjoint + row * stride + c.first;
      const double *h0 = h + row * stride + c.first, *z0 = c.z;
      double* g0 = c.adjoint;
      const std::size_t size = c.size;
      for (std::size_t t = 0; t < size; t += kStep) {
        Vec companion = hn::Zero(d), s[kOrder + 2];
        if constexpr (Function::kHasCompanion) companion = load(z0, t);
        Function::template derivatives<kOrder + 1>(d, load(h0, t), companion, s);
        for (int k = 1; k <= kOrder + 1; ++k) store(s[k], c.s[k], t);
        store(hn::Mul(s[1], load(g0, t)), g0, t);
      }
      rules.adjoint(c);
    }
  }
}

int order_of(std::span<const JetChannel> channels) {
  int order = 0;
  for (const JetChannel& channel : channels) order = std::max(order, static_cast<int>(channel.kind));
  return order;
}

template <class Function>
void activate_function(std::span<const JetChannel> channels, std::size_t rows, std::size_t points,
                       const double* bias, double* z, double* h, std::size_t stride) {
  const Rules rules(channels);
  switch (order_of(channels)) {
    case 0:
      return activate_rows<Function, 0>(rules, rows, points, bias, z, h, stride);
    case 1:
      return activate_rows<Function, 1>(rules, rows, points, bias, z, h, stride);
    case 2:
      return activate_rows<Function, 2>(rules, rows, points, bias, z, h, stride);
    default:
      return activate_rows<Function, 4>(rules, rows, points, bias, z, h, stride);
  }
}

template <class Function>
void adjoint_function(std::span<const JetChannel> channels, std::size_t rows, std::size_t points,
                      const double* z, const double* h, double* adjoint, std::size_t stride) {
  const Rules rules(channels);
  switch (order_of(channels)) {
    case 0:
      return adjoint_rows<Function, 0>(rules, rows, points, z, h, adjoint, stride);
    case 1:
      return adjoint_rows<Function, 1>(rules, rows, points, z, h, adjoint, stride);
    case 2:
      return adjoint_rows<Function, 2>(rules, rows, points, z, h, adjoint, stride);
    default:
      return adjoint_rows<Function, 4>(rules, rows, points, z, h, adjoint, stride);
  }
}

void activate_target(ActivationFunction function, std::span<const JetChannel> channels, std::size_t rows,
                     std::size_t points, const double* bias, double* z, double* h, std::size_t stride) {
  switch (function) {
    case ActivationFunction::Tanh:
      return activate_function<Tanh>(channels, rows, points, bias, z, h, stride);
    case ActivationFunction::Sin:
      return activate_function<Sin>(channels, rows, points, bias, z, h, stride);
    case ActivationFunction::Cos:
      return activate_function<Cos>(channels, rows, points, bias, z, h, stride);
    case ActivationFunction::Silu:
      return activate_function<Silu>(channels, rows, points, bias, z, h, stride);
    case ActivationFunction::Sigmoid:
      return activate_function<Sigmoid>(channels, rows, points, bias, z, h, stride);
  }
}

void adjoint_target(ActivationFunction function, std::span<const JetChannel> channels, std::size_t rows,
                    std::size_t points, const double* z, const double* h, double* adjoint,
                    std::size_t stride) {
  switch (function) {
    case ActivationFunction::Tanh:
      return adjoint_function<Tanh>(channels, rows, points, z, h, adjoint, stride);
    case ActivationFunction::Sin:
      return adjoint_function<Sin>(channels, rows, points, z, h, adjoint, stride);
    case ActivationFunction::Cos:
      return adjoint_function<Cos>(channels, rows, points, z, h, adjoint, stride);
    case ActivationFunction::Silu:
      return adjoint_function<Silu>(channels, rows, points, z, h, adjoint, stride);
    case ActivationFunction::Sigmoid:
      return adjoint_function<Sigmoid>(channels, rows, points, z, h, adjoint, stride);
  }
}

}  // namespace
}  // namespace pecann::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pecann::kernel {

HWY_EXPORT(activate_target);
HWY_EXPORT(adjoint_target);

void activate(ActivationFunction function, std::span<const JetChannel> channels, std::size_t rows,
              std::size_t points, const double* bias, double* z, double* h, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(activate_target)(function, channels, rows, points, bias, z, h, stride);
}

void activate_adjoint(ActivationFunction function, std::span<const JetChannel> channels, std::size_t rows,
                      std::size_t points, const double* z, const double* h, double* adjoint,
                      std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(adjoint_target)(function, channels, rows, points, z, h, adjoint, stride);
}

}  // namespace pecann::kernel
#endif
