// Whole files in and out, with InputError naming the path when that fails.
#pragma once

#include <string>
#include <string_view>

namespace pecann {

/// At most half of the memory that is free.
std::string read_text_file(const std::string& path);

/// Written beside its place and renamed, so that a reader never sees half of it. Makes missing folders.
void write_text_file(const std::string& path, std::string_view text);

}  // namespace pecann
