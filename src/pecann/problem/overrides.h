// Changes to a problem's tree before it is read, so that what the command line says passes the same checks as the file.
#pragma once

#include <string>
#include <string_view>

#include "pecann/base/input_error.h"
#include "pecann/problem/toml.h"

namespace pecann::problem {

/// `key=value` as in --set: term.NAME.…, network.1.… or network.NAME.…, phase.1.… (counted from 1), any other
/// path of keys. The value is TOML; what is not (a bare word, an expression) is taken as a text. `origin` is
/// where the override is written.
void apply_override(toml::table& root, std::string_view assignment, const InputPlace& origin);

}  // namespace pecann::problem
