// The program as its users meet it: exit codes, files, messages, signals.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/npy.h"
#include "pecann/base/state_archive.h"
#include "pecann/train/checkpoint.h"
#include "pecann/train/test_support.h"

namespace pecann {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using train::testing::content;
using train::testing::fill;
using train::testing::lines_of;

using Words = std::vector<std::string>;

const std::string kProblem = R"toml(
title = "tiny Poisson problem"
coordinates = { x = [0, 1] }
[exact]
u = "sin(pi*x)"
[[network]]
fields = ["u"]
hidden = [8]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_xx = -pi^2*exact.u"
points = { sobol = 24, redraw = 2 }
[[term]]
name = "ends"
role = "constraint"
region = "boundary"
equation = "u = 0"
points = { grid = [3] }
[[phase]]
optimizer = "adam"
epochs = 20
[[phase]]
optimizer = "lbfgs"
epochs = 6
[evaluate]
grid = [33]
every = 10
)toml";
constexpr std::size_t kParameters = 8 + 8 + 8 + 1;
// Long enough to be caught in the middle: a signal comes after a few hundredths of a second of training.
const Words kLong = {"--set", "phase.1.epochs=25000", "--set", "phase.2.epochs=30"};

struct Ended {
  int code = -1;  // of exit, or 1000 + the signal
  std::string output, errors;
};

class Cli : public ::testing::Test {
 protected:
  Cli() { fill(folder_ / "tiny.toml", kProblem); }

