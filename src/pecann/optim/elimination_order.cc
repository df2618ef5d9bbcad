#include "pecann/optim/elimination_order.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/cuthill_mckee_ordering.hpp>

#include "pecann/optim/lower_blocks.h"

namespace pecann::optim {

EliminationOrder::EliminationOrder(std::size_t blocks, std::span<const std::vector<int>> blocks_of)
    : order(blocks), position(blocks), reach(blocks), groups(blocks) {
  using Graph = boost::adjacency_list<boost::setS, boost::vecS, boost::undirectedS,
                                      boost::property<boost::vertex_color_t, boost::default_color_type>>;
  Graph graph(blocks);
  for (const std::vector<int>& own : blocks_of)
    for (std::size_t i = 0; i < own.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) boost::add_edge(own[i], own[j], graph);
  boost::cuthill_mckee_ordering(graph, order.rbegin(), boost::get(boost::vertex_color, graph),
                                boost::make_degree_map(graph));
  for (std::size_t k = 0; k < blocks; ++k) position[order[k]] = reach[k] = k;
  for (std::size_t tile = 0; tile < blocks_of.size(); ++tile) {
    if (blocks_of[tile].empty()) continue;
    std::vector<int> own = blocks_of[tile];
    std::ranges::sort(own, {}, [&](int block) { return position[block]; });
    const std::size_t first = position[own.front()];
    reach[first] = std::max(reach[first], position[own.back()]);
    const auto same = std::ranges::find(groups[first], own, &Group::blocks);
    if (same == groups[first].end())
      groups[first].push_back({std::move(own), {tile}});
    else
      same->tiles.push_back(tile);
  }
  for (std::size_t k = 1; k < blocks; ++k) reach[k] = std::max(reach[k], reach[k - 1]);
}

ColumnLayout::ColumnLayout(std::span<const int> blocks, std::span<const std::size_t> sizes)
    : first_column(sizes.size(), -1) {
  for (const int block : blocks) {
    first_column[block] = static_cast<std::ptrdiff_t>(columns);
    columns += LowerBlocks::blocks_for(sizes[block]) * kernel::kBlockRows;
  }
}

}  // namespace pecann::optim
