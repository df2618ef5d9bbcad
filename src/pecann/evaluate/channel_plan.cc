#include "pecann/evaluate/channel_plan.h"

#include <cmath>

#include "pecann/base/require.h"

namespace pecann::evaluate {
namespace {

using network::Channel;
using network::Coefficient;

class Planner {
 public:
  explicit Planner(std::span<const std::string> inputs) : inputs_(inputs) {}

  JetSource derivative(const expr::MultiIndex& index) {
    const int order = expr::order_of(index);
    if (order == 0) return single(0);
    if (order == 1) return single(first(unit(input_of(index.begin()->first))));
    if (index.size() == 1) return single(line(unit(input_of(index.begin()->first)), order));
    if (order == 2) {
      const int p = first(unit(input_of(index.begin()->first)));
      const int q = first(unit(input_of(std::next(index.begin())->first)));
      return single(add({.kind = Channel::Kind::Second, .seed = no_seed(), .products = {{p, q, {1, -1}}}}));
    }
    return polarised(index, order);
  }

  JetSource linear(const expr::LinearOperator& linear_operator) {
    Channel channel{.kind = Channel::Kind::First, .seed = no_seed()};
    for (const auto& [index, coefficient] : linear_operator.terms) {
      if (expr::order_of(index) == 1) {
        channel.seed[input_of(index.begin()->first)] = value_of(coefficient);
        continue;
      }
      channel.kind = Channel::Kind::Second;
      const int p = first(unit(input_of(index.begin()->first)));
      const int q = index.size() == 1 ? p : first(unit(input_of(std::next(index.begin())->first)));
      channel.products.push_back({p, q, value_of(coefficient)});
    }
    return single(add(std::move(channel)));
  }

  ChannelPlan take(std::vector<JetSource> sources) {
    return {std::move(set_), std::move(columns_), std::move(sources)};
  }

 private:
  using Direction = std::vector<double>;  // one component per network input

  static JetSource single(int channel) { return {{{channel, 1.0}}}; }
  std::vector<Coefficient> no_seed() const { return std::vector<Coefficient>(inputs_.size()); }

  int input_of(const std::string& coordinate) const {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (inputs_[i] == coordinate) return static_cast<int>(i);
    require(false, "a derivative by a coordinate that the field does not depend on is zero, not a jet");
    return -1;
  }

  Direction unit(int input) const {
    Direction direction(inputs_.size(), 0.0);
    direction[input] = 1;
    return direction;
  }

  Coefficient value_of(const expr::Expr& coefficient) {
    if (coefficient->kind == expr::Kind::Constant) return {coefficient->value, -1};
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (expr::same(columns_[i], coefficient)) return {0, static_cast<int>(i)};
    columns_.push_back(coefficient);
    return {0, static_cast<int>(columns_.size()) - 1};
  }

  int add(Channel channel) {
    for (int i = 0; i < set_.size(); ++i)
      if (set_.channels[i] == channel) return i;
    set_.channels.push_back(std::move(channel));
    return set_.size() - 1;
  }

  int first(const Direction& direction) {
    Channel channel{.kind = Channel::Kind::First, .seed = no_seed()};
    for (std::size_t i = 0; i < direction.size(); ++i) channel.seed[i].constant = direction[i];
    return add(std::move(channel));
  }

  /// The pure derivative of this order (1 … 4) along a direction, with the lower ones it needs.
  int line(const Direction& direction, int order) {
    const int one = first(direction);
    if (order == 1) return one;
    const int two = add({.kind = Channel::Kind::Second, .seed = no_seed(), .products = {{one, one, {1, -1}}}});
    if (order == 2) return two;
    const int three = add({.kind = Channel::Kind::Third, .first = one, .second = two});
    if (order == 3) return three;
    require(order == 4, "derivatives above the fourth order are refused by the parser");
    return add({.kind = Channel::Kind::Fourth, .first = one, .second = two, .third = three});
  }

  JetSource polarised(const expr::MultiIndex& index, int order) {
    std::vector<int> slots;
    for (const auto& [coordinate, count] : index) slots.insert(slots.end(), count, input_of(coordinate));
    const double scale = 1 / (std::ldexp(1.0, order - 1) * std::tgamma(order + 1.0));
    std::vector<std::pair<Direction, double>> directions;
    for (int signs = 0; signs < 1 << (order - 1); ++signs) {
      Direction v = unit(slots[0]);
      double factor = scale;
      for (int i = 1; i < order; ++i) {
        const double sign = (signs >> (i - 1)) & 1 ? -1 : 1;
        v[slots[i]] += sign;
        factor *= sign;
      }
      gather(v, factor, order, directions);
    }
    JetSource source;
    for (const auto& [direction, factor] : directions)
      if (factor != 0) source.parts.push_back({line(direction, order), factor});
    return source;
  }

  /// Adds factor · D_v^order; v and −v, and multiples of one direction, share a line.
  static void gather(Direction v, double factor, int order, std::vector<std::pair<Direction, double>>& directions) {
    double leading = 0;
    for (const double component : v)
      if (leading == 0) leading = component;
    if (leading == 0) return;
    for (double& component : v) component /= leading;
    factor *= std::pow(leading, order);
    for (auto& [direction, sum] : directions) {
      if (direction == v) {
        sum += factor;
        return;
      }
    }
    directions.emplace_back(std::move(v), factor);
  }

  std::span<const std::string> inputs_;
  network::ChannelSet set_;
  std::vector<expr::Expr> columns_;
};

}  // namespace

ChannelPlan plan_channels(std::span<const expr::JetInput> jets, std::span<const expr::LinearOperator> operators,
                          std::span<const std::string> inputs) {
  Planner planner(inputs);
  std::vector<JetSource> sources;
  for (const expr::JetInput& jet : jets)
    sources.push_back(jet.linear_operator >= 0 ? planner.linear(operators[jet.linear_operator])
                                               : planner.derivative(jet.index));
  return planner.take(std::move(sources));
}

}  // namespace pecann::evaluate
