#include "pecann/reproduce/document.h"

#include <algorithm>

namespace pecann::reproduce {
namespace {

/// The text in one line: the texts of row files are wrapped.
std::string joined_lines(std::string_view text) {
  std::string line;
  for (const char c : text) line += c == '\n' ? ' ' : c;
  const std::size_t begin = line.find_first_not_of(' ');
  return begin == std::string::npos ? "" : line.substr(begin, line.find_last_not_of(' ') - begin + 1);
}

std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : joined_lines(text)) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

struct MarkdownWriter {
  std::string text;

  void operator()(const Heading& heading) {
    text += std::string(heading.level, '#') + " " + joined_lines(heading.text) + "\n\n";
  }
  void operator()(const Paragraph& paragraph) { text += joined_lines(paragraph.text) + "\n\n"; }
  void operator()(const BulletList& list) {
    for (const std::string& item : list.items) text += "- " + joined_lines(item) + "\n";
    text += "\n";
  }
  void operator()(const CellTable& table) {
    const auto line = [&](const std::vector<std::string>& cells) {
      text += "|";
      for (const std::string& one : cells) text += " " + cell(one) + " |";
      text += "\n";
    };
    line(table.head);
    text += "|";
    for (std::size_t column = 0; column < table.head.size(); ++column) text += "---|";
    text += "\n";
    for (const auto& row : table.rows) line(row);
    text += "\n";
  }
};

/// The text as HTML: markup characters are escaped, **…**, `…` and […](…) become elements.
std::string inline_html(std::string_view given) {
  std::string text;
  bool bold = false, code = false;
  const std::string line = joined_lines(given);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '`') {
      text += code ? "</code>" : "<code>";
      code = !code;
    } else if (!code && line.compare(i, 2, "**") == 0) {
      text += bold ? "</b>" : "<b>";
      bold = !bold;
      ++i;
    } else if (const std::size_t middle = line.find("](", i), end = line.find(')', middle);
               !code && line[i] == '[' && middle != std::string::npos && end != std::string::npos) {
      text += "<a href=\"" + line.substr(middle + 2, end - middle - 2) + "\">" +
              inline_html(line.substr(i + 1, middle - i - 1)) + "</a>";
      i = end;
    } else if (line[i] == '<') {
      text += "&lt;";
    } else if (line[i] == '&') {
      text += "&amp;";
    } else {
      text += line[i];
    }
  }
  if (code) text += "</code>";
  if (bold) text += "</b>";
  return text;
}

constexpr std::size_t kLongestFigure = 28;  // bytes of a cell that may not be broken: "**(1.50 ± 0.71)e-3**"

struct HtmlWriter {
  std::string text;

  void operator()(const Heading& heading) {
    const std::string tag = "h" + std::to_string(std::clamp(heading.level, 1, 6));
    text += "<" + tag + ">" + inline_html(heading.text) + "</" + tag + ">\n";
  }
  void operator()(const Paragraph& paragraph) { text += "<p>" + inline_html(paragraph.text) + "</p>\n"; }
  void operator()(const BulletList& list) {
    text += "<ul>\n";
    for (const std::string& item : list.items) text += "<li>" + inline_html(item) + "</li>\n";
    text += "</ul>\n";
  }
  void operator()(const CellTable& table) {
    const auto line = [&](const std::vector<std::string>& cells, const std::string& tag) {
      text += "<tr>";
      for (const std::string& one : cells) {
        const bool sentence = one.size() > kLongestFigure;
        text += "<" + tag + (sentence ? " class=\"text\">" : ">") + inline_html(one) + "</" + tag + ">";
      }
      text += "</tr>\n";
    };
    text += "<div class=\"wide\"><table>\n";
    line(table.head, "th");
    for (const auto& row : table.rows) line(row, "td");
    text += "</table></div>\n";
  }
};

constexpr std::string_view kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:100rem;margin:2rem auto;padding:0 "
    "1rem;color:#1b1b1b;background:#fff}"
    "table{border-collapse:collapse;font-size:.85rem}th,td{border-bottom:1px solid #ccc;padding:.3rem "
    ".6rem;text-align:left}"
    "p,ul{max-width:60rem}td{white-space:nowrap}td.text{white-space:normal;min-width:9rem}"
    ".wide{overflow-x:auto}code{background:#f2f2f2;padding:0 .2rem}"
    "@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}code{background:#2a2a2a}th,td{"
    "border-color:#444}}";

}  // namespace

std::string markdown(const Document& document) {
  MarkdownWriter writer;
  for (const auto& block : document.blocks) std::visit(writer, block);
  while (writer.text.ends_with("\n\n")) writer.text.pop_back();
  return writer.text;
}

std::string html_page(const Document& document, std::string_view title) {
  HtmlWriter writer;
  for (const auto& block : document.blocks) std::visit(writer, block);
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width\"><title>" +
         inline_html(title) + "</title><style>" + std::string(kStyle) + "</style></head><body>\n" + writer.text +
         "</body></html>\n";
}

}  // namespace pecann::reproduce
