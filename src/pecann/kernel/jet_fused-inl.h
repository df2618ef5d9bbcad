// The channel sets of most problems (the value, one to three first derivatives, at most one operator of
// second order) in one sweep over the points, with everything in registers: twice as fast as channel by
// channel (jet_rules-inl.h), which remains for all other sets.
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

// What the operator of second order consists of: nothing (there is none), squares z_i² only, or all products
// z_i z_j.
enum class Form { None, Squares, Products };

struct FusedSet {
  using Sweep = void (*)(Chunk&, const FusedSet&);
  // A number per point, or one for all: the index is masked to zero then.
  struct Coefficient {
    const double* values;
    std::size_t mask;
    HWY_INLINE Vec at(std::size_t point) const { return hn::Load(Tag(), values + (point & mask)); }
  };

  Sweep forward = nullptr, adjoint = nullptr;  // null where the set is not one of those above
  int num_first = 0;
  int first[kMostFirst] = {};  // channels of the first derivatives
  int second = -1;             // channel of the operator
  bool has_mixed = false;
  Coefficient coefficient[kMostFirst][kMostFirst];  // [i][j], i <= j, of z_i z_j
  HWY_ALIGN double constant[kMostFirst][kMostFirst][8] = {};
};

// Vector stores may alias everything, so what a sweep reads per point lies in local copies: else it would be
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

  FusedSet::Coefficient a[kFirst][kFirst];
};

template <int kFirst, Form kForm>
void fused_forward(Chunk& c, const FusedSet& set) {
  const Operator<kFirst, kForm> form_of(set);
  const std::size_t size = c.size, begin = c.first;
  const double *s1 = c.s[1], *s2 = c.s[2], *z_first[kFirst], *z_second = c.z_of(set.second);
  double *h_first[kFirst], *h_second = c.h_of(set.second);
  for (int i = 0; i < kFirst; ++i) {
    z_first[i] = c.z_of(set.first[i]);
    h_first[i] = c.h_of(set.first[i]);
  }
  for (std::size_t t = 0; t < size; t += kStep) {
    const Vec slope1 = load(s1, t);
    Vec z[kFirst], by_z[kFirst];
    for (int i = 0; i < kFirst; ++i) {
      z[i] = load(z_first[i], t);
      store(hn::Mul(slope1, z[i]), h_first[i], t);
    }
    if constexpr (kForm != Form::None) {
      const Vec form = form_of.at(begin + t, z, by_z);
      store(hn::MulAdd(load(s2, t), form, hn::Mul(slope1, load(z_second, t))), h_second, t);
    }
  }
}

template <int kFirst, Form kForm>
void fused_adjoint(Chunk& c, const FusedSet& set) {
  const Operator<kFirst, kForm> form_of(set);
  const std::size_t size = c.size, begin = c.first;
  const double *s1 = c.s[1], *s2 = c.s[2], *s3 = c.s[3], *z_first[kFirst], *z_second = c.z_of(set.second);
  double *g_first[kFirst], *g_second = c.adjoint_of(set.second), *g_value = c.adjoint;
  for (int i = 0; i < kFirst; ++i) {
    z_first[i] = c.z_of(set.first[i]);
    g_first[i] = c.adjoint_of(set.first[i]);
  }
  for (std::size_t t = 0; t < size; t += kStep) {
    const Vec slope1 = load(s1, t), slope2 = load(s2, t);
    Vec z[kFirst], by_z[kFirst], by_value = load(g_value, t), weight = hn::Zero(Tag());
    for (int i = 0; i < kFirst; ++i) z[i] = load(z_first[i], t);
    if constexpr (kForm != Form::None) {
      const Vec form = form_of.at(begin + t, z, by_z);
      const Vec g = load(g_second, t);
      weight = hn::Mul(slope2, g);
      by_value = hn::MulAdd(weight, load(z_second, t), by_value);
      by_value = hn::MulAdd(hn::Mul(load(s3, t), form), g, by_value);
      store(hn::Mul(slope1, g), g_second, t);
    }
    for (int i = 0; i < kFirst; ++i) {
      const Vec g = load(g_first[i], t);
      by_value = hn::MulAdd(hn::Mul(slope2, z[i]), g, by_value);
      Vec scaled = hn::Mul(slope1, g);
      if constexpr (kForm != Form::None) scaled = hn::MulAdd(weight, by_z[i], scaled);
      store(scaled, g_first[i], t);
    }
    store(by_value, g_value, t);
  }
}

template <int kFirst>
void choose_sweeps(FusedSet& set) {
  if (set.second < 0) {
    set.forward = fused_forward<kFirst, Form::None>;
    set.adjoint = fused_adjoint<kFirst, Form::None>;
  } else if (!set.has_mixed) {
    set.forward = fused_forward<kFirst, Form::Squares>;
    set.adjoint = fused_adjoint<kFirst, Form::Squares>;
  } else if constexpr (kFirst > 1) {
    set.forward = fused_forward<kFirst, Form::Products>;
    set.adjoint = fused_adjoint<kFirst, Form::Products>;
  }
}

/// Enters the products of the operator; false where one pair occurs twice.
bool enter_products(FusedSet& set, std::span<const JetProduct> products) {
  bool seen[kMostFirst][kMostFirst] = {};
  for (const JetProduct& product : products) {
    int i = 0, j = 0;
    while (set.first[i] != product.p) ++i;
    while (set.first[j] != product.q) ++j;
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

/// set.forward and set.adjoint stay null where the channels are not of the kind described above.
void recognise(std::span<const JetChannel> channels, FusedSet& set) {
  for (int i = 0; i < kMostFirst; ++i)
    for (int j = 0; j < kMostFirst; ++j) set.coefficient[i][j] = {set.constant[i][j], 0};
  for (std::size_t c = 1; c < channels.size(); ++c) {
    if (channels[c].kind == JetChannel::Kind::First && set.num_first < kMostFirst)
      set.first[set.num_first++] = static_cast<int>(c);
    else if (channels[c].kind == JetChannel::Kind::Second && set.second < 0)
      set.second = static_cast<int>(c);
    else
      return;
  }
  if (set.second >= 0 && !enter_products(set, channels[static_cast<std::size_t>(set.second)].products))
    return;
  if (set.num_first == 1) choose_sweeps<1>(set);
  if (set.num_first == 2) choose_sweeps<2>(set);
  if (set.num_first == 3) choose_sweeps<3>(set);
}

}  // namespace
}  // namespace pecann::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PECANN_KERNEL_JET_FUSED_INL_H_
