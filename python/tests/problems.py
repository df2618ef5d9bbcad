"""Small problems that several tests train."""
import pecann as pn

x = pn.Coordinate("x", 0, 1)
u = pn.Field("u", [x])


def poisson(optimizer="lbfgs", epochs=10, exact=True):
    solution = pn.sin(2 * pn.pi * x)
    problem = pn.Problem("Poisson equation", [x])
    problem.network(u, hidden=[10, 10])
    if exact:
        problem.exact(u, solution)
    problem.objective("pde", pn.d(u, x, x) == pn.d(solution, x, x), pn.interior(), pn.grid([34]))
    problem.constraint("ends", u == 0, pn.boundary(), pn.grid([34]))
    return problem.phase(optimizer, epochs=epochs).evaluation([101])
