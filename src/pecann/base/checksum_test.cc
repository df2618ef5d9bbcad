#include "pecann/base/checksum.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace pecann {
namespace {

// Noll's published values of 64-bit FNV-1a, for texts shorter than a word.
TEST(ChecksumTest, ShortTextsHaveThePublishedValues) {
  EXPECT_EQ(checksum(""), 0xCBF29CE484222325u);
  EXPECT_EQ(checksum("a"), 0xAF63DC4C8601EC8Cu);
  EXPECT_EQ(checksum("foobar"), 0x85944171F73967E8u);
}

TEST(ChecksumTest, EveryBitCounts) {
  const std::string text(37, 'x');
  std::set<std::uint64_t> sums = {checksum(text)};
  for (std::size_t i = 0; i < text.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = text;
      other[i] = static_cast<char>(other[i] ^ (1 << bit));
      EXPECT_TRUE(sums.insert(checksum(other)).second) << i << ", " << bit;
    }
  EXPECT_TRUE(sums.insert(checksum(text + "x")).second);
}

}  // namespace
}  // namespace pecann
