#include "pecann/table.h"

#include <fmt/format.h>

#include <iterator>

#include "pecann/base/input_error.h"
#include "pecann/base/text_file.h"
#include "pecann/results/table_text.h"

namespace pecann {

void write_table(const std::string& path, const std::vector<Column>& columns) {
  std::string text;
  for (const Column& column : columns) {
    if (column.second.size() != columns.front().second.size())
      throw InputError(
          {.place = {.file = path}, .key = column.first, .rule = "the columns of a table are equally long"});
    text += (text.empty() ? "" : ",") + results::csv_field(column.first);
  }
  text += "\n";
  for (std::size_t row = 0; !columns.empty() && row < columns.front().second.size(); ++row)
    for (std::size_t c = 0; c < columns.size(); ++c)  // the shortest digits that bring back the same double
      fmt::format_to(std::back_inserter(text), "{}{}", columns[c].second[row], c + 1 < columns.size() ? "," : "\n");
  write_text_file(path, text);
}

}  // namespace pecann
