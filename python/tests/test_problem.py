"""Problems built with operators, loaded and parsed; mistakes as exceptions with parts."""
import math
import pathlib
import pickle
import tempfile
import unittest

import numpy as np

import pecann as pn
from problems import poisson, u, x


class Expressions(unittest.TestCase):
    def test_operators_write_what_files_say(self):
        t = pn.Coordinate("t", 0, 1)
        v = pn.Field("v", [x, t])
        nu = pn.Parameter("nu", 2, log=True)
        self.assertEqual((pn.d(v, t) + 2 * v * pn.d(v, x) - nu * pn.d(v, x, x)).text, "v_t + 2*v*v_x - nu*v_xx")
        self.assertEqual((1 - v / x).text, "1 - v/x")
        self.assertEqual((-(v**2)).text, "-v^2")
        self.assertEqual(pn.at(v, x=1, t=0).text, "at(v, t = 0, x = 1)")
        self.assertEqual(pn.if_else(x < 0.5, 1, v).text, "if(x < 0.5, 1, v)")
        self.assertEqual(pn.laplacian(v).text, "v_xx")

    def test_numpy_functions_and_scalars_are_taken(self):
        self.assertEqual(np.sin(np.float64(2) * x).text, pn.sin(2 * x).text)
        self.assertEqual((np.int64(3) + u).text, (3 + u).text)
        self.assertEqual((np.float32(0.5) * u).text, (0.5 * u).text)
        self.assertEqual(np.maximum(u, 0).text, pn.maximum(u, 0).text)
        self.assertIsInstance(np.float64(1) == u, pn.Equation)

    def test_arrays_and_unknown_functions_are_refused_with_a_way_out(self):
        with self.assertRaisesRegex(TypeError, "points_table"):
            np.ones(3) * u
        with self.assertRaisesRegex(TypeError, "numpy.floor is no function"):
            np.floor(u)
        with self.assertRaises(TypeError):
            math.sin(u)

    def test_equations_and_conditions_have_no_truth(self):
        for thing in (u == 0, u < 1):
            with self.assertRaisesRegex(TypeError, "neither true nor false"):
                bool(thing)

    def test_a_star_import_leaves_the_names_of_python(self):
        import builtins
        names = {}
        exec("from pecann import *", names)
        self.assertEqual([name for name in pn.__all__ if hasattr(builtins, name)], [])
        self.assertEqual(abs(u).text, pn.abs(u).text)
        self.assertIs(names["sin"], pn.sin)

    def test_derivatives_are_by_coordinates(self):
        with self.assertRaises(TypeError):
            pn.d(u, u)
        with self.assertRaises(TypeError):
            pn.d(u)


class Vectors(unittest.TestCase):
    y = pn.Coordinate("y", 0, 1)
    v = pn.Field("v", [x, y])
    w = pn.Field("w", [x, y])

    def test_words_of_vector_calculus(self):
        flow = pn.Vector([x, self.y], [self.v, self.w])
        self.assertEqual(pn.div(2 * flow).text, "2*v_x + 2*w_y")
        self.assertEqual(pn.curl(flow).text, "w_x - v_y")
        self.assertEqual(pn.div(pn.grad(x * self.v, [x, self.y])).text, pn.laplacian(x * self.v).text)
        self.assertEqual(pn.dot(flow, pn.grad(self.w)).text, "v*w_x + w*w_y")
        self.assertEqual(len(flow == pn.grad(self.v)), 2)
        with self.assertRaisesRegex(TypeError, "coordinates of space"):
            pn.grad(x * self.v)
        with self.assertRaisesRegex(pn.InputError, "three"):
            pn.curl(pn.Vector([x], [self.v]))

    def test_tables_shapes_and_families_are_those_of_files(self):
        k = pn.Coordinate("k", 1, 4, role="parameter")
        u = pn.Field("u", [x, self.y, k])
        self.assertEqual(pn.laplacian(u).text, "u_xx + u_yy")
        values = np.add.outer(np.linspace(1, 2, 5), np.linspace(0, 1, 4)**2)
        kappa = pn.table("kappa", values, [x, self.y], interpolate="linear")
        problem = pn.Problem("Family", [x, self.y, k]).fields(u).uses(kappa)
        problem.equation("laplacian(u) = kappa*k", pn.interior()).equation(u == 0, pn.boundary())
        self.assertIn('k = { range = [1, 4], role = "parameter" }', problem.text)
        self.assertIn('interpolate = "linear"', problem.text)
        hole = pn.disc("hole", [0.5, 0.5], 0.2)
        plate = pn.Problem("Plate", [x, self.y]).domain(pn.box() - hole, [pn.disc("core", [0.1, 0.1], 0.05)])
        plate.fields(self.v).equation(pn.laplacian(self.v) == 1, pn.interior())
        plate.equation(pn.dn(self.v) == 0, pn.on(hole)).equation(self.v == pn.normal(x), pn.boundary())
        plate.equation(self.v >= 0, pn.inside("core"))
        self.assertIn('domain = "box - hole"', plate.text)
        self.assertIn("core = { disc = ", plate.text)
        with self.assertRaisesRegex(ValueError, "dimensions"):
            pn.table("kappa", values, [x])
        with self.assertRaisesRegex(ValueError, "nearest, linear, cubic"):
            pn.table("kappa", values, [x, self.y], interpolate="square")
        with self.assertRaisesRegex(ValueError, "parameter"):
            pn.Coordinate("k", 1, 4, role="space")

    def test_a_mesh_is_named_by_its_file(self):
        self.assertEqual(pn.from_file("part", "part.msh").text, "part")
        with self.assertRaisesRegex(pn.InputError, "no-such.msh"):
            pn.Problem("On a mesh", [x, self.y]).domain(pn.from_file("part", "no-such.msh"))
        with self.assertRaisesRegex(pn.InputError, "no-such.msh"):
            pn.Mesh.read("part", "no-such.msh")

    def test_a_mesh_tells_its_groups_and_shapes_are_turned(self):
        part = pn.Mesh.read("part", str(pathlib.Path(__file__).parents[2] / "tests/meshes/plate-msh41-text.msh"))
        self.assertIn("left", part.boundaries)
        self.assertEqual(sorted(part.materials), ["core", "plate"])
        x = pn.Coordinate("x", -1, 1)
        plate = pn.Problem("A plate", [x, self.y])
        plate.domain(pn.box() - pn.turned(pn.box("slot", [0, 0], [0.5, 0.1]), 0.5, about=[0, 0]))
        u = pn.Field("u", [x, self.y])
        plate.network([u], hidden=[4]).objective("pde", pn.laplacian(u) == 0, pn.interior(), pn.sobol(10))
        self.assertIn("angle = 0.5, about = [0, 0]", plate.text)


