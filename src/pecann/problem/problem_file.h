// A problem file: TOML text in, a checked Problem out, and back. docs/problem-files.md describes the format.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "pecann/problem/problem.h"
#include "pecann/problem/problem_files.h"

namespace pecann::problem {

inline constexpr std::size_t kLongestFile = 10'000'000;  // bytes; longer texts are refused

/// Reads, applies the recipe (recipe.h says which, when none is named) and then the overrides ("key=value"),
/// and checks. A file that has the name of a given table is that table. Throws InputError naming file, line, key,
/// value, what is allowed and the nearest known name.
Problem read_problem(std::string_view toml_text, std::string source_name, std::span<const std::string> overrides = {},
                     const std::string& recipe = "", GivenTables tables = {});

/// The domain that the keys `domain` and [shapes] of a text say, for the coordinates of a problem. Its errors have
/// no file and no line.
sampling::DomainPointer read_domain(std::string_view toml_text, const Problem& problem);

/// The complete effective problem, every key that matters with its value: read_problem gives an equal problem from it.
/// Files have the names that are given for them.
std::string write_problem(const Problem& problem, const FileNames& names = {});

/// The same, but a training that the file leaves open stays open.
std::string write_asked(const Problem& problem, const FileNames& names = {});

}  // namespace pecann::problem
