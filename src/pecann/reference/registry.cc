#include "pecann/reference/registry.h"

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/reference/helmholtz_series.h"
#include "pecann/reference/table_file.h"

namespace pecann::reference {

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"helmholtz-source",
       "sine series of the Helmholtz equation with a Gaussian source on the unit square (constants k and width)",
       true,
       {{"finite_differences", "relative l2 distance from the five-point scheme's solution on the same nodes"},
        {"projected", "relative l2 distance from the series, resonant modes taken out of the prediction"}},
       helmholtz_misfit,
       make_helmholtz_series},
      {".csv", "table with coordinates and fields by name", false, {}, table_misfit, make_table_file},
      {".npy",
       "array with the coordinates in its first columns, then the fields in their order",
       false,
       {},
       table_misfit,
       make_table_file},
      {".vtu", "mesh with the fields at its points by name", false, {}, table_misfit, make_table_file},
  };
  return all;
}

const Row* find_row(const std::string& name) {
  for (const Row& row : rows())
    if (row.is_file() ? name.ends_with(row.name) : name == row.name) return &row;
  return nullptr;
}

std::string allowed_names() {
  std::string names, endings;
  for (const Row& row : rows()) {
    if (row.is_file()) {
      endings += (endings.empty() ? "" : &row == &rows().back() ? " or " : ", ") + std::string(row.name);
    } else {
      names += '"' + std::string(row.name) + "\", ";
    }
  }
  return "must be " + names + "or the name of a " + endings + " file";
}

std::string nearest_hint(const std::string& name) {
  std::vector<std::string> known;
  for (const Row& row : rows())
    if (!row.is_file()) known.emplace_back(row.name);
  const std::optional<std::string> near = nearest_name(name, known);
  return near ? "did you mean '" + *near + "'?" : "";
}

std::vector<std::string> measure_names() {
  std::vector<std::string> names;
  for (const Row& row : rows())
    for (const Measure& measure : row.measures) names.emplace_back(measure.name);
  return names;
}

const Row* row_with_measure(const std::string& measure) {
  for (const Row& row : rows())
    for (const Measure& own : row.measures)
      if (measure == own.name) return &row;
  return nullptr;
}

std::unique_ptr<ReferenceSolution> make_reference(const Subject& subject) {
  if (subject.name.empty()) return nullptr;
  const Row* const row = find_row(subject.name);
  require(row != nullptr, "the name of a reference is checked when the problem is read");
  if (std::string why = row->misfit(subject); !why.empty())
    throw InputError(
        {.place = {.file = subject.file}, .key = "reference", .value = subject.name, .rule = std::move(why)});
  return row->make(subject);
}

std::unique_ptr<ReferenceSolution> make_on_grid(const Subject& subject) {
  const Row* const row = find_row(subject.name);
  if (row == nullptr || !row->on_grids || !row->misfit(subject).empty()) return nullptr;
  return row->make(subject);
}

}  // namespace pecann::reference
