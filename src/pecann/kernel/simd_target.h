// The instruction set that the kernels run with: the best that the machine has, or a lower one that somebody asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pecann::kernel {

/// Highway's name of the instruction set in use: AVX2, AVX3 (AVX-512), SSE4, SCALAR, …
const char* simd_target();

/// The words for those that this program holds and this machine has, best first: avx512, avx2, sse4, scalar.
std::vector<std::string> simd_words();

/// Makes the kernels run with the instruction set of that word, in all threads; before any of them has run. Throws
/// InputError with the words of this machine for any other word.
void use_simd(std::string_view word);

}  // namespace pecann::kernel
