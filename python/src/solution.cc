#include <cstdint>

#include "bindings.h"

namespace pecann::python {
namespace {

using Numbers = py::array_t<double>;

/// The numbers of an array where they lie; an array that no whole step of doubles reaches is replaced by a copy.
Strided strided(Numbers& numbers) {
  constexpr py::ssize_t kWidth = sizeof(double);
  if (numbers.ndim() != 1) throw py::value_error("coordinates are one-dimensional arrays");
  const bool aligned = reinterpret_cast<std::uintptr_t>(numbers.data()) % alignof(double) == 0;
  if (!aligned || numbers.strides(0) % kWidth != 0)
    numbers = py::array_t<double, py::array::c_style | py::array::forcecast>(numbers.attr("copy")());
  return {numbers.data(), numbers.strides(0) / kWidth};
}

/// The places of equally long arrays.
std::vector<Strided> places_of(std::vector<Numbers>& coordinates) {
  std::vector<Strided> places;
  for (Numbers& numbers : coordinates) {
    if (numbers.size() != coordinates.front().size())
      throw py::value_error("the arrays of coordinates are equally long");
    places.push_back(strided(numbers));
  }
  return places;
}

std::size_t count_of(const std::vector<Numbers>& coordinates) {
  return coordinates.empty() ? 0 : static_cast<std::size_t>(coordinates.front().size());
}

std::vector<Numbers> evaluate(const Solution& solution, const std::vector<std::string>& expressions,
                              std::vector<Numbers> coordinates, int threads) {
  const std::vector<Strided> places = places_of(coordinates);
  std::vector<std::vector<double>> values;
  {
    const py::gil_scoped_release unlocked;
    values = solution.evaluate(expressions, places, count_of(coordinates), threads);
  }
  std::vector<Numbers> arrays;
  for (std::vector<double>& column : values) arrays.push_back(array_of(std::move(column)));
  return arrays;
}

py::array_t<bool> inside(const Solution& solution, std::vector<Numbers> coordinates) {
  const std::vector<Strided> places = places_of(coordinates);
  std::vector<char> mask;
  {
    const py::gil_scoped_release unlocked;
    mask = solution.inside(places, count_of(coordinates));
  }
  py::array_t<bool> array(static_cast<py::ssize_t>(mask.size()));
  for (std::size_t i = 0; i < mask.size(); ++i) array.mutable_at(static_cast<py::ssize_t>(i)) = mask[i] != 0;
  return array;
}

}  // namespace

void bind_solution(py::module_& module) {
  py::class_<Solution>(module, "Solution")
      .def("evaluate", &evaluate, "expressions"_a, "coordinates"_a, "threads"_a)
      .def("inside", &inside, "coordinates"_a)
      .def_property_readonly("coordinates", &Solution::coordinates)
      .def_property_readonly("fields", &Solution::fields)
      .def_property_readonly("problem_text", &Solution::problem_text)
      .def(
          "parameters", [](const Solution& solution, int window) { return array_of(solution.parameters(window)); },
          "window"_a)
      .def("write", &Solution::write_texts, "path"_a, "expressions"_a, "grid"_a)
      .def("write_header", &Solution::write_header, "path"_a, "name_space"_a);
}

}  // namespace pecann::python
