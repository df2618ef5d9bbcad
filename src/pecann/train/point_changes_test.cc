// Points that a program changes between epochs: what is trained then, what is refused, what a checkpoint knows of them.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/base/state_archive.h"
#include "pecann/train/point_changes.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"

namespace pecann::train {
namespace {

using testing::heat;
using testing::Rows;

struct ReadyChanges {
  explicit ReadyChanges(problem::Problem p)
      : problem(std::move(p)),
        nothing(problem, 1),
        assembly(problem, 1, {0, problem.windows.count}, nothing),
        parameters(assembly.model().initial_parameters(1)),
        changes(problem, assembly, parameters, 0, 7) {}
  double value(std::size_t term) { return assembly.evaluator().values(parameters).terms[term]; }
  /// What the refusal of a change says.
  template <class Change>
  std::string refusal(const Change& change) {
    try {
      change(changes);
    } catch (const InputError& error) {
      EXPECT_FALSE(changes.any());
      return error.what();
    }
    return "not refused";
  }
  problem::Problem problem;
  Solution nothing;
  Assembly assembly;
  std::vector<double> parameters;
  PointChanges changes;
};

std::vector<std::vector<double>> columns_of(const sampling::PointSet& points) {
  std::vector<std::vector<double>> columns;
  for (const auto& column : points.coordinates)
    columns.emplace_back(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(points.count));
  return columns;
}

TEST(PointChanges, TheTermIsTheMeanOverTheGivenPoints) {
  ReadyChanges ready(heat());
  const std::vector<std::vector<double>> given = {{0.1, 0.5, 0.25, 0.75, 0.9}, {1, 0.5, 0.001, 0.3, 0.2}};
  const std::vector<double> sizes = ready.changes.residual("pde", given);
  const double before = ready.value(0), sides = ready.value(1);
  ready.changes.set("pde", given);
  EXPECT_TRUE(ready.changes.any());
  EXPECT_EQ(columns_of(ready.changes.points("pde")), given);
  double mean = 0;
  for (const double size : sizes) mean += size * size / 5;
  EXPECT_NE(ready.value(0), before);
  EXPECT_NEAR(ready.value(0) / mean, 1, 1e-12);
  EXPECT_EQ(ready.value(1), sides) << "the points of other terms stay";
  ready.changes.redraw("pde");
  EXPECT_EQ(ready.changes.points("pde").count, 40u);
  EXPECT_NE(ready.value(0), before) << "drawn anew";
}

TEST(PointChanges, GivenPointsHaveNormals) {
  ReadyChanges ready(heat({"term.sides.equation=\"dn(u) = x + 2*t\""}));
  const double before = ready.value(1);
  const std::vector<std::vector<double>> sides = columns_of(ready.changes.points("sides"));
  const std::vector<double> sizes = ready.changes.residual("sides", sides);
  double mean = 0;
  for (const double size : sizes) mean += size * size / static_cast<double>(sizes.size());
  EXPECT_NEAR(mean / before, 1, 1e-12);
  ready.changes.set("sides", sides);
  EXPECT_NEAR(ready.value(1) / before, 1, 1e-12);
}

TEST(PointChanges, WhatCannotBeIsRefusedAndChangesNothing) {
  ReadyChanges ready(heat({"term.start.aggregate=pointwise"}));
  const std::vector<std::vector<double>> inside = {{0.5}, {0.5}};
  const auto set = [](std::string term, std::vector<std::vector<double>> columns) {
    return [=](PointChanges& changes) { changes.set(term, columns); };
  };
  const auto expect = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(ready.refusal(set("pdf", inside)), "did you mean 'pde'");
  expect(ready.refusal(set("start", {{0.5}, {0}})), "point-wise multipliers belong to points");
  expect(ready.refusal(set("pde", {{0.5}})), "points have 2 coordinates, not 1");
  expect(ready.refusal(set("pde", {{}, {}})), "at least one point");
  expect(ready.refusal(set("pde", {{0.5, 0.4}, {0.5}})), "different numbers");
  expect(ready.refusal(set("pde", {{0.5, 2}, {0.5, 0.5}})),
         "point 2 (x = 2, t = 0.5) is no point of its region (interior)");
  expect(ready.refusal(set("pde", {{std::nan("")}, {0.5}})), "no point of its region");
  expect(ready.refusal(set("sides", inside)), "(boundary)");
  expect(ready.refusal([](PointChanges& changes) { changes.redraw("start"); }), "stay where they are");
  ReadyChanges grid(heat());
  expect(grid.refusal([](PointChanges& changes) { changes.redraw("start"); }), "the same nodes");
  ReadyChanges data(heat({"term.pde.equation=\"u = data.u\"", "term.pde.data={exact=[\"u\"]}"}));
  expect(data.refusal(set("pde", inside)), "data belong to points");
  ReadyChanges integral(heat({"term.pde.equation=\"integral(u) = 1\""}));
  expect(integral.refusal(set("pde", inside)), "quadrature weights");
  expect(integral.refusal([&](PointChanges& changes) { changes.residual("pde", inside); }),
         "an integral has no residual");
  ReadyChanges near(heat({"term.pde.points={sobol=20, near=20, density=\"x\"}"}));
  expect(near.refusal(set("pde", inside)), "near a density");
}

/// Every third epoch the candidates with the largest residuals, among others; every fourth fresh sides.
Extensions adapting() {
  Extensions extensions;
  extensions.change_points = [](PointChanges& changes) {
    if (changes.epoch() % 4 == 0) changes.redraw("sides");
    if (changes.epoch() % 3 != 0) return;
    std::vector<std::vector<double>> candidates(2);
    for (int i = 1; i < 10; ++i)
      for (int j = 1; j <= 10; ++j) candidates[0].push_back(0.1 * i), candidates[1].push_back(0.1 * j);
    const std::vector<double> size = changes.residual("pde", candidates);
    std::vector<std::vector<double>> chosen(2);
    for (std::size_t i = 0; i < size.size(); ++i)
      if (i % 4 == 0 || size[i] > 3)
        for (int c = 0; c < 2; ++c) chosen[c].push_back(candidates[c][i]);
    changes.set("pde", chosen);
  };
  return extensions;
}

TEST(PointChanges, AStoppedTrainingGoesOnBitForBit) {
  for (const std::string batch : {"", "term.pde.batch=10"}) {
    const problem::Problem problem = heat(batch.empty() ? std::vector<std::string>{} : std::vector<std::string>{batch});
    Trainer whole(problem, 1, adapting()), plain(problem, 1), first(problem, 1, adapting());
    whole.run();
    plain.run();
    ASSERT_NE(std::vector(whole.parameters().begin(), whole.parameters().end()),
              std::vector(plain.parameters().begin(), plain.parameters().end()));
    Rows rows(7);
    first.add_observer(rows);
    first.run();
    StateWriter writer;
    first.save(writer);
    const std::string bytes = writer.bytes();
    Trainer resumed(problem, 1, adapting());
    resumed.load(StateReader(bytes));
    resumed.run();
    EXPECT_EQ(std::vector(resumed.parameters().begin(), resumed.parameters().end()),
              std::vector(whole.parameters().begin(), whole.parameters().end()));
    Trainer without(problem, 1);
    EXPECT_THROW(without.load(StateReader(bytes)), InputError) << "nobody changes the points there";
  }
}

}  // namespace
}  // namespace pecann::train
