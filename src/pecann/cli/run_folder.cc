#include "pecann/cli/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "pecann/base/input_error.h"

namespace pecann::cli {
namespace fs = std::filesystem;

std::string make_run_folder(const std::string& wanted, const std::string& problem_name) {
  std::string folder = wanted;
  if (folder.empty()) {
    const std::string base = "runs/" + fs::path(problem_name).stem().string();
    folder = base;
    for (int number = 2; fs::exists(folder); ++number) folder = base + "-" + std::to_string(number);
  } else if (fs::exists(folder) && !(fs::is_directory(folder) && fs::is_empty(folder))) {
    throw InputError({.key = "--out",
                      .value = folder,
                      .rule = "exists already, and is never overwritten",
                      .hint = "name another folder, or go on with `pecann resume " + folder + "`"});
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError({.key = "--out", .value = folder, .rule = "cannot be made: " + error.message()});
  return folder;
}

FolderLock::FolderLock(const std::string& folder) {
  const std::string path = folder + "/lock";
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0)
    throw InputError({.place = {.file = folder}, .rule = std::string("cannot be written: ") + std::strerror(errno)});
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    char owner[32] = {};
    const ssize_t length = ::read(file_, owner, sizeof owner - 1);
    ::close(file_);
    throw InputError({.place = {.file = folder},
                      .rule = "is in use by process " + std::string(owner, length > 0 ? length : 0),
                      .hint = "wait for it, or stop it first"});
  }
  const std::string own = std::to_string(::getpid());
  if (::ftruncate(file_, 0) != 0 || ::pwrite(file_, own.data(), own.size(), 0) < 0) {
    // The lock holds without the number; only the other process's message is poorer.
  }
}

FolderLock::~FolderLock() { ::close(file_); }

}  // namespace pecann::cli
