// The documents are true: problem files shown in them are the files beside them, and commands shown in them
// run.
//
//   <!-- file: docs/tutorials/rod.toml -->      the next fenced block is this file, word for word
//   <!-- quick: --set phase.1.epochs=2 -->      words added here to the `run` commands of the next block, to
//   keep the test short
//   <!-- not run -->                            the next block's commands are left out (long campaigns;
//   output of other programs)
//   <!-- from: pecann methods optimisers -->    the lines up to <!-- end --> are what the command prints
//   ```console                                  lines that begin with `$ ./pecann` are run, one after
//   another, in one folder per document
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
  std::string language, file, quick, text;
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
    }
  }
  return blocks;
}

std::vector<std::string> documents() {
  std::vector<std::string> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator("docs"))
    if (entry.path().extension() == ".md") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Document : public ::testing::TestWithParam<std::string> {};

TEST_P(Document, ShowsItsFilesAsTheyAre) {
  for (const Block& block : blocks_of(GetParam())) {
    if (block.file.empty()) continue;
    EXPECT_EQ(block.text, content(block.file)) << block.file;
  }
}

TEST_P(Document, TablesAreThoseOfTheProgram) {
  const train::testing::TemporaryFolder folder;
  std::string command, text;
  for (const std::string& line : lines_of(GetParam())) {
    if (const std::string value = comment_value(line, "from"); !value.empty()) {
      command = value;
      text.clear();
    } else if (line == "<!-- end -->") {
      ASSERT_TRUE(command.starts_with("pecann ")) << GetParam() << ": <!-- end --> of nothing";
      const std::string shell = PECANN_PROGRAM + command.substr(6) + " > '" + folder / "output" + "'";
      ASSERT_EQ(std::system(shell.c_str()), 0) << command;
      EXPECT_EQ(text, content(folder / "output")) << GetParam() << ": put in what `" << command << "` prints";
      command.clear();
    } else if (!command.empty()) {
      text += line + "\n";
    }
  }
  EXPECT_EQ(command, "") << GetParam() << ": <!-- end --> is missing";
}

TEST_P(Document, CommandsRun) {
  const train::testing::TemporaryFolder folder;
  for (const char* name : {"docs", "problems"}) fs::create_directory_symlink(fs::absolute(name), folder / name);
  fs::create_symlink(PECANN_PROGRAM, folder / "pecann");
  for (const Block& block : blocks_of(GetParam())) {
    if (block.language != "console" || block.skipped) continue;
    std::istringstream lines(block.text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("$ ./pecann ")) continue;
      std::string command = line.substr(2, line.find("   #") - 2);
      if (command.starts_with("./pecann run ")) command += " " + block.quick;
      const std::string shell = "cd '" + folder.path() + "' && " + command + " > output 2>&1";
      const int status = std::system(shell.c_str());
      ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) != 2 && WEXITSTATUS(status) < 126)
          << GetParam() << ": " << command << "\n"
          << content(folder / "output");
      // Training cut short may miss its target; everything else succeeds, unless the document says that it
      // does not.
      const bool may_fail = command.starts_with("./pecann run ") || block.text.find("warning:") != std::string::npos;
      if (!may_fail) ASSERT_EQ(WEXITSTATUS(status), 0) << command << "\n" << content(folder / "output");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Docs, Document, ::testing::ValuesIn(documents()), [](const auto& info) {
  std::string name = fs::path(info.param).stem();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Documents, TutorialFilesAreAllShown) {
  std::string all;
  for (const std::string& document : documents())
    for (const Block& block : blocks_of(document)) all += block.file + "\n";
  for (const fs::directory_entry& entry : fs::directory_iterator("docs/tutorials"))
    if (entry.path().extension() == ".toml")
      EXPECT_NE(all.find(entry.path().string()), std::string::npos) << entry.path();
}

}  // namespace
}  // namespace pecann
