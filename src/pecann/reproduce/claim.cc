#include "pecann/reproduce/claim.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "pecann/base/input_error.h"

namespace pecann::reproduce {

std::optional<Claim> Claim::take(const std::string& path) {
  for (;;) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0)
      throw InputError({.place = {.file = path}, .rule = std::string("cannot be made: ") + std::strerror(errno)});
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
      ::close(file);
      return std::nullopt;
    }
    // The holder before may have removed the file between our open and our lock: then ours is a lock on
    // nothing.
    struct stat opened {
    }, there{};
    if (::fstat(file, &opened) == 0 && ::stat(path.c_str(), &there) == 0 && opened.st_ino == there.st_ino &&
        opened.st_dev == there.st_dev)
      return Claim(path, file);
    ::close(file);
  }
}

Claim::Claim(Claim&& other) noexcept : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

Claim::~Claim() {
  if (file_ < 0) return;
  ::unlink(path_.c_str());
  ::close(file_);
}

}  // namespace pecann::reproduce
