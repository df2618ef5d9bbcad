#include "pecann/kernel/fma_peak.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pecann/kernel/fma_peak.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pecann::kernel {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Ten independent chains hide the latency of a multiply-add (4 cycles, two units). Returns the number of operations.
double run_multiply_adds(long rounds, double* sink) {
  const hn::ScalableTag<double> d;
  const auto a = hn::Set(d, 1.0 + 1e-9), b = hn::Set(d, 1e-9);
  auto x0 = hn::Set(d, 0.1), x1 = hn::Set(d, 0.2), x2 = hn::Set(d, 0.3), x3 = hn::Set(d, 0.4), x4 = hn::Set(d, 0.5);
  auto x5 = hn::Set(d, 0.6), x6 = hn::Set(d, 0.7), x7 = hn::Set(d, 0.8), x8 = hn::Set(d, 0.9), x9 = hn::Set(d, 1.0);
  for (long i = 0; i < rounds; ++i) {
    x0 = hn::MulAdd(x0, a, b), x1 = hn::MulAdd(x1, a, b), x2 = hn::MulAdd(x2, a, b), x3 = hn::MulAdd(x3, a, b);
    x4 = hn::MulAdd(x4, a, b), x5 = hn::MulAdd(x5, a, b), x6 = hn::MulAdd(x6, a, b), x7 = hn::MulAdd(x7, a, b);
    x8 = hn::MulAdd(x8, a, b), x9 = hn::MulAdd(x9, a, b);
  }
  const auto s0 = hn::Add(hn::Add(x0, x1), hn::Add(x2, x3)), s1 = hn::Add(hn::Add(x4, x5), hn::Add(x6, x7));
  *sink = hn::GetLane(hn::Add(hn::Add(s0, s1), hn::Add(x8, x9)));
  return 20.0 * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

}  // namespace HWY_NAMESPACE
}  // namespace pecann::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <chrono>
#include <vector>

#include "pecann/base/parallel.h"

namespace pecann::kernel {
HWY_EXPORT(run_multiply_adds);

double measure_fma_peak(int threads) {
  constexpr long kRounds = 1'000'000;  // about 5 ms: a neighbour's time slice spoils few of the repeats
  std::vector<double> operations(threads), sinks(threads * 8);
  double best = 0;
  for (int repeat = 0; repeat < 24; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    parallel_for(threads, threads, [&](std::size_t i, int) {
      operations[i] = HWY_DYNAMIC_DISPATCH(run_multiply_adds)(kRounds, &sinks[8 * i]);
    });
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    double sum = 0;
    for (const double count : operations) sum += count;
    best = std::max(best, sum / time.count());
  }
  return best;
}

}  // namespace pecann::kernel
#endif
