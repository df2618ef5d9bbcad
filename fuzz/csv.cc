// Tables that users bring, and the history of a run that somebody sent.
#include "fuzz/target.h"
#include "pecann/results/history_table.h"
#include "pecann/sampling/table.h"

namespace pecann::fuzz {

void fuzz_one(std::string_view bytes) {
  accepted([&] {
    const sampling::Table table = sampling::parse_csv(bytes, "fuzz.csv");
    for (const auto& column : table.columns) require(column.size() == table.rows(), "columns are equally long");
    const sampling::Box box{{"x", "t"}, {0, 0}, {1, 2}, 1};
    accepted([&] { sampling::points_of(table, box); });
  });
  accepted([&] {
    const results::HistoryTable history = results::parse_history(bytes, "history.csv");
    for (const auto& column : history.columns) require(column.size() == history.rows(), "columns are equally long");
    require(history.running_epochs().size() == history.rows(), "every row has its epoch");
  });
}

}  // namespace pecann::fuzz
