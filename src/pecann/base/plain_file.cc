#include "pecann/base/plain_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "pecann/base/input_error.h"
#include "pecann/base/read_file.h"

namespace pecann {
namespace {

[[noreturn]] void refuse_file(const std::string& path, std::string rule) {
  throw InputError({.place = {.file = shortened(path, 200)}, .rule = std::move(rule)});
}

void refuse_other_kinds(const std::string& path, mode_t mode) {
  if (S_ISREG(mode)) return;
  const char* const kind = S_ISLNK(mode)    ? "a symbolic link"
                           : S_ISDIR(mode)  ? "a folder"
                           : S_ISFIFO(mode) ? "a pipe"
                                            : "a device or a socket";
  refuse_file(path, std::string("is ") + kind + "; a run folder holds plain files");
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

int Descriptor::release() { return std::exchange(number_, -1); }

void refuse_zero_byte(const std::string& path) {
  if (path.find('\0') != std::string::npos) refuse_file(path, "a name cannot have a character of value 0");
}

bool plain_file_exists(const std::string& path) {
  refuse_zero_byte(path);
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return false;
    refuse_file(path, std::string("the file cannot be read: ") + std::strerror(errno));
  }
  refuse_other_kinds(path, facts.st_mode);
  return true;
}

void refuse_link(const std::string& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) == 0 && S_ISLNK(facts.st_mode)) refuse_other_kinds(path, facts.st_mode);
}

int open_plain_file(const std::string& path, int flags) {
  Descriptor file(::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  struct stat facts {};
  if (file.number() < 0) {
    const int reason = errno;  // of a link, a pipe without a reader, a folder: what it is says more
    if (::lstat(path.c_str(), &facts) == 0) refuse_other_kinds(path, facts.st_mode);
    errno = reason;
    return -1;
  }
  if (::fstat(file.number(), &facts) != 0) return -1;
  refuse_other_kinds(path, facts.st_mode);
  return file.release();
}

int open_new_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return -1;
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

std::string read_plain_file(const std::string& path, double most) {
  const Descriptor file(open_plain_file(path, O_RDONLY));
  if (file.number() < 0) refuse_file(path, std::string("the file cannot be read: ") + std::strerror(errno));
  return read_open_file(file.number(), path, most);
}

bool write_bytes(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    if (count == 0) errno = EIO;
    if (count == 0 || (count < 0 && errno != EINTR)) return false;
  }
  return true;
}

namespace {

/// Makes a file beside `path`, lets `write` fill it, and gives it the name; false and errno where one of these fails.
template <class Write>
bool replaced(const std::string& path, Durable durable, const Write& write) {
  // Processes that share a folder may write the same file: each beside its own, and the last one stays.
  const std::string beside = path + ".new-" + std::to_string(::getpid());
  Descriptor file(open_new_file(beside));
  if (file.number() < 0) return false;
  if (struct stat before{}; ::lstat(path.c_str(), &before) == 0 && S_ISREG(before.st_mode))
    ::fchmod(file.number(), before.st_mode & 0777);  // one that only its owner may read stays so
  const bool written = write(file.number()) && (durable == Durable::No || ::fsync(file.number()) == 0);
  if (written && ::close(file.release()) == 0 && std::rename(beside.c_str(), path.c_str()) == 0) return true;
  const int reason = errno;
  ::unlink(beside.c_str());
  errno = reason;
  return false;
}

/// What is left to read in one open file, into another.
bool copy_rest(int from, int to) {
  std::string block(std::size_t{1} << 16, '\0');
  while (true) {
    const ssize_t count = ::read(from, block.data(), block.size());
    if (count == 0) return true;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 || !write_bytes(to, {block.data(), static_cast<std::size_t>(count)})) return false;
  }
}

}  // namespace

bool replace_file(const std::string& path, std::string_view text, Durable durable) {
  return replaced(path, durable, [&](int file) { return write_bytes(file, text); });
}

bool copy_plain_file(const std::string& from, const std::string& to, double most) {
  const Descriptor source(open_plain_file(from, O_RDONLY));
  if (source.number() < 0) return false;
  refuse_larger(source.number(), from, most);
  return replaced(to, Durable::Yes, [&](int file) { return copy_rest(source.number(), file); });
}

}  // namespace pecann
