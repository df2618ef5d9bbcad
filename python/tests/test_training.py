"""Training: callbacks, interrupts, resuming, own strategies, threads, arrays over points."""
import json
import multiprocessing
import os
import signal
import tempfile
import threading
import unittest

import numpy as np

import pecann as pn
from problems import poisson, u, x


class OwnCapu(pn.PenaltyStrategy):
    """The built-in rule "capu" in Python."""

    def __init__(self):
        self.average, self.previous = None, np.inf

    def update(self, input, duals):
        if self.average is None:
            self.average = np.zeros_like(input.constraints)
        self.average = 0.99 * self.average + (1 - 0.99) * input.constraints * input.constraints
        due = input.loss >= 0.999 * self.previous
        self.previous = input.loss
        if due:
            duals.multiplier += duals.penalty * input.constraints
            duals.penalty = np.maximum(duals.penalty, input.eta / np.sqrt(self.average + 1e-16))
        return bool(due)

    def state(self):
        return np.append(self.average if self.average is not None else [], self.previous)

    def restore(self, state):
        self.average, self.previous = state[:-1], state[-1]


class Folders(unittest.TestCase):
    def test_names_that_are_not_utf8(self):
        with tempfile.TemporaryDirectory() as place:
            folder = os.path.join(os.fsencode(place), b"caf\xe9")  # Latin-1
            run = poisson(epochs=2).train(folder=folder)
            self.assertTrue(os.path.isdir(folder))
            again = pn.open(os.fsdecode(folder))
            np.testing.assert_array_equal(again.solution.parameters(), run.solution.parameters())
            again.solution.write(folder + b"/u\xe9.csv")
            self.assertTrue(os.path.exists(folder + b"/u\xe9.csv"))

    def test_names_end_where_they_end(self):
        with tempfile.TemporaryDirectory() as place:
            for use in (lambda name: poisson(epochs=2).train(folder=name), pn.open):
                with self.assertRaisesRegex(pn.InputError, "character of value 0"):
                    use(place + "/a\0b")
            self.assertEqual(os.listdir(place), [])


class Results(unittest.TestCase):
    def test_a_run_tells_what_it_did(self):
        run = poisson("lm", 40).train(seed=3)
        self.assertEqual((run.summary.epochs, run.summary.seed, run.summary.termination), (40, 3, "epochs done"))
        self.assertLess(run.summary.errors["u"].relative_l2, 1e-3)
        self.assertEqual(run.history["epoch"].tolist(), list(range(1, 41)))
        self.assertEqual(run.history["loss"][-1], run.summary.last.loss)
        self.assertEqual(run.verdict.level, "good")
        xs = np.linspace(0, 1, 7)
        np.testing.assert_allclose(run.solution(xs), np.sin(2 * np.pi * xs), atol=1e-3)
        with self.assertRaisesRegex(KeyError, "did you mean 'loss'"):
            run.history["los"]
        self.assertIn("<svg", run._repr_html_())

    def test_the_folder_tells_the_same(self):
        with tempfile.TemporaryDirectory() as place:
            run = poisson().train(folder=place + "/run")
            opened, memory = pn.open(place + "/run"), poisson().train()
            for other in (opened, memory):
                for name, column in run.history.items():
                    if name != "seconds":
                        self.assertTrue(np.array_equal(column, other.history[name], equal_nan=True), name)
                self.assertEqual(run.verdict, other.verdict)
                self.assertTrue(np.array_equal(run.solution.parameters(), other.solution.parameters()))
            self.assertEqual(opened.summary.errors, run.summary.errors)

    def test_inferred_numbers(self):
        nu = pn.Parameter("nu", 2.0, log=True, exact=0.5)
        problem = pn.Problem("Inferred", [x]).network(u, hidden=[6])
        problem.objective("fit", u == pn.sin(x), pn.interior(), pn.grid([12]))
        problem.constraint("law", pn.d(u, x) == 2 * nu * pn.cos(x), pn.interior(), pn.grid([12])).phase("lm", 60)
        seen = []
        run = problem.train(on_epoch=lambda epoch: seen.append(epoch.parameters["nu"].value))
        self.assertEqual(run.summary.parameters["nu"].exact, 0.5)
        self.assertAlmostEqual(run.summary.parameters["nu"].value, 0.5, 3)
        self.assertEqual(seen[-1], run.history["scalar.nu"][-1])


