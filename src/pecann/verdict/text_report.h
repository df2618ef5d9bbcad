// `pecann report --text`: what the HTML page says on top, for those without a browser.
#pragma once

#include <span>
#include <string>

#include "pecann/verdict/summary_text.h"
#include "pecann/verdict/verdict.h"

namespace pecann::verdict {

/// Says in 80 columns whether to trust the answer, why, and what to try.
std::string verdict_text(const Verdict& verdict, Colour colour = Colour::Never);

/// The verdict, errors, residuals and times of each run in 80 columns; of several runs also a table that compares them.
std::string text_report(std::span<const std::string> folders, Colour colour = Colour::Never);

}  // namespace pecann::verdict
