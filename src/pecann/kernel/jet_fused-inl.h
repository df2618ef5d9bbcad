// The activation of the channel sets that most problems have (the value, up to three first derivatives, at most one
// operator of second order) in one sweep over the points, with everything in registers; about twice as fast as the
// general way (jet_rules-inl.h), which remains for all other sets.
#if defined(PECANN_KERNEL_JET_FUSED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PECANN_KERNEL_JET_FUSED_INL_H_
#undef PECANN_KERNEL_JET_FUSED_INL_H_
#else
#define PECANN_KERNEL_JET_FUSED_INL_H_
#endif

#include <algorithm>
#include <utility>

#include "hwy/highway.h"

#include "pecann/kernel/jet_rules-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pecann::kernel::HWY_NAMESPACE {
namespace {

constexpr int kMostFirst = 3;

// What the operator of second order consists of: nothing (there is no operator), squares z_i² only, or all
// products z_i z_j.
enum class Form { None, Squares, Products };

struct FusedSet {
  // One coefficient per point, or one for all points, where the mask sets the index to zero.
  struct Coefficient {
    const double* values;
    std::size_t mask;
    HWY_INLINE Vec at(std::size_t point) const { return hn::Load(Tag(), values + (point & mask)); }
  };

  int num_first = 0;
  std::size_t first[kMostFirst] = {};  // channels of the first derivatives
  std::size_t second = 0;              // channel of the operator, 0 where there is none
  bool has_mixed = false;
  Coefficient coefficient[kMostFirst][kMostFirst];  // [i][j], i <= j, of z_i z_j
  HWY_ALIGN double constant[kMostFirst][kMostFirst][8] = {};
};

// Vector stores may alias everything, so what a sweep reads at every point lies in local copies; otherwise it would be
// reloaded after every store.
template <int kFirst, Form kForm>
struct Operator {
  explicit Operator(const FusedSet& set) {
    for (int i = 0; i < kFirst; ++i)
      for (int j = i; j < kFirst; ++j) a[i][j] = set.coefficient[i][j];
  }

  /// Σ a_ij z_i z_j at a point, and slope[i] = its derivative by z_i.
  HWY_INLINE Vec at(std::size_t point, const Vec* HWY_RESTRICT z, Vec* HWY_RESTRICT slope) const {
    Vec form = hn::Zero(Tag());
    for (int i = 0; i < kFirst; ++i) {
      const Vec az = hn::Mul(a[i][i].at(point), z[i]);
      form = i == 0 ? hn::Mul(az, z[i]) : hn::MulAdd(az, z[i], form);
      slope[i] = hn::Add(az, az);
    }
    if constexpr (kForm == Form::Products)
      for (int i = 0; i < kFirst; ++i)
        for (int j = i + 1; j < kFirst; ++j) {
          const Vec b = a[i][j].at(point);
          form = hn::MulAdd(hn::Mul(b, z[i]), z[j], form);
          slope[i] = hn::MulAdd(b, z[j], slope[i]);
          slope[j] = hn::MulAdd(b, z[i], slope[j]);
        }
    return form;
  }

