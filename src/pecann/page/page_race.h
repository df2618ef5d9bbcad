// The page of a race: who was best, how soon, and what each recipe was.
#pragma once

#include <span>
#include <string>

#include "pecann/verdict/race_table.h"

namespace pecann::page {

struct RaceView {
  std::span<const verdict::RaceRow> rows;
  std::span<const std::string> folders;  // of the rows' runs, in their order; each has at least one finished trial
  std::span<const double> levels;
  bool by_error = true;
  double seconds = 0;  // of a trial
};

/// One HTML file, as html_report is.
std::string race_page(const RaceView& race);

}  // namespace pecann::page
