// Problems that programs make, before they are read: what they leave open is left out of the text.
#pragma once

#include <set>
#include <string>

#include "pecann/problem/problem.h"

namespace pecann::problem {

/// The text of a draft. Automatic networks are written as `fields`, automatic points and the roles of the given terms
/// not at all, and phases not where the training is open.
std::string write_draft(const Problem& draft, const std::set<std::string>& terms_without_role);

}  // namespace pecann::problem
