#include "pecann/cli/option_checks.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <string>

#include "pecann/base/input_error.h"
#include "pecann/kernel/simd_target.h"
#include "pecann/problem/problem.h"

namespace pecann::cli {
namespace {

/// The number that the text is; NaN where it is none.
double number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : std::nan("");
}

CLI::Validator checked(const std::string& name, const std::string& rule, const std::function<bool(double)>& fits) {
  return {[=](std::string& text) { return fits(number_of(text)) ? "" : shortened(text, 40) + ": " + rule; }, name,
          name};
}

}  // namespace

CLI::Validator positive_number() {
  return checked("POSITIVE", "must be a finite number above 0",
                 [](double value) { return std::isfinite(value) && value > 0; });
}

CLI::Validator not_negative_number() {
  return checked("NUMBER", "must be a finite number, 0 or more",
                 [](double value) { return std::isfinite(value) && value >= 0; });
}

CLI::Validator share_of_one() {
  return checked("0..1", "must be a number above 0 and below 1", [](double value) { return value > 0 && value < 1; });
}

CLI::Validator count_up_to(int most) {
  return checked("1.." + std::to_string(most), "must be a whole number from 1 to " + std::to_string(most),
                 [most](double value) { return value >= 1 && value <= most && value == std::floor(value); });
}

CLI::Validator seed_number() {
  return checked("SEED", "must be a whole number from 0 to " + std::to_string(problem::kMostSeed), [](double value) {
    return value >= 0 && value <= static_cast<double>(problem::kMostSeed) && value == std::floor(value);
  });
}

void refuse_empty_values(CLI::App& command) {
  for (CLI::Option* const option : command.get_options())
    if (option->get_expected_max() > 0)
      option->check([](const std::string& text) { return text.empty() ? "must not be empty" : ""; }, "");
}

void add_simd_option(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--simd", [](const std::string& word) { kernel::use_simd(word); },
          "instruction set of the kernels: avx512, avx2, sse4, scalar (default: the best that the machine has)")
      ->envname("PECANN_SIMD");
}

}  // namespace pecann::cli
