"""Solutions on arrays of any shape and layout."""
import tempfile
import unittest

import numpy as np

import pecann as pn


def trained(fields=1, windows=1):
    x, t = pn.Coordinate("x", -1, 1), pn.Coordinate("t", 0, 2)
    names = [pn.Field(name, [x, t]) for name in "uvw"[:fields]]
    problem = pn.Problem("Smooth", [x, t]).network(names, hidden=[6, 6]).evaluation([9, 5])
    for field in names:
        problem.objective(f"fit-{field.name}", field == pn.sin(x) * pn.exp(-t), pn.interior(), pn.sobol(40))
    problem.constraint("start", [field == pn.sin(x) for field in names], pn.initial_time(), pn.sobol(20))
    return problem.windows(windows).phase("lm", 4).train(threads=1)


class Shapes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.solution = trained().solution

    def test_any_shape(self):
        points = np.random.default_rng(1).uniform(0, 1, (3, 4, 5, 2))
        values = self.solution.evaluate("u", points)
        self.assertEqual(values.shape, (3, 4, 5))
        self.assertEqual(values[1, 2, 3], self.solution.evaluate("u", points[1, 2, 3]))
        self.assertTrue(np.array_equal(values, self.solution(points[..., 0], points[..., 1])))

    def test_scalars_names_and_broadcasting(self):
        self.assertIsInstance(self.solution(0.5, 1), float)
        self.assertEqual(self.solution(0.5, t=1), self.solution(t=1, x=0.5))
        column, row = np.linspace(-1, 1, 4)[:, None], np.linspace(0, 2, 3)[None, :]
        self.assertEqual(self.solution(column, row).shape, (4, 3))
        self.assertEqual(self.solution(column, row)[2, 1], self.solution(column[2, 0], row[0, 1]))
        self.assertEqual(self.solution(np.linspace(-1, 1, 4), 0.3).shape, (4,))

    def test_layouts_give_the_same_bits(self):
        points = np.random.default_rng(2).uniform(0, 1, (50, 2))
        values = self.solution.evaluate("u_x", points)
        wide = np.zeros((50, 7))
        wide[:, 2:4] = points
        packed = np.zeros(50, dtype=[("flag", "u1"), ("x", "f8"), ("t", "f8")])  # unaligned doubles
        packed["x"], packed["t"] = points.T
        unaligned = np.stack([packed["x"], packed["t"]], axis=1)
        for same in (np.asfortranarray(points), wide[:, 2:4], points[::-1][::-1], unaligned, points.tolist()):
            self.assertTrue(np.array_equal(self.solution.evaluate("u_x", same), values))
        self.assertTrue(np.array_equal(self.solution(packed["x"], packed["t"]), self.solution(*points.T)))
        single = self.solution.evaluate("u", points.astype("f4"))
        self.assertTrue(np.array_equal(single, self.solution.evaluate("u", points.astype("f4").astype(float))))

    def test_no_points_and_wrong_points(self):
        self.assertEqual(self.solution.evaluate("u", np.zeros((0, 2))).shape, (0,))
        with self.assertRaisesRegex(ValueError, "x, t"):
            self.solution.evaluate("u", np.zeros((4, 3)))
        for call in (lambda: self.solution(1), lambda: self.solution(1, 2, 3), lambda: self.solution(1, y=2)):
            with self.assertRaisesRegex(TypeError, "x, t"):
                call()

    def test_threads_do_not_change_a_bit(self):
        points = np.random.default_rng(3).uniform(0, 1, (5000, 2))
        one, three = (self.solution.evaluate("u_xx", points, threads=count) for count in (1, 3))
        self.assertTrue(np.array_equal(one, three))


