// The parts of a problem file, each read by a function of its own, in the order below: later parts use the
// names of earlier ones.
#pragma once

#include <map>
#include <string>

#include "pecann/problem/problem.h"
#include "pecann/problem/reader.h"

namespace pecann::problem {

/// Every name of a problem and what it stands for: a name has one meaning.
class Names {
 public:
  /// Refuses what is no identifier, is reserved by the language of equations, or is taken.
  void add(const Item& item, const std::string& name, const std::string& meaning);
  /// Refuses names like u_x where u is a field and x a coordinate: they read as derivatives.
  void check_derivatives(const Problem& problem) const;

 private:
  struct Entry {
    std::string meaning;
    Item item;
  };
  std::map<std::string, Entry> entries_;
};

void read_constants(Section& root, Problem& problem, ReadContext& context, Names& names);
void read_coordinates(Section& root, Problem& problem, Names& names);
void read_networks(Section& root, Problem& problem, Names& names);
void read_parameters(Section& root, Problem& problem, Names& names);
/// [tables], whose files are read here.
void read_tables(Section& root, Problem& problem, Names& names);
void read_functions(Section& root, Problem& problem, Names& names);
void read_exact(Section& root, Problem& problem);
/// [shapes] and domain: what of the box the problem is posed on.
void read_shapes(Section& root, Problem& problem);
void read_terms(Section& root, Problem& problem);
/// [decompose]: parts of the box; their joints come behind all terms.
void read_decompose(Section& root, Problem& problem);
/// [[phase]]: continuations and optimizer = "auto" become the phases that they stand for; no phase at all is "auto".
void read_phases(Section& root, Problem& problem);
/// Reads penalty, phases, windows, stop, held_out, evaluate, trials and seed.
void read_training(Section& root, Problem& problem);
/// [units]: what coordinates, fields and numbers are measured in, for pictures and tables alone.
void read_units(Section& root, Problem& problem);
void read_report(Section& root, Problem& problem);
void read_origin(Section& root, Problem& problem);

/// Regions are written as "x = 0", "interior", …, a shape's name, "inside NAME", a point { x = 0.5, y = 0 }, a table
/// `{ region = …, closed = true }` or a list of these.
/// `choice` is what the term asks of all its regions. sampling::Region::text() writes what is read here.
sampling::Regions read_regions(const Item& item, const Problem& problem, sampling::GridChoice choice);

/// The path of a file that a problem names: relative ones are relative to the problem's own file.
std::string resolved_path(const std::string& path, const std::string& problem_file);

}  // namespace pecann::problem
