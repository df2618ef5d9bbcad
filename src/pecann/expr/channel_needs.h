// How many channels one pass of a network carries for the derivatives asked of it, by the rules that
// the evaluation follows:
//
//   value                     always
//   u_x                       itself
//   u_xx … u_xxxx             itself and the lower ones along the same line
//   u_xy                      itself, u_x, u_y
//   mixed third and fourth    pure derivatives along the oblique lines of the polarisation formula, with their lower
//                             derivatives
//   operator                  itself, and the first derivatives in its second-order part
//
// A channel serves all fields of its network.
#pragma once

#include <set>

#include "pecann/expr/program.h"

namespace pecann::expr {

class ChannelNeeds {
 public:
  void add(const MultiIndex& index);
  void add(const LinearOperator& linear_operator, int number);
  int count() const { return 1 + static_cast<int>(lines_.size() + mixed_.size() + operators_.size()); }

 private:
  using Direction = std::map<std::string, double>;  // scaled so that the first component is 1; no zeros
  void add_line(const Direction& direction, int order);
  void add_polarised(const MultiIndex& index);

  std::set<std::pair<Direction, int>> lines_;  // pure derivative of this order along a direction
  std::set<MultiIndex> mixed_;                 // mixed derivatives of second order
  std::set<int> operators_;
};

}  // namespace pecann::expr
