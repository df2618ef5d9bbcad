#include "pecann/base/require.h"

#include <string>

namespace pecann {

void contract_broken(std::string_view text, const std::source_location& where) {
  throw ContractError("internal error: " + std::string(text) + " (at " + where.file_name() + ":" +
                      std::to_string(where.line()) + " in " + where.function_name() + ")");
}

}  // namespace pecann
