#include "pecann/train/run_folder.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "pecann/base/input_error.h"
#include "pecann/base/read_file.h"
#include "pecann/base/text_file.h"
#include "pecann/problem/problem_file.h"

namespace pecann::train {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTrialPrefix = "trial-";

/// The number in "trial-7", 0 where a name is not of this kind.
int trial_number(const std::string& name) {
  if (!name.starts_with(kTrialPrefix)) return 0;
  int number = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + kTrialPrefix.size(), end, number);
  return error == std::errc() && rest == end ? std::max(number, 0) : 0;
}

}  // namespace

std::string TrialFolder::history_file() const { return path_ + "/history.csv"; }
std::string TrialFolder::checkpoint_file() const { return path_ + "/checkpoint"; }
std::string TrialFolder::previous_checkpoint_file() const { return path_ + "/checkpoint.previous"; }
std::string TrialFolder::solution_file(const std::string& extension) const { return path_ + "/solution." + extension; }
std::string TrialFolder::lock_file() const { return path_ + "/lock"; }
bool TrialFolder::exists() const { return fs::exists(path_); }
bool TrialFolder::has_checkpoint() const {
  return fs::exists(checkpoint_file()) || fs::exists(previous_checkpoint_file());
}
void TrialFolder::create() const { fs::create_directories(path_); }

std::string RunFolder::problem_file() const { return path_ + "/problem.toml"; }
std::string RunFolder::start_file() const { return path_ + "/start.npy"; }
std::string RunFolder::summary_file() const { return path_ + "/summary.json"; }
std::string RunFolder::report_file() const { return path_ + "/report.html"; }
TrialFolder RunFolder::trial(int number) const { return {fmt::format("{}/{}{}", path_, kTrialPrefix, number)}; }

RunFolder RunFolder::create(const std::string& wanted, const std::string& problem_name) {
  return create(wanted, problem_name, Words());
}

RunFolder RunFolder::create(const std::string& wanted, const std::string& problem_name, const Words& words) {
  std::string folder = wanted;
  if (folder.empty()) {
    const std::string base = "runs/" + fs::path(problem_name).stem().string();
    folder = base;
    for (int number = 2; fs::exists(folder); ++number) folder = base + "-" + std::to_string(number);
  } else if (fs::exists(folder) && !(fs::is_directory(folder) && fs::is_empty(folder))) {
    throw InputError({.key = words.key,
                      .value = folder,
                      .rule = "exists already, and is never overwritten",
                      .hint = "name another folder, or " + fmt::format(fmt::runtime(words.go_on), folder)});
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError({.key = words.key, .value = folder, .rule = "cannot be made: " + error.message()});
  return {folder};
}

RunFolder RunFolder::open(const std::string& path) {
  const RunFolder folder(path);
  if (!folder.has_problem())
    throw InputError({.place = {.file = path},
                      .rule = fs::is_directory(path) ? "the folder holds no problem.toml: it is not the folder of a run"
                                                     : "there is no such folder",
                      .hint = "give the folder that `pecann run --out` was given"});
  return folder;
}

std::vector<int> RunFolder::trials() const {
  std::vector<int> numbers;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_)) {
    const int number = trial_number(entry.path().filename().string());
    if (number > 0 && TrialFolder(entry.path().string()).has_checkpoint()) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

FileLock RunFolder::lock() const {
  const std::string file = path_ + "/lock";
  try {
    if (std::optional<FileLock> own = FileLock::take(file, FileLock::AtEnd::KeepFile)) return std::move(*own);
  } catch (const std::system_error& error) {
    throw InputError({.place = {.file = path_}, .rule = "cannot be written: " + error.code().message()});
  }
  const std::string holder = FileLock::holder(file);
  throw InputError({.place = {.file = path_},
                    .rule = holder.empty() ? "is in use by another process" : "is in use by process " + holder,
                    .hint = "wait for it, or stop it first"});
}

bool RunFolder::has_problem() const { return fs::exists(problem_file()); }
std::string RunFolder::read_problem() const { return read_file(problem_file(), problem::kLongestFile); }
void RunFolder::write_problem(std::string_view text) const { write_run_file(problem_file(), text); }

std::string read_run_file(const std::string& path) { return read_text_file(path); }

void write_run_file(const std::string& path, std::string_view text) { write_text_file(path, text); }

}  // namespace pecann::train
