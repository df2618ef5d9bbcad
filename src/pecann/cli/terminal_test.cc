#include "pecann/cli/terminal.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>

namespace pecann::cli {
namespace {

using verdict::Colour;

/// A terminal of the test's own.
class TerminalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::openpty(&controller_, &side_, nullptr, nullptr, nullptr), 0);
    stream_ = ::fdopen(side_, "w");
    ::setenv("TERM", "xterm-256color", 1);
    ::unsetenv("NO_COLOR");
  }
  void TearDown() override {
    std::fclose(stream_);
    ::close(controller_);
    ::unsetenv("NO_COLOR");
  }
  int controller_ = -1, side_ = -1;
  std::FILE* stream_ = nullptr;
};

TEST_F(TerminalTest, ATerminalHasColours) { EXPECT_EQ(colour_for(stream_), Colour::Ansi); }

TEST_F(TerminalTest, NoColorIsHonouredUnlessItIsEmpty) {
  ::setenv("NO_COLOR", "", 1);
  EXPECT_EQ(colour_for(stream_), Colour::Ansi);
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_EQ(colour_for(stream_), Colour::Never);
}

TEST_F(TerminalTest, DumbAndNamelessTerminalsHaveNone) {
  ::setenv("TERM", "dumb", 1);
  EXPECT_EQ(colour_for(stream_), Colour::Never);
  ::unsetenv("TERM");
  EXPECT_EQ(colour_for(stream_), Colour::Never);
}

TEST_F(TerminalTest, AFileHasNone) {
  std::FILE* const file = std::tmpfile();
  EXPECT_EQ(colour_for(file), Colour::Never);
  std::fclose(file);
}

}  // namespace
}  // namespace pecann::cli
