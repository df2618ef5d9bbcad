// Reads a whole file as text, up to a bound: a device, a pipe that nobody writes to or a file of many gigabytes must
// not take the program with it.
#pragma once

#include <string>

namespace pecann {

/// Throws InputError naming the file when it cannot be read, is a folder or a device, or has more than `most` bytes.
/// Pipes are read where they are open already: /dev/stdin, and /dev/fd/…, which is what a shell makes of <(command).
std::string read_file(const std::string& path, double most);

/// The rest of a file that is open for reading; `path` names it in messages.
std::string read_open_file(int file, const std::string& path, double most);

/// Throws InputError where an open plain file has more bytes than that.
void refuse_larger(int file, const std::string& path, double most);

}  // namespace pecann
