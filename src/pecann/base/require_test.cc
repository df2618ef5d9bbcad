#include "pecann/base/require.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pecann {
namespace {

TEST(Require, PassesSilently) { require(true, "never shown"); }

TEST(Require, ABrokenContractSaysWhatAndWhere) {
  try {
    require(false, "sizes agree");
    FAIL() << "nothing was thrown";
  } catch (const ContractError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("internal error: sizes agree"));
    EXPECT_THAT(error.what(), testing::HasSubstr("require_test.cc:"));
  }
}

}  // namespace
}  // namespace pecann
