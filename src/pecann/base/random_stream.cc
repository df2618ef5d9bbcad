#include "pecann/base/random_stream.h"

#include <array>
#include <cmath>
#include <numbers>

namespace pecann {
namespace {

std::uint64_t mixed(std::uint64_t value) {  // finaliser of SplitMix64
  value += 0x9E3779B97F4A7C15u;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

std::uint64_t hash_of(std::string_view name) {  // FNV-1a
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

double to_unit(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) * 0x1.0p-53; }

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view name) : key_(mixed(mixed(seed) ^ hash_of(name))) {}

RandomStream::Block RandomStream::next() {
  std::array<std::uint32_t, 4> x = {static_cast<std::uint32_t>(counter_), static_cast<std::uint32_t>(counter_ >> 32), 0,
                                    0};
  std::uint32_t k0 = static_cast<std::uint32_t>(key_), k1 = static_cast<std::uint32_t>(key_ >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * x[0], p1 = std::uint64_t{0xCD9E8D57u} * x[2];
    x = {static_cast<std::uint32_t>(p1 >> 32) ^ x[1] ^ k0, static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ x[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  ++counter_;
  return {(std::uint64_t{x[1]} << 32) | x[0], (std::uint64_t{x[3]} << 32) | x[2]};
}

std::uint64_t RandomStream::bits() { return next().first; }

double RandomStream::uniform() { return to_unit(next().first); }

double RandomStream::normal() {
  const Block block = next();
  return std::sqrt(-2.0 * std::log(to_unit(block.first))) * std::cos(2.0 * std::numbers::pi * to_unit(block.second));
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  // 53 bits times the bound: the bias is below bound / 2^53, far from anything a sample could show.
  const auto drawn = static_cast<std::uint64_t>(uniform() * static_cast<double>(bound));
  return drawn < bound ? drawn : bound - 1;
}

}  // namespace pecann
