// Signals, resuming, damaged checkpoints and full disks, as users meet them.
#include "pecann/base/npy.h"
#include "support/cli_fixture.h"

namespace pecann {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Cli, SignalsFinishTheEpochAndResumeEndsWithTheSameBits) {
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "whole", "--quiet"}, kLong).code, 0);
  int number = 0;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
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
    ::execl(PECANN_PROGRAM, PECANN_PROGRAM, "run", "tiny.toml", "--out", "r", "--quiet", "--checkpoint-seconds",
            "0.005", "--set", "phase.1.epochs=15000", nullptr);
    ::_exit(127);
  }
  ASSERT_TRUE(trains("r/trial-1"));
  ::kill(child, SIGHUP);
  EXPECT_EQ(wait_for(child).code, 0);
}

TEST_F(Cli, ASecondInterruptEndsAtOnce) {
  // One epoch of this takes far longer than the test waits.
  const pid_t child = start({"run", "tiny.toml", "--out", "r", "--set",
                             "phase=[{optimizer=\"lbfgs\", epochs=10, options={iterations=100000000}}]", "--set",
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
  Words words = {"run",   "tiny.toml",           "--trials", "3", "--init", "init.npy", "--checkpoint-seconds", "0.005",
                 "--set", "phase.1.epochs=15000"};
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
    for (const char* trial : {"/trial-1", "/trial-2", "/trial-3"})
      expect_same_bits(name + trial, std::string("whole") + trial);
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
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "r", "--quiet", "--set", "phase=[{optimizer=\"adam\", epochs=20}]"}).code,
            0);
  const Ended end = run({"resume", "r", "--quiet", "--set", "phase.1.epochs=50"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(
      run({"run", "tiny.toml", "--out", "whole", "--quiet", "--set", "phase=[{optimizer=\"adam\", epochs=50}]"}).code,
      0);
  expect_same_bits("r/trial-1", "whole/trial-1");
  EXPECT_EQ(content(folder_ / "r/problem.toml"), content(folder_ / "whole/problem.toml"))
      << "the folder's problem is the new one";
}

TEST_F(Cli, ARunThatAnEarlierVersionBeganGoesOn) {
  fs::copy("tests/golden/earlier_run", folder_ / "r", fs::copy_options::recursive);
  const auto before = lines_of(folder_ / "r/trial-1/history.csv");
  ASSERT_EQ(before.size(), 9u);
  const Ended end = run({"resume", "r", "--set", "stop.epochs=12"});
  EXPECT_EQ(end.code, 0) << end.errors;
  const auto after = lines_of(folder_ / "r/trial-1/history.csv");
  ASSERT_EQ(after.size(), 13u);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin())) << "its rows stay, under their header";
  EXPECT_EQ(std::ranges::count(after.back(), ','), std::ranges::count(after.front(), ','));
  // The same training begun anew agrees but for the rounding of other machines.
  EXPECT_EQ(run({"run", "r/problem.toml", "--out", "anew", "--quiet"}).code, 0);
  const auto anew = parameters("anew/trial-1"), resumed = parameters("r/trial-1");
  ASSERT_EQ(anew.size(), resumed.size());
  for (std::size_t i = 0; i < anew.size(); ++i) EXPECT_NEAR(resumed[i], anew[i], 1e-6);
  EXPECT_THAT(run({"report", "r", "--text"}).output, HasSubstr("12 epochs done"));
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
  for (const std::string change : {"network.1.hidden=[9]", "phase.2.optimizer=lm", "penalty.strategy=cpu",
                                   "phase.2.options={histori=3}", "seed=9"}) {
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
  const std::string summary = content(folder_ / "r/summary.json");
  for (const Words& words : {Words{"predict", "r", "-o", "u.csv"}, Words{"export", "r", "--header", "u.hpp"},
                             Words{"estimate", "r"}, Words{"report", "r", "-o", "page.html"}}) {
    const Ended refused = run(words);  // the state before it is that of another epoch
    EXPECT_EQ(refused.code, 2) << words[0];
    EXPECT_THAT(refused.errors, HasSubstr("the last checkpoint is damaged")) << words[0];
  }
  EXPECT_EQ(content(folder_ / "r/summary.json"), summary);
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
  std::string command = "ulimit -f 40; cd '" + folder_.path() +
                        "' && exec '" PECANN_PROGRAM "'";  // 40 blocks: the history reaches that soon
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
  fill(folder_ / "sub/data.toml", kProblem +
                                      "\n[[term]]\nname = \"data\"\nrole = \"constraint\"\nequation = \"u = "
                                      "data.u\"\ndata = { file = \"obs.csv\", u = \"u\" }\n");
  ASSERT_EQ(run({"run", "sub/data.toml", "--out", "r", "--quiet"}).code, 0);
  const Ended end = run({"resume", "r", "--quiet", "--set", "phase.2.epochs=8"});
  EXPECT_EQ(end.code, 0) << end.errors;
}

}  // namespace
}  // namespace pecann
