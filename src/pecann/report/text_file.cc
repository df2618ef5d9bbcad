#include "pecann/report/text_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "pecann/base/input_error.h"

namespace pecann::report {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& rule) {
  throw InputError({.place = {.file = path}, .rule = rule + ": " + std::strerror(errno)});
}

}  // namespace

std::string read_text_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  // A folder opens but cannot be read.
  if (!file.is_open() || file.bad() || errno == EISDIR) refuse(path, "the file cannot be read");
  return text;
}

void write_text_file(const std::string& path, std::string_view text) {
  const std::filesystem::path target(path);
  std::error_code ignored;
  if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path(), ignored);
  // Processes that share a folder may write the same file: each beside its own, and the last one stays.
  const std::string beside = path + ".new-" + std::to_string(::getpid());
  errno = 0;
  std::ofstream file(beside, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file || std::rename(beside.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    std::filesystem::remove(beside, ignored);
    errno = reason;
    refuse(path, "the file cannot be written");
  }
}

}  // namespace pecann::report
