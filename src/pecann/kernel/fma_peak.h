// The machine's measured peak of multiply-adds, to which a share of the peak refers.
#pragma once

namespace pecann::kernel {

/// Floating-point operations per second (2 per multiply-add) of `threads` threads that do nothing but multiply-adds on
/// registers, best of several short runs (about 0.2 s in all).
double measure_fma_peak(int threads);

}  // namespace pecann::kernel
