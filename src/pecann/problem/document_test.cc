// The examples of docs/problem-files.md are read as they stand there.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "pecann/problem/problem_file.h"
#include "pecann/problem/toml.h"

namespace pecann::problem {
namespace {

std::string document() {
  std::ifstream file("docs/problem-files.md");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> examples() {
  const std::string text = document();
  std::vector<std::string> blocks;
  for (std::size_t at = text.find("```toml\n"); at != std::string::npos; at = text.find("```toml\n", at)) {
    at += 8;
    blocks.push_back(text.substr(at, text.find("```", at) - at));
  }
  return blocks;
}

TEST(DocumentTest, ExamplesAreRead) {
  const std::vector<std::string> blocks = examples();
  ASSERT_GE(blocks.size(), 6u);
  const std::string whole = blocks[0];
  EXPECT_EQ(read_problem(whole, "example.toml").terms.size(), 2u);
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    ASSERT_TRUE(toml::parse(blocks[i])) << blocks[i];
    if (blocks[i].starts_with("title")) {  // a whole problem
      EXPECT_NO_THROW(read_problem(blocks[i], "example.toml")) << blocks[i];
      continue;
    }
    // A fragment joins the whole example; new constants replace its own (one key stays: the equations use it).
    std::string text = whole;
    if (blocks[i].starts_with("[constants]\n")) {
      const std::string own = "[constants]\nk = 1\n";
      text.replace(text.find(own), own.size(), blocks[i]);
    } else {
      text += "\n" + blocks[i];
    }
    EXPECT_NO_THROW(read_problem(text, "example.toml", {}, "none")) << text;
  }
}

/// The part of the document under a heading "## …", up to the next one; empty where there is no such heading.
std::string chapter(const std::string& heading) {
  const std::string text = document();
  const std::size_t begin = text.find("\n## " + heading + "\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find("\n## ", begin + 4) - begin);
}

/// A key is described in the text of its chapter, or in the first two cells of a row of a table there (several keys may
/// share a row; tables of methods name the method first): not where another key's meaning mentions it.
bool describes(const std::string& chapter, const std::string& key) {
  const std::string quoted = "`" + key + "`";
  std::istringstream lines(chapter);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t second = line.starts_with("| ") ? line.find(" | ", line.find(" | ") + 1) : std::string::npos;
    if (line.substr(0, second).find(quoted) != std::string::npos) return true;
  }
  return false;
}

TEST(DocumentTest, EveryKeyIsDescribedInItsChapter) {
  // The written problem has every key that the format knows, apart from those of alternatives.
  const toml::parse_result tree = toml::parse(write_problem(read_problem(examples()[0], "example.toml")));
  ASSERT_TRUE(tree);
  int keys = 0;
  for (const auto& [key, node] : tree.table()) {
    const std::string name(key.str());
    const bool list = node.is_array_of_tables();
    const toml::table* section = list ? node.as_array()->get(0)->as_table() : node.as_table();
    if (section == nullptr || name == "coordinates") {
      EXPECT_TRUE(describes(chapter("Top level"), name)) << name;
      ++keys;
      continue;
    }
    const std::string own = chapter(list ? "`[[" + name + "]]`" : "`[" + name + "]`");
    ASSERT_FALSE(own.empty()) << "no chapter of " << name;
    if (name == "constants" || name == "exact") continue;  // their keys are the user's names
    for (const auto& [inner, value] : *section) {
      EXPECT_TRUE(describes(own, std::string(inner.str()))) << name << "." << inner.str();
      ++keys;
    }
  }
  EXPECT_GE(keys, 30);
}

}  // namespace
}  // namespace pecann::problem
