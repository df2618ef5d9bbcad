#include "pecann/expr/collapse.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "pecann/base/require.h"
#include "pecann/expr/channel_needs.h"
#include "pecann/expr/linear_form.h"

namespace pecann::expr {
namespace {

/// Operator k applied to u is written as u with this derivative: no coordinate can have such a name.
constexpr char kOperatorMark = '@';
Expr operator_field(const std::string& name, int number) {
  return field(name, {{kOperatorMark + std::to_string(number), 1}});
}

/// A sum taken apart: what collapses as a whole or not at all, and the rest.
struct Group {
  std::string field;
  Expr factor;
  std::vector<Expr> terms;
  int candidate = -1;
  Expr scale = 1;  // terms = scale · factor · operator(field)
};
struct SumParts {
  std::vector<Group> groups;
  std::vector<Expr> rest;
};

/// An operator that a network may carry as one channel.
struct Candidate {
  int network;
  LinearOperator linear_operator;
  bool collapsed = false;
};

class Collapser {
 public:
  explicit Collapser(const std::map<std::string, int>& network_of) : network_of_(network_of) {}

  void visit(const Expr& a) {
    if (!seen_.insert(a).second || coordinate_only(a)) return;
    if (a->kind == Kind::Field) {
      if (a->site.empty()) plain_[network(a->name)].push_back(a->derivative);
    } else if (a->kind == Kind::Add) {
      const SumParts& parts = sums_.emplace(a, take_apart(a)).first->second;
      for (const Group& group : parts.groups) visit(group.factor);
      for (const Expr& term : parts.rest) visit(term);
    } else {
      for (const Expr& argument : a->arguments) visit(argument);
    }
  }

  void decide() {
    std::map<int, std::vector<std::size_t>> by_network;
    for (std::size_t i = 0; i < candidates_.size(); ++i) by_network[candidates_[i].network].push_back(i);
    for (const auto& [number, members] : by_network) decide_network(number, members);
    for (Candidate& candidate : candidates_)
      if (candidate.collapsed) number_operator(candidate.linear_operator);
  }

  Expr rewritten(const Expr& a) {
    if (a->arguments.empty() || coordinate_only(a)) return a;
    if (const auto found = done_.find(a); found != done_.end()) return found->second;
    return done_.emplace(a, a->kind == Kind::Add ? rewritten_sum(a) : rewritten_arguments(a)).first->second;
  }

  std::vector<LinearOperator> take_operators() { return std::move(operators_); }

 private:
  int network(const std::string& name) const {
    const auto found = network_of_.find(name);
    require(found != network_of_.end(), "compile: no network for the field " + name);
    return found->second;
  }

  SumParts take_apart(const Expr& a) {
    std::vector<Group> groups;
    std::vector<std::map<MultiIndex, Expr>> coefficients;
    SumParts parts;
    for (const Expr& term : a->arguments) {
      const auto linear = as_linear_term(term);
      if (!linear) {
        parts.rest.push_back(term);
        continue;
      }
      const auto found = std::ranges::find_if(groups, [&](const Group& group) {
        return group.field == linear->field && same(group.factor, linear->factor);
      });
      const auto place = static_cast<std::size_t>(found - groups.begin());
      if (found == groups.end()) {
        groups.push_back({.field = linear->field, .factor = linear->factor, .terms = {}});
        coefficients.emplace_back();
      }
      groups[place].terms.push_back(term);
      const auto [entry, is_new] = coefficients[place].try_emplace(linear->index, linear->coefficient);
      if (!is_new) entry->second = entry->second + linear->coefficient;
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
      std::erase_if(coefficients[i], [](const auto& entry) { return entry.second.is_constant(0); });
      if (coefficients[i].size() < 2) {  // a single derivative has a channel of its own anyway
        parts.rest.insert(parts.rest.end(), groups[i].terms.begin(), groups[i].terms.end());
        continue;
      }
      ScaledOperator scaled = normalised(coefficients[i]);
      groups[i].scale = scaled.scale;
      groups[i].candidate = candidate_for(network(groups[i].field), std::move(scaled.linear_operator));
      parts.groups.push_back(std::move(groups[i]));
    }
    return parts;
  }

