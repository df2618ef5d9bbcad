#include "pecann/kernel/simd_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "hwy/highway.h"
#include "pecann/base/input_error.h"

namespace pecann::kernel {
namespace {

/// Highway's AVX3 is what everybody else calls AVX-512.
std::string word_of(std::int64_t target) {
  if (target == HWY_AVX3) return "avx512";
  std::string word = hwy::TargetName(target);
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word;
}

std::int64_t lowest_bit(std::int64_t targets) { return targets & (~targets + 1); }

}  // namespace

const char* simd_target() {
  return hwy::TargetName(lowest_bit(hwy::SupportedTargets() & HWY_TARGETS));  // the best target is the lowest bit
}

std::vector<std::string> simd_words() {
  std::vector<std::string> words;
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1)
    words.push_back(word_of(lowest_bit(left)));
  return words;
}

void use_simd(std::string_view word) {
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    const std::int64_t target = lowest_bit(left);
    if (word_of(target) != word) continue;
    hwy::DisableTargets(target - 1);  // all that are better
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return;
  }
  const std::vector<std::string> words = simd_words();
  throw InputError({.key = "--simd",
                    .value = std::string(word),
                    .rule = fmt::format("this machine has {}", fmt::join(words, ", ")),
                    .hint = hint_for(std::string(word), words)});
}

}  // namespace pecann::kernel
