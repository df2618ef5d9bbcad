// Generated into the build folder from problems/ (cmake/embed_texts.cmake).
#pragma once

#include <span>
#include <string_view>

namespace pecann::problem {

struct EmbeddedProblem {
  std::string_view name;
  std::string_view text;
};

std::span<const EmbeddedProblem> embedded_problems();

}  // namespace pecann::problem
