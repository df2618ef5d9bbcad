#include "pecann/base/text_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/plain_file.h"
#include "pecann/base/read_file.h"

namespace pecann {
namespace {

[[noreturn]] void refuse_writing(const std::string& path, const std::string& rule) {
  throw InputError({.place = {.file = path}, .rule = rule + ": " + std::strerror(errno)});
}

}  // namespace

std::string read_text_file(const std::string& path) { return read_file(path, available_memory() / 2); }

void write_text_file(const std::string& path, std::string_view text) {
  const std::filesystem::path target(path);
  std::error_code ignored;
  if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path(), ignored);
  // Devices and pipes are written to: a file put in the place of /dev/null would harm every other program.
  const std::filesystem::file_type type = std::filesystem::status(target, ignored).type();
  using enum std::filesystem::file_type;
  const bool direct = type == character || type == block || type == fifo || type == socket;
  errno = 0;
  if (!direct) {
    if (!replace_file(path, text)) refuse_writing(path, "the file cannot be written");
    return;
  }
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) refuse_writing(path, "the file cannot be written");
}

}  // namespace pecann