class Problems(unittest.TestCase):
    def test_text_is_the_problem(self):
        problem = poisson()
        self.assertEqual(pn.Problem.parse(problem.text).text, problem.text)
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(problem.text)
            file.flush()
            self.assertIn("u_xx = ", pn.Problem.load(file.name).text)

    def test_changes_are_what_python_calls_them(self):
        problem = poisson()
        odd = 'two\nlines, a "quote", a \\, \x1b, \x7f and ü'
        self.assertEqual(problem.changed({"title": odd}).title, odd)
        for value in (np.array([12]), (12,), range(12, 13), [np.int64(12)], np.array([12], dtype=object)):
            self.assertIn("grid = [12]", problem.changed({"term.pde.points": {"grid": value}}).text)
        for value in (np.bool_(True), True):
            self.assertIn("watch = true", problem.changed({"held_out.watch": value}).text)
        equation = pn.d(u, x, x) == pn.sin(x)
        self.assertIn("u_xx = sin(x)", problem.changed({"term.pde.equation": equation}).text)
        self.assertIn("nu = 2.5", problem.changed({"constants": {"nu": np.array(2.5)}}).text)
        for value in (None, b"text", 1j, {1}, [None], {"a": None}, object()):
            with self.assertRaisesRegex(TypeError, "title: a change is a number, a text"):
                problem.changed({"title": value})

    def test_every_key_can_be_changed(self):
        changed = poisson().changed({"phase.1.epochs": 3, "penalty.strategy": "mpu", "term.pde.points.grid": [12]})
        self.assertIn("epochs = 3", changed.text)
        self.assertIn('strategy = "mpu"', changed.text)
        self.assertIsInstance(changed, pn.Problem)
        self.assertIn("epochs = 10", poisson().text)

    def test_options_reach_the_problem(self):
        problem = pn.Problem("Options", [x, pn.Coordinate("t", 0, 1)])
        v = pn.Field("v", [x, pn.Coordinate("t", 0, 1)])
        problem.network([v], hidden=[4], activation="sin", output="sigmoid", first_scale=2)
        problem.objective("pde", [v == 0, pn.d(v, x) == 0], pn.interior(), pn.sobol(9).redraw(5), weight=3, batch=4)
        problem.constraint("start", v == 1, pn.initial_time().closed(), pn.grid([5, 2]), eta=0.5, aggregate="pointwise")
        problem.constraint("sides", v == 1, pn.face(x, 0) | pn.face(x, 1), pn.uniform(7), distance="absolute")
        problem.penalty("cpu", beta=3, multiplier=0.5).stop(seconds=60, violation=1e-3).held_out("last", 7)
        problem.phase("adam", 30, learning_rate=0.01, schedule=pn.Schedule("plateau", patience=7), until=0.1)
        problem.windows(2, normalise="window", retry=pn.WindowTry(grow=2)).seed(8)
        problem.evaluation([11, 7], measures=["linf"])
        text = problem.text
        for part in ('activation = "sin"', 'output = "sigmoid"', "redraw = 5", "weight = 3", "batch = 4", "eta = 0.5",
                     'aggregate = "pointwise"', 'distance = "absolute"', "closed = true", '"x = 1"', "uniform = 7",
                     'strategy = "cpu"', "beta = 3", "seconds = 60", "violation = 0.001", 'keep = "last"',
                     "learning_rate = 0.01", "patience = 7", "until = 0.1", "count = 2", "grid = [11, 7]", '"linf"',
                     "seed = 8"):
            self.assertIn(part, text)

    def test_features_are_solved(self):
        problem = pn.Problem("Features", [x]).features(u, count=120, activation="tanh", scale=[3])
        problem.objective("pde", pn.d(u, x, x) == -u, pn.interior(), pn.sobol(300))
        problem.constraint("ends", u == x, pn.boundary(), pn.sobol(1)).phase("solve", 1)
        self.assertIn("features = 120", problem.text)
        self.assertIn("scale = [3]", problem.text)

    def test_what_is_left_out_is_what_a_file_leaves_out(self):
        k = pn.Parameter("k", 2.0)
        made = pn.Problem("Short", [x]).fields(u).uses(k)
        made.equation("u_xx = k", pn.interior()).constraint("ends", u == 0, pn.boundary())
        made.equation([pn.integral(u**2) == 1, pn.mean(u) == 0.5], pn.interior(), pn.gauss([8]))
        made.equation(u >= -1, pn.interior())
        file = pn.Problem.parse("""
title = "Short"
coordinates = { x = [0, 1] }
fields = ["u"]
parameters.k = { initial = 2 }
[[term]]
region = "interior"
equation = "u_xx = k"
[[term]]
name = "ends"
region = "boundary"
equation = "u = 0"
[[term]]
region = "interior"
equation = ["integral(u^2) = 1", "mean(u) = 0.5"]
points = { gauss = [8] }
[[term]]
region = "interior"
equation = "-1 <= u"
""")
        self.assertEqual(made.text, file.text)
        self.assertIn('role = "constraint"', made.text)
        with self.assertRaisesRegex(TypeError, "a >= b"):
            made.equation(3, pn.interior())
        with self.assertRaisesRegex(ValueError, "region, space"):
            pn.integral(u, over="time")

    def test_wrong_words_name_the_right_ones(self):
        with self.assertRaisesRegex(ValueError, "pointwise"):
            poisson().objective("more", u == 0, pn.interior(), pn.grid([5]), aggregate="median")
        with self.assertRaises(TypeError):
            poisson().network(u, hiden=[3])
        with self.assertRaisesRegex(pn.InputError, "tanh"):
            poisson().network(u, activation="tahn")


