// The files that a problem names beside its own: tables, meshes, references, points and data.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"

namespace pecann::problem {

/// Their paths, each once. Tables of the program are no files.
std::vector<std::string> files_of(const Problem& problem);

/// What is written of a path in place of itself.
using FileNames = std::map<std::string, std::string>;

/// The problem with other names of its files; what they held stays. Its domain keeps the names of its meshes
/// (write_problem takes them as they are given there).
Problem with_file_names(Problem problem, const FileNames& names);

}  // namespace pecann::problem
