// The evaluator among several ranks: who owns which items, and what is exchanged.
#include <algorithm>

#include "pecann/evaluate/evaluator.h"
#include "pecann/evaluate/evaluator_groups.h"

namespace pecann::evaluate {

/// Gives every rank consecutive items, with about the same work for each. Items follow the groups and their tiles, so
/// that a rank's points and rows are consecutive as well.
void Evaluator::divide_items() {
  const Communicator& ranks = communicator();
  std::vector<double> work_before = {0};
  for (const auto& item : items_) {
    const BoundProgram& bound = *groups_[item->group]->bound;
    work_before.push_back(work_before.back() +
                          bound.flops_per_point() *
                              static_cast<double>((item->last_tile - item->first_tile) * bound.tile()));
  }
  rank_items_.assign(1, 0);
  for (int r = 1; r < ranks.size(); ++r) {
    const double wanted = work_before.back() * r / ranks.size();
    const auto place = std::lower_bound(work_before.begin(), work_before.end(), wanted);
    rank_items_.push_back(std::clamp<std::size_t>(place - work_before.begin(), rank_items_.back(), items_.size()));
  }
  rank_items_.push_back(items_.size());

  rank_rows_.clear();
  for (const std::size_t i : rank_items_) {
    if (i == items_.size()) {
      rank_rows_.push_back(row_offsets_.back());
      continue;
    }
    const Group& group = *groups_[items_[i]->group];  // the rows of integrals, one tile, are known to all ranks
    const std::size_t tile = group.integrals ? (items_[i]->first_tile > 0 ? 1 : 0) : items_[i]->first_tile;
    rank_rows_.push_back(row_offsets_[group.first_tile + tile]);
  }
  for (const auto& group : groups_) {
    group->rank_points.clear();
    for (const std::size_t i : rank_items_) {  // points of the group that lie before item i
      std::size_t tiles = 0;
      for (const std::size_t own : group->items)
        if (own < i) tiles = items_[own]->last_tile;
      group->rank_points.push_back(group->terms.empty() || tiles == 0 ? 0
                                                                      : group->bound->tile_at(tiles - 1).first +
                                                                            group->bound->tile_at(tiles - 1).count);
    }
  }
  for (std::size_t i = rank_items_[ranks.rank()]; i < rank_items_[ranks.rank() + 1]; ++i)
    items_[i]->gradient.resize(model_->num_parameters());
}

/// Called when the items of these groups are done: brings the sums of all items, and the entries of point-wise
/// constraints, to every rank.
void Evaluator::exchange_values(const std::vector<std::size_t>& groups) {
  Communicator& ranks = communicator();
  if (ranks.size() == 1 || groups.empty()) return;
  shared_sums_.clear();
  std::vector<std::size_t> bounds;
  for (std::size_t i = 0, r = 0; i <= items_.size(); ++i) {
    for (; r < rank_items_.size() && rank_items_[r] == i; ++r) bounds.push_back(shared_sums_.size());
    if (i < items_.size()) shared_sums_.insert(shared_sums_.end(), items_[i]->sums.begin(), items_[i]->sums.end());
  }
  ranks.share(shared_sums_, bounds);
  auto sum = shared_sums_.begin();
  for (const auto& item : items_)
    for (double& own : item->sums) own = *sum++;
  for (const ConstraintEntries& entry : entries_) {
    const std::size_t set = terms_[entry.term].point_set;
    if (!entry.pointwise || expr::has_integrals(terms_[entry.term].residuals) ||
        std::find(groups.begin(), groups.end(), set) == groups.end())
      continue;
    ranks.share(std::span<double>(values_.constraints).subspan(entry.first, entry.count), groups_[set]->rank_points);
  }
}

/// Adds the gradients of this rank's items, in their order, to gradient[begin, end).
void Evaluator::add_items(std::span<const double> group_weights, std::size_t begin, std::size_t end,
                          std::span<double> gradient) const {
  const int rank = communicator().rank();
  for (std::size_t i = rank_items_[rank]; i < rank_items_[rank + 1]; ++i) {
    const double weight = group_weights[items_[i]->group];
    if (weight == 0) continue;
    const double* const part = items_[i]->gradient.data();
    for (std::size_t p = begin; p < end; ++p) gradient[p] += weight * part[p];
  }
}

}  // namespace pecann::evaluate
