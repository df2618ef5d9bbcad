#include "pecann/kernel/simd_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
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

/// What this program holds and this machine has. hwy::SupportedTargets() makes the kernels run with the best of all
/// that the machine has, whatever was disabled, and leaves it to its caller to choose again.
std::int64_t usable_targets() {
  const std::int64_t targets = hwy::SupportedTargets();
  hwy::GetChosenTarget().Update(targets);
  return targets & HWY_TARGETS;
}

/// The name of the target that was asked for; null where none was. Kernels of other threads may be running when
/// somebody asks for it, so that it must not be looked up again.
std::atomic<const char*> asked_target = nullptr;

std::int64_t lowest_bit(std::int64_t targets) { return targets & (~targets + 1); }

}  // namespace

const char* simd_target() {
  if (const char* const asked = asked_target.load()) return asked;
  return hwy::TargetName(lowest_bit(usable_targets()));  // the best target is the lowest bit
}

std::vector<std::string> simd_words() {
  std::vector<std::string> words;
  for (std::int64_t left = usable_targets(); left != 0; left &= left - 1) words.push_back(word_of(lowest_bit(left)));
  return words;
}

void use_simd(std::string_view word) {
  for (std::int64_t left = usable_targets(); left != 0; left &= left - 1) {
    const std::int64_t target = lowest_bit(left);
    if (word_of(target) != word) continue;
    hwy::DisableTargets(target - 1);  // all that are better
    usable_targets();
    asked_target = hwy::TargetName(target);
    return;
  }
  const std::vector<std::string> words = simd_words();
  throw InputError({.key = "--simd",
                    .value = std::string(word),
                    .rule = fmt::format("this machine has {}", fmt::join(words, ", ")),
                    .hint = hint_for(std::string(word), words)});
}

}  // namespace pecann::kernel
