#include "pecann/api/extension_adapters.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/estimate/standard_errors.h"
#include "pecann/train/point_changes.h"

namespace pecann {

PenaltyStrategy::~PenaltyStrategy() = default;
void PenaltyStrategy::start(Duals) {}
std::vector<double> PenaltyStrategy::state() const { return {}; }
void PenaltyStrategy::restore(std::span<const double>) {}

Objective::~Objective() = default;
Optimizer::~Optimizer() = default;
void Optimizer::set_learning_rate(double) {}
std::vector<double> Optimizer::state() const { return {}; }
void Optimizer::restore(std::span<const double>) {}

TrainingPoints::~TrainingPoints() = default;

namespace api {
namespace {

Duals view(penalty::DualState& duals) { return {duals.multiplier, duals.penalty}; }

class OwnStrategy final : public penalty::Strategy {
 public:
  explicit OwnStrategy(std::unique_ptr<PenaltyStrategy> strategy) : strategy_(std::move(strategy)) {}

  penalty::DualState start(std::size_t count) const override {
    penalty::DualState duals(count);
    strategy_->start(view(duals));
    return duals;
  }
  bool update(std::span<const double> constraints, double loss, std::span<const double> eta,
              penalty::DualState& duals) override {
    return strategy_->update({constraints, loss, eta}, view(duals));
  }
  void save(StateWriter& writer) const override { writer.put("penalty.own", strategy_->state()); }
  void load(const StateReader& reader) override { strategy_->restore(reader.get("penalty.own")); }

 private:
  std::unique_ptr<PenaltyStrategy> strategy_;
};

/// This objective counts evaluations and remembers the gradient of the first one, where the step begins.
class CountedObjective final : public Objective {
 public:
  explicit CountedObjective(optim::Objective& objective) : objective_(objective) {}

  std::size_t size() const override { return objective_.size(); }
  double value_and_gradient(std::span<const double> x, std::span<double> gradient) override {
    const double value = objective_.value_and_gradient(x, gradient);
    if (!seen_gradient_) {
      for (const double g : gradient) norm_ = std::max(norm_, std::abs(g));
      seen_gradient_ = true;
    }
    ++evaluations_;
    return value;
  }
  double value(std::span<const double> x) override {
    ++evaluations_;
    return objective_.value(x);
  }
  int evaluations() const { return evaluations_; }
  double gradient_norm() const { return norm_; }

 private:
  optim::Objective& objective_;
  int evaluations_ = 0;
  bool seen_gradient_ = false;
  double norm_ = 0;
};

class OwnOptimizer final : public optim::Optimizer {
 public:
  OwnOptimizer(std::unique_ptr<pecann::Optimizer> optimizer, double rate)
      : optimizer_(std::move(optimizer)), rate_(rate) {}

  optim::StepSummary step(optim::Objective& objective, std::span<double> x) override {
    CountedObjective counted(objective);
    optimizer_->set_learning_rate(rate_);
    optim::StepSummary summary;
    summary.outcome = static_cast<optim::StepOutcome>(optimizer_->step(counted, x));
    summary.evaluations = counted.evaluations();
    summary.iterations = 1;
    summary.gradient_norm = counted.gradient_norm();
    return summary;
  }
  std::optional<double> learning_rate() const override { return rate_; }
  void set_learning_rate(double rate) override { rate_ = rate; }
  void save(StateWriter& writer) const override {
    writer.put("optimizer.own", optimizer_->state());
    writer.put("optimizer.rate", rate_);
  }
  void load(const StateReader& reader) override {
    optimizer_->restore(reader.get("optimizer.own"));
    rate_ = reader.get_number("optimizer.rate");
  }

 private:
  std::unique_ptr<pecann::Optimizer> optimizer_;
  double rate_;
};
/// Points [point][coordinate] for the program, by coordinate for the trainer.
class OwnPoints final : public TrainingPoints {
 public:
  explicit OwnPoints(train::PointChanges& changes) : changes_(changes) {}

  int window() const override { return changes_.window(); }
  long epoch() const override { return changes_.epoch(); }
  std::vector<double> points(const std::string& term) const override {
    const sampling::PointSet& points = changes_.points(term);
    std::vector<double> rows;
    for (std::size_t i = 0; i < points.count; ++i)
      for (const auto& coordinate : points.coordinates) rows.push_back(coordinate[i]);
    return rows;
  }
  std::vector<double> residual(const std::string& term, std::span<const double> points) const override {
    return changes_.residual(term, by_coordinate(term, points));
  }
  void set(const std::string& term, std::span<const double> points) override {
    changes_.set(term, by_coordinate(term, points));
  }
  void redraw(const std::string& term) override { changes_.redraw(term); }

 private:
  std::vector<std::vector<double>> by_coordinate(const std::string& term, std::span<const double> points) const {
    const std::size_t dimension = changes_.points(term).coordinates.size();
    if (points.size() % dimension != 0)
      throw InputError({.key = "term." + term + ".points",
                        .value = std::to_string(points.size()) + " numbers",
                        .rule = "every point has " + std::to_string(dimension) + " coordinates"});
    std::vector<std::vector<double>> columns(dimension, std::vector<double>(points.size() / dimension));
    for (std::size_t j = 0; j < points.size(); ++j) columns[j % dimension][j / dimension] = points[j];
    return columns;
  }

  train::PointChanges& changes_;
};

static_assert(static_cast<int>(optim::StepOutcome::NotFinite) == static_cast<int>(StepOutcome::NotFinite) &&
              static_cast<int>(optim::StepOutcome::Stalled) == static_cast<int>(StepOutcome::Stalled));

}  // namespace

Phase public_phase(const problem::PhaseSpec& spec) {
  const auto option = [&](const char* name) {
    const auto found = spec.schedule.options.find(name);
    return found == spec.schedule.options.end() ? std::nullopt : std::make_optional(found->second);
  };
  return {.optimizer = spec.optimizer,
          .epochs = spec.epochs,
          .learning_rate = spec.learning_rate,
          .schedule = {.kind = spec.schedule.kind,
                       .factor = option("factor"),
                       .patience = option("patience"),
                       .every = option("every"),
                       .floor = option("floor")},
          .mode = spec.mode,
          .options = spec.options,
          .until = spec.until,
          .constants = spec.constants};
}

train::Extensions extensions_of(const TrainOptions& options, std::exception_ptr* failure) {
  train::Extensions extensions;
  if (options.penalty_strategy)
    extensions.make_strategy = [&options] { return std::make_unique<OwnStrategy>(options.penalty_strategy()); };
  if (options.optimizer)
    extensions.make_optimizer = [&options](const problem::PhaseSpec& spec,
                                           std::size_t size) -> std::unique_ptr<optim::Optimizer> {
      auto own = options.optimizer(public_phase(spec), size);
      return own ? std::make_unique<OwnOptimizer>(std::move(own), spec.learning_rate) : nullptr;
    };
  if (options.change_points)
    extensions.change_points = [&options, failure](train::PointChanges& changes) {
      OwnPoints points(changes);
      try {
        options.change_points(points);
      } catch (...) {
        if (failure == nullptr) throw;
        *failure = std::current_exception();
      }
    };
  if (options.estimate) extensions.standard_errors = estimate::watched_scalars();
  return extensions;
}

}  // namespace api
}  // namespace pecann
