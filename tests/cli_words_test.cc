// What the program says: help, completions, unknown options, where a run goes on, and the schema of its summary.
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "support/cli_fixture.h"

namespace pecann {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Cli, HelpFitsATerminalAndNamesNoInnerPath) {
  const std::string whole = run({"--help"}).output;
  EXPECT_THAT(whole, HasSubstr("Examples:\n  pecann list"));
  std::vector<std::string> commands = {""};
  std::istringstream listed(whole.substr(whole.find("Subcommands:\n") + 13));
  for (std::string line; std::getline(listed, line) && !line.empty();)
    if (line[2] != ' ') commands.push_back(line.substr(2, line.find(' ', 2) - 2));
  ASSERT_GE(commands.size(), 16u);
  for (const std::string& command : commands) {
    const Ended end = command.empty() ? run({"--help"}) : run({command, "--help"});
    EXPECT_EQ(end.code, 0) << command;
    EXPECT_THAT(end.output, HasSubstr("Usage: pecann " + command));
    EXPECT_THAT(end.output, HasSubstr("Examples:\n  pecann "));
    std::istringstream lines(end.output);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << command << ": " << line;
  }
  EXPECT_THAT(run({"run", "--help"}).output, HasSubstr("Examples:\n  pecann run gallery/robin\n"));
}

TEST_F(Cli, UnknownOptionsSayWhatToWrite) {
  const Ended end = run({"run", "tiny.toml", "--epochs", "10"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("--epochs: no such option; it is a key of the problem: --set phase.1.epochs=N"));
  EXPECT_THAT(run({"run", "tiny.toml", "--trails", "2"}).errors, HasSubstr("did you mean '--trials'?"));
}

TEST_F(Cli, CompletionsKnowTheCommandsAndTheirOptions) {
  const std::string bash = run({"completion", "bash"}).output;
  EXPECT_THAT(bash, HasSubstr("complete -o filenames -F _pecann pecann"));
  EXPECT_THAT(bash, HasSubstr("--accuracy"));
  fill(folder_ / "complete.sh", bash +
                                    "\nCOMP_WORDS=(pecann run --acc); COMP_CWORD=2; _pecann; "
                                    "[ \"${COMPREPLY[*]}\" = --accuracy ]\n");
  EXPECT_EQ(std::system(("bash '" + (folder_ / "complete.sh") + "'").c_str()), 0);
  EXPECT_THAT(run({"completion", "zsh"}).output, HasSubstr("#compdef pecann"));
  EXPECT_THAT(run({"completion", "zsh"}).output, HasSubstr("--accuracy"));
  EXPECT_THAT(run({"completion", "fish"}).output, HasSubstr("-l accuracy"));
  EXPECT_EQ(run({"completion", "csh"}).code, 2);
  EXPECT_THAT(run({"man"}).output, HasSubstr(".SS pecann resume"));
}

TEST_F(Cli, ResumeSaysWhereItGoesOn) {
  ASSERT_EQ(run({"run", "tiny.toml", "--out", "r"}).code, 0);
  EXPECT_THAT(run({"resume", "r", "--set", "phase.2.epochs=9"}).errors, HasSubstr("goes on after epoch 26\n"));
}

TEST_F(Cli, TheSummaryFollowsItsSchema) {
  if (std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") != 0)
    GTEST_SKIP() << "python3-jsonschema is not installed";
  ASSERT_EQ(run({"run", "tiny.toml", "--trials", "2", "--out", "r"}).code, 0);
  fill(folder_ / "check.py", R"py(import copy, json, jsonschema, sys
schema, summary = (json.load(open(name)) for name in sys.argv[1:])
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.validate(summary, schema)
for key, wrong in (("verdict", "fine"), ("trials", []), ("unknown", 1)):
    bad = copy.deepcopy(summary)
    bad[key] = wrong
    try:
        jsonschema.validate(bad, schema)
    except jsonschema.ValidationError:
        continue
    sys.exit("the schema lets pass " + key)
)py");
  EXPECT_EQ(
      std::system(("/usr/bin/python3 '" + (folder_ / "check.py") + "' '" + std::filesystem::current_path().string() +
                   "/docs/summary.schema.json' '" + (folder_ / "r/summary.json") + "'")
                      .c_str()),
      0);
}

}  // namespace
}  // namespace pecann
