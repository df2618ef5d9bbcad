// What a run is begun and resumed in: instruction sets, locales, clocks that jump.
#include <clocale>
#include <locale>

#include "pecann/kernel/simd_target.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/history_table.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/history.h"
#include "pecann/train/trainer.h"
#include "support/cli_fixture.h"

namespace pecann {
namespace {

using ::testing::HasSubstr;

using Variables = std::vector<std::pair<std::string, std::string>>;

class Surroundings : public Cli {
 protected:
  pid_t start_with(const Variables& variables, const Words& words, const std::string& tag) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
      ::_exit(become_in_folder(words, tag));
    }
    return child;
  }

  /// Makes a locale with a decimal comma and points between thousands in the test's folder; false where the machine
  /// lacks its sources (Debian's package locales).
  bool make_german() {
    const std::string command = "localedef -i de_DE -f UTF-8 '" + (folder_ / "de_DE.UTF-8") + "' >/dev/null 2>&1";
    return std::system(command.c_str()) == 0;
  }
};

TEST_F(Surroundings, EveryInstructionSetResumesToItsOwnBits) {
  const std::vector<std::string> words = kernel::simd_words();
  for (const std::string& word : words) {
    SCOPED_TRACE(word);
    const std::string whole = "whole-" + word, cut = "cut-" + word;
    const Words with = {"--quiet", "--no-estimate", "--simd", word};
    ASSERT_EQ(run({"run", "tiny.toml", "--out", whole}, with).code, 0);
    ASSERT_EQ(run({"run", "tiny.toml", "--out", cut, "--set", "phase.2.epochs=2"}, with).code, 0);
    const Ended resumed = run({"resume", cut, "--quiet", "--set", "phase.2.epochs=6", "--simd", word});
    ASSERT_EQ(resumed.code, 0) << resumed.errors;
    EXPECT_EQ(parameters(whole + "/trial-1"), parameters(cut + "/trial-1"));
  }
  if (words.size() < 2) GTEST_SKIP() << "the machine has one instruction set only: " << words[0];
  EXPECT_NE(parameters("whole-" + words.front() + "/trial-1"), parameters("whole-" + words.back() + "/trial-1"))
      << "the bits of two instruction sets should differ, or --simd does nothing";
  const Words other = {"resume",    "whole-" + words.front(), "--quiet", "--set", "phase.2.epochs=8", "--simd",
                       words.back()};
  const Ended refused = run(other);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("vector instructions: "));
  EXPECT_THAT(refused.errors, HasSubstr("--anyway"));
  EXPECT_EQ(run(other, {"--anyway"}).code, 0);
}

TEST_F(Surroundings, ALocaleWithADecimalCommaChangesNoByte) {
  if (!make_german()) GTEST_SKIP() << "localedef cannot make de_DE.UTF-8: install the package locales";
  const Variables german = {{"LOCPATH", folder_.path()}, {"LC_ALL", "de_DE.UTF-8"}};
  for (const auto& [name, variables] : {std::pair("plain", Variables{}), std::pair("german", german)}) {
    const std::string folder = name;
    const Words commands[] = {
        {"run", "tiny.toml", "--out", folder, "--quiet", "--no-estimate", "--set", "phase.1.learning_rate=1.5e-2"},
        {"resume", folder, "--quiet", "--no-estimate", "--set", "stop.seconds=1.25e3", "--set", "phase.2.epochs=8"},
        {"predict", folder, "-o", folder + ".csv"},
        {"export", folder, "--header", folder + "/u.hpp"}};
    for (const Words& words : commands) {
      const Ended ended = wait_for(start_with(variables, words, ""));
      ASSERT_EQ(ended.code, 0) << words[0] << ": " << ended.errors;
    }
  }
  expect_same_bits("plain/trial-1", "german/trial-1");
  EXPECT_EQ(content(folder_ / "plain.csv"), content(folder_ / "german.csv"));
  EXPECT_EQ(content(folder_ / "plain/problem.toml"), content(folder_ / "german/problem.toml"));
  Words plain = lines_of(folder_ / "plain/u.hpp"), german_lines = lines_of(folder_ / "german/u.hpp");
  ASSERT_GT(std::min(plain.size(), german_lines.size()), 10u);
  plain[1] = german_lines[1] = "";  // the name of the run's folder
  EXPECT_EQ(plain, german_lines);
}