class ChangedPoints(unittest.TestCase):
    @staticmethod
    def problem(epochs=12):
        problem = pn.Problem("Points that change", [x]).network(u, hidden=[6])
        problem.objective("pde", pn.d(u, x, x) == -pn.sin(3 * x), pn.interior(), pn.sobol(16))
        return problem.constraint("ends", u == 0, pn.boundary(), pn.grid([5])).phase("adam", epochs=epochs)

    @staticmethod
    def follow(points):
        if points.epoch % 4 == 0:
            points.redraw("pde")
        elif points.epoch % 3 == 0:
            candidates = np.linspace(0.01, 0.99, 50)[:, None]
            worst = np.argsort(points.residual("pde", candidates))[-20:]
            points.set("pde", candidates[worst])

    def test_they_are_part_of_what_is_resumed(self):
        whole = self.problem().train(change_points=self.follow)
        plain = self.problem().train()
        self.assertFalse(np.array_equal(whole.solution.parameters(), plain.solution.parameters()))
        with tempfile.TemporaryDirectory() as place:
            folder = place + "/run"
            self.problem().train(folder=folder, change_points=self.follow, on_epoch=lambda epoch: epoch.number == 7)
            with self.assertRaisesRegex(pn.InputError, "changes points"):
                self.problem().train(folder=folder, resume=True)
            rest = self.problem().train(folder=folder, resume=True, change_points=self.follow)
        self.assertTrue(np.array_equal(whole.solution.parameters(), rest.solution.parameters()))

    def test_what_they_are_and_what_is_refused(self):
        kept = []

        def look(points):
            kept.append(points)
            if points.epoch == 1:
                self.assertEqual(points.points("pde").shape, (16, 1))
                points.set("pde", [[0.25], [0.5], [0.75]])
            self.assertTrue(np.array_equal(points.points("pde").ravel(), [0.25, 0.5, 0.75]))
            with self.assertRaisesRegex(pn.InputError, "no point of its region"):
                points.set("pde", [[1.5]])
            with self.assertRaisesRegex(pn.InputError, "did you mean 'pde'"):
                points.redraw("pd")
            with self.assertRaisesRegex(ValueError, "a row for each point and 1 columns"):
                points.residual("pde", [0.5])

        self.problem(3).train(change_points=look)
        self.assertEqual(len(kept), 3)
        with self.assertRaisesRegex(ValueError, "during change_points only"):
            kept[0].epoch

    def test_what_it_raises_ends_the_training_in_order(self):
        def fail(points):
            if points.epoch == 5:
                raise LookupError("enough")

        with tempfile.TemporaryDirectory() as place:
            with self.assertRaisesRegex(LookupError, "enough"):
                self.problem().train(folder=place + "/run", change_points=fail)
            self.assertEqual(pn.open(place + "/run").summary.epochs, 5)


class Estimates(unittest.TestCase):
    def test_an_estimate_is_near_the_true_error(self):
        run = poisson("lm", 12).train(threads=1)
        one, truth = run.estimate.fields["u"], run.summary.errors["u"].relative_l2
        self.assertTrue(one.trusted, one.decided)
        self.assertTrue(truth / 2 < one.relative_l2 < truth * 2)
        self.assertTrue(one.low <= one.relative_l2 <= one.high)
        self.assertIs(run.estimate, run.estimate)
        self.assertIn("u: relative l2", str(run.estimate))
        shown = run._repr_html_()
        self.assertIn("Estimated error", shown)
        self.assertIn(run.verdict.headline.split("<")[0], shown)

    def test_scalars_have_standard_errors(self):
        k = pn.Parameter("k", 0.5)
        xs = np.linspace(0, 1, 40)
        values = np.exp(xs) + 0.05 * np.random.default_rng(3).normal(size=40)
        problem = pn.Problem("Growth", [x]).network(u, hidden=[8])
        problem.objective("misfit", u == pn.data("v"), points=pn.points_table(x=xs, v=values))
        problem.constraint("law", pn.d(u, x) == k * u, pn.interior(), pn.grid([30])).phase("lm", 60)
        k_found = problem.train().estimate.scalars["k"]
        self.assertGreater(k_found.standard_error, 0)
        self.assertLess(abs(k_found.value - 1), 5 * k_found.standard_error)

    def test_the_summary_has_the_keys_of_its_file(self):
        with tempfile.TemporaryDirectory() as place:
            run = poisson("lm", 12).train(folder=place + "/run", threads=1, estimate=True)
            with open(place + "/run/summary.json") as file:
                self.assertEqual(dict(run.summary), json.load(file))
            opened = pn.open(place + "/run")
        self.assertEqual(opened.estimate, run.estimate)
        memory = poisson("lm", 12).train(threads=1, estimate=True)
        self.assertEqual(list(memory.summary), list(run.summary))
        self.assertEqual(memory.summary["estimate"], run.summary["estimate"])
        self.assertEqual(memory.summary["verdict"], memory.verdict.level)
        self.assertEqual(memory.verdict, run.verdict)
        self.assertIn(run.verdict.level, ("good", "usable", "doubtful", "bad"))