  /// Starts the program in the test's folder.
  pid_t start(const Words& words, const std::string& tag = "") {
    const pid_t child = ::fork();
    if (child != 0) return child;
    if (::chdir(folder_.path().c_str()) != 0) ::_exit(126);
    ::dup2(::open(("out" + tag).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDOUT_FILENO);
    ::dup2(::open(("err" + tag).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDERR_FILENO);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
    std::vector<char*> arguments = {const_cast<char*>(PECANN_PROGRAM)};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(PECANN_PROGRAM, arguments.data());
    ::_exit(127);
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
  bool wait_until(const std::function<bool()>& condition) {
    for (int i = 0; i < 3000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  /// The history has some rows, by way of checkpoints every few milliseconds.
  bool trains(const std::string& trial_folder) {
    return wait_until([&] { return lines_of(folder_ / (trial_folder + "/history.csv")).size() > 50; });
  }
  /// history.csv without the seconds.
  Words history(const std::string& trial_folder) {
    Words rows;
    for (const std::string& line : lines_of(folder_ / (trial_folder + "/history.csv"))) {
      const std::size_t first = line.find(','), second = line.find(',', first + 1);
      rows.push_back(line.substr(0, first) + line.substr(second));
    }
    return rows;
  }
  std::vector<double> parameters(const std::string& trial_folder) {
    const train::LoadedCheckpoint loaded = train::read_checkpoint(folder_ / trial_folder);
    EXPECT_EQ(loaded.warning, "");
    return StateReader(loaded.payload).get("parameters");
  }
  void expect_same_bits(const std::string& a, const std::string& b) {
    EXPECT_EQ(history(a), history(b));
    EXPECT_GT(history(a).size(), 2u);
    EXPECT_EQ(parameters(a), parameters(b));
  }
  bool exists(const std::string& name) { return fs::exists(folder_ / name); }

  train::testing::TemporaryFolder folder_;
};

TEST_F(Cli, ARunWritesItsFilesAndExitsWithZero) {
  const Ended end = run({"run", "tiny.toml", "--out", "r"});
  EXPECT_EQ(end.code, 0) << end.errors;
  for (const char* name : {"r/problem.toml", "r/summary.json", "r/report.html", "r/trial-1/history.csv", "r/trial-1/checkpoint", "r/trial-1/solution.npz"})
    EXPECT_TRUE(exists(name)) << name;
  const auto lines = lines_of(folder_ / "r/trial-1/history.csv");
  ASSERT_EQ(lines.size(), 27u);
  EXPECT_EQ(lines[0],
            "epoch,seconds,loss,objective,constraint.ends,multiplier.ends,penalty.ends,learning_rate,evaluations,"
            "error.u.relative_l2,error.u.linf");
  EXPECT_THAT(end.output, HasSubstr("all 26 epochs done"));
  EXPECT_THAT(end.output, HasSubstr("pecann resume r"));
}

TEST_F(Cli, QuietSaysNothing) {
  const Ended end = run({"run", "tiny.toml", "--out", "r", "--quiet"});
  EXPECT_EQ(end.code, 0);
  EXPECT_EQ(end.output + end.errors, "");
}

TEST_F(Cli, WithoutAFolderEachRunGetsItsOwn) {
  EXPECT_EQ(run({"run", "tiny.toml", "--quiet"}).code, 0);
  EXPECT_EQ(run({"run", "tiny.toml", "--quiet", "--seed", "2"}).code, 0);
  EXPECT_TRUE(exists("runs/tiny/summary.json"));
  EXPECT_TRUE(exists("runs/tiny-2/summary.json"));
  EXPECT_NE(parameters("runs/tiny/trial-1"), parameters("runs/tiny-2/trial-1"));
}

TEST_F(Cli, ATargetThatIsNotReachedIsOne) {
  const Ended missed = run({"run", "tiny.toml", "--out", "r", "--set", "stop.loss=1e-30"});
  EXPECT_EQ(missed.code, 1);
  EXPECT_THAT(missed.output, HasSubstr("epochs done"));
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "s", "--set", "stop.loss=1e30"}).code, 0);
}

TEST_F(Cli, NotFiniteIsOneAndSaysWhere) {
  const Ended end = run({"run", "tiny.toml", "--out", "r", "--set", "term.pde.equation=log(u - 1000) = 0"});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.output, HasSubstr("not finite: epoch 1: term 'pde'"));
  EXPECT_TRUE(exists("r/summary.json"));
}

TEST_F(Cli, BadInputIsTwoAndLeavesNoFolder) {
  const std::vector<std::pair<Words, std::string>> bad = {
      {{"run", "nowhere.toml"}, "nowhere.toml"},
      {{"run", "tiny.toml", "--set", "phase.1.epoch=3"}, "epochs"},
      {{"run", "tiny.toml", "--set", "penalty.strategy=capuu"}, "capu"},
      {{"run", "tiny.toml", "--set", "term.pdee.weight=2"}, "pde"},
      {{"run", "tiny.toml", "--set", "phase.3.epochs=2"}, "phase"},
      {{"run", "tiny.toml", "--set", "phase.2.options={histori=3}"}, "phase.2.options.histori = 3: no such option of optimizer lbfgs; did you mean 'history'?"},  // known to the optimiser alone, in a later phase
      {{"run", "tiny.toml", "--set", "nonsense"}, "nonsense"},
      {{"run", "tiny.toml", "--trials", "0"}, "trials"},
      {{"run", "tiny.toml", "--threads", "many"}, "threads"},
      {{"run", "tiny.toml", "--recipe", "paper"}, "recipe"},
      {{"run", "tiny.toml", "--frobnicate"}, "frobnicate"},
      {{"run"}, "problem"},
      {{"resume", "nowhere"}, "nowhere"},
      {{"dance"}, "dance: no such command; known: "},
      {{"resum", "r"}, "did you mean 'resume'?"},
  };
  for (auto [words, message] : bad) {
    if (words[0] == "run") words.insert(words.end(), {"--out", "r"});
    const Ended end = run(words);
    EXPECT_EQ(end.code, 2) << words.back() << ": " << end.errors;
    EXPECT_THAT(end.errors, HasSubstr(message));
    EXPECT_THAT(end.errors, Not(HasSubstr("internal error")));
    EXPECT_FALSE(exists("r")) << "after " << end.errors;
  }
}

TEST_F(Cli, AnExistingFolderIsNeverOverwritten) {
  fs::create_directory(folder_ / "r");
  fill(folder_ / "r/notes.txt", "mine");
  const Ended end = run({"run", "tiny.toml", "--out", "r"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("never overwritten"));
  EXPECT_EQ(content(folder_ / "r/notes.txt"), "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "r"), fs::directory_iterator()), 1);
  fs::create_directory(folder_ / "empty");
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "empty", "--quiet"}).code, 0) << "an empty one may be used";
  fill(folder_ / "file", "");
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "file"}).code, 2);
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "file/below"}).code, 2);
}

