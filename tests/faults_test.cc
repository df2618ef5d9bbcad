// What happens to runs: full disks, folders that go away, terminals that go away, clocks.
#include <linux/capability.h>
#include <poll.h>
#include <pty.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <atomic>
#include <regex>
#include <set>

#include "support/cli_fixture.h"

namespace pecann {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// The program with a limit on the size of its files: what a full disk does, without needing one.
class Faults : public Cli {
 protected:
  Ended run_with_file_limit(std::size_t bytes, const Words& words) {
    const pid_t child = ::fork();
    if (child == 0) {
      const rlimit limit{bytes, bytes};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      ::_exit(become_in_folder(words, "-limited"));
    }
    return wait_for(child, "-limited");
  }

  /// The program without root's right to pass over permissions, where the user of the test is root.
  Ended run_without_override(const Words& words) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
      ::_exit(become_in_folder(words, "-plain"));
    }
    return wait_for(child, "-plain");
  }

  std::vector<std::string> leftovers(const std::string& run) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / run))
      if (entry.path().string().find(".new") != std::string::npos) names.push_back(entry.path().filename());
    return names;
  }
};

// The pairs of L-BFGS grow the checkpoint from epoch to epoch, while the history stays short.
const Words kGrowing = {"--set", "phase=[{optimizer=\"lbfgs\", epochs=60, options={iterations=2}}]", "--set",
                        "network.1.hidden=[40, 40]"};

TEST_F(Faults, ADiskThatFillsWhileACheckpointIsWrittenLeavesTheOneBefore) {
  Words words = {"run", "tiny.toml", "--out", "r", "--checkpoint-seconds", "0"};
  words.insert(words.end(), kGrowing.begin(), kGrowing.end());
  const Ended full = run_with_file_limit(200'000, words);
  EXPECT_EQ(full.code, 1) << full.errors;
  EXPECT_THAT(full.errors, HasSubstr("cannot write r/trial-1/checkpoint.new: File too large"));
  EXPECT_THAT(full.errors, HasSubstr("pecann resume r"));
  EXPECT_TRUE(exists("r/trial-1/checkpoint"));
  EXPECT_THAT(leftovers("r"), testing::IsEmpty());
  EXPECT_EQ(run({"resume", "r", "--quiet"}).code, 0) << "after space is made";
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "whole", "--quiet"}, kGrowing).code, 0);
  expect_same_bits("r/trial-1", "whole/trial-1");
}

TEST_F(Faults, ADiskThatFillsWhileResultsAreWrittenLosesNoTraining) {
  const Ended full = run_with_file_limit(100'000, {"run", "tiny.toml", "--out", "r"});  // the page has megabytes
  EXPECT_EQ(full.code, 1) << full.errors;
  EXPECT_THAT(full.errors, AllOf(HasSubstr("the report is incomplete"), HasSubstr("File too large")));
  EXPECT_FALSE(exists("r/report.html"));
  EXPECT_THAT(leftovers("r"), testing::IsEmpty());
  EXPECT_EQ(run({"report", "r", "-o", "page.html"}).code, 0);
  EXPECT_TRUE(exists("page.html"));
}

TEST_F(Faults, ADiskThatIsFullAtOnceIsSaid) {
  const Ended full = run_with_file_limit(100, {"run", "tiny.toml", "--out", "r"});
  EXPECT_EQ(full.code, 2) << full.errors;
  EXPECT_THAT(full.errors, HasSubstr("r/problem.toml: the file cannot be written: File too large"));
}

TEST_F(Faults, ADiskThatIsFullAtAnyFileIsSaidAndCostsNoBit) {
  const Words words = {"run", "tiny.toml", "--quiet", "--no-estimate"};
  ASSERT_EQ(run(words, {"--out", "whole"}).code, 0);
  std::set<std::string> named;
  for (const std::size_t bytes : {200, 1000, 1500, 2000, 3000, 5000, 9000, 15'000, 30'000, 300'000, 1'000'000}) {
    SCOPED_TRACE(bytes);
    const std::string name = "r" + std::to_string(bytes);
    Words with = words;
    with.insert(with.end(), {"--out", name});
    const Ended full = run_with_file_limit(bytes, with);
    EXPECT_THAT(full.code, testing::AnyOf(1, 2));
    EXPECT_THAT(full.errors, HasSubstr("File too large"));
    EXPECT_THAT(leftovers(name), testing::IsEmpty());
    std::smatch file;
    if (std::regex_search(full.errors, file, std::regex("[a-z]+\\.[a-z]+(?=: (the file|File))")))
      named.insert(file.str());
    if (!exists(name + "/problem.toml")) continue;
    EXPECT_EQ(run({"resume", name, "--quiet", "--no-estimate"}).code, 0) << "after space is made";
    expect_same_bits(name + "/trial-1", "whole/trial-1");
    EXPECT_TRUE(exists(name + "/report.html"));
  }
  EXPECT_GE(named.size(), 4u) << "the limits should meet different files: " << testing::PrintToString(named);
}

TEST_F(Faults, AFolderThatIsRemovedEndsTheRunWithItsName) {
  Words words = {"run", "tiny.toml", "--out", "r", "--checkpoint-seconds", "0.005"};
  words.insert(words.end(), kLong.begin(), kLong.end());
  const pid_t child = start(words);
  ASSERT_TRUE(trains("r/trial-1"));
  fs::rename(folder_ / "r",
             folder_ / "elsewhere");  // at once, unlike a removal, which the run could write into
  const Ended end = wait_for(child);
  EXPECT_EQ(end.code, 1) << end.errors;
  EXPECT_THAT(end.errors, testing::ContainsRegex("cannot write r/trial-1/.*: No such file or directory"));
}

TEST_F(Faults, AFolderThatCannotBeMadeIsBadInput) {
  // Not even root makes folders under /proc, and a file is no folder.
  for (const std::string place : {"/proc/pecann-run", "tiny.toml/r"}) {
    const Ended end = run({"run", "tiny.toml", "--out", place});
    EXPECT_EQ(end.code, 2) << place;
    EXPECT_THAT(end.errors, AllOf(HasSubstr("--out = " + place), HasSubstr("cannot be made"))) << place;
  }
}

TEST_F(Faults, AFolderThatMayOnlyBeReadIsSaidBeforeTraining) {
  ASSERT_EQ(run({"run", "tiny.toml", "--out", "r", "--quiet"}).code, 0);
  fs::permissions(folder_ / "r/trial-1", fs::perms::owner_read | fs::perms::owner_exec);
  const Ended end = run_without_override({"resume", "r", "--set", "phase.2.epochs=9"});
  fs::permissions(folder_ / "r/trial-1", fs::perms::owner_all);
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, HasSubstr("Permission denied"));
}

TEST_F(Faults, TheLockOfADeadProcessDoesNotHold) {
  ASSERT_EQ(run({"run", "tiny.toml", "--out", "r", "--quiet"}).code, 0);
  fill(folder_ / "r/lock", "1");  // the number of a process that lives; nobody holds the lock
  EXPECT_EQ(run({"resume", "r", "--quiet", "--set", "phase.2.epochs=8"}).code, 0);
}

TEST_F(Faults, AReaderOfTheProgressThatGoesAwayDoesNotEndTheRun) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGPIPE, SIG_DFL);
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    if (::chdir(folder_.path().c_str()) != 0) ::_exit(126);
    ::_exit(become({"run", "tiny.toml", "--out", "r"}));
  }
  ::close(ends[1]);
  char first = 0;
  EXPECT_EQ(::read(ends[0], &first, 1), 1);  // it has begun to talk
  ::close(ends[0]);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(exists("r/report.html"));
}

