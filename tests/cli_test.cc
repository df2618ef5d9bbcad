// The program as its users meet it: exit codes, files, messages.
#include <algorithm>
#include <cctype>
#include <limits>

#include "pecann/base/npy.h"
#include "support/cli_fixture.h"

namespace pecann {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Cli, ARunWritesItsFilesAndExitsWithZero) {
  const Ended end = run({"run", "tiny.toml", "--out", "r"});
  EXPECT_EQ(end.code, 0) << end.errors;
  for (const char* name : {"r/problem.toml", "r/summary.json", "r/report.html", "r/trial-1/history.csv",
                           "r/trial-1/checkpoint", "r/trial-1/solution.npz"})
    EXPECT_TRUE(exists(name)) << name;
  const auto lines = lines_of(folder_ / "r/trial-1/history.csv");
  ASSERT_EQ(lines.size(), 27u);
  EXPECT_EQ(lines[0],
            "epoch,seconds,loss,objective,constraint.ends,multiplier.ends,penalty.ends,learning_rate,evaluations,"
            "error.u.relative_l2,error.u.linf,phase,damping");
  EXPECT_THAT(end.output, HasSubstr("all 26 epochs done"));
  EXPECT_THAT(end.output, HasSubstr("pecann resume r"));
}

TEST_F(Cli, ARunEndsWithTheVerdictOfItsReport) {
  const Ended end = run({"run", "tiny.toml", "--set", "phase=[{optimizer=\"adam\", epochs=1}]", "--out", "r"});
  EXPECT_THAT(end.output, HasSubstr("do not use it."));
  EXPECT_THAT(run({"report", "--text", "r"}).output, HasSubstr("do not use it."));
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
      // An option that only the optimiser of a later phase knows.
      {{"run", "tiny.toml", "--set", "phase.2.options={histori=3}"},
       "phase.2.options.histori = 3: no such option of optimizer lbfgs; did you mean 'history'?"},
      {{"run", "tiny.toml", "--set", "nonsense"}, "nonsense"},
      {{"run", "tiny.toml", "--trials", "0"}, "trials"},
      {{"run", "tiny.toml", "--threads", "many"}, "threads"},
      {{"run", "tiny.toml", "--simd", "mmx"}, "this machine has"},
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
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    std::vector<double> broken(kParameters, 0.5);
    broken[6] = value;
    const std::size_t shape[] = {kParameters};
    write_npy(folder_ / "broken.npy", shape, broken);
    const Ended refused = run({"run", "tiny.toml", "--out", "s", "--init", "broken.npy"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.errors, HasSubstr("number 7 of 25 is not finite"));
    EXPECT_FALSE(exists("s"));
  }
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "s", "--quiet"}).code, 0);
  EXPECT_NE(parameters("r/trial-1"), parameters("s/trial-1"));
}

TEST_F(Cli, InstructionSetsCanBeForcedAndAreRecorded) {
  const std::string refusal = run({"run", "tiny.toml", "--simd", "mmx"}).errors;
  const std::string has = "this machine has ";
  const std::size_t begin = refusal.find(has) + has.size();
  const std::string list = refusal.substr(begin, refusal.find_first_of(";\n", begin) - begin);
  const std::size_t comma = list.rfind(", ");
  std::string lowest = comma == std::string::npos ? list : list.substr(comma + 2);
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "r", "--simd", lowest}).code, 0) << refusal;
  std::ranges::transform(lowest, lowest.begin(), [](unsigned char c) { return std::toupper(c); });
  EXPECT_THAT(lines_of(folder_ / "r/summary.json"), ::testing::Contains(HasSubstr("\"simd\": \"" + lowest + "\"")));
}

TEST_F(Cli, TrialsSideBySideGiveTheNumbersOfTrialsInARow) {
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "row", "--trials", "3", "--quiet"}).code, 0);
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "side", "--trials", "3", "--jobs", "2", "--threads", "2"}).code, 0);
  for (const char* trial : {"/trial-1", "/trial-2", "/trial-3"})
    expect_same_bits(std::string("row") + trial, std::string("side") + trial);
  EXPECT_NE(parameters("row/trial-1"), parameters("row/trial-2"));
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "third", "--seed", "3", "--quiet"}).code, 0);
  expect_same_bits("third/trial-1", "row/trial-3");
}

TEST_F(Cli, TheEffectiveProblemGivesTheSameResult) {
  EXPECT_EQ(run({"run", "tiny.toml", "--out", "r", "--set", "network.1.hidden=[5]", "--set", "penalty.strategy=mpu",
                 "--seed", "7", "--quiet"})
                .code,
            0);
  const Ended end = run({"run", "r/problem.toml", "--out", "again", "--quiet"});
  EXPECT_EQ(end.code, 0) << end.errors;
  expect_same_bits("r/trial-1", "again/trial-1");
  EXPECT_EQ(content(folder_ / "r/problem.toml"), content(folder_ / "again/problem.toml"));
}

TEST_F(Cli, HelpIsACommandToo) {
  EXPECT_EQ(run({"help"}).output, run({"--help"}).output);
  EXPECT_EQ(run({"help", "run"}).output, run({"run", "--help"}).output);
  EXPECT_EQ(run({"help", "lm"}).output, run({"methods", "lm"}).output);
  EXPECT_THAT(run({"help", "run"}).output, HasSubstr("--threads"));
  const Ended unknown = run({"help", "lbgfs"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("'lbfgs'"));
}

}  // namespace
}  // namespace pecann
