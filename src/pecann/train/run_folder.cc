#include "pecann/train/run_folder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/near_file.h"
#include "pecann/base/plain_file.h"
#include "pecann/problem/problem_file.h"
#include "pecann/train/checkpoint.h"

namespace pecann::train {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTrialPrefix = "trial-", kAttemptPrefix = "attempt-";

/// The number in "trial-7", 0 where a name is not of this kind.
int number_behind(std::string_view prefix, const std::string& name) {
  if (!name.starts_with(prefix)) return 0;
  int number = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + prefix.size(), end, number);
  return error == std::errc() && rest == end ? std::max(number, 0) : 0;
}

/// Whether there is a folder of ours inside another one; a link or something else of its name is refused.
bool inner_folder_exists(const std::string& path) {
  refuse_link(path);
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (type == fs::file_type::not_found || type == fs::file_type::directory) return type == fs::file_type::directory;
  throw InputError({.place = {.file = shortened(path, 200)}, .rule = "is no folder"});
}

std::vector<std::string> names_in_folder(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  if (error) throw InputError({.place = {.file = folder}, .rule = "the folder cannot be read: " + error.message()});
  return names;
}

/// The numbers of the folders with this prefix, ascending. "trial-07" is none: it would stand for trial-7.
std::vector<int> numbers_in(const std::string& folder, std::string_view prefix) {
  std::vector<int> numbers;
  for (const std::string& name : names_in_folder(folder)) {
    const int number = number_behind(prefix, name);
    if (number > 0 && name == fmt::format("{}{}", prefix, number)) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace

std::string TrialFolder::history_file() const { return path_ + "/history.csv"; }
std::string TrialFolder::checkpoint_file() const { return path_ + "/checkpoint"; }
std::string TrialFolder::previous_checkpoint_file() const { return path_ + "/checkpoint.previous"; }
std::string TrialFolder::solution_file(const std::string& extension) const { return path_ + "/solution." + extension; }
std::string TrialFolder::lock_file() const { return path_ + "/lock"; }
std::string TrialFolder::new_checkpoint_file() const { return path_ + "/checkpoint.new"; }

bool TrialFolder::exists() const {
  refuse_link(path_);
  std::error_code error;
  return fs::exists(path_, error);
}

bool TrialFolder::has_checkpoint() const {
  refuse_link(path_);
  const bool last = run_file_exists(checkpoint_file()), before = run_file_exists(previous_checkpoint_file());
  return last || before;
}

void TrialFolder::create() const {
  refuse_link(path_);
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw std::runtime_error("cannot make the folder " + path_ + ": " + error.message());
}

void TrialFolder::require_plain_files() const {
  refuse_link(path_);
  for (const std::string& file : {history_file(), checkpoint_file(), previous_checkpoint_file(), new_checkpoint_file(),
                                  solution_file("npz"), lock_file()})
    run_file_exists(file);
}

void TrialFolder::copy_to(const TrialFolder& other) const {
  require_plain_files();
  other.create();
  other.require_plain_files();
  if (has_checkpoint()) write_checkpoint(other, read_last_checkpoint(*this));
  for (const auto& [from, to] :
       {std::pair{history_file(), other.history_file()}, std::pair{solution_file("npz"), other.solution_file("npz")}}) {
    if (!run_file_exists(from)) continue;
    errno = 0;
    if (!copy_plain_file(from, to, kLongestHistory))
      throw std::runtime_error("cannot copy " + from + " to " + to + ": " + std::strerror(errno));
  }
}

std::string RunFolder::problem_file() const { return path_ + "/problem.toml"; }
std::string RunFolder::asked_file() const { return path_ + "/asked.toml"; }
std::string RunFolder::depends_file() const { return path_ + "/depends.json"; }
std::string RunFolder::inputs_folder() const { return inputs_.empty() ? path_ + "/inputs" : inputs_; }
std::string RunFolder::start_file() const { return path_ + "/start.npy"; }
std::string RunFolder::summary_file() const { return path_ + "/summary.json"; }
std::string RunFolder::error_maps_file() const { return path_ + "/estimated-error.json"; }
std::string RunFolder::report_file() const { return path_ + "/report.html"; }
std::string RunFolder::lock_file() const { return path_ + "/lock"; }
RunFolder RunFolder::attempt(int number) const {
  RunFolder inside(fmt::format("{}/{}{}", path_, kAttemptPrefix, number));
  inside.inputs_ = inputs_folder();
  return inside;
}

void RunFolder::make() const {
  refuse_link(path_);
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw std::runtime_error("cannot make the folder " + path_ + ": " + error.message());
}

TrialFolder RunFolder::trial(int number) const { return {fmt::format("{}/{}{}", path_, kTrialPrefix, number)}; }

RunFolder RunFolder::create(const std::string& wanted, const std::string& problem_name) {
  return create(wanted, problem_name, Words());
}

RunFolder RunFolder::create(const std::string& wanted, const std::string& problem_name, const Words& words) {
  refuse_zero_byte(wanted);
  std::string folder = wanted;
  std::error_code error;
  if (folder.empty()) {
    const std::string base = "runs/" + fs::path(problem_name).stem().string();
    folder = base;
    for (int number = 2; fs::exists(folder, error); ++number) folder = base + "-" + std::to_string(number);
  } else if (fs::exists(folder, error) && !(fs::is_directory(folder, error) && fs::is_empty(folder, error)) && !error) {
    throw InputError({.key = words.key,
                      .value = folder,
                      .rule = "exists already, and is never overwritten",
                      .hint = RunFolder(folder).has_problem()
                                  ? "name another folder, or " + fmt::format(fmt::runtime(words.go_on), folder)
                                  : "name another folder; this one holds no run that could go on"});
  }
  if (!error) fs::create_directories(folder, error);
  if (error) throw InputError({.key = words.key, .value = folder, .rule = "cannot be made: " + error.message()});
  return {folder};
}

RunFolder RunFolder::open(const std::string& path) {
  const RunFolder folder(path);
  std::error_code error;
  if (!folder.has_problem()) {
    const bool file = fs::is_regular_file(path, error);
    const bool there = fs::exists(path, error);
    const std::string near = there ? "" : hint_for_file(path);
    throw InputError({.place = {.file = path},
                      .rule = fs::is_directory(path, error)
                                  ? "the folder holds no problem.toml: it is not the folder of a run"
                              : file ? "is a file, and not the folder of a run"
                                     : "there is no such folder",
                      .hint = near.starts_with("did") ? near : "give the folder that `pecann run --out` was given"});
  }
  folder.require_plain_files();
  for (const int number : numbers_in(path, kAttemptPrefix))
    if (const RunFolder attempt = folder.attempt(number); inner_folder_exists(attempt.path()))
      attempt.require_plain_files();
  return folder;
}

void RunFolder::require_plain_files() const {
  for (const std::string& file : {problem_file(), asked_file(), depends_file(), start_file(), summary_file(),
                                  error_maps_file(), report_file(), lock_file()})
    run_file_exists(file);
  for (const int number : numbers_in(path_, kTrialPrefix)) trial(number).require_plain_files();
  if (!inner_folder_exists(inputs_folder())) return;
  for (const std::string& name : names_in_folder(inputs_folder())) run_file_exists(inputs_folder() + "/" + name);
}

std::vector<int> RunFolder::trials() const {
  std::vector<int> numbers;
  for (const int number : numbers_in(path_, kTrialPrefix))
    if (trial(number).has_checkpoint()) numbers.push_back(number);
  return numbers;
}

FileLock RunFolder::lock() const {
  const std::string file = lock_file();
  try {
    if (std::optional<FileLock> own = FileLock::take(file, FileLock::AtEnd::KeepFile)) return std::move(*own);
  } catch (const std::system_error& error) {
    throw InputError({.place = {.file = path_}, .rule = "cannot be written: " + error.code().message()});
  }
  std::string holder = FileLock::holder(file);
  for (int look = 0; look < 20 && holder.empty(); ++look) {  // one that has just taken it writes its number next
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    holder = FileLock::holder(file);
  }
  throw InputError({.place = {.file = path_},
                    .rule = holder.empty() ? "is in use by another process" : "is in use by process " + holder,
                    .hint = "wait for it, or stop it first"});
}

bool RunFolder::has_asked_problem() const { return run_file_exists(asked_file()); }
std::string RunFolder::read_asked_problem() const { return read_run_file(asked_file(), problem::kLongestFile); }
void RunFolder::write_asked_problem(std::string_view text) const {
  write_run_file(asked_file(), text, Durable::Yes);
  if (!has_problem()) write_problem(text);
}

bool RunFolder::has_problem() const { return run_file_exists(problem_file()); }
std::string RunFolder::read_problem() const { return read_run_file(problem_file(), problem::kLongestFile); }
void RunFolder::write_problem(std::string_view text) const { write_run_file(problem_file(), text, Durable::Yes); }

bool run_file_exists(const std::string& path) { return plain_file_exists(path); }

std::string read_run_file(const std::string& path, double most) {
  return read_plain_file(path, std::min(most, available_memory() / 2));
}

void write_run_file(const std::string& path, std::string_view text, Durable durable) {
  run_file_exists(path);  // refuses what is no plain file
  std::error_code ignored;
  fs::create_directories(fs::path(path).parent_path(), ignored);
  errno = 0;
  if (!replace_file(path, text, durable))
    throw InputError(
        {.place = {.file = path}, .rule = std::string("the file cannot be written: ") + std::strerror(errno)});
}

}  // namespace pecann::train
