#include "pecann/optim/curvature_memory.h"

#include <algorithm>

#include "pecann/base/require.h"
#include "pecann/optim/refuse.h"
#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {

CurvatureMemory::CurvatureMemory(std::size_t size, std::size_t capacity)
    : size_(size), capacity_(capacity), inverse_ys_(capacity), alpha_(capacity) {
  require(capacity >= 1, "the memory holds at least one pair");
}

std::size_t CurvatureMemory::slot(std::size_t age) const { return (next_ + capacity_ - count_ + age) % capacity_; }

void CurvatureMemory::push(std::span<const double> s, std::span<const double> y) {
  require(s.size() == size_ && y.size() == size_, "a pair of another size");
  const double ys = dot(y, s);
  require(ys > 0, "only pairs with y·s > 0 keep the inverse Hessian positive definite");
  if (count_ == 0) next_ = 0;
  if (s_.size() < (next_ + 1) * size_) {
    s_.resize((next_ + 1) * size_);
    y_.resize((next_ + 1) * size_);
  }
  std::ranges::copy(s, s_.begin() + static_cast<std::ptrdiff_t>(next_ * size_));
  std::ranges::copy(y, y_.begin() + static_cast<std::ptrdiff_t>(next_ * size_));
  inverse_ys_[next_] = 1 / ys;
  scale_ = ys / dot(y, y);
  next_ = (next_ + 1) % capacity_;
  count_ = std::min(count_ + 1, capacity_);
}

void CurvatureMemory::descend(std::span<const double> gradient, std::span<double> direction) const {
  require(gradient.size() == size_ && direction.size() == size_, "a gradient of another size");
  for (std::size_t i = 0; i < size_; ++i) direction[i] = -gradient[i];
  if (empty()) return;
  for (std::size_t age = count_; age-- > 0;) {
    const std::size_t i = slot(age);
    alpha_[i] = dot(s(i), direction) * inverse_ys_[i];
    add_scaled(-alpha_[i], y(i), direction);
  }
  for (double& entry : direction) entry *= scale_;
  for (std::size_t age = 0; age < count_; ++age) {
    const std::size_t i = slot(age);
    add_scaled(alpha_[i] - dot(y(i), direction) * inverse_ys_[i], s(i), direction);
  }
}

void CurvatureMemory::save(const std::string& prefix, StateWriter& writer) const {
  std::vector<double> steps,
      changes;  // oldest first, so that the position in the ring is no part of the state
  for (std::size_t age = 0; age < count_; ++age) {
    const auto old_s = s(slot(age)), old_y = y(slot(age));
    steps.insert(steps.end(), old_s.begin(), old_s.end());
    changes.insert(changes.end(), old_y.begin(), old_y.end());
  }
  writer.put(prefix + "pairs.s", steps);
  writer.put(prefix + "pairs.y", changes);
}

void CurvatureMemory::load(const std::string& prefix, const StateReader& reader) {
  const std::vector<double> steps = reader.get(prefix + "pairs.s"), changes = reader.get(prefix + "pairs.y");
  if (steps.size() != changes.size() || steps.size() % size_ != 0 || steps.size() > capacity_ * size_)
    refuse(prefix + "pairs", "", "the saved curvature pairs do not fit this optimiser");
  clear();
  for (std::size_t begin = 0; begin < steps.size(); begin += size_) {
    const auto old_s = std::span(steps).subspan(begin, size_), old_y = std::span(changes).subspan(begin, size_);
    if (!(dot(old_y, old_s) > 0)) refuse(prefix + "pairs", "", "a saved curvature pair has no positive curvature");
    push(old_s, old_y);
  }
}

}  // namespace pecann::optim
