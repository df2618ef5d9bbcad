#include "pecann/base/text_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/plain_file.h"
#include "pecann/base/read_file.h"

namespace pecann {
namespace {

namespace paths = std::filesystem;

constexpr int kMostLinks = 40;  // as many as Linux follows

[[noreturn]] void refuse_writing(const std::string& path, int reason) {
  throw InputError(
      {.place = {.file = path}, .rule = std::string("the file cannot be written: ") + std::strerror(reason)});
}

/// The number of the open file that a path names, -1 where it names none.
int named_descriptor(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* const end = path.data() + path.size();
    const auto [rest, error] = std::from_chars(path.data() + folder.size(), end, number);
    if (error == std::errc() && rest == end) return number;
  }
  return -1;
}

/// Where a user's own links lead: to a file, to one that is to be made, or to one that is open already.
std::string followed(const std::string& path) {
  paths::path place = path;
  std::error_code none;
  for (int i = 0; i < kMostLinks && named_descriptor(place) < 0; ++i) {
    const paths::path target = paths::read_symlink(place, none);
    if (none) return place;
    place = target.is_absolute() ? target : place.parent_path() / target;
  }
  if (named_descriptor(place) < 0) refuse_writing(path, ELOOP);
  return place;
}

/// Devices and pipes are written to: a file put in the place of /dev/null would harm every other program.
bool is_device(const std::string& path) {
  std::error_code error;
  const paths::file_type type = paths::status(path, error).type();
  using enum paths::file_type;
  return type == character || type == block || type == fifo || type == socket;
}

}  // namespace

std::string read_text_file(const std::string& path) { return read_file(path, available_memory() / 2); }

void write_text_file(const std::string& path, std::string_view text) {
  refuse_zero_byte(path);
  const std::string place = followed(path);
  bool written = false;
  if (const int open = named_descriptor(place); open >= 0) {
    // As it is open: opened again it would be written from its beginning, over what is there.
    written = write_bytes(open, text);
  } else if (is_device(place)) {
    const Descriptor device(::open(place.c_str(), O_WRONLY | O_CLOEXEC));
    written = device.number() >= 0 && write_bytes(device.number(), text);
  } else {
    std::error_code ignored;
    if (paths::path(place).has_parent_path()) paths::create_directories(paths::path(place).parent_path(), ignored);
    written = replace_file(place, text, Durable::No);
  }
  if (!written) refuse_writing(path, errno);
}

}  // namespace pecann
