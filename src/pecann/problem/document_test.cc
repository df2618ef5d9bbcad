// The examples of docs/problem-files.md are read as they stand there.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

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
    // A fragment joins the whole example; new constants replace its own (one key stays: the equations use
    // it).
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

TEST(DocumentTest, EveryKeyIsDescribed) {
  // The written problem has every key that the format knows, apart from those of alternatives.
  const std::string text = document();
  const toml::parse_result tree = toml::parse(write_problem(read_problem(examples()[0], "example.toml")));
  ASSERT_TRUE(tree);
  for (const auto& [key, node] : tree.table()) {
    EXPECT_NE(text.find(std::string(key.str())), std::string::npos) << key.str();
    const toml::table* section = node.is_array() ? node.as_array()->get(0)->as_table() : node.as_table();
    if (section == nullptr || key.str() == "coordinates" || key.str() == "constants" || key.str() == "exact") continue;
    for (const auto& [inner, value] : *section) {
      EXPECT_NE(text.find("`" + std::string(inner.str()) + "`"), std::string::npos) << key.str() << "." << inner.str();
    }
  }
}

}  // namespace
}  // namespace pecann::problem
