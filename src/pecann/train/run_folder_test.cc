#include "pecann/train/run_folder.h"

#include <filesystem>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pecann/base/input_error.h"
#include "pecann/problem/catalogue.h"
#include "pecann/train/checkpoint.h"
#include "pecann/train/history.h"
#include "pecann/train/test_support.h"

namespace pecann::train {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RunFolderTest, AFolderThatHoldsSomethingIsNeverTaken) {
  const TemporaryFolder folder;
  const std::string wanted = folder / "deep/run";
  EXPECT_EQ(RunFolder::create(wanted, "poisson").path(), wanted);
  EXPECT_EQ(RunFolder::create(wanted, "poisson").path(), wanted) << "it is still empty";
  testing::fill(wanted + "/notes", "");
  EXPECT_THAT(refusal([&] { RunFolder::create(wanted, "poisson"); }), HasSubstr("holds no run that could go on"));
  RunFolder(wanted).write_problem("title = \"a\"");
  EXPECT_THAT(refusal([&] { RunFolder::create(wanted, "poisson"); }),
              ::testing::AllOf(HasSubstr("--out = " + wanted), HasSubstr("never overwritten"),
                               HasSubstr("`pecann resume " + wanted + "`")));
  EXPECT_THAT(refusal([&] { RunFolder::create(wanted, "", {.key = "folder", .go_on = "set resume"}); }),
              ::testing::AllOf(HasSubstr("folder = " + wanted), HasSubstr("name another folder, or set resume")));
}

TEST(RunFolderTest, OnlyTheFolderOfARunIsOpened) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal([&] { RunFolder::open(folder / "nothing"); }), HasSubstr("there is no such folder"));
  EXPECT_THAT(refusal([&] { RunFolder::open(folder.path()); }), HasSubstr("holds no problem.toml"));
  RunFolder(folder / "run").write_problem("title = \"a\"");
  EXPECT_EQ(RunFolder::open(folder / "run").read_problem(), "title = \"a\"");
}

TEST(RunFolderTest, TrialsThatHaveBegunInTheOrderOfTheirNumbers) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path());
  for (const int trial : {10, 9, 1}) run.trial(trial).create();
  testing::fill(run.trial(10).checkpoint_file(), "x");
  testing::fill(run.trial(9).previous_checkpoint_file(), "x");
  for (const char* other : {"trial-", "trial-x", "trial-3x", "trial-0", "trial--4", "old-trial-5"}) {
    const TrialFolder stranger(folder / other);
    stranger.create();
    testing::fill(stranger.checkpoint_file(), "x");
  }
  EXPECT_THAT(run.trials(), ElementsAre(9, 10)) << "trial 1 has no checkpoint yet";
}

TEST(RunFolderTest, ALockedFolderIsRefusedNamingTheProcess) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path());
  {
    const FileLock lock = run.lock();
    EXPECT_THAT(refusal([&] { run.lock(); }),
                HasSubstr(folder.path() + ": is in use by process " + std::to_string(::getpid())));
  }
  run.lock();
  EXPECT_THAT(refusal([&] { RunFolder(folder / "nothing").lock(); }),
              HasSubstr("nothing: cannot be written: No such file or directory"));
}

