// The points of a term and the data that belong to them, as a problem file gives them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/problem/reader.h"
#include "pecann/sampling/table.h"

namespace pecann::problem {

/// The tables that terms name: those of the program, and files, each read once.
class TermTables {
 public:
  explicit TermTables(GivenTables given) : read_(std::move(given)) {}
  std::shared_ptr<const sampling::Table> of(const std::string& file) {
    std::shared_ptr<const sampling::Table>& table = read_[file];
    if (!table) table = std::make_shared<const sampling::Table>(sampling::read_table(file));
    return table;
  }

 private:
  GivenTables read_;
};

/// Reads `points = { … }` of a term. `term_names` are those that it may share points with.
void read_points(const Item& item, const Problem& problem, const std::vector<std::string>& term_names, TermSpec& term);

/// Parses the density of near = …, which knows the names that equations know: after the equations.
void parse_density(Section& section, const Problem& problem, TermSpec& term);

/// Reads data = { file = "obs.csv", u = "column" } or data = { exact = ["u"], noise = 0.05 }.
void read_data(const Item& item, const Problem& problem, TermSpec& term);

/// Reads the files of a term's points and data; refuses points outside the domain. `item` is the key that names them.
void read_files(const Item& item, const Problem& problem, TermTables& tables, TermSpec& term);

}  // namespace pecann::problem
