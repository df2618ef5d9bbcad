// The rules of the channels (jet_activation.h) on the points of one neuron, channel by channel, compiled once
// per instruction set. σ and its derivatives are computed first, once for all channels.
#if defined(PECANN_KERNEL_JET_RULES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PECANN_KERNEL_JET_RULES_INL_H_
#undef PECANN_KERNEL_JET_RULES_INL_H_
#else
#define PECANN_KERNEL_JET_RULES_INL_H_
#endif

#include <algorithm>

#include "hwy/highway.h"

#include "pecann/kernel/activation-inl.h"
#include "pecann/kernel/jet_activation.h"
#include "pecann/kernel/jet_layer.h"

HWY_BEFORE_NAMESPACE();
namespace pecann::kernel::HWY_NAMESPACE {
namespace {

// Number of points of one neuron that are handled together, so that what is computed once for all their channels stays
// near the registers.
constexpr std::size_t kChunk = 64;

/// One chunk of points of one neuron. The pointers are to its first point in channel 0; channel c lies
/// c * points further on.
struct Chunk {
  std::size_t size;    // points in the chunk
  std::size_t first;   // its first point in the tile
  std::size_t points;  // points in the tile
  const double* z;
  double* h;                        // forward
  double* adjoint;                  // backward
  HWY_ALIGN double s[6][kChunk];    // s[k] = σ^(k) at the points
  HWY_ALIGN double form[kChunk];    // Q of a Second channel
  HWY_ALIGN double weight[kChunk];  // σ'' dL/dh_D of a Second channel

