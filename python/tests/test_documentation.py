"""Docstrings, types, the tutorial notebook and the examples of docs/python.md say what is true."""
import ast
import contextlib
import doctest
import inspect
import io
import json
import os
import pathlib
import re
import tempfile
import unittest

import numpy

import pecann
from pecann import _core, _mathematics

TOP = pathlib.Path(os.environ["PECANN_TOP"])


@contextlib.contextmanager
def elsewhere():
    """A folder for what examples write."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def documented():
    """Everything public with a docstring, by its name."""
    yield "pecann", pecann
    yield "formula", _mathematics.formula
    for name in [*pecann.__all__, "abs", "open"]:
        thing = getattr(pecann, name)
        if not (inspect.isroutine(thing) or inspect.isclass(thing)):
            continue
        yield name, thing
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            if not member.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                yield f"{name}.{member}", value


class Docstrings(unittest.TestCase):
    def test_everything_public_has_one(self):
        plain = {"Coordinate", "Field", "Parameter"}  # whose names and ranges need no words
        for name, thing in documented():
            if name.split(".")[0] in plain and "." in name:
                continue
            self.assertTrue((inspect.getdoc(thing) or "").strip(), name)

    def test_their_examples_are_true(self):
        runner, tried = doctest.DocTestRunner(), 0
        for name, thing in documented():
            text = inspect.getdoc(thing) or ""
            names = dict(vars(pecann), np=numpy, formula=_mathematics.formula)
            test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
            report = io.StringIO()
            tried += len(test.examples)
            self.assertEqual(runner.run(test, out=report.write).failed, 0, report.getvalue())
        self.assertGreater(tried, 25)


def stub_names(body):
    """Names of a class or module of the stub with the names of their parameters (None: a property or a class)."""
    names = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
            parameters = [one.arg for one in node.args.args + node.args.kwonlyargs if one.arg != "self"]
            names[node.name] = None if "property" in decorators else parameters
        elif isinstance(node, ast.ClassDef):
            names[node.name] = None
    return names


def bound_parameters(function):
    """The names of the parameters as pybind11 writes them into docstrings."""
    signature = function.__doc__.splitlines()[0]
    if "Overloaded" in function.__doc__:
        signature = re.search(r"1\. (.*)", function.__doc__).group(1)
    inner = signature[signature.index("(") + 1:signature.rindex(") ->")]
    names = re.findall(r"(?:^|, )(\w+): ", re.sub(r"\[[^\[\]]*\]", "", re.sub(r"\[[^\[\]]*\]", "", inner)))
    return [name for name in names if not re.fullmatch(r"self|arg\d+", name)]


class Types(unittest.TestCase):
    tree = ast.parse((TOP / "python/pecann/_core.pyi").read_text())

    def test_the_stub_names_what_the_module_has(self):
        self.check(stub_names(self.tree.body), _core)
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef):
                self.check(stub_names(node.body), getattr(_core, node.name))

    def check(self, names, owner):
        is_class = inspect.isclass(owner)
        given = {name for name in vars(owner) if not name.startswith("__") or name in names}
        given -= {"__doc__", "__module__", "__repr__"}
        self.assertEqual(set(names), given, owner)
        for name, parameters in names.items():
            function = getattr(owner, name)
            if parameters is None or is_class and name.startswith("__") and name != "__init__":
                continue
            self.assertEqual(parameters, bound_parameters(function), f"{owner}.{name}")


class Notebook(unittest.TestCase):
    def test_its_cells_run(self):
        notebook = json.loads((TOP / "python/tutorial.ipynb").read_text())
        cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
        self.assertGreater(len(cells), 5)
        names = {}
        with elsewhere(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            for number, cell in enumerate(cells):
                tree = ast.parse(cell)
                shown = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
                exec(compile(tree, f"cell {number}", "exec"), names)
                if shown is not None:  # what the notebook would show
                    value = eval(compile(ast.Expression(shown.value), f"cell {number}", "eval"), names)
                    getattr(value, "_repr_html_", value.__repr__)()


class Guide(unittest.TestCase):
    def test_its_programs_run(self):
        text = (TOP / "docs/python.md").read_text()
        programs = [block for block in re.findall(r"```python\n(.*?)```", text, re.S) if "deepxde" not in block]
        self.assertGreater(len(programs), 4)
        names = {}
        with elsewhere(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            for number, program in enumerate(programs):
                exec(compile(program, f"program {number} of docs/python.md", "exec"), names)


if __name__ == "__main__":
    unittest.main()
