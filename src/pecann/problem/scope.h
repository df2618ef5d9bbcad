// The names that an expression about a problem may use.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pecann/expr/parse.h"
#include "pecann/problem/problem.h"

namespace pecann::problem {

/// The problem's coordinates, constants, functions, fields, parameters and exact.NAME.
expr::Scope scope_of(const Problem& problem);
/// The names for an entry of [exact]: no fields and no parameters, but the entries before it.
expr::Scope exact_scope(const Problem& problem);
/// The names for a term's equations, its data and normals included.
expr::Scope equation_scope(const Problem& problem, const TermSpec& term);

/// Adds the components of the normal, normal.x, …, which regions that bound the domain have.
void add_normals(const Problem& problem, expr::Scope& scope);
/// True when the expression reads a component of the normal.
bool reads_normal(const expr::Expr& expression);

/// The column `residual`, the root of the sum of squares of a term's equations, which its density may read.
inline constexpr const char* kResidual = "residual";
expr::Scope density_scope(const Problem& problem);

/// All fields in the order of the networks.
std::vector<std::string> field_names(const Problem& problem);

/// The quantities that have errors and pictures: all fields, then the functions of fields that [exact] knows.
std::vector<std::string> quantity_names(const Problem& problem);

/// The quantities, and the name of the error over several of them where the problem asks for it.
inline constexpr const char* kTogether = "together";
std::vector<std::string> error_names(const Problem& problem);

/// Names of the fields an expression mentions, derivatives and fields at substituted coordinates included.
void collect_fields(const expr::Expr& expression, std::set<std::string>& names);

/// True when an equation mentions a field of the network.
bool is_used(const NetworkSpec& network, const Problem& problem);

}  // namespace pecann::problem
