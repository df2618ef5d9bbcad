#include "pecann/problem/problem_files.h"

#include <algorithm>

#include "pecann/mesh/mesh.h"
#include "pecann/reference/registry.h"

namespace pecann::problem {

std::vector<std::string> files_of(const Problem& problem) {
  std::vector<std::string> files;
  const auto add = [&](const std::string& file) {
    if (!file.empty() && !problem.tables.contains(file) && std::ranges::find(files, file) == files.end())
      files.push_back(file);
  };
  for (const auto& [name, table] : problem.interpolated) add(table.file);
  for (const std::string& shape : problem.domain->shape_names())
    if (const auto mesh = problem.domain->mesh(shape)) add(mesh->file);
  if (const reference::Row* const row = reference::find_row(problem.reference); row != nullptr && row->is_file())
    add(problem.reference);
  for (const TermSpec& term : problem.terms) {
    add(term.points_file);
    if (term.data) add(term.data->file);
  }
  return files;
}

Problem with_file_names(Problem problem, const FileNames& names) {
  const auto rename = [&](std::string& file) {
    if (const auto found = names.find(file); found != names.end()) file = found->second;
  };
  for (auto& [name, table] : problem.interpolated) rename(table.file);
  rename(problem.reference);
  for (TermSpec& term : problem.terms) {
    rename(term.points_file);
    if (term.data) rename(term.data->file);
  }
  return problem;
}

}  // namespace pecann::problem
