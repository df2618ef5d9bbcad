// A table of a user's with the coordinates of points and the values of fields there: known at these points only.
#pragma once

#include <memory>
#include <string>

#include "pecann/reference/reference_solution.h"

namespace pecann::reference {

/// Any file of numbers fits; what is wrong in it is said when it is read.
std::string table_misfit(const Subject& subject);

/// The rows at the times of the part. Throws InputError of sampling/table.h.
std::unique_ptr<ReferenceSolution> make_table_file(const Subject& subject);

}  // namespace pecann::reference
