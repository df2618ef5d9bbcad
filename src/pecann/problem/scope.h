// The names that an expression about a problem may use.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pecann/expr/parse.h"
#include "pecann/problem/problem.h"

namespace pecann::problem {

/// Coordinates, constants, functions, fields, parameters, exact.NAME. Data names belong to a term: add them
/// for its equations.
expr::Scope scope_of(const Problem& problem);

/// All fields in the order of the networks.
std::vector<std::string> field_names(const Problem& problem);

/// What has errors and pictures: all fields, then the functions of fields that [exact] knows.
std::vector<std::string> quantity_names(const Problem& problem);

/// Names of the fields an expression mentions, derivatives and fields at substituted coordinates included.
void collect_fields(const expr::Expr& expression, std::set<std::string>& names);

}  // namespace pecann::problem