class Accuracies(unittest.TestCase):
    t = pn.Coordinate("t", 0, 1)
    v = pn.Field("v", [x, t])

    def rod(self):
        problem = pn.Problem("Heat in a rod", [x, self.t]).fields(self.v)
        problem.equation(pn.d(self.v, self.t) == pn.laplacian(self.v), pn.interior())
        return problem.equation("v = 0", pn.boundary()).equation(self.v == pn.sin(pn.pi * x), pn.initial_time())

    def test_nothing_but_the_problem_and_an_accuracy(self):
        with tempfile.TemporaryDirectory() as place:
            run = self.rod().train(accuracy=1e-5, folder=place + "/run", threads=1)
            self.assertTrue(run.summary["accuracy"]["reached"], run.summary["accuracy"]["ending"])
            self.assertEqual(pn.open(place + "/run").summary["accuracy"], run.summary["accuracy"])
        self.assertLessEqual(run.estimate.fields["v"].relative_l2, 1e-5)
        xs = np.linspace(0, 1, 9)
        np.testing.assert_allclose(run.solution(xs, 0.1), np.exp(-0.1 * np.pi**2) * np.sin(np.pi * xs), atol=1e-4)
        memory = self.rod().accuracy(1e-5).train(threads=1)
        self.assertTrue(np.array_equal(memory.solution.parameters(), run.solution.parameters()))

    def test_what_a_callback_raises_ends_the_search(self):
        def fail(epoch):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            self.rod().train(accuracy=1e-5, on_epoch=fail)
        with self.assertRaisesRegex(pn.InputError, "accuracy"):
            self.rod().train(accuracy=3)


class Callbacks(unittest.TestCase):
    def test_epochs_are_seen_and_true_stops(self):
        seen = []

        def watch(epoch):
            seen.append(epoch)
            return epoch.number == 4

        run = poisson("adam", 50).train(on_epoch=watch)
        self.assertEqual([epoch.number for epoch in seen], [1, 2, 3, 4])
        self.assertEqual(run.summary.termination, "interrupted")
        self.assertEqual(seen[-1].constraints["ends"].value, run.history["constraint.ends"][-1])

    def test_other_answers_are_refused(self):
        with self.assertRaisesRegex(TypeError, "None, or True"):
            poisson().train(on_epoch=lambda epoch: 1)

    def test_what_a_callback_raises_ends_the_training_in_order(self):
        def fail(epoch):
            if epoch.number == 5:
                raise LookupError("enough")

        whole = poisson("adam", 12).train()
        with tempfile.TemporaryDirectory() as place:
            with self.assertRaisesRegex(LookupError, "enough"):
                poisson("adam", 12).train(folder=place + "/run", on_epoch=fail)
            self.assertEqual(pn.open(place + "/run").summary.epochs, 5)
            rest = poisson("adam", 12).train(folder=place + "/run", resume=True)
        self.assertEqual(rest.summary.epochs, 12)
        self.assertTrue(np.array_equal(rest.solution.parameters(), whole.solution.parameters()))
        self.assertTrue(np.array_equal(rest.history["loss"], whole.history["loss"]))
        with self.assertRaisesRegex(ValueError, "folder"):
            poisson().train(resume=True)

    def test_ctrl_c_leaves_a_state_that_can_be_resumed(self):
        problem = poisson("adam", 2_000_000, exact=False)
        with tempfile.TemporaryDirectory() as place:
            timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                problem.train(folder=place + "/run", threads=1)
            timer.join()
            epochs = pn.open(place + "/run").summary.epochs
            self.assertGreater(epochs, 0)
            more = problem.train(folder=place + "/run", resume=True, threads=1,
                                 on_epoch=lambda epoch: epoch.number >= epochs + 20)
        whole = poisson("adam", epochs + 20, exact=False).train(threads=1)
        self.assertTrue(np.array_equal(more.solution.parameters(), whole.solution.parameters()))


