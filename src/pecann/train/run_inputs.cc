#include "pecann/train/run_inputs.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "pecann/base/checksum.h"
#include "pecann/base/memory.h"
#include "pecann/base/read_file.h"

namespace pecann::train {
namespace {

namespace paths = std::filesystem;

constexpr std::size_t kLongestName = 100;

paths::path absolute_path(const std::string& path) {
  return paths::absolute(path.empty() ? "." : path).lexically_normal();
}

/// The name below inputs/ of a file that is kept already; empty where it is not.
std::string kept_name(const std::string& file, const RunFolder& folder) {
  const paths::path inside =
      paths::path(file).lexically_normal().lexically_relative(absolute_path(folder.inputs_folder()));
  const bool below = !inside.empty() && *inside.begin() != ".." && *inside.begin() != ".";
  return below ? inside.string() : "";
}

/// The name of a file with letters, digits, '.', '-' and '_' alone; its ending, which says what it is, stays.
std::string plain_name(const std::string& file) {
  std::string name = paths::path(file).filename().string();
  for (char& c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    if (!plain) c = '_';
  }
  return name.size() > kLongestName ? name.substr(name.size() - kLongestName) : name;
}

bool can_be_kept(const std::string& file) {
  std::error_code unknown;
  return paths::is_regular_file(file, unknown);
}

/// Path of a file of the problem -> its name below inputs/.
problem::FileNames kept_names(const RunFolder& folder, const problem::Problem& problem) {
  const std::vector<std::string> files = problem::files_of(problem);
  problem::FileNames names;
  std::set<std::string> taken;
  for (const std::string& file : files)
    if (const std::string name = kept_name(file, folder); !name.empty()) taken.insert(names[file] = name);
  for (const std::string& file : files) {
    if (names.contains(file) || !can_be_kept(file)) continue;
    const std::string plain = plain_name(file);
    std::string name = plain;
    for (int number = 2; !taken.insert(name).second; ++number) name = std::to_string(number) + "-" + plain;
    names[file] = name;
  }
  return names;
}

}  // namespace

problem::FileNames input_names(const RunFolder& folder, const problem::Problem& problem) {
  const paths::path inputs = absolute_path(folder.inputs_folder()).lexically_relative(absolute_path(folder.path()));
  problem::FileNames names = kept_names(folder, problem);
  for (auto& [file, name] : names) name = (inputs / name).string();
  return names;
}

std::vector<RunInput> keep_inputs(const RunFolder& folder, const problem::Problem& problem) {
  std::vector<RunInput> inputs;
  for (const auto& [file, name] : kept_names(folder, problem)) {
    const std::string copy = folder.inputs_folder() + "/" + name;
    const bool kept = !kept_name(file, folder).empty();
    const double most = available_memory() / 2;
    const std::string bytes = kept ? read_run_file(copy, most) : read_file(file, most);
    if (!kept) write_run_file(copy, bytes, Durable::Yes);
    inputs.push_back({"inputs/" + name, kept ? "" : file, bytes.size(), checksum(bytes)});
  }
  return inputs;
}

}  // namespace pecann::train
