#include "bindings.h"

namespace pecann::python {
namespace {

/// A name of Python and the function of expressions that it is.
struct Unary {
  const char* name;
  Expression (*function)(const Expression&);
  const char* text;
};
constexpr Unary kUnary[] = {
    {"sin", sin, "Sine."},
    {"cos", cos, "Cosine."},
    {"tan", tan, "Tangent."},
    {"exp", exp, "Exponential."},
    {"log", log, "Natural logarithm."},
    {"sqrt", sqrt, "Square root."},
    {"tanh", tanh, "Hyperbolic tangent."},
    {"sinh", sinh, "Hyperbolic sine."},
    {"cosh", cosh, "Hyperbolic cosine."},
    {"asin", asin, "Inverse sine."},
    {"acos", acos, "Inverse cosine."},
    {"atan", atan, "Inverse tangent."},
    {"erf", erf, "Error function."},
    {"abs", abs, "Absolute value; its derivative is the sign."},
    {"sign", sign, "-1, 0 or 1; its derivative is 0."},
    {"laplacian", laplacian, "The sum of second derivatives by the coordinates that `a` depends on, time left out."},
};

struct Binary {
  const char* name;
  Expression (*function)(const Expression&, const Expression&);
};
constexpr Binary kBinary[] = {{"add", operator+ },
                               {"sub", operator- },
                                {"mul", operator* },
                                 {
                                     "truediv",
                                     operator/ },
                                     {"pow", pow},
                                };
constexpr Binary kComparisons[] = {{"__lt__", operator<},
                                    {"__le__", operator<= },
                                     {"__gt__", operator> },
                                      {
                                          "__ge__",
                                          operator>= },
                                     };

Expression d_of(const Expression& a, const py::args& coordinates) {
  if (coordinates.empty()) throw py::type_error("d(a, x, …) takes the coordinates to differentiate by");
  Expression result = a;
  for (const py::handle coordinate : coordinates) {
    if (!py::isinstance<Coordinate>(coordinate)) throw py::type_error("d(a, x, …): derivatives are by coordinates");
    result = derivative(result, coordinate.cast<const Coordinate&>());
  }
  return result;
}

Expression at_of(const Expression& a, const py::kwargs& substitutions) {
  std::vector<Substitution> list;
  for (const auto& [name, value] : substitutions)
    list.push_back({name.cast<std::string>(), value.cast<const Expression&>()});
  if (list.empty()) throw py::type_error("at(a, x=1, …) takes what stands in place of coordinates");
  return at(a, list);
}

[[noreturn]] bool no_truth(const std::string& what) {
  throw py::type_error(what + " is part of a problem and neither true nor false; write if_else(condition, a, b)");
}

void bind_leaves(py::module_& module) {
  py::class_<Coordinate, Expression>(module, "Coordinate",
                                     R"(A coordinate with its range; the one named "t" is time.

With role="parameter" it numbers the members of a family of problems: it is sampled, but is not of space.

    >>> from pecann import Coordinate
    >>> x = Coordinate("x", -1, 1)
    >>> x.name, x.lower, x.upper
    ('x', -1.0, 1.0))")
      .def(py::init([](std::string name, double lower, double upper, const std::string& role) {
             if (!role.empty() && role != "parameter")
               throw py::value_error("role = '" + role + "': none, or parameter");
             return Coordinate(std::move(name), lower, upper,
                               role.empty() ? Coordinate::Role::Usual : Coordinate::Role::Parameter);
           }),
           "name"_a, "lower"_a, "upper"_a, py::kw_only(), "role"_a = "")
      .def_property_readonly("name", &Coordinate::name)
      .def_property_readonly("lower", &Coordinate::lower)
      .def_property_readonly("upper", &Coordinate::upper);
  py::class_<Field, Expression>(module, "Field", R"(An unknown function of some coordinates: an output of a network.

    >>> from pecann import Coordinate, Field
    >>> Field("u", [Coordinate("x", 0, 1), Coordinate("t", 0, 2)])
    <pecann.Field u>)")
      .def(py::init<std::string, std::vector<Coordinate>>(), "name"_a, "inputs"_a)
      .def_property_readonly("name", &Field::name)
      .def_property_readonly("inputs", &Field::inputs);
  py::class_<Parameter, Expression>(module, "Parameter", R"(A number that is trained with the networks.

Bounds keep it inside; with log=True it stays positive and is trained as its logarithm. `exact` is a known value, for
the error in the summary.)")
      .def(py::init([](std::string name, double initial, std::optional<double> lower, std::optional<double> upper,
                       bool log, std::optional<double> exact) {
             return Parameter(std::move(name), {initial, lower, upper, log, exact});
           }),
           "name"_a, "initial"_a = 1.0, py::kw_only(), "lower"_a = py::none(), "upper"_a = py::none(), "log"_a = false,
           "exact"_a = py::none())
      .def_property_readonly("name", &Parameter::name);
  py::class_<Constant, Expression>(module, "Constant", "A number with a name, which phases of training may change.")
      .def(py::init<std::string, double>(), "name"_a, "value"_a);
}

}  // namespace

void bind_expressions(py::module_& module) {
  py::class_<Expression> expression(module, "Expression", R"(A formula of coordinates, fields and numbers.

Operators, the functions of this module and those of NumPy make larger ones; `==` makes an equation.

    >>> import numpy as np
    >>> from pecann import Coordinate, Field, d
    >>> x = Coordinate("x", 0, 1)
    >>> u = Field("u", [x])
    >>> (d(u, x, x) + np.sin(2 * x)).text
    'u_xx + sin(2*x)')");
  py::class_<Equation>(module, "Equation", "left = right; its residual is left - right.")
      .def_readonly("left", &Equation::left, "Left side.")
      .def_readonly("right", &Equation::right, "Right side.")
      .def("__bool__", [](const Equation&) { return no_truth("an equation"); })
      .def("__repr__", [](const Equation& equation) {
        return "<pecann.Equation " + equation.left.text() + " = " + equation.right.text() + ">";
      });
  expression.def(py::init<double>(), "number"_a)
      .def_property_readonly("text", &Expression::text, "The formula as a problem file writes it.")
      .def("__repr__",
           [](const py::object& self) {
             return "<pecann." + self.attr("__class__").attr("__name__").cast<std::string>() + " " +
                    self.attr("text").cast<std::string>() + ">";
           })
      .def("__bool__", [](const Expression&) { return no_truth("an expression"); })
      .def("__neg__", [](const Expression& a) { return -a; })
      .def("__pos__", [](const Expression& a) { return a; })
      .def("__abs__", [](const Expression& a) { return abs(a); })
      .def(
          "__eq__",
          [](const Expression& a, const Expression& b) {
            return Equation{a, b};
          },
          py::is_operator())
      .def("__array_ufunc__", [](const py::args& arguments, const py::kwargs& options) {
        return py::module_::import("pecann._numpy").attr("ufunc")(*arguments, **options);
      });
  for (const Binary& operation : kBinary) {
    const auto function = operation.function;
    const std::string name = operation.name;
    expression.def(("__" + name + "__").c_str(), function, py::is_operator());
    expression.def(("__r" + name + "__").c_str(),
                   [function](const Expression& a, const Expression& b) { return function(b, a); }, py::is_operator());
  }
  for (const Binary& comparison : kComparisons) expression.def(comparison.name, comparison.function, py::is_operator());
  py::implicitly_convertible<double, Expression>();
  py::implicitly_convertible<long, Expression>();

  bind_leaves(module);
  for (const Unary& row : kUnary) module.def(row.name, row.function, "a"_a, row.text);
  module.def("minimum", static_cast<Expression (*)(const Expression&, const Expression&)>(min), "a"_a, "b"_a,
             "The smaller one.");
  module.def("maximum", static_cast<Expression (*)(const Expression&, const Expression&)>(max), "a"_a, "b"_a,
             "The larger one.");
  module.def("if_else", &if_else, "condition"_a, "then"_a, "otherwise"_a, "`then` where the condition holds.");
  module.def("d", &d_of, "a"_a, R"(Derivatives of any expression, exact: d(u, x, x) is the second one by x.

    >>> from pecann import Coordinate, Field, d
    >>> x, t = Coordinate("x", 0, 1), Coordinate("t", 0, 1)
    >>> u = Field("u", [x, t])
    >>> d(x**2 * u, x).text
    '2*x*u + x^2*u_x')");
  module.def("at", &at_of, "a"_a, R"(The expression with coordinates replaced, in fields too: at(u, x=1) for periodic
conditions, at(u, t=0) for fields frozen in time.)");
  module.def("data", &data, "name"_a, "The measured values `name` of the term that uses them: one number per point.");
  const auto over = [](const std::string& word) {
    if (word != "region" && word != "space") throw py::value_error("over = '" + word + "': one of region, space");
    return word == "space" ? Over::Space : Over::Region;
  };
  module.def(
      "integral", [over](const Expression& a, const std::string& word) { return integral(a, over(word)); }, "a"_a,
      py::kw_only(), "over"_a = "region",
      R"(The integral over the region of its term; over="space" has a value for every time.

    >>> from pecann import Coordinate, Field, integral
    >>> u = Field("u", [Coordinate("x", 0, 1)])
    >>> integral(u**2) == 1
    <pecann.Equation integral(u^2) = 1>)");
  module.def(
      "mean", [over](const Expression& a, const std::string& word) { return mean(a, over(word)); }, "a"_a,
      py::kw_only(), "over"_a = "region", "integral(a) / integral(1).");
  module.def("normal", &normal, "x"_a, "The component along x of the unit normal that points out of the domain.");
  module.def("dn", &dn, "u"_a, "The derivative of a field along the normal, for terms on boundaries.");
  module.def("residual", &residual,
             "The root of the sum of squares of a term's residuals at a point, for the density of Points.near.");
}

}  // namespace pecann::python
