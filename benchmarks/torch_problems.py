#!/usr/bin/python3
"""Loss and gradient of the ten benchmark configurations in PyTorch, float64, as a practised user would write them.

    torch_problems.py time NAME --threads N --seconds S    JSON: parameters, points, median and least milliseconds
    torch_problems.py loss NAME THETA.npy                  writes random parameters, prints L at them (on points of `check`)
    torch_problems.py train NAME --threads N --seconds S --precision float32 --weight W --seed K
                                                           JSON: [seconds, relative l2 error] while Adam and then L-BFGS train

L = J + Σ (λ C + ½ μ C²) with λ = μ = 1, mean squares, one backward pass. Sources and all that depends on points alone are computed
before the clock starts. Derivatives by autograd with create_graph, one call per derivative that the equations need.
"""
import argparse
import json
import math
import time

import numpy as np
import torch

torch.set_default_dtype(torch.float64)
PI = math.pi


class Network:
    """Inputs normalised by (x - mean) / ((upper - lower) / sqrt(12)); tanh; Xavier-normal weights."""

    seed = 1

    def __init__(self, sizes, lower, upper, sigmoid=False, fourier=None):
        generator = torch.Generator().manual_seed(Network.seed)
        self.mean = torch.tensor([(a + b) / 2 for a, b in zip(lower, upper)])
        self.deviation = torch.tensor([(b - a) / math.sqrt(12) for a, b in zip(lower, upper)])
        self.sigmoid = sigmoid
        self.matrix = None
        if fourier is not None:  # the first hidden layer: [cos(2πBx̂), sin(2πBx̂)], fixed
            self.matrix = 2 * PI * fourier * torch.randn(sizes[1] // 2, sizes[0], generator=generator)
            sizes = sizes[1:]
        self.parameters = []
        for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
            weight = torch.randn(fan_out, fan_in, generator=generator) * math.sqrt(2 / (fan_in + fan_out))
            self.parameters += [weight, 0.1 * torch.randn(fan_out, generator=generator)]
        for p in self.parameters:
            p.requires_grad_(True)

    def __call__(self, points):
        h = (points - self.mean) / self.deviation
        if self.matrix is not None:
            z = h @ self.matrix.T
            h = torch.cat([torch.cos(z), torch.sin(z)], 1)
        for i in range(0, len(self.parameters) - 2, 2):
            h = torch.tanh(torch.nn.functional.linear(h, self.parameters[i], self.parameters[i + 1]))
        h = torch.nn.functional.linear(h, self.parameters[-2], self.parameters[-1])
        return torch.sigmoid(h) if self.sigmoid else h


def gradient(values, points):
    return torch.autograd.grad(values.sum(), points, create_graph=True)[0]


def product(*axes):
    """All combinations, one row each, of the nodes given per coordinate."""
    return torch.stack([a.reshape(-1) for a in torch.meshgrid(*axes, indexing="ij")], 1)


def nodes(lower, upper, count):
    return torch.linspace(lower, upper, count)


def at(value):
    return torch.tensor([float(value)])


def uniform(count, lower, upper):
    """Stands in for quasi-random points: the time does not depend on where they lie."""
    low, high = torch.tensor(lower), torch.tensor(upper)
    return low + (high - low) * torch.rand(count, len(lower))


def face(points, coordinate, value):
    points = points.clone()
    points[:, coordinate] = value
    return points


def square_edges(xs, ys):
    return torch.cat([product(xs[:1], ys), product(xs[-1:], ys), product(xs[1:-1], ys[:1]), product(xs[1:-1], ys[-1:])])


def burgers(check):
    net = Network([2, 20, 20, 20, 1], [-0.5, 0.0], [0.5, 1.0])
    xs, ts = nodes(-0.5, 0.5, 130), nodes(0, 1, 65)
    interior = product(xs[1:-1], ts[1:]).requires_grad_(True)
    sides = torch.cat([product(xs[:1], ts), product(xs[-1:], ts)])
    side_values = torch.where(sides[:, 0] < 0, -0.2, 0.4)
    initial = product(xs[1:-1], at(0))
    initial_values = torch.where(initial[:, 0] <= 0, -0.2, 0.4)

    def terms():
        u = net(interior)[:, 0]
        du = gradient(u, interior)
        return [du[:, 1] + u * du[:, 0]], [net(sides)[:, 0] - side_values, net(initial)[:, 0] - initial_values]

    return net, terms, len(interior) + len(sides) + len(initial), []


def heat_composite(check):
    net = Network([2, 60, 60, 60, 60, 60, 60, 2], [-1.0, 0.0], [1.0, 2.0])
    overrides = []
    if check:
        xs, ts = nodes(-1, 1, 30), nodes(0, 2, 21)
        interior, initial = product(xs[1:-1], ts[1:]), product(xs[1:-1], at(0))
        sides = torch.cat([product(xs[:1], ts), product(xs[-1:], ts)])
        overrides = [f"term.{t}.points={{grid=[30,21]}}" for t in ("pde", "boundary", "initial")]
    else:
        interior = uniform(8192, [-1.0, 0.0], [1.0, 2.0])
        sides = torch.cat([face(uniform(8192, [-1.0, 0.0], [1.0, 2.0]), 0, s) for s in (-1, 1)])
        initial = face(uniform(8192, [-1.0, 0.0], [1.0, 2.0]), 1, 0)
    x, t = interior[:, 0], interior[:, 1]
    kappa = torch.where(x < 0, 1.0, 3 * PI)
    source = torch.where(x < 0, (1 + 9 * PI**2 * t) * torch.sin(3 * PI * x), x)
    side_values = torch.where(sides[:, 0] < 0, sides[:, 1] * torch.sin(3 * PI * sides[:, 0]), sides[:, 1] * sides[:, 0])
    interior.requires_grad_(True)

    def terms():
        out = net(interior)
        u, q = out[:, 0], out[:, 1]
        du = gradient(u, interior)
        q_x = gradient(q, interior)[:, 0]
        return [du[:, 1] - q_x - source], [q - kappa * du[:, 0], net(sides)[:, 0] - side_values, net(initial)[:, 0]]

    return net, terms, len(interior) + len(sides) + len(initial), overrides


def poisson_source(x, b):
    return -((2 * PI) ** 2) * torch.sin(2 * PI * x) - 0.1 * (b * PI) ** 2 * torch.sin(b * PI * x)


def poisson(check, fourier=None, sizes=(1, 100, 100, 100, 100, 1)):
    net = Network(list(sizes), [0.0], [1.0], fourier=fourier)
    interior = (nodes(0, 1, 514)[1:-1] if fourier is None else torch.rand(512)).reshape(-1, 1)
    ends = torch.tensor([[0.0], [1.0]])
    source = poisson_source(interior[:, 0], 50)
    interior.requires_grad_(True)

    def terms():
        u_x = gradient(net(interior), interior)
        return [gradient(u_x, interior)[:, 0] - source], [net(ends)[:, 0]]

    return net, terms, len(interior) + 2, ["constants.b=50", "term.pde.points.grid=[514]"]


def poisson_fourier(check):
    return poisson(check, fourier=1.0, sizes=(1, 100, 100, 1))


def laplacian(u, points):
    du = gradient(u, points)
    return sum(gradient(du[:, i], points)[:, i] for i in range(points.shape[1]))


def helmholtz(a1, a2, hidden):
    def build(check):
        net = Network([2, *hidden, 1], [-1.0, -1.0], [1.0, 1.0])
        xs = nodes(-1, 1, 51)
        interior, edges = product(xs[1:-1], xs[1:-1]), square_edges(xs, xs)
        exact = lambda p: torch.sin(a1 * PI * p[:, 0]) * torch.sin(a2 * PI * p[:, 1])
        source = (1 - (a1**2 + a2**2) * PI**2) * exact(interior)
        edge_values = exact(edges)
        interior.requires_grad_(True)

        def terms():
            u = net(interior)[:, 0]
            return [laplacian(u, interior) + u - source], [net(edges)[:, 0] - edge_values]

        return net, terms, len(interior) + len(edges), []

    return build


def helmholtz_source(check):
    net = Network([2, 60, 60, 60, 1], [0.0, 0.0], [1.0, 1.0], fourier=1.0)
    k, width = 2**5 * PI / 1.6, 0.8 / 2**5
    interior = torch.rand(25600, 2)
    edges = torch.cat([face(torch.rand(160, 2), c, s) for c in (0, 1) for s in (0, 1)])
    source = torch.exp(-((interior - 0.5) ** 2).sum(1) / (2 * width**2)) / (2 * PI * width**2)
    interior.requires_grad_(True)

    def terms():
        u = net(interior)[:, 0]
        return [laplacian(u, interior) + k**2 * u - source], [net(edges)[:, 0]]

    return net, terms, len(interior) + len(edges), []


def vortex(check):
    end = 0.2 if check else 8.0  # the check trains the first window as a problem of its own
    net = Network([3, 40, 40, 40, 40, 40, 40, 1], [0.0, 0.0, 0.0], [1.0, 1.0, end], sigmoid=True)
    n = 22 if check else 129  # no node of either grid lies on the rim of the disc
    xs, ts = nodes(0, 1, n), nodes(0, 0.2, 11)
    interior = product(xs[1:-1], xs[1:-1], ts[1:])
    edges = square_edges(xs, xs)
    sides = torch.cat([torch.cat([edges, torch.full((len(edges), 1), float(t))], 1) for t in ts[1:]])
    initial = product(xs, xs, at(0))
    disc = ((initial[:, 0] - 0.5) ** 2 + (initial[:, 1] - 0.75) ** 2 < 0.15**2).double()
    x, y, t = interior[:, 0], interior[:, 1], interior[:, 2]
    u = torch.sin(PI * x) ** 2 * torch.sin(2 * PI * y) * torch.cos(PI * t / 8)
    v = -torch.sin(PI * y) ** 2 * torch.sin(2 * PI * x) * torch.cos(PI * t / 8)
    velocity = torch.stack([u, v, torch.ones_like(u)], 1)
    interior.requires_grad_(True)

    def terms():
        phi = net(interior)[:, 0]
        return [(velocity * gradient(phi, interior)).sum(1)], [net(sides)[:, 0], net(initial)[:, 0] - disc]

    overrides = ["coordinates.t=[0,0.2]", "windows.count=1"]
    overrides += [f"term.{name}.points.grid=[22,22,11]" for name in ("pde", "boundary", "initial")]
    return net, terms, len(interior) + len(sides) + len(initial), overrides


def heat_source_inverse(check):
    net = Network([2, 40, 2], [0.0, 0.0], [1.0, 1.0])
    if check:
        xs, ts = nodes(0, 1, 30), nodes(0, 1, 21)
        interior, initial, final = product(xs[1:-1], ts[1:]), product(xs[1:-1], at(0)), product(xs[1:-1], at(1))
        sides = torch.cat([product(xs[:1], ts), product(xs[-1:], ts)])
    else:
        interior = torch.rand(10000, 2)
        sides = torch.cat([face(torch.rand(128, 2), 0, s) for s in (0, 1)])
        initial, final = face(torch.rand(128, 2), 1, 0), face(torch.rand(128, 2), 1, 1)
    exact = lambda p: 5 * torch.exp(-3 * p[:, 1]) * torch.sin(PI * p[:, 0])
    side_values, initial_values, data = exact(sides), exact(initial), exact(final)
    x, t = interior[:, 0].clone(), interior[:, 1].clone()
    kappa, kappa_x, h = 4 + x**2, 2 * x, 5 * torch.exp(-3 * t)
    frozen = face(interior, 1, 0.5)
    interior.requires_grad_(True)

    def terms():
        du = gradient(net(interior)[:, 0], interior)
        u_xx = gradient(du[:, 0], interior)[:, 0]
        pde = du[:, 1] - kappa * u_xx - kappa_x * du[:, 0] - net(frozen)[:, 1] * h
        return [net(final)[:, 0] - data], [pde, net(sides)[:, 0] - side_values, net(initial)[:, 0] - initial_values]

    overrides = ["constants.noise=0"] + [f"term.{name}.points={{grid=[30,21]}}" for name in ("data", "pde", "boundary", "initial")]
    return net, terms, len(interior) + len(sides) + len(initial) + len(final), overrides


PROBLEMS = {
    "burgers-rarefaction": burgers,
    "heat-composite": heat_composite,
    "poisson": poisson,
    "poisson-fourier": poisson_fourier,
    "helmholtz-6-6": helmholtz(6, 6, [40] * 3),
    "helmholtz-6-6-adam": helmholtz(6, 6, [128] * 6),
    "helmholtz-1-4": helmholtz(1, 4, [16] * 2),
    "helmholtz-source-l5": helmholtz_source,
    "vortex": vortex,
    "heat-source-inverse": heat_source_inverse,
}


def lagrangian(terms):
    objectives, constraints = terms()
    loss = sum((r * r).mean() for r in objectives)
    for r in constraints:
        c = (r * r).mean()
        loss = loss + c + 0.5 * c * c
    return loss


def measure(name, seconds):
    torch.manual_seed(0)
    net, terms, points, _ = PROBLEMS[name](False)
    times, begin = [], time.perf_counter()
    while len(times) < 4 or time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        torch.autograd.grad(lagrangian(terms), net.parameters)
        times.append(1e3 * (time.perf_counter() - start))
    times = sorted(times[1:])  # the first one warms up
    parameters = sum(p.numel() for p in net.parameters)
    return {"parameters": parameters, "points": points, "median_ms": times[len(times) // 2], "min_ms": times[0]}


def loss_at_random_parameters(name, file):
    net, terms, _, overrides = PROBLEMS[name](True)
    np.save(file, np.concatenate([p.detach().numpy().reshape(-1) for p in net.parameters]))
    return {"loss": lagrangian(terms).item(), "overrides": overrides}


def fan(points):
    x, t = points[:, 0], points[:, 1]
    return torch.where(x <= -0.2 * t, -0.2, torch.where(x >= 0.4 * t, 0.4, x / t.clamp(min=1e-300)))


def composite(points):
    x, t = points[:, 0], points[:, 1]
    return torch.where(x < 0, t * torch.sin(3 * PI * x), t * x)


# Nodes that errors are taken on and the first field's solution there, as the problem files have them.
SOLUTIONS = {
    "burgers-rarefaction": (lambda: product(nodes(-0.5, 0.5, 258), nodes(0, 1, 129)), fan),
    "heat-composite": (lambda: product(nodes(-1, 1, 201), nodes(0, 2, 201)), composite),
    "poisson": (lambda: nodes(0, 1, 10002).reshape(-1, 1), lambda p: torch.sin(2 * PI * p[:, 0]) + 0.1 * torch.sin(50 * PI * p[:, 0])),
    "helmholtz-6-6": (lambda: product(nodes(-1, 1, 201), nodes(-1, 1, 201)), lambda p: torch.sin(6 * PI * p[:, 0]) * torch.sin(6 * PI * p[:, 1])),
    "helmholtz-1-4": (lambda: product(nodes(-1, 1, 201), nodes(-1, 1, 201)), lambda p: torch.sin(PI * p[:, 0]) * torch.sin(4 * PI * p[:, 1])),
    "heat-source-inverse": (lambda: product(nodes(0, 1, 201), nodes(0, 1, 201)), lambda p: 5 * torch.exp(-3 * p[:, 1]) * torch.sin(PI * p[:, 0])),
}


def train(name, seconds, weight):
    """Adam (1e-3) for a third of the time, then L-BFGS with strong Wolfe steps, on J + weight Σ C. Errors are not on the clock."""
    net, terms, _, _ = PROBLEMS[name](False)
    for p in net.parameters[1::2]:
        p.data.zero_()  # biases start at zero, as in pecann
    make_nodes, solution = SOLUTIONS[name]
    places = make_nodes()
    exact = solution(places).double()
    rows, spent = [], 0.0

    def error():
        with torch.no_grad():
            return ((net(places)[:, 0].double() - exact).norm() / exact.norm()).item()

    def loss():
        objectives, constraints = terms()
        return sum((r * r).mean() for r in objectives) + weight * sum((r * r).mean() for r in constraints)

    def closure():
        optimizer.zero_grad()
        value = loss()
        value.backward()
        return value

    optimizer = torch.optim.Adam(net.parameters, lr=1e-3)
    step, second = lambda: optimizer.step(closure), False
    while spent < seconds:
        if not second and spent > seconds / 3:
            second = True
            optimizer = torch.optim.LBFGS(net.parameters, max_iter=20, history_size=50, tolerance_grad=0, tolerance_change=0, line_search_fn="strong_wolfe")
        start = time.perf_counter()
        value = step().item()
        spent += time.perf_counter() - start
        if not math.isfinite(value):
            break
        if not rows or spent > rows[-1][0] + seconds / 100:
            rows.append([spent, error()])
    rows.append([spent, error()])
    return {"rows": rows, "parameters": sum(p.numel() for p in net.parameters)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("action", choices=["time", "loss", "train"])
    parser.add_argument("name", choices=list(PROBLEMS))
    parser.add_argument("file", nargs="?")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--precision", choices=["float64", "float32"], default="float64")
    parser.add_argument("--weight", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.set_default_dtype(getattr(torch, options.precision))
    torch.manual_seed(options.seed)
    Network.seed = options.seed
    if options.action == "time":
        print(json.dumps(measure(options.name, options.seconds)))
    elif options.action == "train":
        print(json.dumps(train(options.name, options.seconds, options.weight)))
    else:
        print(json.dumps(loss_at_random_parameters(options.name, options.file)))


if __name__ == "__main__":
    main()
