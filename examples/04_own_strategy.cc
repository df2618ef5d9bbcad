// A penalty strategy of one's own (own_capu.h), on a rarefaction wave: u_t + u u_x = 0 with a jump at the start.
//
// Run:      ./04_own_strategy
// Look at:  own_capu.h is all that a strategy needs. It implements the built-in rule "capu", and the two histories
//           agree to the last bit; change a line of it and the table below shows what your idea does.
// See:      docs/extensions.md; Hu, Basir & Senocak 2026 (conditionally adaptive penalty updates).
#include <pecann/pecann.h>

#include <cstdio>
#include <vector>

#include "own_capu.h"

using namespace pecann;

int main() {
  const Problem problem = Problem::load("burgers-rarefaction-coarse", {"phase.1.epochs=60"}, "paper");

  std::vector<Epoch> builtin, own;
  problem.train({.observer = [&](const Epoch& epoch) { return builtin.push_back(epoch), Directive::Continue; }});
  problem.train({.observer = [&](const Epoch& epoch) { return own.push_back(epoch), Directive::Continue; },
                 .penalty_strategy = [] { return std::make_unique<OwnCapu>(); }});

  bool same = builtin.size() == own.size();
  std::printf("epoch   loss (built in)          loss (own)               multiplier (own)\n");
  for (std::size_t i = 0; same && i < own.size(); ++i) {
    same = own[i].loss == builtin[i].loss && own[i].constraints[0].multiplier == builtin[i].constraints[0].multiplier;
    if (i % 10 == 9)
      std::printf("%5ld   %.17e  %.17e  %.6f\n", own[i].number, builtin[i].loss, own[i].loss,
                  own[i].constraints[0].multiplier);
  }
  std::printf(same ? "the same bits\n" : "the histories differ\n");
  return same ? 0 : 1;
}
