#include "pecann/kernel/simd_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hwy/highway.h"
#include "pecann/base/input_error.h"

namespace pecann::kernel {
namespace {

using ::testing::HasSubstr;

class SimdTargetTest : public ::testing::Test {
 protected:
  void TearDown() override {
    hwy::DisableTargets(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

TEST_F(SimdTargetTest, EveryWordChoosesItsTargetAndTheLastIsTheLowest) {
  const std::vector<std::string> words = simd_words();
  ASSERT_FALSE(words.empty());
  for (std::size_t i = 0; i < words.size(); ++i) {
    use_simd(words[i]);
    EXPECT_EQ(simd_words(), std::vector<std::string>(words.begin() + static_cast<std::ptrdiff_t>(i), words.end()));
    const std::size_t chosen = hwy::GetChosenTarget().GetIndex();
    (void)simd_target();
    (void)simd_words();
    EXPECT_EQ(hwy::GetChosenTarget().GetIndex(), chosen) << "asking for the target must not choose another one";
    if (words[i] == "avx512") EXPECT_STREQ(simd_target(), "AVX3");
    if (words[i] == "avx2") EXPECT_STREQ(simd_target(), "AVX2");
  }
}

TEST_F(SimdTargetTest, OtherWordsAreRefusedWithThoseOfTheMachine) {
  try {
    use_simd("avx3");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--simd"));
    for (const std::string& word : simd_words()) EXPECT_THAT(error.what(), HasSubstr(word));
  }
}

}  // namespace
}  // namespace pecann::kernel
