// Columns of a program as the text of a table.
#pragma once

#include <string>
#include <vector>

#include "pecann/table.h"

namespace pecann::api {

/// The text that write_table writes. Throws InputError, which calls the table `file`, where columns differ in length.
std::string text_of_columns(const std::vector<Column>& columns, const std::string& file);

}  // namespace pecann::api
