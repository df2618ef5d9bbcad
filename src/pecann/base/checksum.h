// A checksum that notices damage and change, and no forgery: whoever wants to can make another text with the same one.
#pragma once

#include <cstdint>
#include <string_view>

namespace pecann {

/// FNV-1a (Fowler, Noll, Vo) over words of eight bytes, folded after each, then over the bytes that are left.
std::uint64_t checksum(std::string_view bytes);

}  // namespace pecann
