// docs/mistakes.md is true: every row of its tables is a mistake that is made here, and what the program says of it
// names the place, the reason and the remedy that stand in the row. The document has the problem file that is changed.
//
//   | `A` for `B` | …     B of the file is replaced by A (⏎ stands for the end of a line), and the file is checked
//   | `pecann …` | …      the command is run in a folder with the file, sensors.csv and the folder of a run, done
#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>

#include "support/program_fixture.h"

namespace pecann {
namespace {

struct MistakeRow {
  std::string written, instead, place, reason, remedy;
};

/// What stands between backticks, one or two, in the order of the text.
std::vector<std::string> code_spans(std::string_view line) {
  std::vector<std::string> spans;
  for (std::size_t at = 0; (at = line.find('`', at)) != line.npos;) {
    const std::string_view fence = line.substr(at).starts_with("``") ? "``" : "`";
    const std::size_t begin = at + fence.size(), end = line.find(fence, begin);
    if (end == line.npos) break;
    std::string span(line.substr(begin, end - begin));
    if (fence.size() == 2) span = span.substr(1, span.size() - 2);  // the spaces that keep backticks apart
    spans.push_back(std::move(span));
    at = end + fence.size();
  }
  return spans;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
  return text;
}

/// One line, with single blanks: messages of `check` are wrapped.
std::string unwrapped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank || (!result.empty() && result.back() != ' ')) result += blank ? ' ' : c;
  }
  return result;
}

class Mistakes : public ProgramTest {
 protected:
  Mistakes() {
    const std::string file = content("docs/mistakes.md");
    const std::string open = "```toml\n", close = "```";
    const std::size_t begin = file.find(open) + open.size();
    problem_ = file.substr(begin, file.find(close, begin) - begin);
    for (const std::string& line : lines_of("docs/mistakes.md")) {
      if (!line.starts_with("| `")) continue;
      const std::vector<std::string> spans = code_spans(line);
      const std::size_t changes = spans.size() == 5 ? 1 : 0;
      EXPECT_EQ(spans.size(), 4 + changes) << line;
      if (spans.size() < 4 + changes) continue;
      rows_.push_back({replaced(replaced(spans[0], " ⏎ ", "\n"), "\\|", "|"), changes ? spans[1] : "",
                       spans[1 + changes], replaced(spans[2 + changes], "\\|", "|"),
                       replaced(spans[3 + changes], "\\|", "|")});
    }
    fill(folder_ / "plate.toml", problem_);
    fill(folder_ / "sensors.csv", "x,y,t,u\n0.1,0.1,0.1,0.05\n0.9,0.9,0.2,0.02\n");
  }

  /// What the program says of a row.
  std::string said(const MistakeRow& row) {
    Words words;
    if (row.instead.empty()) {
      std::istringstream typed(row.written);
      for (std::string word; typed >> word;) words.push_back(word);
      words.erase(words.begin());  // pecann
    } else {
      const std::size_t at = problem_.find(row.instead);
      EXPECT_NE(at, std::string::npos) << row.instead;
      std::string changed = problem_;
      if (at != std::string::npos) changed.replace(at, row.instead.size(), row.written);
      fill(folder_ / "plate.toml", changed);
      words = {"check", "plate.toml", "--threads", "1"};
    }
    const Ended ended = wait_for(start(words));
    fill(folder_ / "plate.toml", problem_);
    // A file that cannot be meant is refused (2); what may be meant is warned of (1).
    const bool warned = ended.code == 1 && ended.output.find("warning:") != std::string::npos;
    EXPECT_TRUE(ended.code == 2 || warned) << row.written << " ended with " << ended.code;
    return unwrapped(replaced(ended.errors + ended.output, folder_.path() + "/", ""));
  }

  std::string problem_;
  std::vector<MistakeRow> rows_;
};

TEST_F(Mistakes, AreAnsweredWithPlaceReasonAndRemedy) {
  ASSERT_GE(rows_.size(), 40u);
  ASSERT_EQ(wait_for(start({"run", "plate.toml", "--quiet", "--threads", "1", "--no-estimate", "--out", "done"})).code,
            0);
  for (const MistakeRow& row : rows_) {
    SCOPED_TRACE(row.written);
    const std::string message = said(row);
    std::vector<std::pair<std::size_t, std::size_t>> parts;  // that have been found, from … to
    for (const std::string& part : {row.place, row.reason, row.remedy}) {
      ASSERT_FALSE(part.empty());
      const std::size_t at = message.find(part);
      ASSERT_NE(at, std::string::npos) << "'" << part << "' is not in\n" << message;
      parts.emplace_back(at, at + part.size());
    }
    std::ranges::sort(parts);
    for (std::size_t i = 1; i < parts.size(); ++i)
      EXPECT_LE(parts[i - 1].second, parts[i].first) << "two of the three are one\n" << message;
  }
}

}  // namespace
}  // namespace pecann
