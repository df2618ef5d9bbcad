// What the paper's recipe of a row costs on this machine: evaluations of the recipe times the measured time of one.
#pragma once

#include <map>
#include <string>

#include "pecann/problem/problem.h"
#include "pecann/reproduce/table.h"

namespace pecann::reproduce {

/// The number of loss and gradient evaluations in all epochs and windows. Adam takes one an epoch; an L-BFGS call of at
/// most 20 iterations and 25 evaluations takes 22 (mean of the Helmholtz runs, whose line searches seldom repeat).
/// Second-order steps count as one.
double expected_evaluations(const problem::Problem& problem);

/// Seconds per trial by "table/row".
using Estimates = std::map<std::string, double>;

/// Times every row's problem for `seconds` on one thread, by the processor's time, so that other work on the
/// machine hardly counts.
Estimates measure_estimates(const std::vector<Table>& tables, double seconds);

/// The estimates are kept in ROOT/estimates.json, so that the results page does not change each time it is made; they
/// are empty where there is no such file.
void write_estimates(const std::string& root, const Estimates& estimates);
Estimates read_estimates(const std::string& root);

}  // namespace pecann::reproduce