  const double* z_of(int channel) const { return z + static_cast<std::size_t>(channel) * points; }
  double* h_of(int channel) const { return h + static_cast<std::size_t>(channel) * points; }
  double* adjoint_of(int channel) const { return adjoint + static_cast<std::size_t>(channel) * points; }
};

HWY_INLINE Vec load(const double* from, std::size_t t) { return hn::Load(Tag(), from + t); }
HWY_INLINE void store(Vec value, double* to, std::size_t t) { hn::Store(value, Tag(), to + t); }
HWY_INLINE Vec number(double value) { return hn::Set(Tag(), value); }
constexpr std::size_t kStep = hn::MaxLanes(Tag());

/// form += coefficient z_p z_q; the first product of a form replaces what was there.
template <class Coefficient>
HWY_INLINE void add_product(Chunk& c, const JetProduct& product, bool is_first, Coefficient coefficient) {
  const double *zp = c.z_of(product.p), *zq = c.z_of(product.q);
  if (is_first)
    for (std::size_t t = 0; t < c.size; t += kStep)
      store(hn::Mul(hn::Mul(coefficient(t), load(zp, t)), load(zq, t)), c.form, t);
  else
    for (std::size_t t = 0; t < c.size; t += kStep)
      store(hn::MulAdd(hn::Mul(coefficient(t), load(zp, t)), load(zq, t), load(c.form, t)), c.form, t);
}

struct ConstantCoefficient {
  Vec value;
  HWY_INLINE Vec operator()(std::size_t) const { return value; }
};
struct ColumnCoefficient {
  const double* values;
  HWY_INLINE Vec operator()(std::size_t t) const { return load(values, t); }
};

void quadratic_form(Chunk& c, const JetChannel& channel) {
  if (channel.products.empty()) std::fill_n(c.form, c.size, 0.0);
  for (const JetProduct& product : channel.products) {
    const bool is_first = &product == &channel.products.front();
    if (product.column)
      add_product(c, product, is_first, ColumnCoefficient{product.column + c.first});
    else
      add_product(c, product, is_first, ConstantCoefficient{number(product.constant)});
  }
}

void forward_channel(Chunk& c, const JetChannel& channel, int index) {
  const double* z = c.z_of(index);
  double* h = c.h_of(index);
  const double *s1 = c.s[1], *s2 = c.s[2], *s3 = c.s[3], *s4 = c.s[4];
  switch (channel.kind) {
    case JetChannel::Kind::Value:
      return;
    case JetChannel::Kind::First:
      for (std::size_t t = 0; t < c.size; t += kStep) store(hn::Mul(load(s1, t), load(z, t)), h, t);
      return;
    case JetChannel::Kind::Second:
      quadratic_form(c, channel);
      for (std::size_t t = 0; t < c.size; t += kStep)
        store(hn::MulAdd(load(s1, t), load(z, t), hn::Mul(load(s2, t), load(c.form, t))), h, t);
      return;
    case JetChannel::Kind::Third: {
      const double *first = c.z_of(channel.first), *second = c.z_of(channel.second);
      for (std::size_t t = 0; t < c.size; t += kStep) {
        const Vec z1 = load(first, t), z2 = load(second, t);
        Vec sum = hn::Mul(load(s1, t), load(z, t));
        sum = hn::MulAdd(hn::Mul(number(3), load(s2, t)), hn::Mul(z1, z2), sum);
        sum = hn::MulAdd(load(s3, t), hn::Mul(z1, hn::Mul(z1, z1)), sum);
        store(sum, h, t);
      }
      return;
    }
    case JetChannel::Kind::Fourth: {
      const double *first = c.z_of(channel.first), *second = c.z_of(channel.second), *third = c.z_of(channel.third);
      for (std::size_t t = 0; t < c.size; t += kStep) {
        const Vec z1 = load(first, t), z2 = load(second, t), z3 = load(third, t);
        const Vec z11 = hn::Mul(z1, z1);
        Vec sum = hn::Mul(load(s1, t), load(z, t));
        sum = hn::MulAdd(load(s2, t), hn::MulAdd(number(4), hn::Mul(z1, z3), hn::Mul(number(3), hn::Mul(z2, z2))), sum);
        sum = hn::MulAdd(hn::Mul(number(6), load(s3, t)), hn::Mul(z11, z2), sum);
        sum = hn::MulAdd(load(s4, t), hn::Mul(z11, z11), sum);
        store(sum, h, t);
      }
      return;
    }
  }
}

/// adjoint_p += coefficient weight z_q and the same with p and q exchanged.
template <class Coefficient>
HWY_INLINE void spread_product(const Chunk& c, const JetProduct& product, Coefficient coefficient) {
  const double *zp = c.z_of(product.p), *zq = c.z_of(product.q);
  double *gp = c.adjoint_of(product.p), *gq = c.adjoint_of(product.q);
  if (product.p == product.q) {
    for (std::size_t t = 0; t < c.size; t += kStep) {
      const Vec w = hn::Mul(number(2), hn::Mul(coefficient(t), load(c.weight, t)));
      store(hn::MulAdd(w, load(zp, t), load(gp, t)), gp, t);
    }
    return;
  }
  for (std::size_t t = 0; t < c.size; t += kStep) {
    const Vec w = hn::Mul(coefficient(t), load(c.weight, t));
    store(hn::MulAdd(w, load(zq, t), load(gp, t)), gp, t);
    store(hn::MulAdd(w, load(zp, t), load(gq, t)), gq, t);
  }
}

void adjoint_second(Chunk& c, const JetChannel& channel, int index) {
  const double* z = c.z_of(index);
  double *g = c.adjoint_of(index), *g0 = c.adjoint;
  quadratic_form(c, channel);
  for (std::size_t t = 0; t < c.size; t += kStep) {
    const Vec gd = load(g, t), s2 = load(c.s[2], t);
    const Vec slope = hn::MulAdd(s2, load(z, t), hn::Mul(load(c.s[3], t), load(c.form, t)));
    store(hn::MulAdd(gd, slope, load(g0, t)), g0, t);
    store(hn::Mul(s2, gd), c.weight, t);
    store(hn::Mul(load(c.s[1], t), gd), g, t);
  }
  for (const JetProduct& product : channel.products) {
    if (product.column)
      spread_product(c, product, ColumnCoefficient{product.column + c.first});
    else
      spread_product(c, product, ConstantCoefficient{number(product.constant)});
  }
}

void adjoint_third(const Chunk& c, const JetChannel& channel, int index) {
  const double *first = c.z_of(channel.first), *second = c.z_of(channel.second), *z = c.z_of(index);
  double *g0 = c.adjoint, *g1 = c.adjoint_of(channel.first), *g2 = c.adjoint_of(channel.second);
  double* g = c.adjoint_of(index);
  for (std::size_t t = 0; t < c.size; t += kStep) {
    const Vec s2 = load(c.s[2], t), s3 = load(c.s[3], t), s4 = load(c.s[4], t);
    const Vec z1 = load(first, t), z2 = load(second, t), gd = load(g, t);
    const Vec z11 = hn::Mul(z1, z1);
    // s2 z3 + 3 s3 z1 z2 + s4 z1³
    Vec slope = hn::Mul(s2, load(z, t));
    slope = hn::MulAdd(hn::Mul(number(3), s3), hn::Mul(z1, z2), slope);
    slope = hn::MulAdd(s4, hn::Mul(z1, z11), slope);
    store(hn::MulAdd(gd, slope, load(g0, t)), g0, t);
    const Vec gd3 = hn::Mul(number(3), gd);
    store(hn::MulAdd(gd3, hn::MulAdd(s2, z2, hn::Mul(s3, z11)), load(g1, t)), g1, t);
    store(hn::MulAdd(gd3, hn::Mul(s2, z1), load(g2, t)), g2, t);
    store(hn::Mul(load(c.s[1], t), gd), g, t);
  }
}

void adjoint_fourth(const Chunk& c, const JetChannel& channel, int index) {
  const double *first = c.z_of(channel.first), *second = c.z_of(channel.second), *third = c.z_of(channel.third);
  const double* z = c.z_of(index);
  double *g0 = c.adjoint, *g1 = c.adjoint_of(channel.first), *g2 = c.adjoint_of(channel.second);
  double *g3 = c.adjoint_of(channel.third), *g = c.adjoint_of(index);
  for (std::size_t t = 0; t < c.size; t += kStep) {
    const Vec s2 = load(c.s[2], t), s3 = load(c.s[3], t), s4 = load(c.s[4], t), s5 = load(c.s[5], t);
    const Vec z1 = load(first, t), z2 = load(second, t), z3 = load(third, t), gd = load(g, t);
    const Vec z11 = hn::Mul(z1, z1);
    // s2 z4 + s3 (4 z1 z3 + 3 z2²) + 6 s4 z1² z2 + s5 z1⁴
    Vec slope = hn::Mul(s2, load(z, t));
    slope = hn::MulAdd(s3, hn::MulAdd(number(4), hn::Mul(z1, z3), hn::Mul(number(3), hn::Mul(z2, z2))), slope);
    slope = hn::MulAdd(hn::Mul(number(6), s4), hn::Mul(z11, z2), slope);
    slope = hn::MulAdd(s5, hn::Mul(z11, z11), slope);
    store(hn::MulAdd(gd, slope, load(g0, t)), g0, t);
    // 4 s2 z3 + 12 s3 z1 z2 + 4 s4 z1³
    Vec by_first = hn::MulAdd(s2, z3, hn::Mul(s4, hn::Mul(z1, z11)));
    by_first = hn::MulAdd(hn::Mul(number(3), s3), hn::Mul(z1, z2), by_first);
    const Vec gd4 = hn::Mul(number(4), gd);
    store(hn::MulAdd(gd4, by_first, load(g1, t)), g1, t);
    const Vec gd6 = hn::Mul(number(6), gd);
    store(hn::MulAdd(gd6, hn::MulAdd(s2, z2, hn::Mul(s3, z11)), load(g2, t)), g2, t);
    store(hn::MulAdd(gd4, hn::Mul(s2, z1), load(g3, t)), g3, t);
    store(hn::Mul(load(c.s[1], t), gd), g, t);
  }
}

/// A channel refers to earlier ones only and its own adjoint is scaled last: in ascending order the pass
/// works in place.
void adjoint_channel(Chunk& c, const JetChannel& channel, int index) {
  switch (channel.kind) {
    case JetChannel::Kind::Value:
      return;
    case JetChannel::Kind::First: {
      const double* z = c.z_of(index);
      double *g = c.adjoint_of(index), *g0 = c.adjoint;
      for (std::size_t t = 0; t < c.size; t += kStep) {
        const Vec gd = load(g, t);
        store(hn::MulAdd(hn::Mul(load(c.s[2], t), load(z, t)), gd, load(g0, t)), g0, t);
        store(hn::Mul(load(c.s[1], t), gd), g, t);
      }
      return;
    }
    case JetChannel::Kind::Second:
      return adjoint_second(c, channel, index);
    case JetChannel::Kind::Third:
      return adjoint_third(c, channel, index);
    case JetChannel::Kind::Fourth:
      return adjoint_fourth(c, channel, index);
  }
}

/// Goes through all rows of a layer: σ and its derivatives at a chunk of points first, then the channels. kOrder is the
/// highest order of a channel.
template <class Function, int kOrder>
void forward_rows(std::span<const JetChannel> channels, const LayerTile& tile) {
  const Tag d;
  Chunk c;
  c.points = tile.points;
  for (std::size_t row = 0; row < tile.rows; ++row) {
    const Vec bias = number(tile.bias[row]);
    for (c.first = 0; c.first < tile.points; c.first += kChunk) {
      c.size = std::min(kChunk, tile.points - c.first);
      double* z = tile.z + row * tile.stride + c.first;
      c.z = z;
      c.h = tile.h + row * tile.stride + c.first;
      for (std::size_t t = 0; t < c.size; t += kStep) {
        Vec companion = hn::Zero(d), s[kOrder + 1];
        const Vec value = Function::value(d, hn::Add(load(z, t), bias), companion);
        store(value, c.h, t);
        if constexpr (Function::kHasCompanion) store(companion, z, t);
        Function::template derivatives<kOrder>(d, value, companion, s);
        for (int k = 1; k <= kOrder; ++k) store(s[k], c.s[k], t);
      }
      for (std::size_t i = 1; i < channels.size(); ++i) forward_channel(c, channels[i], static_cast<int>(i));
    }
  }
}

template <class Function, int kOrder>
void adjoint_rows(std::span<const JetChannel> channels, const LayerTile& tile) {
  const Tag d;
  Chunk c;
  c.points = tile.points;
  for (std::size_t row = 0; row < tile.rows; ++row) {
    for (c.first = 0; c.first < tile.points; c.first += kChunk) {
      c.size = std::min(kChunk, tile.points - c.first);
      const double* h = tile.h + row * tile.stride + c.first;
      c.z = tile.z + row * tile.stride + c.first;
      c.adjoint = tile.adjoint + row * tile.stride + c.first;
      for (std::size_t t = 0; t < c.size; t += kStep) {
        Vec companion = hn::Zero(d), s[kOrder + 2];
        if constexpr (Function::kHasCompanion) companion = load(c.z, t);
        Function::template derivatives<kOrder + 1>(d, load(h, t), companion, s);
        for (int k = 1; k <= kOrder + 1; ++k) store(s[k], c.s[k], t);
        store(hn::Mul(s[1], load(c.adjoint, t)), c.adjoint, t);
      }
      for (std::size_t i = 1; i < channels.size(); ++i) adjoint_channel(c, channels[i], static_cast<int>(i));
    }
  }
}

}  // namespace
}  // namespace pecann::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PECANN_KERNEL_JET_RULES_INL_H_
