// A trainer that does k epochs and saves, and a new one that loads and does the rest, give the same bits as all epochs
// in one go, in parameters, multipliers, the whole state and every record, for every optimiser and strategy, with other
// numbers of threads before and after.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/base/parallel.h"
#include "pecann/train/test_support.h"
#include "pecann/train/trainer.h"

namespace pecann::train {
namespace {

using testing::heat;
using testing::Rows;

struct Case {
  const char* name;
  std::vector<std::string> overrides;
};

std::string phases(const std::string& list) { return "phase=[" + list + "]"; }

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"adam", {}},
      {"adam_plateau",
       {phases(
           "{optimizer=\"adam\", epochs=14, learning_rate=0.3, schedule={kind=\"plateau\", factor=0.5, patience=1}}")}},
      {"adam_step", {phases("{optimizer=\"adam\", epochs=12, schedule={kind=\"step\", factor=0.5, every=3}}")}},
      {"adam_cosine", {phases("{optimizer=\"adam\", epochs=12, schedule=\"cosine\"}")}},
      {"lbfgs", {phases("{optimizer=\"lbfgs\", epochs=8}")}},
      {"lbfgs_small_memory", {phases("{optimizer=\"lbfgs\", epochs=8, options={history=5, iterations=3}}")}},
      {"lbfgs_compatible", {phases("{optimizer=\"lbfgs\", mode=\"compatible\", epochs=8}")}},
      {"ssbroyden", {phases("{optimizer=\"ssbroyden\", epochs=8}")}},
      {"lm", {phases("{optimizer=\"lm\", epochs=8}")}},
      {"across_phases",
       {phases("{optimizer=\"adam\", epochs=3}, {optimizer=\"lbfgs\", epochs=3}, {optimizer=\"lm\", epochs=3}, "
               "{optimizer=\"ssbroyden\", epochs=2}")}},
      {"redraw_every_epoch", {"term.pde.points={sobol=40, redraw=true}", "term.sides.points={uniform=8, redraw=true}"}},
      {"redraw_every_third", {"term.pde.points={latin=40, redraw=3}", phases("{optimizer=\"lbfgs\", epochs=8}")}},
      {"batches", {"term.pde.batch=16", "term.sides.batch=5"}},
      {"batches_of_redrawn_points", {"term.pde.points={sobol=40, redraw=2}", "term.pde.batch=16"}},
      {"pointwise_adam", {"term.sides.aggregate=pointwise", "term.start.aggregate=pointwise"}},
      {"pointwise_lbfgs", {"term.start.aggregate=pointwise", phases("{optimizer=\"lbfgs\", epochs=6}")}},
      {"pointwise_lm", {"term.start.aggregate=pointwise", phases("{optimizer=\"lm\", epochs=6}")}},
      {"mpu", {"penalty.strategy=mpu"}},
      {"cpu", {"penalty.strategy=cpu"}},
      {"capu_pressed", {"penalty.omega=1e-3", "penalty.eta=1"}},
      {"rmsprop", {"penalty.strategy=rmsprop"}},
      {"fixed", {"penalty.strategy=fixed", "penalty.multiplier=10"}},
      {"sa", {"penalty.strategy=sa", "penalty.sa_learning_rate=0.1"}},
      {"sa_pointwise", {"penalty.strategy=sa", "term.start.aggregate=pointwise"}},
      {"windows", {"windows.count=3", phases("{optimizer=\"adam\", epochs=2}, {optimizer=\"lbfgs\", epochs=2}")}},
      {"windows_from_previous",
       {"windows.count=2", "windows.start=previous", "windows.normalise=window",
        "term.pde.points={sobol=40, redraw=true}", "phase.1.epochs=5"}},
      {"windows_that_stop_early", {"windows.count=3", "stop.stall=2", "phase.1.learning_rate=1", "phase.1.epochs=9"}},
      {"near_a_density",
       {"term.pde.points={sobol=20, near=40, density=\"abs(u_x) + residual\", redraw=3}",
        "term.sides.points={sobol=8, near=8, density=\"abs(u)\"}", "term.pde.batch=30"}},
      {"windows_that_grow",
       {"windows.count=2", "windows.start=extrapolate", "windows.normalise=window", "windows.curvature=previous",
        "windows.grow=2", "term.pde.points={sobol=20, near=30, density=\"residual\", redraw=2}",
        phases("{optimizer=\"ssbroyden\", epochs=3, options={iterations=3}}")}},
      {"windows_tried_twice",
       {"windows.count=2", "windows.check={pde=1e-9}", "windows.give_up=1e30", "windows.retry={grow=2, epochs=1}",
        "windows.curvature=previous", phases("{optimizer=\"lbfgs\", epochs=2, options={iterations=2}}")}},
      {"windows_that_fail",
       {"windows.count=2", "windows.check={start=1e-9}", "windows.retry={epochs=1}", "phase.1.epochs=3"}},
      {"scalar_and_data",
       {"parameters.a={initial=2, lower=0, upper=20}", "term.pde.equation=u_t = u_xx + a*exact.u",
        phases("{optimizer=\"lbfgs\", epochs=6}")}},
      {"phases_that_end_when_reached",
       {phases("{optimizer=\"adam\", epochs=40, learning_rate=0.02, until=0.8}, {optimizer=\"lbfgs\", epochs=4}")}},
      {"phases_with_constants",
       {"term.pde.points={sobol=40, redraw=2}",
        phases("{optimizer=\"adam\", epochs=3, constants={nu=3}}, {optimizer=\"adam\", epochs=3, constants={nu=2}}, "
               "{optimizer=\"lbfgs\", epochs=3}")}},
      {"rebased_capu", {"penalty.rebase=true", "penalty.eta=1"}},
      {"fourier", {"network.1.fourier={sigma=1}"}},
      {"absolute_distance", {"term.start.distance=absolute"}},
      // Enough work for two threads to share an evaluation.
      {"large_adam", {"network.1.hidden=[30, 30]", "term.pde.points.sobol=1500", "phase.1.epochs=6"}},
      {"large_lbfgs",
       {"network.1.hidden=[30, 30]", "term.pde.points.sobol=1500",
        phases("{optimizer=\"lbfgs\", epochs=4, options={iterations=5}}")}},
      {"large_lm", {"network.1.hidden=[16, 16]", "term.pde.points.sobol=1000", phases("{optimizer=\"lm\", epochs=4}")}},
      {"large_ssbroyden",
       {"network.1.hidden=[20, 20]", "term.pde.points.sobol=1000",
        phases("{optimizer=\"ssbroyden\", epochs=4, options={iterations=5}}")}},
  };
  return all;
}

