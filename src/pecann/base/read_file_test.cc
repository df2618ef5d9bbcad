#include "pecann/base/read_file.h"

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

class ReadFileTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static std::string message(const std::string& path, double most = 1e6) {
    try {
      read_file(path, most);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path folder_ = fs::temp_directory_path() / ("read-file-" + std::to_string(::getpid()));
};

TEST_F(ReadFileTest, GivesTheBytes) {
  const std::string bytes("a\0b\r\n\xff", 6);
  std::ofstream(path("bytes"), std::ios::binary) << bytes;
  EXPECT_EQ(read_file(path("bytes"), 6), bytes);
  std::ofstream(path("empty"), std::ios::binary).flush();
  EXPECT_EQ(read_file(path("empty"), 6), "");
}

TEST_F(ReadFileTest, RefusesWhatIsTooLarge) {
  std::ofstream(path("large"), std::ios::binary) << std::string(2000, 'x');
  EXPECT_THAT(message(path("large"), 1000), HasSubstr("the file has 2 kB (2000 bytes); at most 1 kB (1000 bytes)"));
}

TEST_F(ReadFileTest, RefusesWhatIsNoFile) {
  EXPECT_THAT(message(path("nothing")), HasSubstr("cannot be read: No such file"));
  EXPECT_THAT(message(folder_.string()), HasSubstr("is a folder"));
  EXPECT_THAT(message("/dev/zero"), HasSubstr("is a device or a pipe"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(message(path("pipe")), HasSubstr("is a device or a pipe"));  // without waiting for a writer
  fs::create_symlink("loop", path("loop"));
  EXPECT_THAT(message(path("loop")), HasSubstr("cannot be read: Too many levels of symbolic links"));
}

TEST_F(ReadFileTest, ReadsAPipeThatIsOpen) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "text", 4), 4);
  ::close(ends[1]);
  EXPECT_EQ(read_file("/dev/fd/" + std::to_string(ends[0]), 100), "text");
  ::close(ends[0]);
}

}  // namespace
}  // namespace pecann
