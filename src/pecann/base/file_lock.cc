#include "pecann/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include "pecann/base/plain_file.h"

namespace pecann {
namespace {

/// Locks the folder of a file. False where another holder has it; a file system that cannot lock folders gives -1.
bool lock_folder_of(const std::string& path, int& folder) {
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  folder = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0 || ::flock(folder, LOCK_EX | LOCK_NB) == 0) return true;
  const bool held = errno == EWOULDBLOCK;
  ::close(std::exchange(folder, -1));
  return !held;
}

}  // namespace

std::optional<FileLock> FileLock::take(const std::string& path, AtEnd at_end) {
  for (;;) {
    const int file = open_plain_file(path, O_RDWR | O_CREAT);
    if (file < 0) throw std::system_error(errno, std::generic_category(), path);
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
      ::close(file);
      return std::nullopt;
    }
    // The holder before may have removed the file between our open and our lock: then ours is a lock on nothing.
    struct stat opened {
    }, there{};
    if (::fstat(file, &opened) != 0 || ::lstat(path.c_str(), &there) != 0 || opened.st_ino != there.st_ino ||
        opened.st_dev != there.st_dev) {
      ::close(file);
      continue;
    }
    // A file of two names (a copy of hard links) would lock two folders, and its text may be a user's: ours is made
    // anew.
    if (opened.st_nlink > 1 && ::unlink(path.c_str()) == 0) {
      ::close(file);
      continue;
    }
    int folder = -1;
    if (at_end == AtEnd::KeepFile && !lock_folder_of(path, folder)) {
      ::close(file);
      return std::nullopt;
    }
    const std::string own = std::to_string(::getpid());
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, own.data(), own.size(), 0) < 0) {
      // The lock holds without the number; only the other process's message is poorer.
    }
    return FileLock(path, at_end, file, folder);
  }
}

std::string FileLock::holder(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return "";
  char text[32] = {};
  const ssize_t length = ::read(file, text, sizeof text - 1);
  ::close(file);
  const std::string holder(text, static_cast<std::size_t>(length > 0 ? length : 0));
  if (holder.empty() || holder.size() > 9 || holder.find_first_not_of("0123456789") != std::string::npos) return "";
  const pid_t process = std::stoi(holder);
  const bool alive = process > 0 && (::kill(process, 0) == 0 || errno == EPERM);
  return alive ? holder : "";
}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)),
      at_end_(other.at_end_),
      file_(std::exchange(other.file_, -1)),
      folder_(std::exchange(other.folder_, -1)) {}

FileLock::~FileLock() {
  if (file_ < 0) return;
  if (at_end_ == AtEnd::RemoveFile) ::unlink(path_.c_str());
  if (folder_ >= 0) ::close(folder_);
  ::close(file_);
}

}  // namespace pecann
