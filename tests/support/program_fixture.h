// The program started as a process of its own in the test's folder, for tests of what users meet.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/train/test_support.h"

namespace pecann {

namespace fs = std::filesystem;
using train::testing::content;
using train::testing::fill;
using train::testing::lines_of;

using Words = std::vector<std::string>;

struct Ended {
  int code = -1;  // of exit, or 1000 + the signal
  std::string output, errors;
};

class ProgramTest : public ::testing::Test {
 protected:
  /// Called in a child: becomes the program. Returns the child's exit code where that fails.
  static int become(const Words& words) {
    std::vector<char*> arguments = {const_cast<char*>(PECANN_PROGRAM)};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(PECANN_PROGRAM, arguments.data());
    return 127;
  }
  /// Called in a child: becomes the program in the test's folder, with its output into files.
  int become_in_folder(const Words& words, const std::string& tag) {
    if (::chdir(folder_.path().c_str()) != 0) return 126;
    ::dup2(::open(("out" + tag).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDOUT_FILENO);
    ::dup2(::open(("err" + tag).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDERR_FILENO);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
    return become(words);
  }
  pid_t start(const Words& words, const std::string& tag = "") {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(become_in_folder(words, tag));
    return child;
  }
  Ended wait_for(pid_t child, const std::string& tag = "") {
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), content(folder_ / ("out" + tag)),
            content(folder_ / ("err" + tag))};
  }
  Ended run(Words words, const Words& more = {}) {
    words.insert(words.end(), more.begin(), more.end());
    return wait_for(start(words));
  }
  bool exists(const std::string& name) { return fs::exists(folder_ / name); }

  train::testing::TemporaryFolder folder_;
};

}  // namespace pecann