TEST_F(Cli, StartParametersOfAnotherLengthAreRefused) {
  const std::size_t wrong[] = {kParameters - 1}, right[] = {kParameters};
  write_npy(folder_ / "wrong.npy", wrong, std::vector<double>(kParameters - 1, 0.1));
  write_npy(folder_ / "right.npy", right, std::vector<double>(kParameters, 0.1));
  const Ended end = run({"run", "tiny.toml", "--out", "r", "--init", "wrong.npy"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("24 numbers"));
  EXPECT_THAT(end.errors, HasSubstr("25 parameters"));
  EXPECT_FALSE(exists("r"));
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "r", "--init", "right.npy", "--quiet"}).code, 0);
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "s", "--quiet"}).code, 0);
  EXPECT_NE(parameters("r/trial-1"), parameters("s/trial-1"));
}

TEST_F(Cli, TrialsSideBySideGiveTheNumbersOfTrialsInARow) {
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "row", "--trials", "3", "--quiet"}).code, 0);
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "side", "--trials", "3", "--jobs", "2", "--threads", "2"}).code, 0);
  for (const char* trial : {"/trial-1", "/trial-2", "/trial-3"}) expect_same_bits(std::string("row") + trial, std::string("side") + trial);
  EXPECT_NE(parameters("row/trial-1"), parameters("row/trial-2"));
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "third", "--seed", "3", "--quiet"}).code, 0);
  expect_same_bits("third/trial-1", "row/trial-3");
}

TEST_F(Cli, TheEffectiveProblemGivesTheSameResult) {
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "r", "--set", "network.1.hidden=[5]", "--set", "penalty.strategy=mpu", "--seed", "7", "--quiet"}).code, 0);
  const Ended end = run({"run", "r/problem.toml", "--out", "again", "--quiet"});
  EXPECT_EQ(end.code, 0) << end.errors;
  expect_same_bits("r/trial-1", "again/trial-1");
  EXPECT_EQ(content(folder_ / "r/problem.toml"), content(folder_ / "again/problem.toml"));
}

TEST_F(Cli, SignalsFinishTheEpochAndResumeEndsWithTheSameBits) {
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "whole", "--quiet"}, kLong).code, 0);
  int number = 0;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string name = "r" + std::to_string(++number);
    Words words = {"run", "tiny.toml", "--out", name, "--checkpoint-seconds", "0.005"};
    words.insert(words.end(), kLong.begin(), kLong.end());
    const pid_t child = start(words);
    ASSERT_TRUE(trains(name + "/trial-1"));
    ::kill(child, signal);
    const Ended stopped = wait_for(child);
    EXPECT_EQ(stopped.code, 1) << stopped.errors;
    EXPECT_THAT(stopped.errors, HasSubstr("go on with `pecann resume " + name + "`"));
    EXPECT_TRUE(exists(name + "/summary.json"));
    const Ended resumed = run({"resume", name, "--threads", std::to_string(number)});
    EXPECT_EQ(resumed.code, 0) << resumed.errors;
    EXPECT_THAT(resumed.errors, Not(HasSubstr("go on with")));
    expect_same_bits(name + "/trial-1", "whole/trial-1");
  }
}

TEST_F(Cli, IgnoredSignalsStayIgnored) {
  const pid_t child = ::fork();
  if (child == 0) {  // as nohup does
    ::signal(SIGHUP, SIG_IGN);
    if (::chdir(folder_.path().c_str()) != 0) ::_exit(126);
    ::execl(PECANN_PROGRAM, PECANN_PROGRAM, "run", "tiny.toml", "--out", "r", "--quiet", "--checkpoint-seconds", "0.005", "--set",
            "phase.1.epochs=15000", nullptr);
    ::_exit(127);
  }
  ASSERT_TRUE(trains("r/trial-1"));
  ::kill(child, SIGHUP);
  EXPECT_EQ(wait_for(child).code, 0);
}

