#include "bindings.h"

namespace pecann::python {
namespace {

using Space = std::optional<std::vector<Coordinate>>;

Vector grad_of(const Expression& a, const Space& space) {
  if (!space) throw py::type_error("grad(a, [x, y]) takes the coordinates of space, unless `a` is a field");
  return grad(a, *space);
}

py::object curl_of(const Vector& a) { return a.space().size() == 2 ? py::cast(curl_in_plane(a)) : py::cast(curl(a)); }

Table table_of(const std::string& name, const py::object& values, const std::vector<Coordinate>& coordinates,
               const std::optional<std::vector<std::vector<double>>>& nodes, const std::string& interpolate) {
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(values);
  if (!array) throw py::error_already_set();
  if (array.ndim() != static_cast<py::ssize_t>(coordinates.size()))
    throw py::value_error("the array has " + std::to_string(array.ndim()) + " dimensions for " +
                          std::to_string(coordinates.size()) + " coordinates");
  if (interpolate != "nearest" && interpolate != "linear" && interpolate != "cubic")
    throw py::value_error("interpolate = '" + interpolate + "': one of nearest, linear, cubic");
  const Interpolate rule = interpolate == "cubic"    ? Interpolate::Cubic
                           : interpolate == "linear" ? Interpolate::Linear
                                                     : Interpolate::Nearest;
  const std::vector<double> numbers(array.data(), array.data() + array.size());
  if (nodes) {
    for (std::size_t i = 0; i < nodes->size() && i < coordinates.size(); ++i)
      if (static_cast<py::ssize_t>((*nodes)[i].size()) != array.shape(static_cast<py::ssize_t>(i)))
        throw py::value_error("the nodes along " + coordinates[i].name() + " are as many as the array has there");
    return Table(name, numbers, coordinates, *nodes, rule);
  }
  return Table(name, numbers, coordinates, std::vector<int>(array.shape(), array.shape() + array.ndim()), rule);
}

}  // namespace

void bind_vectors(py::module_& module) {
  py::class_<Vector>(module, "Vector",
                     R"(Expressions along coordinates of space; `==` makes an equation for every component.

    >>> from pecann import Coordinate, Field, Vector, div, dot, grad
    >>> x, y = Coordinate("x", 0, 1), Coordinate("y", 0, 1)
    >>> u, v = Field("u", [x, y]), Field("v", [x, y])
    >>> flow = Vector([x, y], [u, v])
    >>> div(flow).text, dot(flow, grad(u)).text
    ('u_x + v_y', 'u*u_x + v*u_y'))")
      .def(py::init<std::vector<Coordinate>, std::vector<Expression>>(), "space"_a, "components"_a)
      .def_property_readonly("components", &Vector::components, "Along each coordinate.")
      .def(
          "__add__", [](const Vector& a, const Vector& b) { return a + b; }, py::is_operator())
      .def(
          "__sub__", [](const Vector& a, const Vector& b) { return a - b; }, py::is_operator())
      .def("__neg__", [](const Vector& a) { return -a; })
      .def(
          "__mul__", [](const Vector& a, const Expression& s) { return a * s; }, py::is_operator())
      .def(
          "__rmul__", [](const Vector& a, const Expression& s) { return s * a; }, py::is_operator())
      .def(
          "__truediv__", [](const Vector& a, const Expression& s) { return a / s; }, py::is_operator())
      .def(
          "__eq__", [](const Vector& a, const Vector& b) { return (a == b).list(); }, py::is_operator());
  module.def(
      "grad", [](const Field& u, const Space& space) { return space ? grad(u, *space) : grad(u); }, "a"_a,
      "space"_a = py::none(), "The gradient of a field, or of an expression along the given coordinates.");
  module.def("grad", &grad_of, "a"_a, "space"_a = py::none());
  module.def("div", &div, "a"_a, "The divergence of a vector: div(kappa * grad(u)).");
  module.def("dot", &dot, "a"_a, "b"_a, "The product of two vectors.");
  module.def("curl", &curl_of, "a"_a, "The curl of a vector: a vector in three coordinates, a number in two.");
  module.def("table", &table_of, "name"_a, "values"_a, "coordinates"_a, py::kw_only(), "nodes"_a = py::none(),
             "interpolate"_a = "cubic",
             R"(An array as a function of coordinates, for equations: "nearest", "linear" or "cubic" between its nodes.

Without nodes they are equidistant over the coordinates' ranges, ends included.

    >>> import numpy as np
    >>> from pecann import Coordinate, Field, div, grad, table
    >>> x = Coordinate("x", 0, 1)
    >>> u = Field("u", [x])
    >>> kappa = table("kappa", 1 + np.linspace(0, 1, 9)**2, [x])
    >>> div(kappa * grad(u)).text
    'd(kappa, x)*u_x + kappa*u_xx')");
}

}  // namespace pecann::python