TEST_F(Faults, ATerminalThatIsClosedSavesAndEnds) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  ASSERT_GE(child, 0);
  Words words = {"run", "tiny.toml", "--out", "r", "--checkpoint-seconds", "0.005"};
  words.insert(words.end(), kLong.begin(), kLong.end());
  if (child == 0) {
    if (::chdir(folder_.path().c_str()) != 0) ::_exit(126);
    ::_exit(become(words));
  }
  std::atomic<bool> closing{false};
  std::thread reader([&] {  // or the terminal's buffer fills
    pollfd one{terminal, POLLIN, 0};
    for (char block[4096]; !closing;)
      if (::poll(&one, 1, 10) > 0 && ::read(terminal, block, sizeof block) <= 0) return;
  });
  const bool trained = trains("r/trial-1");
  closing = true;
  reader.join();
  ::close(terminal);  // the kernel sends SIGHUP to the session, and writing to the terminal fails from now on
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(trained);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_TRUE(exists("r/summary.json"));
  EXPECT_EQ(run({"resume", "r", "--quiet"}).code, 0);
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "whole", "--quiet"}, kLong).code, 0);
  expect_same_bits("r/trial-1", "whole/trial-1");
}

TEST_F(Faults, ClosedStandardFilesStayOutOfTheRun) {
  // `pecann run … <&- >&- 2>&-`, and some daemons: the next files that are opened would get their numbers, and the
  // progress would be written into the history.
  const pid_t child = ::fork();
  if (child == 0) {
    if (::chdir(folder_.path().c_str()) != 0) ::_exit(126);
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) ::close(number);
    ::_exit(become({"run", "tiny.toml", "--out", "r", "--no-estimate"}));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1) << "the summary could not be written to the output";
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "whole", "--quiet", "--no-estimate"}).code, 0);
  expect_same_bits("r/trial-1", "whole/trial-1");
  EXPECT_EQ(run({"report", "r"}).code, 0);
}

TEST_F(Faults, OnlySteadyClocksDecide) {
  // Budgets, checkpoints and progress must not follow a clock that people and time servers set. The calendar may be
  // read for what is written down: the date of a summary.
  const std::regex calendar(
      R"(system_clock|high_resolution_clock|gettimeofday|CLOCK_REALTIME|\btime\(nullptr\)|std::time\()");
  const std::vector<std::string> allowed = {"run_facts.cc"};
  std::size_t looked = 0;
  for (const auto& entry : fs::recursive_directory_iterator("src/pecann")) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".cc") && !name.ends_with(".h")) continue;
    ++looked;
    if (std::ranges::find(allowed, name) != allowed.end()) continue;
    EXPECT_FALSE(std::regex_search(content(entry.path().string()), calendar)) << entry.path();
  }
  EXPECT_GT(looked, 300u);
}

}  // namespace
}  // namespace pecann
