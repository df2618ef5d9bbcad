#include "bindings.h"

namespace pecann::python {

py::array_t<double> array_of(std::vector<double> numbers) {
  auto owned = std::make_unique<std::vector<double>>(std::move(numbers));
  const std::vector<double>& view = *owned;
  const py::capsule owner(owned.get(), [](void* pointer) { delete static_cast<std::vector<double>*>(pointer); });
  owned.release();  // the capsule has it
  return py::array_t<double>(static_cast<py::ssize_t>(view.size()), view.data(), owner);
}

std::shared_ptr<py::object> held(py::object object) {
  return {new py::object(std::move(object)), [](py::object* pointer) {
            const py::gil_scoped_acquire lock;
            delete pointer;
          }};
}

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const py::builtin_exception&) {
      throw;
    } catch (const py::error_already_set&) {
      throw;
    } catch (const std::exception& error) {
      const auto fault = input_fault(error);
      if (!fault) throw;
      const py::object type = py::module_::import("pecann._errors").attr("InputError");
      const py::object raised = type(error.what(), fault->file, fault->line, fault->column, fault->key, fault->value,
                                     fault->rule, fault->hint);
      PyErr_SetObject(type.ptr(), raised.ptr());
    }
  });
}

}  // namespace pecann::python

PYBIND11_MODULE(_core, module) {
  using namespace pecann::python;
  module.doc() = "The engine behind the package pecann; use it through the package.";
  bind_errors(module);
  bind_expressions(module);
  bind_vectors(module);
  bind_regions(module);
  bind_shapes(module);
  bind_problem(module);
  bind_solution(module);
  bind_training(module);
  module.def("better_blas_kernel", &pecann::better_blas_kernel,
             "What OPENBLAS_CORETYPE should be set to before Python starts; empty where all is well.");
  module.def("version", &pecann::version, "Version, commit, compiler, vector instructions, BLAS and MPI.");
}