class Values(unittest.TestCase):
    def test_derivatives_are_those_of_the_field(self):
        solution, h = trained().solution, 1e-5
        points = np.random.default_rng(4).uniform(-0.5, 0.5, (20, 2)) + [0, 1]
        step = np.array([h, 0])
        differences = (solution.evaluate("u", points + step) - solution.evaluate("u", points - step)) / (2 * h)
        np.testing.assert_allclose(solution.evaluate("u_x", points), differences, atol=1e-8)

    def test_expressions_of_python_and_lists(self):
        solution = trained().solution
        x, t = pn.Coordinate("x", -1, 1), pn.Coordinate("t", 0, 2)
        u = pn.Field("u", [x, t])
        points = np.array([[0.1, 0.2], [0.3, 0.4]])
        both = solution.evaluate([pn.d(u, x), "2*u"], points)
        self.assertEqual(list(both), ["u_x", "2*u"])
        self.assertTrue(np.array_equal(both["2*u"], 2 * solution(points[:, 0], points[:, 1])))
        with self.assertRaisesRegex(pn.InputError, "known: x, t"):
            solution.evaluate("u_z", points)

    def test_several_fields_are_a_dictionary(self):
        values = trained(fields=2).solution(np.zeros(3), 0.5)
        self.assertEqual({name: array.shape for name, array in values.items()}, {"u": (3,), "v": (3,)})

    def test_a_point_belongs_to_its_window(self):
        solution = trained(windows=2).solution
        times = np.array([1.9, 0.1, 1.2, 0.7])
        together = solution(0.3, times)
        self.assertEqual(together.tolist(), [solution(0.3, time) for time in times])
        self.assertFalse(np.array_equal(solution.parameters(0), solution.parameters(1)))

    def test_grids(self):
        solution = trained().solution
        grid = solution.on_grid([5, 3], ["u", "u_t"])
        self.assertEqual({name: array.shape for name, array in grid.items()},
                         {"x": (5,), "t": (3,), "u": (5, 3), "u_t": (5, 3)})
        self.assertEqual(grid["u"][4, 1], solution(1, 1))
        self.assertEqual(solution.on_grid()["u"].shape, (9, 5))
        with tempfile.TemporaryDirectory() as folder:
            solution.write(folder + "/u.csv", ["u"], [5, 3])
            table = np.genfromtxt(folder + "/u.csv", delimiter=",", names=True)
            self.assertEqual(sorted(table["u"]), sorted(grid["u"].ravel()))

    def test_outside_of_a_domain_there_is_nothing(self):
        x, y = pn.Coordinate("x", 0, 1), pn.Coordinate("y", 0, 1)
        v = pn.Field("v", [x, y])
        plate = pn.Problem("A plate", [x, y]).domain(pn.box() - pn.disc("hole", [0.5, 0.5], 0.2))
        plate.network(v, hidden=[4]).objective("pde", v == 1, pn.interior(), pn.sobol(20)).phase("adam", epochs=1)
        solution = plate.train().solution
        grid = solution.on_grid([11, 5])
        inside = solution.inside(np.stack(np.meshgrid(grid["x"], grid["y"], indexing="ij"), axis=-1))
        radius = np.hypot(grid["x"][:, None] - 0.5, grid["y"][None, :] - 0.5)
        self.assertTrue(np.array_equal(inside, radius >= 0.2 - 1e-12))
        self.assertTrue(np.array_equal(np.isnan(grid["v"]), ~inside))
        self.assertFalse(np.isnan(solution(0.5, 0.5)))
        self.assertEqual(solution.inside([[0.1, 0.1], [0.5, 0.5], [1.1, 0.1]]).tolist(), [True, False, False])

    def test_a_grid_over_a_family(self):
        x, k = pn.Coordinate("x", 0, 1), pn.Coordinate("k", 1, 4, role="parameter")
        v = pn.Field("v", [x, k])
        family = pn.Problem("A family", [x, k]).network(v, hidden=[4])
        family.objective("fit", v == x * k, pn.interior(), pn.sobol(20)).phase("adam", epochs=1)
        self.assertEqual(family.train().solution.on_grid([3, 4])["k"].tolist(), [1, 2, 3, 4])


if __name__ == "__main__":
    unittest.main()
