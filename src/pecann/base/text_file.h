// Whole files in and out, with InputError naming the path when that fails.
#pragma once

#include <string>
#include <string_view>

namespace pecann {

/// Reads a file that takes at most half of the memory that is free.
std::string read_text_file(const std::string& path);

/// Writes the file beside its place and renames it, so that a reader never sees half of it. Makes missing folders.
/// Links are followed, for the path is the user's own: what they lead to is written, and they stay. Devices, pipes and
/// files that are open already (/dev/stdout) are written to.
void write_text_file(const std::string& path, std::string_view text);

}  // namespace pecann
