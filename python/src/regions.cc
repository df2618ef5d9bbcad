#include "bindings.h"

namespace pecann::python {
namespace {

Points table_of(const py::kwargs& columns) {
  std::vector<Column> list;
  for (const auto& [name, numbers] : columns) {
    const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(numbers);
    if (!array) throw py::error_already_set();
    list.emplace_back(name.cast<std::string>(), std::vector<double>(array.data(), array.data() + array.size()));
  }
  return points_table(std::move(list));
}

}  // namespace

void bind_regions(py::module_& module) {
  py::class_<Region>(module, "Region", "A part of the domain; `a | b` is the union.")
      .def("closed", &Region::closed, "The same region; grids take the nodes of its edges too.")
      .def("after_start", &Region::after_start, "The same region; grids leave out the first time.")
      .def(
          "__or__", [](const Region& a, const Region& b) { return a | b; }, py::is_operator());
  module.def("interior", &interior, "Inside in space, after the first time.");
  module.def("boundary", &boundary, "All faces in space, at all times.");
  module.def("initial_time", &initial_time, "The first time, inside in space.");
  module.def("final_time", &final_time, "The last time, inside in space.");
  module.def("face", &face, "x"_a, "value"_a, "The plane x = value, also inside the domain.");
  module.def("of_points", &of_points, "The region of terms whose points come from a file, a table or another term.");

  py::class_<Points>(module, "Points", "A rule that chooses points of a region.")
      .def("redraw", &Points::redraw, "epochs"_a, "Draws the points anew every so many epochs; not on grids.")
      .def("near", &Points::near, "more"_a, "density"_a, "pool"_a = 0,
           "Adds points, chosen with a probability proportional to the density.");
  module.def("chosen_points", &chosen_points, "As many Sobol points as suit the problem.");
  module.def("grid", &grid, "nodes"_a, "Equidistant nodes per coordinate, ends included.");
  module.def("gauss", &gauss, "nodes"_a,
             "Gauss-Legendre nodes per coordinate: for integrals over boxes and their sides.");
  module.def("sobol", &sobol, "count"_a, "Scrambled Sobol points; a boundary has so many on every face.");
  module.def("uniform", &uniform, "count"_a, "Independent random points.");
  module.def("latin_hypercube", &latin_hypercube, "count"_a, "Latin hypercube.");
  module.def("points_file", &points_file, "path"_a, "A .csv or .npy with the coordinates.");
  module.def("points_of", &points_of, "term"_a, "The points of another term: one network pass for both.");
  module.def("points_table", &table_of,
             R"(Points of one's own: an array for every coordinate, and further ones that equations call data("NAME").

    >>> import numpy as np, pecann as pn
    >>> x = pn.Coordinate("x", 0, 1)
    >>> u = pn.Field("u", [x])
    >>> xs = np.linspace(0, 1, 20)
    >>> problem = pn.Problem("A source on points", [x]).network(u, hidden=[8])
    >>> problem = problem.objective("pde", pn.d(u, x, x) == pn.data("f"), points=pn.points_table(x=xs, f=np.exp(xs)))
)");
}

}  // namespace pecann::python