void expect_same_records(const std::vector<EpochRecord>& ours, const std::vector<EpochRecord>& theirs,
                         std::size_t first) {
  ASSERT_EQ(ours.size() + first, theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const EpochRecord &a = ours[i], &b = theirs[first + i];
    EXPECT_EQ(a.window, b.window);
    EXPECT_EQ(a.phase, b.phase);
    EXPECT_EQ(a.epoch, b.epoch);
    EXPECT_EQ(a.loss, b.loss) << "epoch " << b.epoch;
    EXPECT_EQ(a.objective, b.objective);
    EXPECT_EQ(a.learning_rate, b.learning_rate);
    EXPECT_EQ(a.evaluations, b.evaluations) << "epoch " << b.epoch;
    EXPECT_EQ(a.phase_ends, b.phase_ends);
    ASSERT_EQ(a.constraints.size(), b.constraints.size());
    for (std::size_t c = 0; c < a.constraints.size(); ++c) {
      EXPECT_EQ(a.constraints[c].value, b.constraints[c].value);
      EXPECT_EQ(a.constraints[c].multiplier, b.constraints[c].multiplier);
      EXPECT_EQ(a.constraints[c].penalty, b.constraints[c].penalty);
    }
    ASSERT_EQ(a.errors.size(), b.errors.size()) << "epoch " << b.epoch;
    for (std::size_t e = 0; e < a.errors.size(); ++e) {
      EXPECT_EQ(a.errors[e].relative_l2, b.errors[e].relative_l2);
      EXPECT_EQ(a.errors[e].linf, b.errors[e].linf);
    }
  }
}

