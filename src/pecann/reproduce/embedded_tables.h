// The paper's tables as texts, generated into the build folder from reproduce/ (cmake/embed_texts.cmake).
#pragma once

#include <span>
#include <string_view>

namespace pecann::reproduce {

struct EmbeddedTable {
  std::string_view name;
  std::string_view text;
};

std::span<const EmbeddedTable> embedded_tables();

}  // namespace pecann::reproduce
