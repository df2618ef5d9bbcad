#include "pecann/results/cpp_names.h"

#include <gtest/gtest.h>

#include <limits>

namespace pecann::results {
namespace {

TEST(CppName, AddsAnUnderscoreToWhatCppTakesForItsOwn) {
  for (const char* const word :
       {"constexpr", "thread_local", "static_assert", "const_cast", "char16_t", "not_eq", "NAN",   "INFINITY",
        "HUGE_VAL",  "M_E",          "M_PI",          "linux",      "unix",     "EOF",    "errno", "I",
        "B0",        "B9600",        "st_atime",      "isset"})
    EXPECT_EQ(cpp_name(word), std::string(word) + "_");
  for (const char* const word : {"u", "T", "T1", "B", "Bx", "B1x", "i", "Re", "theta", "u_x", "Nan"})
    EXPECT_EQ(cpp_name(word), word);
}

TEST(CppName, HasLettersDigitsAndUnderscoresAlone) {
  EXPECT_EQ(cpp_name("a-b.c"), "a_b_c");
  EXPECT_EQ(cpp_name("1d"), "_1d");
  EXPECT_EQ(cpp_name(""), "_");
}

TEST(CppNames, GivesEveryNameOnce) {
  CppNames names({"Jet"});
  EXPECT_EQ(names.take("u"), "u");
  EXPECT_EQ(names.take("u"), "u_");
  EXPECT_EQ(names.take("u_"), "u__");
  EXPECT_EQ(names.take("Jet"), "Jet_");
}

TEST(CppNumber, IsAnExpressionForEveryDouble) {
  EXPECT_EQ(cpp_number(0.1), "0.1");
  EXPECT_EQ(cpp_number(-0.0), "-0.0");
  EXPECT_EQ(cpp_number(std::numeric_limits<double>::quiet_NaN()), "std::numeric_limits<double>::quiet_NaN()");
  EXPECT_EQ(cpp_number(-std::numeric_limits<double>::infinity()), "-std::numeric_limits<double>::infinity()");
}

}  // namespace
}  // namespace pecann::results
