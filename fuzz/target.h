// What every fuzz target has: bytes in, nothing but an InputError may come out. A target includes this header
// and defines fuzz_one(); libFuzzer's driver calls it in the build with PECANN_FUZZ, replay.cc with the kept
// corpus in the tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pecann/base/input_error.h"

namespace pecann::fuzz {

void fuzz_one(std::string_view bytes);

/// The finding: ends the process, so that the driver keeps the input.
inline void require(bool holds, std::string_view promise, const std::string& detail = "") {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %.*s\n%s\n", static_cast<int>(promise.size()), promise.data(), detail.c_str());
  std::abort();
}

/// True when the work ended in order, false when the input was refused; a refusal has to say why.
template <class Work>
bool accepted(const Work& work) {
  try {
    work();
    return true;
  } catch (const InputError& error) {
    require(!error.parts().rule.empty(), "a refusal names the rule", error.what());
    return false;
  }
}

}  // namespace pecann::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pecann::fuzz::fuzz_one({reinterpret_cast<const char*>(data), size});
  return 0;
}
