#include "pecann/base/text_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "pecann/base/input_error.h"

namespace pecann {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class TextFileTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_ / "inner"); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_ = fs::temp_directory_path() / ("text-file-" + std::to_string(::getpid()));
};

TEST_F(TextFileTest, LinksOfTheUserAreFollowedAndStay) {
  fs::create_symlink("inner/target", path("link"));
  fs::create_symlink("link", path("second"));
  write_text_file(path("second"), "new");  // what it leads to is not there yet
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_TRUE(fs::is_symlink(path("second")));
  EXPECT_EQ(read_text_file(path("inner/target")), "new");
  write_text_file(path("link"), "newer");
  EXPECT_EQ(read_text_file(path("inner/target")), "newer");
}

TEST_F(TextFileTest, LinksInACircleAreRefused) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_THAT([&] { write_text_file(path("a"), "text"); },
              ThrowsMessage<InputError>(HasSubstr("cannot be written: Too many levels of symbolic links")));
}

TEST_F(TextFileTest, AnOpenFileIsWrittenToAndNotReplaced) {
  // `pecann report DIR -o /dev/stdout >> pages.html`: /dev/stdout is a link to a link to pages.html.
  write_text_file(path("pages"), "first ");
  const int file = ::open(path("pages").c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(file, 0);
  fs::create_symlink("/proc/self/fd/" + std::to_string(file), path("out"));
  write_text_file(path("out"), "second");
  write_text_file("/dev/fd/" + std::to_string(file), " third");
  ::close(file);
  EXPECT_TRUE(fs::is_symlink(path("out")));
  EXPECT_EQ(read_text_file(path("pages")), "first second third");
  EXPECT_THAT([&] { write_text_file("/dev/fd/" + std::to_string(file), "closed"); },
              ThrowsMessage<InputError>(HasSubstr("Bad file descriptor")));
}

TEST_F(TextFileTest, DevicesAreWrittenTo) {
  fs::create_symlink("/dev/full", path("full"));
  fs::create_symlink("/dev/null", path("null"));
  write_text_file(path("null"), "text");
  EXPECT_TRUE(fs::is_symlink(path("null")));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THAT([&] { write_text_file(path("full"), "text"); },
              ThrowsMessage<InputError>(HasSubstr("No space left on device")));
}

TEST_F(TextFileTest, NamesEndWhereTheyEnd) {
  const std::string longer = path("name") + std::string(1, '\0') + "and more";
  write_text_file(path("name"), "text");
  EXPECT_THAT([&] { write_text_file(longer, "other"); }, ThrowsMessage<InputError>(HasSubstr("character of value 0")));
  EXPECT_THAT([&] { read_text_file(longer); }, ThrowsMessage<InputError>(HasSubstr("character of value 0")));
  EXPECT_EQ(read_text_file(path("name")), "text");
}

TEST_F(TextFileTest, AFileThatOnlyItsOwnerMayReadStaysSo) {
  write_text_file(path("private"), "old");
  fs::permissions(path("private"), fs::perms::owner_read | fs::perms::owner_write);
  write_text_file(path("private"), "new");
  EXPECT_EQ(fs::status(path("private")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace
}  // namespace pecann