  int candidate_for(int number, LinearOperator linear_operator) {
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (candidates_[i].network == number && same(candidates_[i].linear_operator, linear_operator))
        return static_cast<int>(i);
    candidates_.push_back({number, std::move(linear_operator)});
    return static_cast<int>(candidates_.size()) - 1;
  }

  int count(int number, const std::vector<std::size_t>& members) const {
    ChannelNeeds needs;
    if (const auto found = plain_.find(number); found != plain_.end())
      for (const MultiIndex& index : found->second) needs.add(index);
    for (const std::size_t member : members) {
      const Candidate& candidate = candidates_[member];
      if (candidate.collapsed)
        needs.add(candidate.linear_operator, static_cast<int>(member));
      else
        for (const auto& term : candidate.linear_operator.terms) needs.add(term.index);
    }
    return needs.count();
  }

  int improved(int number, const std::vector<std::size_t>& members, bool start) {
    for (const std::size_t member : members) candidates_[member].collapsed = start;
    int best = count(number, members);
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::size_t member : members) {
        candidates_[member].collapsed = !candidates_[member].collapsed;
        const int other = count(number, members);
        if (other < best) {
          best = other;
          changed = true;
        } else {
          candidates_[member].collapsed = !candidates_[member].collapsed;
        }
      }
    }
    return best;
  }

  void decide_network(int number, const std::vector<std::size_t>& members) {
    const int from_all = improved(number, members, true);
    std::vector<bool> choice;
    for (const std::size_t member : members) choice.push_back(candidates_[member].collapsed);
    if (improved(number, members, false) <= from_all) return;  // as good with plain derivatives, which are simpler
    for (std::size_t i = 0; i < members.size(); ++i) candidates_[members[i]].collapsed = choice[i];
  }

  int number_operator(const LinearOperator& linear_operator) {
    const auto found =
        std::ranges::find_if(operators_, [&](const auto& other) { return same(other, linear_operator); });
    const auto number = static_cast<int>(found - operators_.begin());
    if (found == operators_.end()) operators_.push_back(linear_operator);
    return number;
  }

  Expr rewritten_arguments(const Expr& a) {
    std::vector<Expr> arguments;
    for (const Expr& argument : a->arguments) arguments.push_back(rewritten(argument));
    return with_arguments(a, std::move(arguments));
  }

  Expr rewritten_sum(const Expr& a) {
    const SumParts& parts = sums_.at(a);
    std::vector<Expr> terms;
    for (const Group& group : parts.groups) {
      const Candidate& candidate = candidates_[static_cast<std::size_t>(group.candidate)];
      if (candidate.collapsed) {
        const int number = number_operator(candidate.linear_operator);
        terms.push_back(product({group.scale, rewritten(group.factor), operator_field(group.field, number)}));
      } else {
        for (const Expr& term : group.terms) terms.push_back(rewritten(term));
      }
    }
    for (const Expr& term : parts.rest) terms.push_back(rewritten(term));
    return sum(std::move(terms));
  }

  const std::map<std::string, int>& network_of_;
  std::unordered_set<Expr, ExprHash, ExprSame> seen_;
  std::map<int, std::vector<MultiIndex>> plain_;  // by network: derivatives needed outside all candidates
  std::unordered_map<Expr, SumParts, ExprHash, ExprSame> sums_;
  std::unordered_map<Expr, Expr, ExprHash, ExprSame> done_;
  std::vector<Candidate> candidates_;
  std::vector<LinearOperator> operators_;
};

}  // namespace

Collapsed collapse(std::span<const Expr> residuals, const std::map<std::string, int>& network_of) {
  Collapser collapser(network_of);
  std::vector<Expr> expanded;
  for (const Expr& residual : residuals) expanded.push_back(expanded_linear_sums(residual));
  for (const Expr& residual : expanded) collapser.visit(residual);
  collapser.decide();
  Collapsed result;
  for (const Expr& residual : expanded) result.residuals.push_back(collapser.rewritten(residual));
  result.operators = collapser.take_operators();
  // Where nothing collapsed the residual stays as it was written, with fewer multiplications.
  if (result.operators.empty()) result.residuals.assign(residuals.begin(), residuals.end());
  return result;
}

int operator_of(const Expr& field) {
  if (field->derivative.empty()) return -1;
  const std::string& name = field->derivative.begin()->first;
  return name.front() == kOperatorMark ? std::stoi(name.substr(1)) : -1;
}

}  // namespace pecann::expr
