#include "pecann/train/start_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/evaluate/model.h"
#include "pecann/train/window.h"

namespace pecann::train {

std::size_t parameter_count(const problem::Problem& problem) {
  return evaluate::Model(problem, normalisation_box(problem, {0, problem.windows.count}), problem.seed)
      .num_parameters();
}

std::vector<double> start_parameters(const NpyArray& array, const std::string& path, const std::string& key,
                                     const problem::Problem& problem) {
  const std::size_t count = parameter_count(problem);
  if (array.data.size() != count)
    throw InputError({.place = {.file = path},
                      .key = key,
                      .value = std::to_string(array.data.size()) + " numbers",
                      .rule = "the problem has " + std::to_string(count) + " parameters",
                      .hint = "layer by layer: weight row-major [out][in], then bias"});
  const auto broken = std::ranges::find_if(array.data, [](double value) { return !std::isfinite(value); });
  if (broken != array.data.end())
    throw InputError({.place = {.file = path},
                      .key = key,
                      .value = fmt::format("{}", *broken),
                      .rule = fmt::format("number {} of {} is not finite; start parameters must be",
                                          broken - array.data.begin() + 1, array.data.size())});
  return array.data;
}

std::optional<std::vector<double>> read_start(const RunFolder& folder, const problem::Problem& problem) {
  const std::string path = folder.start_file();
  if (!run_file_exists(path)) return std::nullopt;
  constexpr double kHeader = 1e5;  // of the file; NumPy's own has 128 bytes
  const double most = static_cast<double>(parameter_count(problem) * sizeof(double)) + kHeader;
  return start_parameters(parse_npy(read_run_file(path, most), path), path, "start", problem);
}

void write_start(const RunFolder& folder, std::span<const double> parameters) {
  const std::size_t shape[] = {parameters.size()};
  write_run_file(folder.start_file(), npy_bytes(shape, parameters), Durable::Yes);
}

}  // namespace pecann::train
