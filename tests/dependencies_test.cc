// What a run depends on: its folder keeps the files that it was given and a record of everything else, and `resume`
// says what has changed.
#include <sys/file.h>
#include <sys/resource.h>

#include <fstream>
#include <string>

#include "support/cli_fixture.h"

namespace pecann {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kMeasured = kProblem + R"toml(
[[term]]
name = "measured"
role = "constraint"
equation = "u = data.u*k(x)"
data = { file = "obs.csv", u = "u" }
[tables]
k = { file = "k.csv", coordinates = ["x"], interpolate = "linear" }
)toml";

class Dependencies : public Cli {
 protected:
  Dependencies() {
    fill(folder_ / "measured.toml", kMeasured);
    fill(folder_ / "obs.csv", "x,u\n0.25,0.7\n0.5,1\n0.75,0.7\n");
    fill(folder_ / "k.csv", "x,k\n0,1\n1,1\n");
  }
  void train() { ASSERT_EQ(run({"run", "measured.toml", "--out", "r", "--quiet", "--no-estimate"}).code, 0); }
  Words resume(const Words& more = {}) {
    Words words = {"resume", "r", "--quiet", "--no-estimate", "--set", "phase.2.epochs=8"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(Dependencies, ARunIsUsedAndResumedWithoutTheFilesThatItWasGiven) {
  EXPECT_EQ(run({"run", "measured.toml", "--out", "whole", "--quiet", "--set", "phase.2.epochs=8"}).code, 0);
  train();
  fs::remove(folder_ / "obs.csv");
  fs::remove(folder_ / "k.csv");
  fs::create_directories(folder_ / "other place");
  fs::rename(folder_ / "r", folder_ / "other place/r");
  for (const Words& words : std::vector<Words>{{"report", "other place/r"},
                                               {"report", "other place/r", "--text"},
                                               {"predict", "other place/r", "-o", "u.csv"},
                                               {"export", "other place/r", "--header", "u.hpp"},
                                               {"resume", "other place/r", "--quiet", "--set", "phase.2.epochs=8"},
                                               {"report", "other place/r"}}) {
    const Ended end = run(words);
    EXPECT_EQ(end.code, 0) << words[0] << ": " << end.errors;
  }
  EXPECT_EQ(parameters("other place/r/trial-1"), parameters("whole/trial-1"));
  EXPECT_THAT(content(folder_ / "other place/r/problem.toml"), Not(HasSubstr(folder_.path())))
      << "a folder that was moved names nothing by its old place";
}

TEST_F(Dependencies, ASearchForAnAccuracyKeepsItsFilesToo) {
  fill(folder_ / "k.toml", R"toml(
coordinates = { x = [0, 1] }
fields = ["u"]
[tables]
k = { file = "k.csv", coordinates = ["x"], interpolate = "linear" }
[[term]]
region = "interior"
equation = "u_xx = -k(x)"
[[term]]
region = "boundary"
equation = "u = 0"
)toml");
  const Ended found = run({"run", "k.toml", "--out", "r", "--accuracy", "1e-2", "--seconds", "60", "--quiet"});
  EXPECT_EQ(found.code, 0) << found.errors;
  fs::remove(folder_ / "k.csv");
  fs::rename(folder_ / "r", folder_ / "moved");
  for (const Words& words : std::vector<Words>{
           {"report", "moved"}, {"predict", "moved/attempt-1", "-o", "u.csv"}, {"resume", "moved", "--quiet"}}) {
    const Ended end = run(words);
    EXPECT_EQ(end.code, 0) << words[0] << ": " << end.errors;
  }
}

TEST_F(Dependencies, ChangedDataAreNamedAndTheRunKeepsItsOwn) {
  EXPECT_EQ(run({"run", "measured.toml", "--out", "whole", "--quiet", "--set", "phase.2.epochs=8"}).code, 0);
  train();
  fill(folder_ / "obs.csv", "x,u\n0.25,0.7\n0.5,9\n0.75,0.7\n");  // as long as before
  const Ended refused = run(resume());
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("obs.csv was changed; the run goes on with its copy, inputs/obs.csv"),
                                    HasSubstr("--anyway"), Not(HasSubstr("k.csv")), Not(HasSubstr("problem.toml"))));
  const Ended wanted = run(resume({"--anyway"}));
  EXPECT_EQ(wanted.code, 0) << wanted.errors;
  EXPECT_THAT(wanted.errors, HasSubstr("going on although"));
  EXPECT_EQ(parameters("r/trial-1"), parameters("whole/trial-1"));
  EXPECT_EQ(run(resume()).code, 0) << "who was told once is not told again";
}

TEST_F(Dependencies, AChangedCopyOrProblemIsNamed) {
  train();
  const std::string problem = content(folder_ / "r/problem.toml");
  fill(folder_ / "r/inputs/obs.csv", "x,u\n0.25,0.7\n0.5,9\n0.75,0.7\n");
  fill(folder_ / "r/problem.toml", problem + "# a remark\n");
  const Ended refused = run(resume());
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("problem.toml was changed"),
                                    HasSubstr("inputs/obs.csv, the run's copy of"), HasSubstr("--anyway")));
  EXPECT_EQ(run(resume({"--anyway"})).code, 0);
  EXPECT_EQ(run(resume()).code, 0);
}

