#include "pecann/train/checkpoint.h"

#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/train/test_support.h"

namespace pecann::train {
namespace {

using testing::content;
using testing::fill;
using ::testing::HasSubstr;

class Checkpoint : public ::testing::Test {
 protected:
  /// What reading says when `checkpoint` holds these bytes and the one before is good.
  std::string warning_for(const std::string& bytes) {
    fill(file(), bytes);
    const LoadedCheckpoint loaded = read_checkpoint(folder_.path());
    EXPECT_EQ(loaded.payload, "older");
    return loaded.warning;
  }
  void write_two() {
    write_checkpoint(folder_.path(), "older");
    write_checkpoint(folder_.path(), "newer, and longer than a word");
  }
  std::string file() const { return folder_ / "checkpoint"; }

  testing::TemporaryFolder folder_;
};

TEST_F(Checkpoint, RoundTripsAnyBytes) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{100001}}) {
    std::string payload(size, '\0');
    for (std::size_t i = 0; i < size; ++i) payload[i] = static_cast<char>(i * 37 + i / 256);
    write_checkpoint(folder_.path(), payload);
    const LoadedCheckpoint loaded = read_checkpoint(folder_.path());
    EXPECT_EQ(loaded.payload, payload);
    EXPECT_EQ(loaded.warning, "");
  }
}

TEST_F(Checkpoint, KeepsTheOneBefore) {
  write_two();
  EXPECT_EQ(read_checkpoint(folder_.path()).payload, "newer, and longer than a word");
  std::filesystem::rename(folder_ / "checkpoint.previous", file());
  EXPECT_EQ(read_checkpoint(folder_.path()).payload, "older");
}

TEST_F(Checkpoint, EveryTruncationIsRefusedAndTheOneBeforeTaken) {
  write_two();
  const std::string whole = content(file());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string warning = warning_for(whole.substr(0, length));
    EXPECT_THAT(warning, HasSubstr(length == 0 ? "it is empty" : "it is cut short")) << length << " bytes";
    EXPECT_THAT(warning, HasSubstr(file()));
  }
  EXPECT_THAT(warning_for(whole + "x"), HasSubstr("longer than it says"));
}

TEST_F(Checkpoint, EveryFlippedBitIsRefusedAndTheOneBeforeTaken) {
  write_two();
  const std::string whole = content(file());
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_NE(warning_for(damaged), "") << "bit " << bit;
  }
}

TEST_F(Checkpoint, SaysWhatIsWrong) {
  write_two();
  const std::string whole = content(file());
  EXPECT_THAT(warning_for("PK\3\4 this is an archive of something else, long enough"),
              HasSubstr("not a checkpoint of pecann"));
  std::string other_version = whole;
  other_version[8] = 9;
  EXPECT_THAT(warning_for(other_version), HasSubstr("it has version 9, this program reads version 1"));
  std::string damaged = whole;
  damaged.back() ^= 1;
  EXPECT_THAT(warning_for(damaged), HasSubstr("checksum is wrong"));
  std::filesystem::remove(file());
  const LoadedCheckpoint loaded = read_checkpoint(folder_.path());  // a kill between the two renames
  EXPECT_EQ(loaded.payload, "older");
  EXPECT_THAT(loaded.warning, HasSubstr("does not exist"));
}

TEST_F(Checkpoint, NoUsableFileIsAnInputErrorThatSaysWhyOfBoth) {
  EXPECT_FALSE(TrialFolder(folder_.path()).has_checkpoint());
  write_two();
  EXPECT_TRUE(TrialFolder(folder_.path()).has_checkpoint());
  fill(file(), "foreign content");
  fill(folder_ / "checkpoint.previous", "");
  try {
    read_checkpoint(folder_.path());
    FAIL() << "both files are bad";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(file()));
    EXPECT_THAT(error.what(), HasSubstr("not a checkpoint of pecann"));
    EXPECT_THAT(error.what(), HasSubstr("it is empty"));
    EXPECT_THAT(error.what(), HasSubstr("pecann run"));
  }
}

TEST_F(Checkpoint, ResultsAreMadeOfTheLastStateAndOfNoOther) {
  write_two();
  EXPECT_EQ(read_last_checkpoint(folder_.path()), "newer, and longer than a word");
  std::filesystem::rename(file(), folder_ / "kept");  // a kill between two renames
  EXPECT_EQ(read_last_checkpoint(folder_.path()), "older");
  fill(file(), content(folder_ / "kept").substr(0, 40));
  EXPECT_EQ(read_checkpoint(folder_.path()).payload, "older") << "training may go on from there";
  try {
    read_last_checkpoint(folder_.path());
    FAIL() << "an earlier state passes for the result";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(file()));
    EXPECT_THAT(error.what(), HasSubstr("the last checkpoint is damaged"));
    EXPECT_THAT(error.what(), HasSubstr("pecann resume"));
  }
}

TEST_F(Checkpoint, AFileThatDoesNotGetItsNameIsNotLeft) {
  std::filesystem::create_directory(folder_ / "checkpoint.previous");  // nothing can be renamed to it
  fill(folder_ / "checkpoint.previous/x", "x");
  fill(file(), "older");
  EXPECT_THROW(write_checkpoint(folder_.path(), "state"), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "checkpoint.new"));
  EXPECT_EQ(content(file()), "older");
}

TEST_F(Checkpoint, ARefusingDiskLeavesTheOldFilesAsTheyWere) {
  write_two();
  const std::string newer = content(file()), older = content(folder_ / "checkpoint.previous");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 4096;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string message;
  try {
    write_checkpoint(folder_.path(), std::string(100000, 'x'));
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, HasSubstr("cannot write"));
  EXPECT_THAT(message, HasSubstr(std::strerror(EFBIG)));
  EXPECT_EQ(content(file()), newer);
  EXPECT_EQ(content(folder_ / "checkpoint.previous"), older);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "checkpoint.new")) << "half a file is of no use";
}

TEST_F(Checkpoint, AMissingFolderIsNamed) {
  try {
    write_checkpoint(folder_ / "nowhere", "state");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("nowhere/checkpoint"));
    EXPECT_THAT(error.what(), HasSubstr(std::strerror(ENOENT)));
  }
}

}  // namespace
}  // namespace pecann::train
