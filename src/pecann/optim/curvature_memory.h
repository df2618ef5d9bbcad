// The limited memory of L-BFGS: the last m pairs s = x₊ − x, y = g₊ − g, and the product of the inverse Hessian that
// they stand for with a vector, by the two-loop recursion [Nocedal & Wright 2006, alg. 7.4]
//
//   q = g
//   newest to oldest:   α_i = ρ_i s_i·q,   q −= α_i y_i
//   r = γ q
//   oldest to newest:   r += s_i (α_i − ρ_i y_i·r)
//
// with ρ_i = 1/(y_i·s_i) and γ = s·y / y·y of the newest pair (1 without pairs).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "pecann/base/state_archive.h"

namespace pecann::optim {

class CurvatureMemory {
 public:
  CurvatureMemory(std::size_t size, std::size_t capacity);

  /// Stores copies of s and y; the oldest pair goes when the memory is full. y·s must be positive.
  void push(std::span<const double> s, std::span<const double> y);
  void clear() { count_ = 0; }

  /// direction = −H·gradient
  void descend(std::span<const double> gradient, std::span<double> direction) const;

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }

  void save(const std::string& prefix, StateWriter& writer) const;
  void load(const std::string& prefix, const StateReader& reader);

 private:
  std::size_t slot(std::size_t age) const;  // age 0 = oldest
  std::span<const double> s(std::size_t slot) const { return {s_.data() + slot * size_, size_}; }
  std::span<const double> y(std::size_t slot) const { return {y_.data() + slot * size_, size_}; }

  std::size_t size_, capacity_;
  std::size_t count_ = 0;                   // pairs held
  std::size_t next_ = 0;                    // slot of the next push
  double scale_ = 1;                        // γ
  std::vector<double> s_, y_, inverse_ys_;  // grow up to capacity·size: short runs need little memory
  mutable std::vector<double> alpha_;
};

}  // namespace pecann::optim
