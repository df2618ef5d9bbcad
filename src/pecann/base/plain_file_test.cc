#include "pecann/base/plain_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "pecann/base/file_lock.h"
#include "pecann/base/input_error.h"
#include "pecann/base/read_file.h"

namespace pecann {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class PlainFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    std::ofstream(path("file")) << "text";
    fs::create_symlink("file", path("link"));
    fs::create_symlink("nowhere", path("dangling"));
    fs::create_directories(path("folder"));
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  template <class Work>
  static std::string refused(const Work& work) {
    try {
      work();
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path folder_ = fs::temp_directory_path() / ("plain-file-" + std::to_string(::getpid()));
};

TEST_F(PlainFileTest, OnlyPlainFilesAreOpenedAndNothingWaits) {
  EXPECT_TRUE(plain_file_exists(path("file")));
  EXPECT_FALSE(plain_file_exists(path("nothing")));
  EXPECT_FALSE(plain_file_exists(path("file/below")));
  EXPECT_EQ(read_plain_file(path("file"), 4), "text");
  EXPECT_THAT(refused([&] { read_plain_file(path("file"), 3); }), HasSubstr("the file has"));
  EXPECT_THAT(refused([&] { read_plain_file(path("nothing"), 3); }), HasSubstr("No such file"));
  for (const auto& [name, kind] : {std::pair("link", "a symbolic link"), std::pair("dangling", "a symbolic link"),
                                   std::pair("folder", "a folder"), std::pair("pipe", "a pipe")}) {
    const std::string message = path(name) + ": is " + kind + "; a run folder holds plain files";
    EXPECT_THAT(refused([&] { plain_file_exists(path(name)); }), HasSubstr(message));
    EXPECT_THAT(refused([&] { read_plain_file(path(name), 100); }), HasSubstr(message));
    for (const int flags : {O_RDONLY, O_WRONLY | O_CREAT, O_RDWR | O_CREAT})
      EXPECT_THAT(refused([&] { open_plain_file(path(name), flags); }), HasSubstr(message)) << flags;
    EXPECT_THAT(refused([&] { FileLock::take(path(name), FileLock::AtEnd::KeepFile); }), HasSubstr(message));
  }
  EXPECT_FALSE(fs::exists(path("nowhere"))) << "nothing was made where the link leads";
}

TEST_F(PlainFileTest, ANewFileTakesThePlaceOfALink) {
  const Descriptor file(open_new_file(path("link")));
  ASSERT_GE(file.number(), 0);
  ASSERT_EQ(::write(file.number(), "own", 3), 3);
  EXPECT_EQ(read_file(path("file"), 100), "text");
  EXPECT_EQ(read_plain_file(path("link"), 100), "own");
  EXPECT_LT(open_new_file(path("folder")), 0);
}

TEST_F(PlainFileTest, AFileIsReplacedWholeOrNotAtAll) {
  fs::create_symlink("file", path("other.new-" + std::to_string(::getpid())));
  EXPECT_TRUE(replace_file(path("other"), "new text", Durable::Yes));
  EXPECT_EQ(read_file(path("other"), 100), "new text");
  EXPECT_EQ(read_file(path("file"), 100), "text") << "not written through a link that lay in the way";
  EXPECT_FALSE(replace_file(path("folder"), "new text", Durable::Yes));
  EXPECT_FALSE(fs::exists(path("folder.new-" + std::to_string(::getpid()))));
}

TEST_F(PlainFileTest, OnlyLinksAreRefusedAsLinks) {
  EXPECT_THAT(refused([&] { refuse_link(path("dangling")); }), HasSubstr("is a symbolic link"));
  for (const char* const name : {"file", "folder", "nothing"}) refuse_link(path(name));
}

TEST_F(PlainFileTest, ACopyIsWholeOrNotMade) {
  const std::string large(300'000, 'x');
  ASSERT_TRUE(replace_file(path("large"), large, Durable::No));
  EXPECT_TRUE(copy_plain_file(path("large"), path("copy"), 1e6));
  EXPECT_EQ(read_plain_file(path("copy"), 1e6), large);
  EXPECT_TRUE(copy_plain_file(path("file"), path("copy"), 1e6));
  EXPECT_EQ(read_plain_file(path("copy"), 1e6), "text");
  EXPECT_THAT(refused([&] { copy_plain_file(path("link"), path("copy"), 1e6); }), HasSubstr("is a symbolic link"));
  EXPECT_TRUE(copy_plain_file(path("file"), path("dangling"), 1e6)) << "a link in the way is replaced";
  EXPECT_FALSE(fs::exists(path("nowhere")));
  EXPECT_THAT(refused([&] { copy_plain_file(path("large"), path("copy"), 1e5); }), HasSubstr("the file has 300 kB"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{100'000, before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_FALSE(copy_plain_file(path("large"), path("copy"), 1e6));
  EXPECT_EQ(errno, EFBIG);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(read_plain_file(path("copy"), 1e6), "text") << "what was there stays";
  EXPECT_FALSE(fs::exists(path("copy.new-" + std::to_string(::getpid()))));
}

}  // namespace
}  // namespace pecann