TEST_F(Dependencies, AnotherProgramOrOtherInstructionsAreNamed) {
  train();
  std::string record = content(folder_ / "r/depends.json");
  const std::size_t at = record.find("\"simd\": \"") + 9;
  record.replace(at, record.find('"', at) - at, "ABACUS");
  fill(folder_ / "r/depends.json", record);
  const Ended refused = run(resume());
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.errors,
              AllOf(HasSubstr("vector instructions: "), HasSubstr("ABACUS then"), HasSubstr("--anyway")));
  EXPECT_EQ(run(resume({"--anyway"})).code, 0);
  fs::remove(folder_ / "r/depends.json");
  EXPECT_EQ(run(resume()).code, 0) << "runs of earlier versions have no record";
  fill(folder_ / "r/depends.json", "{\"version\": 3}");
  const Ended broken = run(resume());
  EXPECT_EQ(broken.code, 2);
  EXPECT_THAT(broken.errors, HasSubstr("depends.json: is no record"));
}

TEST_F(Dependencies, FilesOfOneNameAreKeptApart) {
  fs::create_directories(folder_ / "a");
  fs::create_directories(folder_ / "b");
  fill(folder_ / "a/f.csv", "x,u\n0.5,1\n");
  fill(folder_ / "b/f.csv", "x,u\n0.25,0.7\n0.75,0.7\n");
  std::string text = kProblem;
  for (const char* place : {"a", "b"})
    text += std::string("[[term]]\nname = \"") + place +
            "\"\nrole = \"constraint\"\nequation = \"u = data.u\"\ndata = { file = \"" + place +
            "/f.csv\", u = \"u\" }\n";
  fill(folder_ / "two.toml", text);
  ASSERT_EQ(run({"run", "two.toml", "--out", "r", "--quiet"}).code, 0);
  EXPECT_EQ(content(folder_ / "r/inputs/f.csv"), content(folder_ / "a/f.csv"));
  EXPECT_EQ(content(folder_ / "r/inputs/2-f.csv"), content(folder_ / "b/f.csv"));
  EXPECT_EQ(run({"resume", "r", "--quiet"}).code, 0);
}

TEST_F(Dependencies, PathsThatAreNotUtf8MakeRunsLikeAnyOther) {
  const std::string place = "caf\xe9";  // Latin-1
  fs::create_directories(folder_ / place);
  for (const char* file : {"obs.csv", "k.csv", "measured.toml"})
    fs::rename(folder_ / file, folder_ / (place + "/" + file));
  const Ended trained = run({"run", place + "/measured.toml", "--out", place + "/r", "--quiet", "--no-estimate"});
  ASSERT_EQ(trained.code, 0) << trained.errors;
  for (const Words& words : std::vector<Words>{{"resume", place + "/r", "--quiet", "--set", "phase.2.epochs=8"},
                                               {"resume", place + "/r", "--quiet"},
                                               {"report", place + "/r"},
                                               {"predict", place + "/r", "-o", place + "/u.csv"},
                                               {"export", place + "/r", "--header", "u.hpp"}}) {
    const Ended end = run(words);
    EXPECT_EQ(end.code, 0) << words[0] << ": " << end.errors;
  }
}

TEST_F(Dependencies, ADeletedLockLetsNobodyIn) {
  Words words = {"run", "tiny.toml", "--out", "r", "--checkpoint-seconds", "0.005", "--quiet"};
  words.insert(words.end(), kLong.begin(), kLong.end());
  const pid_t child = start(words);
  ASSERT_TRUE(trains("r/trial-1"));
  fs::remove(folder_ / "r/lock");
  const Ended second = wait_for(start({"resume", "r", "--quiet"}, "2"), "2");
  EXPECT_EQ(second.code, 2) << second.errors;
  EXPECT_THAT(second.errors, HasSubstr("is in use by another process"));
  ::kill(child, SIGTERM);
  wait_for(child);
}

/// The program with limits of the process, which has 30 seconds of the processor.
TEST_F(Dependencies, ABrokenSummaryIsWrittenAnewByResumeAsItsMessageSays) {
  ASSERT_EQ(run({"run", "tiny.toml", "--out", "r", "--quiet", "--no-estimate"}).code, 0);
  const std::string whole = content(folder_ / "r/summary.json");
  for (const std::string& broken :
       {whole.substr(0, whole.size() / 2), whole + "\x1a", std::string("[]"), std::string()}) {
    fill(folder_ / "r/summary.json", broken);
    const Ended report = run({"report", "r"});
    EXPECT_EQ(report.code, 2);
    EXPECT_THAT(report.errors, HasSubstr("`pecann resume` writes it anew"));
    const Ended resumed = run({"resume", "r", "--quiet", "--no-estimate"});
    EXPECT_EQ(resumed.code, 0) << resumed.errors;
    EXPECT_EQ(run({"report", "r"}).code, 0);
  }
}