/// Numbers of a program that uses the library: what it trains, writes and reads.
std::string texts_of_library() {
  const problem::Problem problem = problem::read_problem(kProblem, "tiny.toml");
  train::Trainer trainer(problem, 1);
  train::HistoryText history(problem);
  trainer.add_observer(history);
  const train::Outcome outcome = trainer.run();
  train::TrialSummary trial = train::summarise(trainer, 1, outcome);
  trial.seconds = trial.last.seconds = 1.5;
  trial.timings = {};
  const std::string summary = results::summary_json(problem, std::span(&trial, 1), {});
  const results::RunSummary read = results::parse_summary(summary, problem, "summary.json");
  std::string text = problem::write_problem(problem) + results::summary_json(problem, read.trials, read.facts);
  const results::HistoryTable table = results::parse_history(history.text(), "history.csv");
  for (std::size_t c = 0; c < table.names.size(); ++c)
    if (table.names[c] != "seconds")
      for (const double value : table.columns[c]) text.append(reinterpret_cast<const char*>(&value), sizeof value);
  return text;
}

TEST_F(Surroundings, AProgramThatSetsItsLocaleGetsTheSameNumbersFromTheLibrary) {
  struct Commas final : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::string plain = texts_of_library();
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  const bool german = make_german() && ::setenv("LOCPATH", folder_.path().c_str(), 1) == 0 &&
                      std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  const std::string elsewhere = texts_of_library();
  std::setlocale(LC_ALL, "C");
  std::locale::global(before);
  ::unsetenv("LOCPATH");
  EXPECT_EQ(elsewhere == plain, true) << "texts of " << elsewhere.size() << " and " << plain.size() << " bytes";
  if (!german) GTEST_SKIP() << "C++'s streams alone were tried: localedef cannot make de_DE.UTF-8 (package locales)";
}

/// Where Debian puts libfaketime; empty where it is not installed.
std::string libfaketime() {
  std::error_code none;
  for (fs::directory_iterator entry("/usr/lib", none), end; !none && entry != end; entry.increment(none))
    if (const fs::path library = entry->path() / "faketime/libfaketime.so.1"; fs::exists(library, none)) return library;
  return "";
}

TEST_F(Surroundings, AClockThatJumpsMovesNoBudget) {
  const std::string library = libfaketime();
  if (library.empty()) GTEST_SKIP() << "libfaketime is not installed (package faketime)";
  fill(folder_ / "clock", "+0\n");
  // The steady clock stays as it is: nobody can set that one.
  const Variables variables = {{"LD_PRELOAD", library},
                               {"FAKETIME_TIMESTAMP_FILE", folder_ / "clock"},
                               {"FAKETIME_NO_CACHE", "1"},
                               {"DONT_FAKE_MONOTONIC", "1"},
                               {"FAKETIME_DONT_FAKE_MONOTONIC", "1"}};
  const auto began = std::chrono::steady_clock::now();
  const pid_t child = start_with(variables,
                                 {"run", "tiny.toml", "--out", "r", "--seconds", "1.5", "--checkpoint-seconds", "0.05",
                                  "--no-estimate", "--set", "phase.1.epochs=100000000"},
                                 "-clock");
  // Ten years ahead, and back behind 1970, until the training is over.
  const auto ended = [&] {
    siginfo_t facts{};
    return ::waitid(P_PID, static_cast<id_t>(child), &facts, WEXITED | WNOHANG | WNOWAIT) == 0 && facts.si_pid == child;
  };
  for (int turn = 0; turn < 3000 && !ended(); ++turn) {
    fill(folder_ / "clock.new", turn % 2 == 0 ? "+3650d\n" : "-36500d\n");
    fs::rename(folder_ / "clock.new", folder_ / "clock");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const Ended result = wait_for(child, "-clock");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  EXPECT_EQ(result.code, 0) << result.errors;
  EXPECT_GE(seconds, 1.5);
  const results::HistoryTable history = results::read_history(folder_ / "r/trial-1/history.csv");
  const std::vector<double>& spent = *history.find("seconds");
  ASSERT_GT(spent.size(), 10u);
  EXPECT_TRUE(std::ranges::is_sorted(spent));
  EXPECT_GE(spent.back(), 1.4);
  EXPECT_LE(spent.back(), seconds);
  EXPECT_TRUE(exists("r/trial-1/checkpoint.previous")) << "checkpoints went on";
  EXPECT_EQ(run({"resume", "r", "--quiet", "--no-estimate", "--set", "stop.seconds=2"}).code, 0);
}

}  // namespace
}  // namespace pecann
