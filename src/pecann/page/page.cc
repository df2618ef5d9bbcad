#include "pecann/page/page.h"

#include <algorithm>

#include "pecann/base/require.h"
#include "pecann/base/text_file.h"
#include "pecann/page/embedded_files.h"
#include "pecann/train/run_folder.h"

namespace pecann::page {
namespace {

/// `<` occurs in JSON only inside of strings, where \u003c means the same.
std::string script_safe_json(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

/// A script that holds "</script" in a string would end its element; "<\/script" is the same string.
std::string script_safe_code(std::string_view code) {
  std::string text(code);
  for (std::size_t at = 0; (at = text.find("</script", at)) != std::string::npos; at += 3) text.insert(at + 1, "\\");
  return text;
}

}  // namespace

std::string page_with(std::string_view json) {
  const std::string_view page = page_html();
  std::string text;
  std::size_t begin = 0;
  for (std::size_t open; (open = page.find("{{", begin)) != std::string_view::npos;) {
    const std::size_t close = page.find("}}", open);
    require(close != std::string_view::npos, "a placeholder of page.html ends with }}");
    const std::string_view name = page.substr(open + 2, close - open - 2);
    text += page.substr(begin, open - begin);
    if (name == "css")
      text += page_css();
    else if (name == "data")
      text += script_safe_json(json);
    else if (name == "plotly")
      text += script_safe_code(plotly_js());
    else if (name == "script")
      text += script_safe_code(page_js());
    else
      require(false, "page.html knows the placeholders css, data, plotly and script");
    begin = close + 2;
  }
  text += page.substr(begin);
  return text;
}

namespace {

std::vector<verdict::RunReport> gathered(std::span<const std::string> folders) {
  std::vector<verdict::RunReport> reports;
  for (const std::string& folder : folders) reports.push_back(verdict::gather_report(folder));
  return reports;
}

}  // namespace

std::string html_report(std::span<const std::string> folders) {
  return page_with(page_data(gathered(folders), Mode::Final));
}

std::vector<verdict::RunReport> write_report(std::span<const std::string> folders, const std::string& path) {
  std::vector<verdict::RunReport> reports = gathered(folders);
  const std::string text = page_with(page_data(reports, Mode::Final));
  const auto belongs_to = [&](const std::string& folder) { return path == train::RunFolder(folder).report_file(); };
  if (std::ranges::any_of(folders, belongs_to)) {
    train::write_run_file(path, text);  // a folder of a stranger, where no link is followed
  } else {
    write_text_file(path, text);
  }
  return reports;
}

}  // namespace pecann::page