TEST_F(Dependencies, ASearchThatGoesOnKeepsItsProblem) {
  fill(folder_ / "line.toml", R"toml(
coordinates = { x = [0, 1] }
fields = ["u"]
[[term]]
region = "interior"
equation = "u_xx = -1"
[[term]]
region = "boundary"
equation = "u = 0"
)toml");
  ASSERT_EQ(run({"run", "line.toml", "--out", "r", "--accuracy", "1e-2", "--seconds", "60", "--quiet"}).code, 0);
  for (const char* const change : {"term.1.equation=u_xx = -2", "coordinates.x=[0, 2]", "seed=3"}) {
    const Ended refused = run({"resume", "r", "--quiet", "--set", change});
    EXPECT_EQ(refused.code, 2) << change;
    EXPECT_THAT(refused.errors, HasSubstr("keeps its problem: only accuracy and stop.seconds can change"));
  }
  EXPECT_EQ(run({"resume", "r", "--quiet", "--set", "accuracy=1e-3", "--set", "stop.seconds=70"}).code, 0);
  EXPECT_THAT(content(folder_ / "r/asked.toml"), AllOf(HasSubstr("accuracy = 0.001"), HasSubstr("seconds = 70")));
  EXPECT_EQ(run({"resume", "r", "--quiet"}).code, 0) << "what was wanted is kept and no change";
  EXPECT_EQ(run({"report", "r", "-o", "page.html"}).code, 0);
}

class SmallLimits : public Cli {
 protected:
  Ended run_with(__rlimit_resource resource, rlim_t most, const Words& words) {
    const pid_t child = ::fork();
    if (child == 0) {
      const rlimit limit{most, most};
      ::setrlimit(resource, &limit);
      ::alarm(60);  // ends a program that hangs
      ::_exit(become_in_folder(words, ""));
    }
    return wait_for(child);
  }
};

TEST_F(SmallLimits, LittleAddressSpaceEndsInOrder) {
  for (const rlim_t kilobytes : {120'000, 160'000, 250'000}) {
    const Ended end = run_with(RLIMIT_AS, kilobytes * 1024, {"list"});
    EXPECT_EQ(end.code, 0) << kilobytes << ": " << end.errors;
    EXPECT_EQ(end.errors, "") << kilobytes;
  }
}

TEST_F(SmallLimits, LittleMemoryForDataEndsInOrder) {
  ::setenv("OPENBLAS_NUM_THREADS", "8", 1);  // what a user may have set for other programs
  for (const rlim_t megabytes : {20, 60, 100}) {
    const Ended end = run_with(RLIMIT_DATA, megabytes << 20, {"check", "tiny.toml"});
    EXPECT_LT(end.code, 3) << megabytes << ": " << end.errors;  // no signal, within the minute
    EXPECT_THAT(end.errors, Not(HasSubstr("OpenBLAS"))) << megabytes;
  }
  ::unsetenv("OPENBLAS_NUM_THREADS");
}

TEST_F(SmallLimits, AddressSpaceTakenAwayInMidRunSaysHowToGoOn) {
  const pid_t child = start({"run", "tiny.toml", "--out", "r", "--quiet", "--threads", "1", "--no-estimate",
                             "--checkpoint-seconds", "0.01", "--set", "phase.1.epochs=100000000"});
  ASSERT_TRUE(wait_until([&] { return fs::exists(folder_ / "r/trial-1/checkpoint.previous"); }));
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(child) + "/comm"), name);
  EXPECT_EQ(name, "pecann") << "as lists of processes show it";
  const rlimit none{1 << 20, 1 << 20};
  ASSERT_EQ(::prlimit(child, RLIMIT_AS, &none, nullptr), 0);
  ASSERT_EQ(::prlimit(child, RLIMIT_DATA, &none, nullptr), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  ::kill(child, SIGTERM);  // where it has all the memory that it needs
  const Ended end = wait_for(child);
  EXPECT_EQ(end.code, 1) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("go on with `pecann resume r`"));
}

TEST_F(SmallLimits, OneProcessIsEnough) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{1, 1};
    ::setrlimit(RLIMIT_NPROC, &limit);
    ::alarm(60);
    // The limit does not hold for root. Nobody cannot write to the test's folder, which is open by then.
    if (::chdir(folder_.path().c_str()) != 0) ::_exit(126);
    ::dup2(::open("out", O_WRONLY | O_CREAT | O_TRUNC, 0644), STDOUT_FILENO);
    ::dup2(::open("err", O_WRONLY | O_CREAT | O_TRUNC, 0644), STDERR_FILENO);
    if (::getuid() == 0 && ::setuid(65534) != 0) ::_exit(125);
    ::_exit(become({"list"}));
  }
  const Ended end = wait_for(child);
  if (end.code == 127) GTEST_SKIP() << "the program cannot be started by nobody";
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(end.errors, "");
}

TEST_F(SmallLimits, AStackThatIsTooSmallIsSaid) {
  const Ended end = run_with(RLIMIT_STACK, 64 * 1024, {"list"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("ulimit -s"));
}

}  // namespace
}  // namespace pecann
