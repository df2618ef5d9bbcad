// Options that several commands have, and checks of numbers on the command line, which refuse in words. The checks of
// CLI11 itself let NaN pass and print bounds of 300 digits.
#pragma once

#include <CLI/CLI.hpp>

#include "pecann/base/most_threads.h"

namespace pecann::cli {

CLI::Validator positive_number();
CLI::Validator not_negative_number();
/// Above 0 and below 1.
CLI::Validator share_of_one();
/// A whole number from 1 to `most`.
CLI::Validator count_up_to(int most);

/// A whole number from 0 to 2^53, which a double has exactly and a problem file can name.
CLI::Validator seed_number();

/// Makes every option and argument of the command refuse an empty value, which else would be taken for a missing one.
void refuse_empty_values(CLI::App& command);

/// --simd, or PECANN_SIMD in the environment: makes the kernels run with a lower instruction set than the machine has.
void add_simd_option(CLI::App& command);

inline constexpr int kMostTrials = 10'000;  // of one run

}  // namespace pecann::cli
