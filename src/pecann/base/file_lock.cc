#include "pecann/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "pecann/base/plain_file.h"

namespace pecann {

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
    const std::string own = std::to_string(::getpid());
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, own.data(), own.size(), 0) < 0) {
      // The lock holds without the number; only the other process's message is poorer.
    }
    return FileLock(path, at_end, file);
  }
}

std::string FileLock::holder(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return "";
  char text[32] = {};
  const ssize_t length = ::read(file, text, sizeof text - 1);
  ::close(file);
  const std::string holder(text, static_cast<std::size_t>(length > 0 ? length : 0));
  return holder.find_first_not_of("0123456789") == std::string::npos ? holder : "";
}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)), at_end_(other.at_end_), file_(std::exchange(other.file_, -1)) {}

FileLock::~FileLock() {
  if (file_ < 0) return;
  if (at_end_ == AtEnd::RemoveFile) ::unlink(path_.c_str());
  ::close(file_);
}

}  // namespace pecann
