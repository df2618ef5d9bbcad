#include "pecann/base/near_file.h"

#include <filesystem>
#include <system_error>
#include <vector>

#include "pecann/base/input_error.h"

namespace pecann {

std::string hint_for_file(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr std::size_t kMostNames = 2000;  // of a large folder the first that the system tells
  const fs::path file(path), folder = file.parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error))
    return "there is no folder '" + shortened(folder.string(), 200) + "'";
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder.empty() ? fs::path(".") : folder, error), end;
       !error && at != end && names.size() < kMostNames; at.increment(error))
    names.push_back(at->path().filename().string());
  const auto near = nearest_name(file.filename().string(), names);
  return near ? "did you mean '" + shortened((folder / *near).string(), 200) + "'?" : "";
}

}  // namespace pecann
