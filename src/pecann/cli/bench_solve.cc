#include "pecann/cli/bench_solve.h"

#include <chrono>
#include <vector>

#include "pecann/base/random_stream.h"
#include "pecann/optim/streamed_qr.h"

namespace pecann::cli {

SolveRate measure_solve(std::size_t columns) {
  constexpr std::size_t kPanelRows = 512, kStride = kPanelRows + kLanes;
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  RandomStream stream(1, "bench_solve");
  AlignedVector<double> panel((columns + 1) * kStride);
  for (double& entry : panel) entry = stream.normal();
  optim::StreamedQr qr(columns);
  SolveRate rate;
  std::size_t rows = 0;
  for (; rows < 3 * columns; rows += kPanelRows) {
    for (std::size_t i = rows % 7; i < panel.size(); i += 7) panel[i] = -panel[i];  // other rows than before
    const auto begin = Clock::now();
    qr.add_rows(panel.data(), kPanelRows, kStride);
    rate.rows_seconds += seconds_since(begin);
  }
  std::vector<double> d(columns);
  const auto begin = Clock::now();
  qr.solve(1e-14, d);
  rate.solve_seconds = seconds_since(begin);
  rate.flops = 2.0 * static_cast<double>(rows) * static_cast<double>(columns * columns) / rate.rows_seconds;
  return rate;
}

}  // namespace pecann::cli