/// Everything that a checkpoint holds, but for the clock.
std::string state_of(const Trainer& trainer) {
  StateWriter writer;
  trainer.save(writer);
  writer.put("seconds", 0.0);
  writer.put("timings", 0.0);
  return writer.bytes();
}

class Resume : public ::testing::TestWithParam<Case> {
 protected:
  ~Resume() override { set_thread_count(processor_count()); }
};

TEST_P(Resume, SameBitsAsInOneGo) {
  const problem::Problem problem = heat(GetParam().overrides);
  set_thread_count(1);
  Trainer whole(problem, 1);
  Rows all;
  whole.add_observer(all);
  const Outcome outcome = whole.run();
  const long epochs = static_cast<long>(all.rows.size());
  ASSERT_GE(epochs, 4);

  std::vector<long> cuts;
  for (long k = 1; k < epochs; ++k)
    if (epochs <= 15 || k == 1 || k == epochs - 1 || k % 4 == 0) cuts.push_back(k);
  for (const long cut : cuts) {
    SCOPED_TRACE("cut after " + std::to_string(cut) + " of " + std::to_string(epochs));
    set_thread_count(cut % 2 == 0 ? 1 : 3);
    Trainer first(problem, 1);
    Rows head(cut);
    first.add_observer(head);
    ASSERT_EQ(first.run().termination, Termination::Interrupted);
    StateWriter writer;
    first.save(writer);

    set_thread_count(cut % 2 == 0 ? 2 : 1);
    Trainer second(problem, 1);
    Rows tail;
    second.add_observer(tail);
    second.load(StateReader(writer.bytes()));
    EXPECT_EQ(state_of(second), state_of(first)) << "loading loses nothing";
    const Outcome end = second.run();
    EXPECT_EQ(end.termination, outcome.termination);
    EXPECT_EQ(end.message, outcome.message);
    expect_same_records(tail.rows, all.rows, static_cast<std::size_t>(cut));
    EXPECT_EQ(std::vector<double>(second.parameters().begin(), second.parameters().end()),
              std::vector<double>(whole.parameters().begin(), whole.parameters().end()));
    EXPECT_EQ(second.duals().multiplier, whole.duals().multiplier);
    EXPECT_EQ(second.duals().penalty, whole.duals().penalty);
    EXPECT_EQ(second.duals().violation_average, whole.duals().violation_average);
    EXPECT_EQ(second.total_evaluations(), whole.total_evaluations());
    EXPECT_EQ(state_of(second), state_of(whole));
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Resume, ::testing::ValuesIn(cases()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ResumeMoreEpochs, GoesOnAsIfTheyHadBeenAskedForAtOnce) {
  for (const std::string optimizer : {"adam", "lbfgs", "lm"}) {
    const problem::Problem longer = heat({"phase.1.optimizer=" + optimizer, "phase.1.epochs=10"});
    const problem::Problem shorter = heat({"phase.1.optimizer=" + optimizer, "phase.1.epochs=5"});
    Trainer whole(longer, 1), first(shorter, 1), second(longer, 1);
    whole.run();
    first.run();
    StateWriter writer;
    first.save(writer);
    second.load(StateReader(writer.bytes()));
    second.run();
    EXPECT_EQ(state_of(second), state_of(whole)) << optimizer;
  }
}

}  // namespace
}  // namespace pecann::train
