// How long a row is trained, and the problem that follows from it.
#pragma once

#include <optional>
#include <string>

#include "pecann/problem/problem.h"
#include "pecann/reproduce/table.h"

namespace pecann::reproduce {

enum class Budget {
  Quick,    // a smoke run: a few epochs of the paper's recipe, at most some seconds; its errors say nothing
  Short,    // the paper's recipe with fewer epochs and points, to compare methods where all of it takes days
  Paper,    // the paper's recipe to the letter
  Best,     // our recipe for the problem, where possible with the same network and points
  Accuracy  // no recipe: a search for an accuracy (accuracy/search.h), of rows that are offered at Best
};

const char* name_of(Budget budget);
/// The budget of this name. Throws InputError for an unknown word.
Budget budget_of(const std::string& word);

/// The problem of a row, with seeds from 1; nothing where the row is not offered at this budget or its problem
/// has no recipe for it.
std::optional<problem::Problem> problem_of(const Row& row, Budget budget);

/// True when two problems train alike, that is, differ in nothing but the number of trials and the first seed.
bool same_training(const problem::Problem& a, const problem::Problem& b);

}  // namespace pecann::reproduce