class Strategies(unittest.TestCase):
    def test_an_own_rule_gives_the_bits_of_the_one_that_is_built_in(self):
        problem = poisson("adam", 40)
        own = problem.train(penalty_strategy=OwnCapu)
        self.assertTrue(np.array_equal(own.solution.parameters(), problem.train().solution.parameters()))

    def test_its_state_survives_a_stop(self):
        problem = poisson("adam", 30)
        with tempfile.TemporaryDirectory() as place:
            problem.train(folder=place + "/run", penalty_strategy=OwnCapu, on_epoch=lambda epoch: epoch.number == 11)
            rest = problem.train(folder=place + "/run", penalty_strategy=OwnCapu, resume=True)
        self.assertTrue(np.array_equal(rest.solution.parameters(), problem.train().solution.parameters()))

    def test_mistakes_in_a_rule_are_raised(self):
        class Short(pn.PenaltyStrategy):
            def update(self, input, duals):
                duals.penalty = [1.0, 2.0]
                return True

        class Wrong(pn.PenaltyStrategy):
            def update(self, input, duals):
                return 1 // 0

        with self.assertRaisesRegex(ValueError, "duals.penalty has 2 numbers instead of 1"):
            poisson().train(penalty_strategy=Short)
        with self.assertRaises(ZeroDivisionError):
            poisson().train(penalty_strategy=Wrong)
        with self.assertRaises(NotImplementedError):
            poisson().train(penalty_strategy=pn.PenaltyStrategy)


def trained_parameters(seed):
    return poisson("lbfgs", 10).train(seed=seed, threads=2).solution.parameters()


class Threads(unittest.TestCase):
    def test_two_trainings_at_once_give_their_own_bits(self):
        alone = {seed: poisson("lbfgs", 30).train(seed=seed, threads=1).solution.parameters() for seed in (1, 2)}
        together, ticks = {}, []

        def train(seed):
            together[seed] = poisson("lbfgs", 30).train(seed=seed, threads=1,
                                                        on_epoch=lambda epoch: ticks.append(seed)).solution.parameters()

        threads = [threading.Thread(target=train, args=(seed,)) for seed in alone]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(ticks), 60)
        for seed in alone:
            self.assertTrue(np.array_equal(alone[seed], together[seed]))

    def test_forked_processes_train_too(self):
        here = trained_parameters(1)  # this process has helping threads now, the forked one has not
        with multiprocessing.get_context("fork").Pool(1) as pool:
            self.assertTrue(np.array_equal(pool.map(trained_parameters, [1])[0], here))

    def test_the_lock_is_released_while_training(self):
        counted, done = [], threading.Event()

        def count():
            while not done.is_set():
                counted.append(1)
                done.wait(0.001)

        counter = threading.Thread(target=count)
        counter.start()
        poisson("adam", 40000, exact=False).train(threads=1)  # half a second; with the lock held one or two are counted
        done.set()
        counter.join()
        self.assertGreater(len(counted), 10)


class ArraysOverPoints(unittest.TestCase):
    def problem(self, points, data=None):
        problem = pn.Problem("A source on points", [x]).network(u, hidden=[8, 8])
        problem.objective("pde", pn.d(u, x, x) == pn.data("f"), points=points, data=data)
        return problem.constraint("ends", u == 0, pn.boundary(), pn.grid([5])).phase("lm", 30)

    def test_a_source_as_an_array(self):
        xs = np.linspace(0, 1, 40)[1:-1]
        run = self.problem(pn.points_table(x=xs, f=-np.pi**2 * np.sin(np.pi * xs))).train()
        np.testing.assert_allclose(run.solution(xs), np.sin(np.pi * xs), atol=1e-4)

    def test_the_bits_of_a_file_and_a_folder_that_stands_alone(self):
        xs = np.random.default_rng(5).uniform(0, 1, 30)
        table = pn.points_table(x=xs, f=np.exp(xs) / 3)
        memory = self.problem(table).train().solution.parameters()
        with tempfile.TemporaryDirectory() as place:
            np.savetxt(place + "/f.csv", np.stack([xs, np.exp(xs) / 3], 1), "%r", ",", header="x,f", comments="")
            from_file = self.problem(pn.points_file(place + "/f.csv"), pn.Data(place + "/f.csv", {"f": "f"})).train()
            self.problem(table).train(folder=place + "/run", on_epoch=lambda epoch: epoch.number == 10)
            resumed = pn.Problem.load(place + "/run/problem.toml").train(folder=place + "/run", resume=True)
        self.assertTrue(np.array_equal(memory, from_file.solution.parameters()))
        self.assertTrue(np.array_equal(memory, resumed.solution.parameters()))

    def test_columns_that_do_not_fit(self):
        with self.assertRaisesRegex(pn.InputError, "equally long"):
            self.problem(pn.points_table(x=np.zeros(3), f=np.zeros(4)))
        with self.assertRaisesRegex(pn.InputError, "pde.csv.*x"):
            self.problem(pn.points_table(y=np.zeros(3), f=np.zeros(3))).text


if __name__ == "__main__":
    unittest.main()
