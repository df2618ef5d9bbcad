// Problem with its options as keywords, whose defaults are those of include/pecann/options.h.
#include "bindings.h"

namespace pecann::python {
namespace {

using Number = std::optional<double>;

/// The value that a word of a table names.
template <class Value>
Value value_of(const char* key, const std::string& word, std::initializer_list<std::pair<const char*, Value>> table) {
  std::string known;
  for (const auto& [name, value] : table) {
    if (word == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw py::value_error(std::string(key) + " = '" + word + "': one of " + known);
}

/// An equation, a condition, or a text of either.
Equation equation_of(const py::handle given) {
  if (py::isinstance<Equation>(given)) return given.cast<Equation>();
  if (py::isinstance<Expression>(given)) return given.cast<Expression>();
  if (py::isinstance<py::str>(given)) return given.cast<std::string>();
  throw py::type_error("an equation is a == b, an inequality a >= b or a <= b, or a text as in \"u_xx = 1\"");
}

Equations equations_of(const py::object& given) {
  if (!py::isinstance<py::list>(given) && !py::isinstance<py::tuple>(given)) return equation_of(given);
  std::vector<Equation> several;
  for (const py::handle one : given) several.push_back(equation_of(one));
  return several;
}

std::vector<Field> fields_of(const py::object& given) {
  if (py::isinstance<Field>(given)) return {given.cast<Field>()};
  return given.cast<std::vector<Field>>();
}

Term term_of(const std::string& aggregate, const std::string& distance, double weight, Number eta, std::size_t batch,
             const std::optional<Data>& data) {
  return {.aggregate = value_of<Aggregate>(
              "aggregate", aggregate,
              {{"mean", Aggregate::Mean}, {"sum", Aggregate::Sum}, {"pointwise", Aggregate::Pointwise}}),
          .distance = value_of<Distance>("distance", distance,
                                         {{"square", Distance::Square}, {"absolute", Distance::Absolute}}),
          .weight = weight,
          .eta = eta,
          .batch = batch,
          .data = data};
}

using AddTerm = Problem& (Problem::*)(const std::string&, const Equations&, const Region&, const Points&, const Term&);

/// Problem.objective and Problem.constraint, which differ in what they add.
template <AddTerm add>
py::object add_term(py::object self, const std::string& name, const py::object& equations,
                    const std::optional<Region>& region, const std::optional<Points>& points,
                    const std::string& aggregate, const std::string& distance, double weight, Number eta,
                    std::size_t batch, const std::optional<Data>& data) {
  (self.cast<Problem&>().*add)(name, equations_of(equations), region.value_or(of_points()),
                               points.value_or(chosen_points()),
                               term_of(aggregate, distance, weight, eta, batch, data));
  return self;
}

template <AddTerm add>
void bind_term(py::class_<Problem>& problem, const char* name, const char* text) {
  problem.def(name, &add_term<add>, "name"_a, "equations"_a, "region"_a = py::none(), "points"_a = py::none(),
              py::kw_only(), "aggregate"_a = "mean", "distance"_a = "square", "weight"_a = 1.0, "eta"_a = py::none(),
              "batch"_a = 0, "data"_a = py::none(), text);
}

void bind_options(py::module_& module) {
  py::class_<Data>(module, "Data", R"(Values that equations call data("NAME"): columns of a file, or made from the exact
solution with noise.)")
      .def(py::init([](std::string file, std::map<std::string, std::string> columns, double noise, std::string scale) {
             return Data{std::move(file), std::move(columns), noise, std::move(scale)};
           }),
           "file"_a = "", "columns"_a = std::map<std::string, std::string>(), py::kw_only(), "noise"_a = Data().noise,
           "noise_scale"_a = Data().noise_scale);
  py::class_<Schedule>(module, "Schedule", "How the learning rate changes in a phase.")
      .def(py::init([](std::string kind, Number factor, Number patience, Number every, Number floor) {
             return Schedule{std::move(kind), factor, patience, every, floor};
           }),
           "kind"_a = Schedule().kind, py::kw_only(), "factor"_a = py::none(), "patience"_a = py::none(),
           "every"_a = py::none(), "floor"_a = py::none());
  py::class_<WindowTry>(module, "WindowTry", "How a time window is tried.")
      .def(py::init([](std::string start, int grow, double epochs) {
             return WindowTry{std::move(start), grow, epochs};
           }),
           py::kw_only(), "start"_a = WindowTry().start, "grow"_a = WindowTry().grow, "epochs"_a = WindowTry().epochs);
}

void bind_networks_and_terms(py::class_<Problem>& problem) {
  problem.def(
      "network",
      [](py::object self, const py::object& fields, std::vector<int> hidden, std::string activation, std::string output,
         Number fourier_sigma, double first_scale, bool spread_biases) {
        self.cast<Problem&>().network(fields_of(fields), {std::move(hidden), std::move(activation), std::move(output),
                                                          fourier_sigma, first_scale, spread_biases});
        return self;
      },
      "fields"_a, py::kw_only(), "hidden"_a = Network().hidden, "activation"_a = Network().activation,
      "output"_a = Network().output, "fourier_sigma"_a = py::none(), "first_scale"_a = Network().first_scale,
      "spread_biases"_a = Network().spread_biases, "Adds a network whose outputs are a field or several.");
  problem.def(
      "features",
      [](py::object self, const py::object& fields, int count, std::string activation, std::vector<double> scale,
         double graded) {
        self.cast<Problem&>().features(fields_of(fields), {count, std::move(activation), std::move(scale), graded});
        return self;
      },
      "fields"_a, py::kw_only(), "count"_a = Features().count, "activation"_a = Features().activation,
      "scale"_a = Features().scale, "graded"_a = Features().graded,
      "Adds random features in the place of a network: fixed functions whose coefficients \"solve\" finds.");
  problem.def(
      "domain",
      [](py::object self, const Shape& domain, const std::vector<Shape>& materials) {
        self.cast<Problem&>().domain(domain, materials);
        return self;
      },
      "domain"_a, "materials"_a = std::vector<Shape>(),
      "Says what of the box the problem is posed on, before terms that name its shapes.");
  problem.def(
      "exact",
      [](py::object self, const Field& field, const Expression& solution) {
        self.cast<Problem&>().exact(field, solution);
        return self;
      },
      "field"_a, "solution"_a, "Gives the exact solution of a field, for errors and synthetic data.");
  problem.def(
      "fields",
      [](py::object self, const py::object& fields) {
        self.cast<Problem&>().fields(fields_of(fields));
        return self;
      },
      "fields"_a, "Names unknowns, one or several, that get a network by themselves.");
  problem.def(
      "accuracy",
      [](py::object self, double error) {
        self.cast<Problem&>().accuracy(error);
        return self;
      },
      "error"_a,
      R"(Asks for the largest relative l2 error of every field: train tries means until its own estimate is below.)");
  problem.def(
      "uses",
      [](py::object self, const py::args& names) {
        std::vector<Expression> list;
        for (const py::handle name : names) list.push_back(name.cast<const Expression&>());
        self.cast<Problem&>().uses(list);
        return self;
      },
      "Makes parameters, constants and tables known that only equations given as texts mention.");
  problem.def(
      "equation",
      [](py::object self, const py::object& equations, const std::optional<Region>& region,
         const std::optional<Points>& points, const std::string& aggregate, const std::string& distance, double weight,
         Number eta, std::size_t batch, const std::optional<Data>& data) {
        self.cast<Problem&>().equation(equations_of(equations), region.value_or(of_points()),
                                       points.value_or(chosen_points()),
                                       term_of(aggregate, distance, weight, eta, batch, data));
        return self;
      },
      "equations"_a, "region"_a = py::none(), "points"_a = py::none(), py::kw_only(), "aggregate"_a = "mean",
      "distance"_a = "square", "weight"_a = 1.0, "eta"_a = py::none(), "batch"_a = 0, "data"_a = py::none(),
      R"(Adds equations whose role follows from what they are: minimised inside, conditions elsewhere.

An equation is `a == b`, an inequality `a >= b`, or a text as problem files write it. Points are
chosen where none are given.

    >>> from pecann import *
    >>> x, t = Coordinate("x", 0, 1), Coordinate("t", 0, 1)
    >>> u = Field("u", [x, t])
    >>> rod = Problem("Heat in a rod", [x, t]).fields(u).equation(d(u, t) == laplacian(u), interior())
    >>> rod = rod.equation("u = 0", boundary()).equation(u == sin(pi * x), initial_time())
    >>> run = rod.train(accuracy=1e-6, seed=1)
    >>> run.summary["accuracy"]["reached"]
    True)");
  bind_term<&Problem::objective>(problem, "objective",
                                 "Adds equations whose residuals are to be made small; objectives add up.");
  bind_term<&Problem::constraint>(problem, "constraint",
                                  "Adds equations that must hold; they have a multiplier and a penalty of their own.");
}

void bind_training_choices(py::class_<Problem>& problem) {
  problem.def(
      "penalty",
      [](py::object self, std::string strategy, Number eta, Number beta, Number penalty_max, Number zeta, Number omega,
         Number epsilon, Number multiplier, Number penalty, std::optional<bool> rebase, Number sa_scale,
         Number sa_power, Number sa_learning_rate) {
        self.cast<Problem&>().penalty({std::move(strategy), eta, beta, penalty_max, zeta, omega, epsilon, multiplier,
                                       penalty, rebase, sa_scale, sa_power, sa_learning_rate});
        return self;
      },
      "strategy"_a = Penalty().strategy, py::kw_only(), "eta"_a = py::none(), "beta"_a = py::none(),
      "penalty_max"_a = py::none(), "zeta"_a = py::none(), "omega"_a = py::none(), "epsilon"_a = py::none(),
      "multiplier"_a = py::none(), "penalty"_a = py::none(), "rebase"_a = py::none(), "sa_scale"_a = py::none(),
      "sa_power"_a = py::none(), "sa_learning_rate"_a = py::none(), "Chooses the dual update.");
  problem.def(
      "phase",
      [](py::object self, std::string optimizer, int epochs, Number learning_rate, std::optional<Schedule> schedule,
         std::string mode, std::map<std::string, double> options, Number until,
         std::map<std::string, double> constants) {
        self.cast<Problem&>().phase({std::move(optimizer), epochs, learning_rate, schedule.value_or(Schedule()),
                                     std::move(mode), std::move(options), until, std::move(constants)});
        return self;
      },
      "optimizer"_a = Phase().optimizer, "epochs"_a = Phase().epochs, py::kw_only(), "learning_rate"_a = py::none(),
      "schedule"_a = py::none(), "mode"_a = Phase().mode, "options"_a = Phase().options, "until"_a = py::none(),
      "constants"_a = Phase().constants, "Adds the next phase of training; without any, the recommended one is taken.");
  problem.def(
      "windows",
      [](py::object self, int count, std::string normalise, std::string start, std::string curvature, int grow,
         std::optional<WindowTry> first, std::optional<WindowTry> retry, std::map<std::string, double> check,
         int check_points, double give_up) {
        self.cast<Problem&>().windows({count, std::move(normalise), std::move(start), std::move(curvature), grow,
                                       std::move(first), std::move(retry), std::move(check), check_points, give_up});
        return self;
      },
      "count"_a, py::kw_only(), "normalise"_a = Windows().normalise, "start"_a = Windows().start,
      "curvature"_a = Windows().curvature, "grow"_a = Windows().grow, "first"_a = py::none(), "retry"_a = py::none(),
      "check"_a = Windows().check, "check_points"_a = Windows().check_points, "give_up"_a = Windows().give_up,
      "Cuts time into windows, trained in order.");
  problem.def(
      "stop",
      [](py::object self, std::optional<int> epochs, Number seconds, Number loss, Number violation, Number error,
         std::optional<int> stall) {
        self.cast<Problem&>().stop({epochs, seconds, loss, violation, error, stall});
        return self;
      },
      py::kw_only(), "epochs"_a = py::none(), "seconds"_a = py::none(), "loss"_a = py::none(),
      "violation"_a = py::none(), "error"_a = py::none(), "stall"_a = py::none(),
      "Sets the rules that end the training early.");
  problem.def(
      "held_out",
      [](py::object self, std::string keep, int every) {
        self.cast<Problem&>().held_out({std::move(keep), every});
        return self;
      },
      "keep"_a = HeldOut().keep, "every"_a = HeldOut().every, "Chooses which iterate is reported.");
  problem.def(
      "evaluation",
      [](py::object self, std::vector<int> grid, int every, bool final_only, std::vector<std::string> measures,
         std::map<std::string, std::map<std::string, double>> at, std::string reference, std::string mesh) {
        self.cast<Problem&>().evaluation({std::move(grid), every, final_only, std::move(measures), std::move(at),
                                          std::move(reference), std::move(mesh)});
        return self;
      },
      "grid"_a = Evaluation().grid, py::kw_only(), "every"_a = Evaluation().every,
      "final_only"_a = Evaluation().final_only, "measures"_a = Evaluation().measures, "at"_a = Evaluation().at,
      "reference"_a = Evaluation().reference, "mesh"_a = Evaluation().mesh, "Says how errors are measured.");
}

}  // namespace

void bind_problem(py::module_& module) {
  bind_options(module);
  py::class_<Problem> problem(module, "Problem");
  problem.def(py::init<std::string, const std::vector<Coordinate>&>(), "title"_a, "coordinates"_a)
      .def(py::init<const Problem&>(), "other"_a)
      .def_static("load", &Problem::load, "name_or_file"_a, "overrides"_a, "recipe"_a)
      .def_static("from_text", &Problem::from_text, "toml"_a, "overrides"_a)
      .def(
          "seed",
          [](py::object self, std::uint64_t seed) {
            self.cast<Problem&>().seed(seed);
            return self;
          },
          "seed"_a, "Sets the seed of all random numbers; the default is 1.")
      .def("changed", &Problem::changed, "overrides"_a)
      .def_property_readonly("title", &Problem::title, "As it was given.")
      .def_property_readonly("text", &Problem::text,
                             "The complete problem as a file; `pecann run` on it gives the same history, bit for bit.");
  bind_networks_and_terms(problem);
  bind_training_choices(problem);
}

}  // namespace pecann::python
