// NumPy's .npz: a zip archive of .npy members, stored without compression.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/train/solution.h"

namespace pecann::results {

/// The CRC-32 of zip archives (polynomial 0xEDB88320, reflected).
std::uint32_t crc32(std::string_view bytes);

/// A zip archive with these members (name, bytes), stored. Archives over 4 GB are refused (InputError naming `path`).
std::string zip_bytes(const std::vector<std::pair<std::string, std::string>>& members, const std::string& path);

/// Writes the fields on the evaluation grid: one axis per coordinate ("x"), every field ("u") and, where known, its
/// exact solution ("exact.u"), indexed [x][y]… in the order of the coordinates. Fields with frozen coordinates
/// (evaluate.at) are constant along those.
void write_solution_npz(const problem::Problem& problem, const train::Solution& solution, const std::string& path);

}  // namespace pecann::results