TEST_F(Cli, ASecondInterruptEndsAtOnce) {
  // One epoch of this takes far longer than the test waits.
  const pid_t child = start({"run", "tiny.toml", "--out", "r", "--set", "phase=[{optimizer=\"lbfgs\", epochs=10, options={iterations=100000000}}]", "--set",
                             "term.pde.points={sobol=20000}", "--set", "network.1.hidden=[60, 60, 60]"});
  ASSERT_TRUE(wait_until([&] { return exists("r/trial-1/checkpoint"); }));
  ::kill(child, SIGINT);
  ASSERT_TRUE(wait_until([&] { return content(folder_ / "err").find("finishing the epoch") != std::string::npos; }));
  ::kill(child, SIGINT);
  EXPECT_EQ(wait_for(child).code, 1000 + SIGINT);
}

TEST_F(Cli, InterruptedTrialsAreAllFinishedByResume) {
  const std::size_t shape[] = {kParameters};
  std::vector<double> begin(kParameters);
  for (std::size_t i = 0; i < kParameters; ++i) begin[i] = 0.05 * static_cast<double>(i) - 0.6;
  write_npy(folder_ / "init.npy", shape, begin);
  Words words = {"run", "tiny.toml", "--trials", "3", "--init", "init.npy", "--checkpoint-seconds", "0.005", "--set", "phase.1.epochs=15000"};
  EXPECT_EQ(run(words, {"--out", "whole", "--quiet"}).code, 0);
  for (const char* jobs : {"1", "2"}) {
    const std::string name = std::string("r") + jobs;
    Words own = words;
    own.insert(own.end(), {"--out", name, "--jobs", jobs});
    const pid_t child = start(own);
    ASSERT_TRUE(trains(name + "/trial-1"));
    ::kill(child, SIGINT);
    const Ended stopped = wait_for(child);
    EXPECT_EQ(stopped.code, 1) << stopped.errors;
    EXPECT_THAT(stopped.errors, HasSubstr("not begun"));
    EXPECT_FALSE(exists(name + "/trial-3"));
    fs::remove(folder_ / "init.npy");  // the run keeps what it needs
    EXPECT_EQ(run({"resume", name, "--quiet"}).code, 0);
    for (const char* trial : {"/trial-1", "/trial-2", "/trial-3"}) expect_same_bits(name + trial, std::string("whole") + trial);
    write_npy(folder_ / "init.npy", shape, begin);
  }
}

TEST_F(Cli, AFolderInUseIsRefusedNamingTheProcess) {
  Words words = {"run", "tiny.toml", "--out", "r", "--checkpoint-seconds", "0.005"};
  words.insert(words.end(), kLong.begin(), kLong.end());
  const pid_t child = start(words, "-first");
  ASSERT_TRUE(trains("r/trial-1"));
  const Ended second = run({"resume", "r"});
  EXPECT_EQ(second.code, 2);
  EXPECT_THAT(second.errors, HasSubstr("in use by process " + std::to_string(child)));
  ::kill(child, SIGTERM);
  wait_for(child, "-first");
  EXPECT_EQ(run({"resume", "r", "--set", "stop.epochs=1"}).code, 0) << "a lock does not outlive its process";
}

TEST_F(Cli, MoreEpochsByResume) {
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "r", "--quiet", "--set", "phase=[{optimizer=\"adam\", epochs=20}]"}).code, 0);
  const Ended end = run({"resume", "r", "--quiet", "--set", "phase.1.epochs=50"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "whole", "--quiet", "--set", "phase=[{optimizer=\"adam\", epochs=50}]"}).code, 0);
  expect_same_bits("r/trial-1", "whole/trial-1");
  EXPECT_EQ(content(folder_ / "r/problem.toml"), content(folder_ / "whole/problem.toml")) << "the folder's problem is the new one";
}

