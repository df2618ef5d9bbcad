#include "bindings.h"

namespace pecann::python {
namespace {

using Numbers = std::vector<double>;

/// on("inlet") or on(hole).
template <Region (*of_shape)(const Shape&), Region (*of_name)(const std::string&)>
Region region_of(const py::object& shape) {
  return py::isinstance<Shape>(shape) ? of_shape(shape.cast<const Shape&>()) : of_name(shape.cast<std::string>());
}

}  // namespace

void bind_shapes(py::module_& module) {
  py::class_<Shape>(module, "Shape", R"(A named shape, or what `+`, `-` and `&` make of several.

    >>> from pecann import box, disc
    >>> (box() - disc("hole", [0.5, 0.5], 0.2)).text
    'box - hole')")
      .def_property_readonly("text", &Shape::text, "As problem files write it.")
      .def(
          "__add__", [](const Shape& a, const Shape& b) { return a + b; }, py::is_operator())
      .def(
          "__sub__", [](const Shape& a, const Shape& b) { return a - b; }, py::is_operator())
      .def(
          "__and__", [](const Shape& a, const Shape& b) { return a & b; }, py::is_operator());
  module.def(
      "box",
      [](const std::string& name, const Numbers& lower, const Numbers& upper) {
        return name.empty() && lower.empty() && upper.empty() ? box() : box(name, lower, upper);
      },
      "name"_a = "", "lower"_a = Numbers(), "upper"_a = Numbers(),
      "The box of the coordinates' ranges; with a name and two corners a box of its own.");
  module.def("disc", &disc, "name"_a, "centre"_a, "radius"_a, "A disc, in two coordinates.");
  module.def("ball", &ball, "name"_a, "centre"_a, "radius"_a, "A ball, in any dimension.");
  module.def("ellipse", &ellipse, "name"_a, "centre"_a, "radii"_a, "Axes parallel to the two coordinates'.");
  module.def("ellipsoid", &ellipsoid, "name"_a, "centre"_a, "radii"_a, "Axes parallel to the three coordinates'.");
  module.def("polygon", &polygon, "name"_a, "corners"_a, "A polygon, in either sense.");
  module.def("cylinder", &cylinder, "name"_a, "start"_a, "end"_a, "radius"_a,
             "A cylinder between the middles of its ends, in three coordinates.");
  module.def("half_space", &half_space, "name"_a, "point"_a, "normal"_a,
             "The points p with (p - point) . normal <= 0.");
  module.def("where", &where, "name"_a, "comparison"_a,
             R"(The points where a comparison of coordinates holds: where("blob", x**2 + 2 * y**2 < 0.25).)");
  module.def(
      "from_file", &from_file, "name"_a, "file"_a,
      R"(The mesh of a file: Gmsh's .msh, .stl, .vtu or .vtk. Its groups are regions: on("inlet"), inside("core").)");
  module.def("turned", &turned, "shape"_a, "angle"_a, "axis"_a = Numbers(), "about"_a = Numbers(),
             "A named box, ellipse, ellipsoid or polygon turned by an angle in radians, in space round an axis.");
  py::class_<Mesh, Shape>(module, "Mesh", R"(The mesh of a file as a shape, read to know its groups.

    >>> part = pecann.Mesh.read("part", "part.msh")             # doctest: +SKIP
    >>> part.boundaries, part.materials                         # doctest: +SKIP
    (['inlet', 'wall'], ['core']))")
      .def_static("read", &Mesh::read, "name"_a, "file"_a, "Reads a .msh, .stl, .vtu or .vtk file.")
      .def_property_readonly("dimension", &Mesh::dimension, "Of the space that it lies in: 2 or 3.")
      .def_property_readonly("points", &Mesh::points, "The number of its points.")
      .def_property_readonly("cells", &Mesh::cells, "The number of cells that fill space; a surface has none.")
      .def_property_readonly("boundaries", &Mesh::boundaries, "Names of groups for on().")
      .def_property_readonly("materials", &Mesh::materials, "Names of groups for inside().");
  module.def("on", &region_of<&on, &on>, "shape"_a,
             "The part of the domain's boundary that lies on a named shape, or on a group of a mesh.");
  module.def("inside", &region_of<&inside, &inside>, "shape"_a,
             "The interior of a named shape, or of a group of a mesh, within the domain.");
}

}  // namespace pecann::python
