// Named random streams. A stream is a counter-based generator (Philox4x32-10, Salmon et al. 2011) whose key comes from
// the run's seed and the stream's name, so that a new consumer of random numbers changes no other stream. Its whole
// state is a counter; one draw of any kind advances it by one.
#pragma once

#include <cstdint>
#include <string_view>

namespace pecann {

class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view name);

  double uniform();                          // in (0, 1), 53 random bits
  double normal();                           // N(0, 1), Box–Muller
  std::uint64_t bits();                      // 64 random bits
  std::uint64_t below(std::uint64_t bound);  // uniform in [0, bound), bound > 0

  std::uint64_t counter() const { return counter_; }
  void set_counter(std::uint64_t counter) { counter_ = counter; }

 private:
  struct Block {
    std::uint64_t first, second;
  };
  Block next();

  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace pecann
