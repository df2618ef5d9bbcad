#include "pecann/cli/bench_gram.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "pecann/base/parallel.h"
#include "pecann/kernel/fma_peak.h"
#include "pecann/optim/dense_gram.h"

namespace pecann::cli {

GramRate measure_gram(double seconds) {
  constexpr std::size_t kRows = 2601, kParameters = 3441, kStride = round_up(kRows, kLanes) + kLanes;
  AlignedVector<double> jacobian(kParameters * kStride);
  for (std::size_t i = 0; i < jacobian.size(); ++i) jacobian[i] = std::sin(static_cast<double>(i));
  optim::LowerBlocks gram(kRows);
  optim::GramProduct product;
  // Each entry of the lower triangle with its diagonal takes a multiplication and an addition per parameter.
  constexpr double kFlops = static_cast<double>(kRows) * (kRows + 1) * kParameters;
  GramRate rate{0, kernel::measure_fma_peak(thread_count())};
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  do {
    const auto start = Clock::now();
    product.add_inner(jacobian.data(), kParameters, kStride, gram);
    rate.flops = std::max(rate.flops, kFlops / std::chrono::duration<double>(Clock::now() - start).count());
  } while (std::chrono::duration<double>(Clock::now() - begin).count() < seconds);
  rate.peak = std::max(rate.peak, kernel::measure_fma_peak(thread_count()));  // the quieter of two moments
  return rate;
}

}  // namespace pecann::cli
