// The documents are true: problem files shown in them are the files beside them, and commands shown in them run.
//
//   <!-- file: docs/tutorials/rod.toml -->   The next fenced block is this file, word for word.
//   <!-- quick: --set phase.1.epochs=2 -->   These words are added to the `run` commands of the next block, to keep the
//                                            test short.
//   <!-- not run -->                         The next block's commands are left out (long campaigns; output of other
//                                            programs).
//   <!-- ends with: 1 -->                    The next block's last command ends with this exit code.
//   <!-- from: pecann methods optimisers -->  The lines up to <!-- end --> are what the command prints.
//   ```console                               Lines that begin with `$ ./pecann` are run, one after another, in one
//                                            folder per document.
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/train/test_support.h"

namespace pecann {
namespace {

namespace fs = std::filesystem;
using train::testing::content;
using train::testing::lines_of;

struct Block {
  std::string language, file, quick, text, ends_with = "0";
  bool skipped = false;
};

/// The word behind "<!-- key: " in a comment line.
std::string comment_value(const std::string& line, const std::string& key) {
  const std::string begin = "<!-- " + key + ": ", end = " -->";
  if (!line.starts_with(begin) || !line.ends_with(end)) return "";
  return line.substr(begin.size(), line.size() - begin.size() - end.size());
}

std::vector<Block> blocks_of(const std::string& document) {
  std::vector<Block> blocks;
  Block next;
  bool inside = false;
  for (const std::string& line : lines_of(document)) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) {
        next.language = line.substr(3);
      } else {
        blocks.push_back(std::move(next));
        next = {};
      }
    } else if (inside) {
      next.text += line + "\n";
    } else if (line == "<!-- not run -->") {
      next.skipped = true;
    } else {
      if (const std::string value = comment_value(line, "file"); !value.empty()) next.file = value;
      if (const std::string value = comment_value(line, "quick"); !value.empty()) next.quick = value;
      if (const std::string value = comment_value(line, "ends with"); !value.empty()) next.ends_with = value;
    }
  }
  return blocks;
}

/// The commands of a block, in their order, with what keeps them short.
std::vector<std::string> commands_of(const Block& block) {
  std::vector<std::string> commands;
  if (block.language != "console" || block.skipped) return commands;
  std::istringstream lines(block.text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("$ ./pecann ")) continue;
    commands.push_back(line.substr(2, line.find("   #") - 2));
    if (commands.back().starts_with("./pecann run ")) commands.back() += " " + block.quick;
  }
  return commands;
}

