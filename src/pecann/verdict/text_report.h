// `pecann report --text`: what the HTML page says on top, for those without a browser.
#pragma once

#include <span>
#include <string>

#include "pecann/verdict/summary_text.h"
#include "pecann/verdict/verdict.h"

namespace pecann::verdict {

/// Whether to trust the answer, why, and what to try. 80 columns.
std::string verdict_text(const Verdict& verdict, Colour colour = Colour::Never);

/// Verdict, errors, residuals and times of each run; of several also a table that compares them. 80 columns.
std::string text_report(std::span<const std::string> folders, Colour colour = Colour::Never);

}  // namespace pecann::verdict