TEST(RunFolderTest, OnlyPlainFilesAreTakenForThoseOfARun) {
  const TemporaryFolder folder;
  testing::fill(folder / "outside", "of the user");
  const RunFolder run(folder / "run");
  run.write_problem("title = \"a\"");
  run.trial(1).create();
  write_checkpoint(run.trial(1), "state");
  const TrialFolder trial = run.trial(1);
  for (const std::string& file :
       {run.start_file(), run.summary_file(), run.report_file(), run.lock_file(), trial.history_file(),
        trial.previous_checkpoint_file(), trial.new_checkpoint_file(), trial.solution_file("npz"), trial.lock_file()}) {
    fs::create_symlink(folder / "outside", file);
    EXPECT_THAT(refusal([&] { RunFolder::open(run.path()); }),
                HasSubstr(file + ": is a symbolic link; a run folder holds plain files"));
    fs::remove(file);
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    EXPECT_THAT(refusal([&] { RunFolder::open(run.path()); }), HasSubstr(file + ": is a pipe"));
    fs::remove(file);
  }
  RunFolder::open(run.path());
  fs::rename(trial.path(), folder / "elsewhere");
  fs::create_symlink(folder / "elsewhere", trial.path());
  for (const auto& work :
       std::vector<std::function<void()>>{[&] { RunFolder::open(run.path()); }, [&] { run.trials(); },
                                          [&] { trial.create(); }, [&] { read_checkpoint(trial); }})
    EXPECT_THAT(refusal(work), HasSubstr(trial.path() + ": is a symbolic link"));
}

TEST(RunFolderTest, NothingIsWrittenThroughALink) {
  const TemporaryFolder folder;
  const RunFolder run(folder / "run");
  const TrialFolder trial = run.trial(1);
  trial.create();
  for (const std::string& file : {run.lock_file(), run.summary_file(), trial.new_checkpoint_file(),
                                  trial.history_file(), trial.solution_file("npz")}) {
    testing::fill(folder / "outside", "of the user");
    fs::create_symlink(folder / "outside", file);
  }
  EXPECT_THAT(refusal([&] { run.lock(); }), HasSubstr(run.lock_file() + ": is a symbolic link"));
  EXPECT_THAT(refusal([&] { write_run_file(run.summary_file(), "{}"); }), HasSubstr("is a symbolic link"));
  const problem::Problem problem = problem::load_problem("poisson");
  EXPECT_THAT(refusal([&] { HistoryWriter(trial.history_file(), problem, 0); }), HasSubstr("is a symbolic link"));
  write_checkpoint(trial, "state");
  EXPECT_EQ(read_checkpoint(trial).payload, "state") << "what was in the way is gone";
  EXPECT_EQ(testing::content(folder / "outside"), "of the user");
}

TEST(RunFolderTest, FilesThatAreTooLargeAreNotRead) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path());
  testing::fill(run.summary_file(), "");
  fs::resize_file(run.summary_file(), std::uintmax_t{1} << 40);
  EXPECT_THAT(refusal([&] { read_run_file(run.summary_file(), kLongestSummary); }), HasSubstr("at most 250 MB"));
  testing::fill(folder / "checkpoint", "");
  fs::resize_file(folder / "checkpoint", std::uintmax_t{1} << 40);
  EXPECT_THAT(refusal([&] { read_checkpoint(folder.path()); }), HasSubstr("not a checkpoint of pecann"));
  testing::fill(folder / "checkpoint", checkpoint_header("state") + "state");
  fs::resize_file(folder / "checkpoint", std::uintmax_t{1} << 40);
  EXPECT_THAT(refusal([&] { read_checkpoint(folder.path()); }), HasSubstr("it is longer than it says"));
}

TEST(RunFolderTest, PathsThatCannotBeLookedAtAreNamed) {
  const TemporaryFolder folder;
  fs::create_symlink("loop", folder / "loop");
  const std::string long_name = folder / std::string(5000, 'x');
  EXPECT_THAT(refusal([&] { RunFolder::create(folder / "loop", ""); }),
              ::testing::AllOf(HasSubstr("--out"), HasSubstr("cannot be made: Too many levels of symbolic links")));
  EXPECT_THAT(refusal([&] { RunFolder::create(long_name, ""); }), HasSubstr("cannot be made: File name too long"));
  EXPECT_THAT(refusal([&] { RunFolder::open(folder / "loop"); }), HasSubstr("Too many levels of symbolic links"));
  EXPECT_THAT(refusal([&] { RunFolder::open(long_name); }), HasSubstr("File name too long"));
}

}  // namespace
}  // namespace pecann::train
