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

template <class Function, bool kHidden>
void run_function(std::span<const JetChannel> channels, const LayerTile& tile, Direction direction) {
  // At the ends of a network the general way is fast enough.
  if constexpr (kHidden)
    if (fused<Function>(channels, tile, direction)) return;
  const bool low =
      std::ranges::all_of(channels, [](const JetChannel& channel) { return channel.kind <= JetChannel::Kind::Second; });
  if (direction == Direction::Forward)
    (low ? forward_rows<Function, 2> : forward_rows<Function, 4>)(channels, tile);
  else
    (low ? adjoint_rows<Function, 2> : adjoint_rows<Function, 4>)(channels, tile);
}

void run_target(Activation function, std::span<const JetChannel> channels, const LayerTile& tile, Direction direction) {
  switch (function) {
#define PECANN_HIDDEN(enumerator, ...) \
  case Activation::enumerator:         \
    return run_function<enumerator, true>(channels, tile, direction);
#define PECANN_END(enumerator, ...) \
  case Activation::enumerator:      \
    return run_function<enumerator, false>(channels, tile, direction);
    PECANN_ACTIVATIONS(PECANN_HIDDEN)
    PECANN_END_FUNCTIONS(PECANN_END)
#undef PECANN_HIDDEN
#undef PECANN_END
  }
}

}  // namespace
}  // namespace pecann::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pecann::kernel {

HWY_EXPORT(run_target);

void activate(Activation function, std::span<const JetChannel> channels, std::size_t rows, std::size_t points,
              const double* bias, double* z, double* h, std::size_t stride) {
  const LayerTile tile{rows, points, stride, bias, z, h, nullptr};
  HWY_DYNAMIC_DISPATCH(run_target)(function, channels, tile, Direction::Forward);
}

void activate_adjoint(Activation function, std::span<const JetChannel> channels, std::size_t rows, std::size_t points,
                      const double* z, const double* h, double* adjoint, std::size_t stride) {
  const LayerTile tile{rows, points, stride, nullptr, const_cast<double*>(z), const_cast<double*>(h), adjoint};
  HWY_DYNAMIC_DISPATCH(run_target)(function, channels, tile, Direction::Adjoint);
}

}  // namespace pecann::kernel
#endif
