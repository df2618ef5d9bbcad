#include "pecann/reference/table_file.h"

#include <algorithm>

#include "pecann/sampling/table.h"

namespace pecann::reference {
namespace {

/// The rows of a table that lie in the times of a box: a window's share of a reference.
std::vector<std::size_t> rows_in(const sampling::PointSet& points, const sampling::Box& box) {
  std::vector<std::size_t> rows;
  const double slack = box.time < 0 ? 0 : 1e-9 * (box.upper[box.time] - box.lower[box.time]);
  for (std::size_t i = 0; i < points.count; ++i) {
    const double t = box.time < 0 ? 0 : points.coordinates[box.time][i];
    if (box.time < 0 || (t >= box.lower[box.time] - slack && t <= box.upper[box.time] + slack)) rows.push_back(i);
  }
  return rows;
}

class TableFile final : public ReferenceSolution {
 public:
  explicit TableFile(const Subject& subject) : table_(sampling::read_table(subject.name)) {
    const sampling::PointSet all = sampling::points_of(table_, subject.domain);
    rows_ = rows_in(all, subject.part);
    points_ = sampling::subset(all, rows_);
    if (table_.has_header) return;
    const std::size_t coordinates = all.coordinates.size();  // an array's further columns are the fields in their order
    for (std::size_t f = 0; f < subject.fields.size() && coordinates + f < table_.names.size(); ++f)
      table_.names[coordinates + f] = subject.fields[f];
  }
  bool knows(const std::string& quantity) const override {
    return !rows_.empty() && std::find(table_.names.begin(), table_.names.end(), quantity) != table_.names.end();
  }
  const sampling::PointSet* points() const override { return &points_; }
  std::vector<double> values(const std::string& quantity) const override {
    const std::vector<double>& column = table_.column(quantity);
    std::vector<double> values;
    for (const std::size_t row : rows_) values.push_back(column[row]);
    return values;
  }

 private:
  sampling::Table table_;
  std::vector<std::size_t> rows_;
  sampling::PointSet points_;
};

}  // namespace

std::string table_misfit(const Subject&) { return ""; }

std::unique_ptr<ReferenceSolution> make_table_file(const Subject& subject) {
  return std::make_unique<TableFile>(subject);
}

}  // namespace pecann::reference
