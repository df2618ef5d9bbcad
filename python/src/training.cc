// Training with the interpreter's lock released, and what comes out of it as Python's own objects.
#include <chrono>

#include "bindings.h"
#include "python_strategy.h"

namespace pecann::python {
namespace {

/// Lists of the library with names in them, as dictionaries by name.
py::dict by_name(const std::vector<ConstraintState>& constraints) {
  py::dict all;
  for (const ConstraintState& one : constraints)
    all[py::str(one.name)] =
        py::dict("value"_a = one.value, "multiplier"_a = one.multiplier, "penalty"_a = one.penalty);
  return all;
}
py::dict by_name(const std::vector<FieldError>& errors) {
  py::dict all;
  for (const FieldError& one : errors)
    all[py::str(one.field)] = py::dict("relative_l2"_a = one.relative_l2, "linf"_a = one.linf);
  return all;
}
py::dict by_name(const std::vector<ParameterValue>& parameters) {
  py::dict all;
  for (const ParameterValue& one : parameters)
    all[py::str(one.name)] = py::dict("value"_a = one.value, "exact"_a = one.exact);
  return all;
}

py::dict epoch_dict(const Epoch& epoch) {
  return py::dict("window"_a = epoch.window, "phase"_a = epoch.phase, "number"_a = epoch.number,
                  "seconds"_a = epoch.seconds, "loss"_a = epoch.loss, "objective"_a = epoch.objective,
                  "constraints"_a = by_name(epoch.constraints), "learning_rate"_a = epoch.learning_rate,
                  "damping"_a = epoch.damping, "evaluations"_a = epoch.evaluations, "errors"_a = by_name(epoch.errors),
                  "parameters"_a = by_name(epoch.parameters));
}

py::dict summary_dict(const Summary& summary) {
  return py::dict("trial"_a = summary.trial, "seed"_a = summary.seed, "seconds"_a = summary.seconds,
                  "termination"_a = name_of(summary.termination), "message"_a = summary.message,
                  "epochs"_a = summary.epochs, "evaluations"_a = summary.evaluations,
                  "num_parameters"_a = summary.num_parameters, "num_points"_a = summary.num_points,
                  "last"_a = epoch_dict(summary.last), "errors"_a = by_name(summary.errors),
                  "parameters"_a = by_name(summary.parameters), "text"_a = summary.text, "json"_a = summary.json);
}

py::dict history_dict(History& history) {
  py::dict columns;
  for (std::size_t i = 0; i < history.names.size(); ++i)
    columns[py::str(history.names[i])] = array_of(std::move(history.columns[i]));
  return columns;
}

py::dict verdict_dict(const Verdict& verdict) {
  py::list findings;
  for (const Finding& finding : verdict.findings) findings.append(py::make_tuple(finding.level, finding.text));
  return py::dict("level"_a = verdict.level, "headline"_a = verdict.headline, "findings"_a = findings,
                  "advice"_a = verdict.advice);
}

py::dict estimate_dict(const Estimate& estimate) {
  py::dict fields, scalars;
  for (const FieldEstimate& one : estimate.fields)
    fields[py::str(one.field)] = py::dict("relative_l2"_a = one.relative_l2, "low"_a = one.low, "high"_a = one.high,
                                          "trusted"_a = one.trusted, "good"_a = one.good, "decided"_a = one.decided);
  for (const ScalarEstimate& one : estimate.scalars)
    scalars[py::str(one.name)] = py::dict("value"_a = one.value, "standard_error"_a = one.standard_error);
  return py::dict("fields"_a = fields, "scalars"_a = scalars, "decided"_a = estimate.decided,
                  "seconds"_a = estimate.seconds);
}

py::tuple result_parts(Result result) {
  py::dict summary = summary_dict(result.summary), history = history_dict(result.summary.history),
           verdict = verdict_dict(result.summary.verdict);
  result.summary.history = {};
  return py::make_tuple(summary, history, verdict, std::move(result));
}

/// Lets Python handle its signals every tenth of a second: Ctrl-C raises KeyboardInterrupt between epochs.
std::function<bool()> handle_signals() {
  using Clock = std::chrono::steady_clock;
  return [last = Clock::now()]() mutable {
    if (Clock::now() - last < std::chrono::milliseconds(100)) return false;
    last = Clock::now();
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return false;
  };
}

/// on_epoch(epoch) as an observer: it returns None, or True to stop.
std::function<Directive(const Epoch&)> observer_of(py::object on_epoch) {
  return [function = held(std::move(on_epoch))](const Epoch& epoch) {
    const py::gil_scoped_acquire lock;
    const py::object answer = (*function)(epoch_dict(epoch));
    if (answer.is_none()) return Directive::Continue;
    if (!py::isinstance<py::bool_>(answer)) throw py::type_error("on_epoch returns None, or True to stop");
    return answer.cast<bool>() ? Directive::Stop : Directive::Continue;
  };
}

/// The points of a training during one call of change_points; Python may keep the object, which then knows nothing.
class PythonPoints {
 public:
  using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

