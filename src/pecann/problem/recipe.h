// Named trainings in a problem file. [recipe.NAME] may hold penalty, phase, windows, stop, held_out, evaluate
// and term tables, and set = ["key=value", …], a list of overrides. Choosing a recipe writes these into the
// problem's own tables.
#pragma once

#include <string>
#include <vector>

#include "pecann/problem/toml.h"

namespace pecann::problem {

struct ChosenRecipe {
  std::string name;  // "" = the file's own training
  std::vector<std::string> offered;
};

/// Without a name the recipe is "best" if the file has it, else the file's own phases, else "paper". The name "none"
/// takes the file's own training. Removes the recipes from the tree.
ChosenRecipe apply_recipe(toml::table& root, const std::string& name, const std::string& file);

}  // namespace pecann::problem
