// The reference solutions that a problem may name, one row each.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pecann/reference/reference_solution.h"

namespace pecann::reference {

/// A measure of the error that one reference offers besides those that all fields have.
struct Measure {
  const char* name;
  const char* text;  // one line for people
};

struct Row {
  const char* name;  // as problem files write it; one that begins with a dot is the ending of a file's name
  const char* text;  // one line for people
  bool on_grids;     // known at the nodes of grids, so that pictures can show it; else at its own points
  std::vector<Measure> measures;
  std::string (*misfit)(const Subject&);  // why it does not fit this problem or grid; empty when it fits
  std::unique_ptr<ReferenceSolution> (*make)(const Subject&);

  bool is_file() const { return name[0] == '.'; }
};

const std::vector<Row>& rows();

/// The row of a name or of a file; null when there is none.
const Row* find_row(const std::string& name);

/// What a problem file may say, for messages: "must be "a", or the name of a .csv or .npy file".
std::string allowed_names();
/// "did you mean …?" where a name of a row is near, else empty.
std::string nearest_hint(const std::string& name);

/// The measures of all rows, and the first row that offers a measure (null when none does).
std::vector<std::string> measure_names();
const Row* row_with_measure(const std::string& measure);

/// The reference that the subject names; null when it names none. Throws InputError when the reference does not
/// fit the subject.
std::unique_ptr<ReferenceSolution> make_reference(const Subject& subject);
/// The reference for a picture; null where there is none on its grid, and the picture does without.
std::unique_ptr<ReferenceSolution> make_on_grid(const Subject& subject);

}  // namespace pecann::reference