  PythonPoints(TrainingPoints& points, int dimension) : points_(&points), dimension_(dimension) {}
  void end() { points_ = nullptr; }
  TrainingPoints& now() const {
    if (points_ == nullptr) throw py::value_error("the points are known during change_points only");
    return *points_;
  }
  Numbers points(const std::string& term) const {
    Numbers all = array_of(now().points(term));
    return all.reshape({-1, dimension_});
  }
  Numbers residual(const std::string& term, const Numbers& points) const {
    return array_of(now().residual(term, rows(points)));
  }
  void set(const std::string& term, const Numbers& points) const { now().set(term, rows(points)); }

 private:
  std::span<const double> rows(const Numbers& points) const {
    if (points.ndim() != 2 || points.shape(1) != dimension_)
      throw py::value_error("points are an array with a row for each point and " + std::to_string(dimension_) +
                            " columns");
    return {points.data(), static_cast<std::size_t>(points.size())};
  }

  TrainingPoints* points_;
  int dimension_;
};

std::function<void(TrainingPoints&)> point_changer_of(py::object change_points, int dimension) {
  return [function = held(std::move(change_points)), dimension](TrainingPoints& points) {
    const py::gil_scoped_acquire lock;
    const auto shown = std::make_shared<PythonPoints>(points, dimension);
    struct End {
      PythonPoints& of;
      ~End() { of.end(); }
    } const end{*shown};
    (*function)(shown);
  };
}

py::tuple train(const Problem& given, std::optional<std::uint64_t> seed, int threads, std::string folder, bool resume,
                double checkpoint_seconds, std::vector<double> start, py::object on_epoch, py::object strategy,
                std::optional<double> accuracy, bool estimate, py::object change_points, int dimension) {
  Problem problem = given;  // other threads of Python may change the one that was given
  if (seed) problem.seed(*seed);
  if (accuracy) problem.accuracy(*accuracy);
  TrainOptions options{.folder = std::move(folder),
                       .resume = resume,
                       .checkpoint_seconds = checkpoint_seconds,
                       .threads = threads,
                       .estimate = estimate,
                       .start = std::move(start),
                       .interrupt = handle_signals()};
  if (!on_epoch.is_none()) options.observer = observer_of(std::move(on_epoch));
  if (!change_points.is_none()) options.change_points = point_changer_of(std::move(change_points), dimension);
  if (!strategy.is_none())
    options.penalty_strategy = [make = held(std::move(strategy))]() -> std::unique_ptr<PenaltyStrategy> {
      const py::gil_scoped_acquire lock;
      return std::make_unique<PythonStrategy>((*make)());
    };
  return result_parts([&] {
    const py::gil_scoped_release unlocked;
    return problem.train(options);
  }());
}

}  // namespace

void bind_training(py::module_& module) {
  py::class_<Result>(module, "Result")
      .def_readonly("solution", &Result::solution)
      .def_property_readonly("has_estimate", [](const Result& result) { return result.summary.estimate.has_value(); })
      .def(
          "estimate",
          [](const Result& result, double most_seconds) {
            return estimate_dict([&] {
              const py::gil_scoped_release unlocked;
              return result.estimate(most_seconds);
            }());
          },
          "most_seconds"_a);
  py::class_<PythonPoints, std::shared_ptr<PythonPoints>>(
      module, "TrainingPoints",
      "The points of a training, which Problem.train(change_points=f) gives to f after every epoch.")
      .def_property_readonly(
          "window", [](const PythonPoints& points) { return points.now().window(); }, "The time window, from 0.")
      .def_property_readonly(
          "epoch", [](const PythonPoints& points) { return points.now().epoch(); },
          "How many epochs of the window are done.")
      .def("points", &PythonPoints::points, "term"_a, "The points of a term as they stand, a row for each.")
      .def("residual", &PythonPoints::residual, "term"_a, "points"_a,
           "How large the residual of a term's equations is at points of its region.")
      .def("set", &PythonPoints::set, "term"_a, "points"_a,
           "Gives a term other points of its region, a row for each; those that share its points get them too.")
      .def(
          "redraw", [](const PythonPoints& points, const std::string& term) { points.now().redraw(term); }, "term"_a,
          "Draws the random points of a term anew.");
  module.def("train", &train, "problem"_a, "seed"_a, "threads"_a, "folder"_a, "resume"_a, "checkpoint_seconds"_a,
             "start"_a, "on_epoch"_a, "penalty_strategy"_a, "accuracy"_a, "estimate"_a, "change_points"_a,
             "dimension"_a);
  module.def(
      "open",
      [](const std::string& folder, int trial) {
        return result_parts([&] {
          const py::gil_scoped_release unlocked;
          return Result::open(folder, trial);
        }());
      },
      "folder"_a, "trial"_a);
}

}  // namespace pecann::python
