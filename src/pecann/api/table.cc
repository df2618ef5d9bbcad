#include "pecann/table.h"

#include "pecann/api/table_of_columns.h"
#include "pecann/base/input_error.h"
#include "pecann/base/text_file.h"
#include "pecann/results/table_text.h"

namespace pecann {

std::string api::text_of_columns(const std::vector<Column>& columns, const std::string& file) {
  std::vector<std::string> names;
  std::vector<std::vector<double>> numbers;
  for (const Column& column : columns) {
    if (column.second.size() != columns.front().second.size())
      throw InputError(
          {.place = {.file = file}, .key = column.first, .rule = "the columns of a table are equally long"});
    names.push_back(column.first);
    numbers.push_back(column.second);
  }
  return results::csv_text(names, numbers);
}

void write_table(const std::string& path, const std::vector<Column>& columns) {
  write_text_file(path, api::text_of_columns(columns, path));
}

}  // namespace pecann
