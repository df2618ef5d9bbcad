// The problems that come with the program: problems/*.toml and problems/gallery/*.toml, embedded as text.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"

namespace pecann::problem {

struct CatalogueEntry {
  std::string name;  // "poisson", "gallery/beam"
  std::string title;
  std::string text;  // the file as it is
};

/// All entries, sorted by name, the gallery behind the paper's cases.
const std::vector<CatalogueEntry>& catalogue();

/// The entry of this name; nullptr when there is none.
const CatalogueEntry* find_in_catalogue(const std::string& name);

/// The text of a problem: a catalogue name, else a file. Throws InputError with the nearest names when
/// there is neither.
std::string problem_text(const std::string& name_or_file);

/// Reads the problem of problem_text().
Problem load_problem(const std::string& name_or_file, std::span<const std::string> overrides = {},
                     const std::string& recipe = "");

}  // namespace pecann::problem
