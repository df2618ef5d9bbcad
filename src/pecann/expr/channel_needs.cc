#include "pecann/expr/channel_needs.h"

#include <cmath>

namespace pecann::expr {

void ChannelNeeds::add(const MultiIndex& index) {
  const int order = order_of(index);
  if (order == 0) return;
  if (index.size() == 1) return add_line({{index.begin()->first, 1.0}}, order);
  if (order > 2) return add_polarised(index);
  for (const auto& entry : index) add_line({{entry.first, 1.0}}, 1);
  mixed_.insert(index);
}

void ChannelNeeds::add(const LinearOperator& linear_operator, int number) {
  for (const LinearOperator::Term& term : linear_operator.terms)
    if (order_of(term.index) == 2)
      for (const auto& entry : term.index) add_line({{entry.first, 1.0}}, 1);
  operators_.insert(number);
}

void ChannelNeeds::add_line(const Direction& direction, int order) {
  for (int k = 1; k <= order; ++k) lines_.insert({direction, k});
}

/// Adds the lines whose weight is not zero in
///   ∂_1…∂_k = 1/(2^(k−1) k!) Σ_{ε = ±1} (ε_2⋯ε_k) D_v^k,   v = e_1 + ε_2 e_2 + … + ε_k e_k.
void ChannelNeeds::add_polarised(const MultiIndex& index) {
  std::vector<std::string> slots;
  for (const auto& [coordinate, count] : index) slots.insert(slots.end(), static_cast<std::size_t>(count), coordinate);
  const auto order = static_cast<int>(slots.size());
  std::map<Direction, double> weights;
  for (int signs = 0; signs < 1 << (order - 1); ++signs) {
    Direction v = {{slots[0], 1.0}};
    double weight = 1;
    for (int i = 1; i < order; ++i) {
      const double sign = (signs >> (i - 1)) & 1 ? -1 : 1;
      v[slots[static_cast<std::size_t>(i)]] += sign;
      weight *= sign;
    }
    std::erase_if(v, [](const auto& entry) { return entry.second == 0; });
    if (v.empty()) continue;
    const double leading = v.begin()->second;
    for (auto& entry : v) entry.second /= leading;
    weights[v] += weight * std::pow(leading, order);
  }
  for (const auto& [direction, weight] : weights)
    if (weight != 0) add_line(direction, order);
}

int count_channels(const Program& program, const std::map<std::string, int>& network_of, int network) {
  std::map<int, ChannelNeeds> passes;  // by site
  for (const JetInput& jet : program.jets) {
    if (network_of.at(jet.field) != network) continue;
    ChannelNeeds& pass = passes[jet.site];
    if (jet.linear_operator >= 0)
      pass.add(program.operators[static_cast<std::size_t>(jet.linear_operator)], jet.linear_operator);
    else
      pass.add(jet.index);
  }
  int count = 0;
  for (const auto& entry : passes) count += entry.second.count();
  return count;
}

}  // namespace pecann::expr
