#!/usr/bin/python3
"""Prints problems/benchmarks/burgers-2d-c.toml, whose start is a sum of sixty random waves (two_dimensions.py, burgers_start)."""
from two_dimensions import burgers_start


def waves(field, a, b, factor, mean):
    terms = [f"{factor * b[field, 0, 0] + mean[field]:.15g}"]
    for i in range(4):
        for j in range(4):
            if i or j:
                angle = "2*pi*(" + " + ".join(f"{'' if n == 1 else f'{n}*'}{c}" for n, c in ((i, "x"), (j, "y")) if n) + ")"
                terms += [f"{factor * a[field, i, j]:.15g}*sin({angle})", f"{factor * b[field, i, j]:.15g}*cos({angle})"]
    lines = [" + ".join(terms[k : k + 4]) for k in range(0, len(terms), 4)]
    return " + \\\n  ".join(lines).replace("+ -", "- ")


def main():
    a, b, factor, mean = burgers_start()
    print('''# PINNacle's Burgers2d-C with another draw of its random start, whose table is not public: sixty waves of period 1 (seed 1,
# benchmarks/references/burgers_2d_file.py writes this file). The benchmark demands equal values at opposite sides, which leaves a condition short;
# here slopes are equal too. Reference: Fourier series (benchmarks/references/two_dimensions.py). Published figures are of their draw.
title = "Burgers equation in two dimensions"
coordinates = { x = [0, 4], y = [0, 4], t = [0, 1] }
fields = ["u", "v"]
reference = "references/burgers-2d-c.npy"

[constants]
nu = 1e-3

[functions]''')
    for field, name in enumerate("uv"):
        print(f'start_{name} = """\n  {waves(field, a, b, factor, mean)}"""')
    print('''
[[term]]
region = "interior"
equation = ["u_t + u*u_x + v*u_y = nu*laplacian(u)", "v_t + u*v_x + v*v_y = nu*laplacian(v)"]

[[term]]
region = "x = 0"
equation = ["u = at(u, x = 4)", "v = at(v, x = 4)", "u_x = at(u_x, x = 4)", "v_x = at(v_x, x = 4)"]

[[term]]
region = "y = 0"
equation = ["u = at(u, y = 4)", "v = at(v, y = 4)", "u_y = at(u_y, y = 4)", "v_y = at(v_y, y = 4)"]

[[term]]
region = "initial"
equation = ["u = start_u", "v = start_v"]

[evaluate]
together = ["u", "v"]''')


main()
