#include "pecann/base/require.h"

#include <cstdio>
#include <cstdlib>

namespace pecann {

void contract_broken(std::string_view text, const std::source_location& where) {
  std::fprintf(stderr, "pecann: internal error: %.*s\n  at %s:%u in %s\n", static_cast<int>(text.size()), text.data(),
               where.file_name(), where.line(), where.function_name());
  std::abort();
}

}  // namespace pecann