TEST_F(Cli, ResumingAFinishedRunChangesNothing) {
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "r", "--quiet"}).code, 0);
  const std::string history_before = content(folder_ / "r/trial-1/history.csv");
  const std::vector<double> parameters_before = parameters("r/trial-1");
  const Ended end = run({"resume", "r"});
  EXPECT_EQ(end.code, 0);
  EXPECT_THAT(end.output, HasSubstr("all 26 epochs done"));
  EXPECT_EQ(content(folder_ / "r/trial-1/history.csv"), history_before);
  EXPECT_EQ(parameters("r/trial-1"), parameters_before);
}

TEST_F(Cli, AChangeThatTheCheckpointCannotFollowLeavesTheFolderAsItWas) {
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "r", "--quiet"}).code, 0);
  const std::string before = content(folder_ / "r/problem.toml");
  for (const std::string change : {"network.1.hidden=[9]", "phase.2.optimizer=lm", "penalty.strategy=cpu", "phase.2.options={histori=3}", "seed=9"}) {
    const Ended end = run({"resume", "r", "--set", change});
    EXPECT_EQ(end.code, 2) << change << ": " << end.errors;
    EXPECT_EQ(content(folder_ / "r/problem.toml"), before) << change;
  }
  EXPECT_EQ(run({"resume", "r", "--quiet"}).code, 0);
}

TEST_F(Cli, ADamagedCheckpointIsReplacedByTheOneBefore) {
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "whole", "--quiet"}).code, 0);
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "r", "--quiet", "--checkpoint-seconds", "0"}).code, 0);
  std::string bytes = content(folder_ / "r/trial-1/checkpoint");
  bytes[bytes.size() / 2] ^= 4;
  fill(folder_ / "r/trial-1/checkpoint", bytes);
  const Ended end = run({"resume", "r"});
  EXPECT_EQ(end.code, 0);
  EXPECT_THAT(end.errors, HasSubstr("checksum is wrong"));
  expect_same_bits("r/trial-1", "whole/trial-1");
  fill(folder_ / "r/trial-1/checkpoint", "");
  fill(folder_ / "r/trial-1/checkpoint.previous", "something else");
  const Ended lost = run({"resume", "r"});
  EXPECT_EQ(lost.code, 2);
  EXPECT_THAT(lost.errors, HasSubstr("no usable checkpoint"));
}

TEST_F(Cli, AFullDiskEndsTheRunWithItsReasonAndTheLastCheckpointIsGood) {
  Words words = {"run", "tiny.toml", "--out", "r", "--checkpoint-seconds", "0.001"};
  words.insert(words.end(), kLong.begin(), kLong.end());
  std::string command = "ulimit -f 40; cd '" + folder_.path() + "' && exec '" PECANN_PROGRAM "'";  // 40 blocks: the history reaches that soon
  for (const std::string& word : words) command += " '" + word + "'";
  const int status = std::system((command + " 2>'" + (folder_ / "err") + "'").c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_THAT(content(folder_ / "err"), HasSubstr("history.csv: File too large"));
  EXPECT_EQ(run({"resume", "r", "--quiet"}).code, 0);
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "whole", "--quiet"}, kLong).code, 0);
  expect_same_bits("r/trial-1", "whole/trial-1");
}

TEST_F(Cli, DataFilesAreFoundFromWhereverTheRunIsResumed) {
  fs::create_directory(folder_ / "sub");
  fill(folder_ / "sub/obs.csv", "x,u\n0.25,0.7\n0.5,1\n");
  fill(folder_ / "sub/data.toml",
       kProblem + "\n[[term]]\nname = \"data\"\nrole = \"constraint\"\nequation = \"u = data.u\"\ndata = { file = \"obs.csv\", u = \"u\" }\n");
  ASSERT_EQ(run({"run", "sub/data.toml", "--out", "r", "--quiet"}).code, 0);
  const Ended end = run({"resume", "r", "--quiet", "--set", "phase.2.epochs=8"});
  EXPECT_EQ(end.code, 0) << end.errors;
}

}  // namespace
}  // namespace pecann
