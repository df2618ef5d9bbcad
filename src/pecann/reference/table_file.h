// A reference from a user's table, with the coordinates of points and the values of fields there: it is known at
// these points only.
#pragma once

#include <memory>
#include <string>

#include "pecann/reference/reference_solution.h"

namespace pecann::reference {

/// Always empty: any file of numbers fits, and what is wrong in it is said when it is read.
std::string table_misfit(const Subject& subject);

/// The reference with the rows at the times of the part. Throws the InputError of sampling/table.h.
std::unique_ptr<ReferenceSolution> make_table_file(const Subject& subject);

}  // namespace pecann::reference
