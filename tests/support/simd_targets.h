// Runs a test body once for every instruction set that this build holds and this machine has.
#pragma once

#include <gtest/gtest.h>

#include "hwy/highway.h"

namespace pecann::test {

template <class Body>
void for_each_simd_target(const Body& body) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace pecann::test
