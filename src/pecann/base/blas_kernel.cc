#include "pecann/base/blas_kernel.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "pecann/base/restart_program.h"

namespace pecann {
namespace {

constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";

VectorUnit unit_of_core(std::string_view core) {
  constexpr std::array<std::string_view, 3> kAvx512 = {"SkylakeX", "Cooperlake", "Sapphirerapids"};
  constexpr std::array<std::string_view, 2> kAvx2 = {"Haswell", "Zen"};
  if (std::find(kAvx512.begin(), kAvx512.end(), core) != kAvx512.end()) return VectorUnit::Avx512;
  if (std::find(kAvx2.begin(), kAvx2.end(), core) != kAvx2.end()) return VectorUnit::Avx2;
  return VectorUnit::Baseline;
}

}  // namespace

VectorUnit vector_unit() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  // The SkylakeX kernels use the vector-length, byte and double-word extensions beside the foundation.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq")) {
    return VectorUnit::Avx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return VectorUnit::Avx2;
#endif
  return VectorUnit::Baseline;
}

std::string better_blas_core(std::string_view loaded, VectorUnit unit) {
  if (unit_of_core(loaded) >= unit) return {};
  return unit == VectorUnit::Avx512 ? "SkylakeX" : "Haswell";
}

std::string better_blas_core_here() {
  if (std::getenv(kCoreVariable) != nullptr) return {};
  using CoreName = char* (*)();
  // The function is looked up by name at run time: this module does not link the library.
  const auto core_name = reinterpret_cast<CoreName>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  return core_name == nullptr ? std::string() : better_blas_core(core_name(), vector_unit());
}

void ensure_blas_kernel(char** argv) {
  const std::string core = better_blas_core_here();
  if (core.empty() || setenv(kCoreVariable, core.c_str(), 1) != 0) return;
  restart_program(argv, environ);
  unsetenv(kCoreVariable);  // only reached when the restart failed: go on as we are, slower
}

}  // namespace pecann
