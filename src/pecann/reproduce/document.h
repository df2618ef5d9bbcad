// Headings, paragraphs, lists and tables, written as Markdown or as HTML. Texts may hold **bold**, `code`
// and [links](address).
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pecann::reproduce {

struct Heading {
  int level;
  std::string text;
};
struct Paragraph {
  std::string text;
};
struct BulletList {
  std::vector<std::string> items;
};
struct CellTable {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

struct Document {
  std::vector<std::variant<Heading, Paragraph, BulletList, CellTable>> blocks;
};

std::string markdown(const Document& document);

/// The document as a complete HTML page without scripts.
std::string html_page(const Document& document, std::string_view title);

}  // namespace pecann::reproduce