/// The documents in which some block is what a test looks for: a test of a page without any would always pass.
template <class Wanted>
std::vector<std::string> documents_with(const Wanted& wanted) {
  std::vector<std::string> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator("docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::vector<Block> blocks = blocks_of(entry.path().string());
    if (std::any_of(blocks.begin(), blocks.end(), wanted)) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> documents_with_files() {
  return documents_with([](const Block& block) { return !block.file.empty(); });
}

std::vector<std::string> documents_with_commands() {
  return documents_with([](const Block& block) { return !commands_of(block).empty(); });
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = fs::path(info.param).stem();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class DocumentWithFiles : public ::testing::TestWithParam<std::string> {};

TEST_P(DocumentWithFiles, ShowsThemAsTheyAre) {
  for (const Block& block : blocks_of(GetParam())) {
    if (block.file.empty()) continue;
    EXPECT_EQ(block.text, content(block.file)) << block.file;
  }
}

INSTANTIATE_TEST_SUITE_P(Docs, DocumentWithFiles, ::testing::ValuesIn(documents_with_files()), test_name);

/// The tables of a document that a command of the program prints, with the command.
std::vector<std::pair<std::string, std::string>> printed_tables(const std::string& document) {
  std::vector<std::pair<std::string, std::string>> tables;
  bool inside = false;
  for (const std::string& line : lines_of(document)) {
    if (const std::string value = comment_value(line, "from"); !value.empty()) {
      tables.emplace_back(value, "");
      inside = true;
    } else if (line == "<!-- end -->") {
      inside = false;
    } else if (inside) {
      tables.back().second += line + "\n";
    }
  }
  return tables;
}

TEST(Documents, TablesAreThoseOfTheProgram) {
  const train::testing::TemporaryFolder folder;
  int tables = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator("docs")) {
    if (entry.path().extension() != ".md") continue;
    for (const auto& [command, text] : printed_tables(entry.path().string())) {
      ++tables;
      ASSERT_TRUE(command.starts_with("pecann ")) << entry.path();
      const std::string shell = PECANN_PROGRAM + command.substr(6) + " > '" + folder / "output" + "'";
      ASSERT_EQ(std::system(shell.c_str()), 0) << command;
      EXPECT_EQ(text, content(folder / "output")) << entry.path() << ": put in what `" << command << "` prints";
    }
  }
  EXPECT_GE(tables, 3);
}

TEST(Documents, F15_PrintedRunsEndWithTheVerdict) {
  int runs = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator("docs")) {
    if (entry.path().extension() != ".md") continue;
    for (const Block& block : blocks_of(entry.path().string())) {
      if (block.text.find("\nfiles    runs/") == std::string::npos) continue;
      ++runs;
      EXPECT_NE(block.text.find("\nThe answer is "), std::string::npos) << entry.path() << "\n" << block.text;
    }
  }
  EXPECT_GE(runs, 4);
}

/// The headings of what a run prints at its end, in their order: what its parts are, whatever their numbers.
std::vector<std::string> shape_of(const std::string& output) {
  static const std::vector<std::string> kHeadings = {
      "problem",      "network", "method", "windows", "error", "constraint",      "inferred",  "loss",
      "time by part", "files",   "look",   "go on",   "use",   "estimated error", "The answer"};
  std::vector<std::string> shape;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    for (const std::string& heading : kHeadings)
      if (line.starts_with(heading) && (line.size() == heading.size() || line[heading.size()] == ' '))
        shape.push_back(heading);
  return shape;
}

class DocumentWithCommands : public ::testing::TestWithParam<std::string> {};

TEST_P(DocumentWithCommands, TheyRun) {
  const train::testing::TemporaryFolder folder;
  for (const char* name : {"docs", "problems"}) fs::create_directory_symlink(fs::absolute(name), folder / name);
  fs::create_symlink(PECANN_PROGRAM, folder / "pecann");
  for (const Block& block : blocks_of(GetParam())) {
    const std::vector<std::string> commands = commands_of(block);
    for (const std::string& command : commands) {
      const std::string shell = "cd '" + folder.path() + "' && " + command + " > output 2>&1";
      const int status = std::system(shell.c_str());
      ASSERT_TRUE(WIFEXITED(status)) << GetParam() << ": " << command;
      const std::string code = std::to_string(WEXITSTATUS(status));
      const std::string expected = &command == &commands.back() ? block.ends_with : "0";
      // A document that shows how a run ends shows all of it.
      if (commands.size() == 1 && block.text.find("\nfiles    runs/") != std::string::npos)
        EXPECT_EQ(shape_of(block.text), shape_of(content(folder / "output"))) << GetParam() << ": " << command;
      // Training that the test cuts short may miss its target.
      if (command.starts_with("./pecann run ") && !block.quick.empty() && code == "1") continue;
      ASSERT_EQ(code, expected) << GetParam() << ": " << command << "\n" << content(folder / "output");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Docs, DocumentWithCommands, ::testing::ValuesIn(documents_with_commands()), test_name);

TEST(Documents, TutorialFilesAreAllShown) {
  std::string all;
  for (const std::string& document : documents_with_files())
    for (const Block& block : blocks_of(document)) all += block.file + "\n";
  for (const fs::directory_entry& entry : fs::directory_iterator("docs/tutorials"))
    if (entry.path().extension() == ".toml")
      EXPECT_NE(all.find(entry.path().string()), std::string::npos) << entry.path();
}

}  // namespace
}  // namespace pecann