  FusedSet::Coefficient a[kFirst + 1][kFirst + 1];
};

template <class Function, int kFirst, Form kForm>
void fused_forward(const FusedSet& set, const LayerTile& tile) {
  const Tag d;
  const Operator<kFirst, kForm> form_of(set);
  const std::size_t points = tile.points;
  for (std::size_t row = 0; row < tile.rows; ++row) {
    double *z0 = tile.z + row * tile.stride, *h0 = tile.h + row * tile.stride;
    const Vec bias = number(tile.bias[row]);
    std::size_t at[kFirst + 1];  // where the channels begin: the first derivatives, then the operator
    for (int i = 0; i < kFirst; ++i) at[i] = set.first[i] * points;
    at[kFirst] = set.second * points;
    for (std::size_t t = 0; t < points; t += kStep) {
      Vec companion = hn::Zero(d), s[3], z[kFirst + 1], by_z[kFirst + 1];
      const Vec value = Function::value(d, hn::Add(load(z0, t), bias), companion);
      store(value, h0, t);
      if constexpr (Function::kHasCompanion) store(companion, z0, t);
      if constexpr (kFirst > 0) Function::template derivatives<kForm == Form::None ? 1 : 2>(d, value, companion, s);
      for (int i = 0; i < kFirst; ++i) {
        z[i] = load(z0, at[i] + t);
        store(hn::Mul(s[1], z[i]), h0, at[i] + t);
      }
      if constexpr (kForm != Form::None) {
        const Vec linear = hn::Mul(s[1], load(z0, at[kFirst] + t));
        store(hn::MulAdd(s[2], form_of.at(t, z, by_z), linear), h0, at[kFirst] + t);
      }
    }
  }
}

template <class Function, int kFirst, Form kForm>
void fused_adjoint(const FusedSet& set, const LayerTile& tile) {
  const Tag d;
  const Operator<kFirst, kForm> form_of(set);
  const std::size_t points = tile.points;
  for (std::size_t row = 0; row < tile.rows; ++row) {
    const double *z0 = tile.z + row * tile.stride, *h0 = tile.h + row * tile.stride;
    double* g0 = tile.adjoint + row * tile.stride;
    std::size_t at[kFirst + 1];
    for (int i = 0; i < kFirst; ++i) at[i] = set.first[i] * points;
    at[kFirst] = set.second * points;
    for (std::size_t t = 0; t < points; t += kStep) {
      Vec companion = hn::Zero(d), s[4], z[kFirst + 1], by_z[kFirst + 1], weight = hn::Zero(d);
      if constexpr (Function::kHasCompanion) companion = load(z0, t);
      constexpr int kOrder = kFirst == 0 ? 1 : kForm == Form::None ? 2 : 3;
      Function::template derivatives<kOrder>(d, load(h0, t), companion, s);
      Vec by_value = hn::Mul(s[1], load(g0, t));
      for (int i = 0; i < kFirst; ++i) z[i] = load(z0, at[i] + t);
      if constexpr (kForm != Form::None) {
        const Vec form = form_of.at(t, z, by_z);
        const Vec g = load(g0, at[kFirst] + t);
        weight = hn::Mul(s[2], g);
        by_value = hn::MulAdd(weight, load(z0, at[kFirst] + t), by_value);
        by_value = hn::MulAdd(hn::Mul(s[3], form), g, by_value);
        store(hn::Mul(s[1], g), g0, at[kFirst] + t);
      }
      for (int i = 0; i < kFirst; ++i) {
        const Vec g = load(g0, at[i] + t);
        by_value = hn::MulAdd(hn::Mul(s[2], z[i]), g, by_value);
        Vec scaled = hn::Mul(s[1], g);
        if constexpr (kForm != Form::None) scaled = hn::MulAdd(weight, by_z[i], scaled);
        store(scaled, g0, at[i] + t);
      }
      store(by_value, g0, t);
    }
  }
}

template <class Function, int kFirst>
void fused_sweep(const FusedSet& set, const LayerTile& tile, Direction direction) {
  const bool forward = direction == Direction::Forward;
  if constexpr (kFirst > 0) {
    if (set.second > 0 && !set.has_mixed)
      return (forward ? fused_forward<Function, kFirst, Form::Squares>
                      : fused_adjoint<Function, kFirst, Form::Squares>)(set, tile);
  }
  if constexpr (kFirst > 1) {
    if (set.second > 0)
      return (forward ? fused_forward<Function, kFirst, Form::Products>
                      : fused_adjoint<Function, kFirst, Form::Products>)(set, tile);
  }
  (forward ? fused_forward<Function, kFirst, Form::None> : fused_adjoint<Function, kFirst, Form::None>)(set, tile);
}

/// Enters the products of the operator; returns false where one pair occurs twice.
bool enter_products(FusedSet& set, std::span<const JetProduct> products) {
  bool seen[kMostFirst][kMostFirst] = {};
  for (const JetProduct& product : products) {
    int i = 0, j = 0;
    while (set.first[i] != static_cast<std::size_t>(product.p)) ++i;
    while (set.first[j] != static_cast<std::size_t>(product.q)) ++j;
    if (i > j) std::swap(i, j);
    if (std::exchange(seen[i][j], true)) return false;
    set.has_mixed |= i != j;
    if (product.column)
      set.coefficient[i][j] = {product.column, ~std::size_t{0}};
    else
      std::fill_n(set.constant[i][j], 8, product.constant);
  }
  return true;
}

/// Fills `set`; returns false where the channels are not of the kind described at the top.
bool recognise(std::span<const JetChannel> channels, FusedSet& set) {
  for (int i = 0; i < kMostFirst; ++i)
    for (int j = 0; j < kMostFirst; ++j) set.coefficient[i][j] = {set.constant[i][j], 0};
  std::size_t second = 0;
  for (std::size_t c = 1; c < channels.size(); ++c) {
    if (channels[c].kind == JetChannel::Kind::First && set.num_first < kMostFirst)
      set.first[set.num_first++] = c;
    else if (channels[c].kind == JetChannel::Kind::Second && second == 0)
      second = c;
    else
      return false;
  }
  if (second == 0) return true;
  set.second = second;
  return set.num_first > 0 && enter_products(set, channels[second].products);
}

/// Returns false, and does nothing, where the channels are not of the kind described at the top.
template <class Function>
bool fused(std::span<const JetChannel> channels, const LayerTile& tile, Direction direction) {
  FusedSet set;
  if (!recognise(channels, set)) return false;
  if (set.num_first == 0) fused_sweep<Function, 0>(set, tile, direction);
  if (set.num_first == 1) fused_sweep<Function, 1>(set, tile, direction);
  if (set.num_first == 2) fused_sweep<Function, 2>(set, tile, direction);
  if (set.num_first == 3) fused_sweep<Function, 3>(set, tile, direction);
  return true;
}

}  // namespace
}  // namespace pecann::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PECANN_KERNEL_JET_FUSED_INL_H_