class Mistakes(unittest.TestCase):
    def test_the_parts_of_a_mistake(self):
        text = poisson().text.replace("u_xx", "u_xz", 1)
        with self.assertRaises(pn.InputError) as caught:
            pn.Problem.parse(text)
        error = caught.exception
        self.assertEqual(error.key, "term.pde.equation")
        self.assertEqual(text.splitlines()[error.line - 1].split(" ")[0], "equation")
        self.assertIn("u_xz", str(error))
        self.assertIsInstance(error, ValueError)
        self.assertEqual(pickle.loads(pickle.dumps(error)).line, error.line)

    def test_a_problem_that_is_not_complete(self):
        problem = pn.Problem("Nothing", [x])
        with self.assertRaises(pn.InputError):
            problem.train()
        self.assertIn("Nothing", problem._repr_html_())

    def test_what_is_not_there(self):
        with self.assertRaisesRegex(pn.InputError, "did you mean 'poisson'"):
            pn.Problem.load("poison")
        with self.assertRaises(pn.InputError):
            pn.open("no-such-folder")


class Notebooks(unittest.TestCase):
    def test_a_problem_is_shown_as_mathematics(self):
        shown = poisson()._repr_html_()
        self.assertIn("<msup><mo>∂</mo><mn>2</mn></msup><mi>u</mi>", shown)
        self.assertNotIn("<code>", shown)

    def test_the_formulas_of_the_catalogue_are_mathematics(self):
        for name in ("heat-composite", "vortex", "heat-source-inverse", "burgers-rarefaction", "helmholtz-1-4"):
            self.assertNotIn("<code>", pn.Problem.load(name, recipe="paper")._repr_html_(), name)

    def test_texts_of_a_problem_become_no_markup(self):
        problem = poisson().changed({"title": "<script>alert(1)</script>"})
        self.assertNotIn("<script>", problem._repr_html_())


if __name__ == "__main__":
    unittest.main()
