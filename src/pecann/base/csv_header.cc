#include "pecann/base/csv_header.h"

namespace pecann {
namespace {

/// A name as a CSV field.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string csv_header(const std::vector<std::string>& names) {
  std::string line;
  for (std::size_t i = 0; i < names.size(); ++i) line += (i > 0 ? "," : "") + csv_field(names[i]);
  return line + "\n";
}

std::vector<std::string> take_csv_header(std::string_view& text) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        fields.back() += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        fields.back() += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c == '\n') {
      break;
    } else {
      fields.back() += c;
    }
  }
  if (i == text.size()) return {};
  text.remove_prefix(i + 1);
  return fields;
}

}  // namespace pecann
