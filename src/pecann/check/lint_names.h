// Names that nothing uses: constants and functions that no text mentions (notes), fields and trainable numbers that no
// equation mentions (warnings: nothing would ever train them).
#pragma once

#include <span>
#include <string>

#include "pecann/check/lint.h"

namespace pecann::check {

void lint_names(const problem::Problem& problem, const std::string& text, std::span<const std::string> overrides,
                Findings& findings);

}  // namespace pecann::check
