#include "pecann/base/state_archive.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"

namespace pecann {
namespace {

using ::testing::HasSubstr;

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

StateWriter sample() {
  StateWriter writer;
  writer.put("numbers", std::vector<double>{1.5, -0.0, std::numeric_limits<double>::infinity(), 5e-324});
  writer.put("none", std::vector<double>{});
  writer.put("one", 0.1);
  writer.put_integer("count", std::numeric_limits<std::uint64_t>::max());
  writer.put_text("text", std::string("a\0b", 3));
  return writer;
}

TEST(StateArchive, RoundTripsToTheBit) {
  const StateReader reader(sample().bytes());
  const std::vector<double> numbers = reader.get("numbers");
  ASSERT_EQ(numbers.size(), 4u);
  EXPECT_EQ(numbers[0], 1.5);
  EXPECT_TRUE(std::signbit(numbers[1]));
  EXPECT_EQ(numbers[2], std::numeric_limits<double>::infinity());
  EXPECT_EQ(numbers[3], 5e-324);
  EXPECT_TRUE(reader.get("none").empty());
  EXPECT_EQ(reader.get_number("one"), 0.1);
  EXPECT_EQ(reader.get_integer("count"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(reader.get_text("text"), std::string("a\0b", 3));
  EXPECT_TRUE(reader.has("one"));
  EXPECT_FALSE(reader.has("two"));
}

TEST(StateArchive, KeepsTheBitsOfANotANumber) {
  std::uint64_t bits = 0x7ff800000000abcd, back;
  double nan;
  std::memcpy(&nan, &bits, sizeof nan);
  StateWriter writer;
  writer.put("nan", nan);
  const double loaded = StateReader(writer.bytes()).get_number("nan");
  std::memcpy(&back, &loaded, sizeof back);
  EXPECT_EQ(back, bits);
}

TEST(StateArchive, SameContentSameBytesInAnyOrder) {
  StateWriter a, b;
  a.put("x", 1.0);
  a.put_integer("y", 2);
  b.put_integer("y", 7);
  b.put("x", 1.0);
  b.put_integer("y", 2);  // the last one counts
  EXPECT_EQ(a.bytes(), b.bytes());
}

TEST(StateArchive, SaysWhatIsMissingOrDifferent) {
  const StateReader reader(sample().bytes());
  EXPECT_THAT(error_of([&] { reader.get("two"); }), HasSubstr("'two' is missing"));
  EXPECT_THAT(error_of([&] { reader.get("count"); }), HasSubstr("'count' has another type"));
  EXPECT_THAT(error_of([&] { reader.get_integer("one"); }), HasSubstr("'one' has another type"));
  EXPECT_THAT(error_of([&] { reader.get_text("one"); }), HasSubstr("another type"));
  std::vector<double> three(3);
  EXPECT_THAT(error_of([&] { reader.get("numbers", three); }), HasSubstr("'numbers' has another length"));
  EXPECT_THAT(error_of([&] { reader.get_number("numbers"); }), HasSubstr("another length"));
}

TEST(StateArchive, EveryTruncationIsAnErrorOrMissesABlock) {
  const std::string whole = sample().bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string result = error_of([&] {
      const StateReader reader(std::string_view(whole).substr(0, length));
      for (const char* name : {"numbers", "none", "one"}) reader.get(name);
      reader.get_integer("count");
      reader.get_text("text");
    });
    EXPECT_THAT(result, HasSubstr("not a readable state")) << length;
  }
}

TEST(StateArchive, AbsurdLengthsAreRefused) {
  std::string bytes(8, '\xff');
  EXPECT_THAT(error_of([&] { StateReader reader(bytes + "name"); }), HasSubstr("ends too early"));
  EXPECT_EQ(error_of([] { StateReader reader(""); }), "no error");
}

TEST(StateArchive, IntegersCanHaveALimit) {
  StateWriter writer;
  writer.put_integer("window", 3);
  const StateReader reader(writer.bytes());
  EXPECT_EQ(reader.get_integer("window", 3), 3u);
  EXPECT_THAT(error_of([&] { reader.get_integer("window", 2); }), HasSubstr("'window' is 3, at most 2 is possible"));
}

}  // namespace
}  // namespace pecann
