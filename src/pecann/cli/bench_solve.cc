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
  optim::StreamedQr qr(columns);
  SolveRate rate;
  std::size_t rows = 0;
  for (; rows < 3 * columns; rows += kPanelRows) {
    for (double& entry : panel) entry = stream.normal();
    const auto begin = Clock::now();
    qr.add_rows(panel.data(), kPanelRows, kStride);
    rate.rows_seconds += seconds_since(begin);
  }
  std::vector<double> d(columns);
  const auto begin = Clock::now();
  qr.solve(1e-14, d);
  rate.solve_seconds = seconds_since(begin);
  const auto n = static_cast<double>(columns);
  rate.flops = 2 * n * n * (static_cast<double>(rows) - n / 3) / rate.rows_seconds;  // those of a QR in one piece
  return rate;
}

}  // namespace pecann::cli
