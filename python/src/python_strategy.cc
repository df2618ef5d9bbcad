#include "python_strategy.h"

#include <algorithm>

namespace pecann::python {
namespace {

py::array_t<double> copy_of(std::span<const double> numbers) {
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

void copy_back(const py::object& duals, const char* name, std::span<double> numbers) {
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(duals.attr(name));
  if (!array) throw py::error_already_set();
  if (static_cast<std::size_t>(array.size()) != numbers.size())
    throw py::value_error(std::string("duals.") + name + " has " + std::to_string(array.size()) +
                          " numbers instead of " + std::to_string(numbers.size()));
  std::copy_n(array.data(), numbers.size(), numbers.begin());
}

py::object namespace_of(const py::kwargs& values) {
  return py::module_::import("types").attr("SimpleNamespace")(**values);
}

py::object own_duals(Duals duals) {
  return namespace_of(py::dict("multiplier"_a = copy_of(duals.multiplier), "penalty"_a = copy_of(duals.penalty)));
}

void take_over(const py::object& own, Duals duals) {
  copy_back(own, "multiplier", duals.multiplier);
  copy_back(own, "penalty", duals.penalty);
}

}  // namespace

void PythonStrategy::start(Duals duals) {
  const py::gil_scoped_acquire lock;
  const py::object own = own_duals(duals);
  strategy_->attr("start")(own);
  take_over(own, duals);
}

bool PythonStrategy::update(const DualInput& input, Duals duals) {
  const py::gil_scoped_acquire lock;
  const py::object own = own_duals(duals);
  const py::object seen = namespace_of(
      py::dict("constraints"_a = copy_of(input.constraints), "loss"_a = input.loss, "eta"_a = copy_of(input.eta)));
  const py::object changed = strategy_->attr("update")(seen, own);
  if (!py::isinstance<py::bool_>(changed) && !changed.is_none())
    throw py::type_error("update() of a penalty strategy returns whether a multiplier or penalty changed");
  take_over(own, duals);
  return !changed.is_none() && changed.cast<bool>();
}

std::vector<double> PythonStrategy::state() const {
  const py::gil_scoped_acquire lock;
  const py::object state = strategy_->attr("state")();
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(state);
  if (!array) throw py::error_already_set();
  return {array.data(), array.data() + array.size()};
}

void PythonStrategy::restore(std::span<const double> state) {
  const py::gil_scoped_acquire lock;
  strategy_->attr("restore")(copy_of(state));
}

}  // namespace pecann::python
