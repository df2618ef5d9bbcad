// The parts of the module _core, which stands behind the package pecann: each binds one public header.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pecann/pecann.h"

namespace pecann::python {

namespace py = pybind11;
using py::literals::operator""_a;

void bind_errors(py::module_& module);
void bind_expressions(py::module_& module);
void bind_vectors(py::module_& module);
void bind_regions(py::module_& module);
void bind_shapes(py::module_& module);
void bind_problem(py::module_& module);
void bind_training(py::module_& module);
void bind_solution(py::module_& module);

/// The numbers as a NumPy array that owns them: nothing is copied.
py::array_t<double> array_of(std::vector<double> numbers);

/// A Python object that threads without the interpreter's lock may let go.
std::shared_ptr<py::object> held(py::object object);

}  // namespace pecann::python
