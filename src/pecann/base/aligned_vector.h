// AlignedVector is a std::vector whose storage begins on a cache line, so that every vector register loads aligned.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace pecann {

inline constexpr std::size_t kCacheLine = 64;
/// Points are handled in multiples of this many doubles (one AVX-512 register), on every machine.
inline constexpr std::size_t kLanes = 8;

constexpr std::size_t round_up(std::size_t n, std::size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{kCacheLine})); }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{kCacheLine}); }
  bool operator==(const AlignedAllocator&) const { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace pecann
