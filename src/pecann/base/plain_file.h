// Files of a folder that may come from a stranger. A symbolic link there could lead to any file of the user, a pipe
// would hold the program for ever, and a file with holes costs nothing to make and all memory to read: only plain
// files are opened, links are never followed, nothing waits, and sizes are looked at before anything is read.
#pragma once

#include <string>
#include <string_view>

namespace pecann {

/// Closes the descriptor on every way out.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  int number() const { return number_; }
  int release();  // the caller closes it

 private:
  int number_;
};

/// Throws InputError for a path with a byte of value 0, behind which the system would not read on: a text of TOML or
/// Python may have one, and another file than the one that is shown would be used.
void refuse_zero_byte(const std::string& path);

/// Whether there is a file. Throws InputError when there is something else (a link, whatever it leads to, a folder, a
/// pipe, a device) or when that cannot be found out.
bool plain_file_exists(const std::string& path);

/// Throws InputError when `path` is a symbolic link.
void refuse_link(const std::string& path);

/// open(2) with these flags for a plain file: InputError where it is none, -1 and errno where it cannot be opened.
int open_plain_file(const std::string& path, int flags);

/// An empty file that did not exist: what has its name is removed first, so that nothing is written through it. -1 and
/// errno where that fails.
int open_new_file(const std::string& path);

/// Everything in it, at most `most` bytes; InputError names the file.
std::string read_plain_file(const std::string& path, double most);

/// All of the bytes into an open file. False and errno where that fails.
bool write_bytes(int file, std::string_view bytes);

/// Whether the bytes of a new file are brought to the disk before they have its name: what a run needs to go on must
/// be whole after a power cut, too.
enum class Durable { No, Yes };

/// Written beside its place and renamed; a file that was there lends its permissions. False and errno where that fails;
/// nothing is left then.
bool replace_file(const std::string& path, std::string_view text, Durable durable);

/// Copies a plain file of at most so many bytes, durably, in the same way: whole or not at all. False and errno where
/// that fails; InputError where it is larger.
bool copy_plain_file(const std::string& from, const std::string& to, double most);

}  // namespace pecann
