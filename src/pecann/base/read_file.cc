#include "pecann/base/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/near_file.h"
#include "pecann/base/plain_file.h"

namespace pecann {
namespace {

[[noreturn]] void refuse_reading(const std::string& path, std::string rule, std::string hint = "") {
  throw InputError({.place = {.file = shortened(path, 200)}, .rule = std::move(rule), .hint = std::move(hint)});
}

bool open_already(const std::string& path) {
  return path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

[[noreturn]] void refuse_size(const std::string& path, const std::string& size, double most) {
  refuse_reading(path, "the file has " + size + "; at most " + exact_memory_text(most) + " are read here");
}

struct stat facts_of(int file, const std::string& path) {
  struct stat facts {};
  if (::fstat(file, &facts) != 0) refuse_reading(path, std::string("the file cannot be read: ") + std::strerror(errno));
  return facts;
}

}  // namespace

std::string read_file(const std::string& path, double most) {
  refuse_zero_byte(path);
  const bool given = open_already(path);
  // Without waiting: a pipe without a writer would hold the program here for ever.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | (given ? 0 : O_NONBLOCK)));
  if (file.number() < 0) {
    const int why = errno;
    refuse_reading(path, std::string("the file cannot be read: ") + std::strerror(why),
                   why == ENOENT ? hint_for_file(path) : "");
  }
  const struct stat facts = facts_of(file.number(), path);
  if (S_ISDIR(facts.st_mode)) refuse_reading(path, "is a folder, not a file", "name the file in it");
  if (!S_ISREG(facts.st_mode) && !(given && S_ISFIFO(facts.st_mode)))
    refuse_reading(path, "is a device or a pipe, not a file");
  return read_open_file(file.number(), path, most);
}

void refuse_larger(int file, const std::string& path, double most) {
  if (const auto size = static_cast<double>(facts_of(file, path).st_size); size > most)
    refuse_size(path, exact_memory_text(size), most);
}

std::string read_open_file(int file, const std::string& path, double most) {
  const struct stat facts = facts_of(file, path);
  const bool regular = S_ISREG(facts.st_mode);
  if (regular) refuse_larger(file, path, most);

  std::string text(regular ? static_cast<std::size_t>(facts.st_size) + 1 : std::size_t{1} << 16, '\0');
  std::size_t length = 0;
  while (true) {
    const ssize_t got = ::read(file, text.data() + length, text.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_reading(path, std::string("the file cannot be read: ") + std::strerror(errno));
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
    if (static_cast<double>(length) > most) refuse_size(path, "more than that", most);
    if (length == text.size()) text.resize(2 * text.size());
  }
  text.resize(length);
  return text;
}

}  // namespace pecann
