// Problems of the tests: one that uses every part of the format, and the smallest one.
#pragma once

#include <string>

namespace pecann::problem {

inline const std::string kHeatText = R"toml(title = "Heat"
coordinates = { x = [0, "2*pi"], t = [0, 1] }
trials = 3
seed = 9007199254740991

[constants]
c = "2*b"
b = 3

[functions]
s = "sin(x)*exp(-t)"
"f(a, b2)" = "a^2 + b2"

[exact]
u = "exp(-t)*sin(x)"
w = "exact.u + exact.nothing"
k = "b + 1"
nothing = 0

[parameters]
nu = { initial = 1, lower = 0.1, upper = 2, exact = 0.5 }
k = { initial = 2, log = true }

[[network]]
fields = ["u", "w", "nothing"]
hidden = [20, 20]
fourier = { sigma = "c" }
activation = "sin"

[[network]]
name = "second"
fields = ["g"]
inputs = ["x"]
hidden = [8]
output = "sigmoid"

[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = ["u_t = nu*u_xx + g", "w = f(u, k) + s"]
points = { sobol = 100, redraw = true }
weight = 2

[[term]]
name = "sides"
role = "constraint"
region = ["x = 0", { region = "x = 2*pi", closed = true }]
equation = "u = 0"
points = { grid = [9, 9] }
aggregate = "pointwise"
eta = 0.5

[[term]]
name = "w-sides"
role = "constraint"
equation = "w = exact.w"
points = { same_as = "sides" }
distance = "absolute"

[[term]]
name = "data"
role = "objective"
region = { region = "initial", closed = true }
equation = "u = data.u"
points = { latin = 64 }
batch = 16
data = { exact = ["u"], noise = "b/100" }

[penalty]
strategy = "capu"
eta = 0.25

[[phase]]
optimizer = "adam"
epochs = 1e3
schedule = "step"

[[phase]]
optimizer = "lbfgs"
epochs = 20
mode = "compatible"
options = { history = 50 }

[stop]
seconds = 60

[report]
profiles = { t = [0, "1/b"], x = [3] }
contours = [0.25, 0.75]

[recipe.quick]
set = ["network.1.hidden=[4]", "constants.b=1"]
penalty = { strategy = "mpu" }

[[recipe.quick.phase]]
optimizer = "adam"
epochs = 7

[recipe.other]
stop = { epochs = 3 }
)toml";

inline const std::string kSmallText = R"toml(coordinates = { x = [0, 1] }

[[network]]
fields = ["u"]
hidden = [10]

[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_xx = 1"
points = { grid = [11] }
)toml";

inline const std::string kSpaceTimeText = R"toml(coordinates = { x = [0, 1], y = [0, 1], t = [0, 8] }
report = { snapshots = [0, 4, 8], contours = { levels = [0.5], t = [4] } }

[[network]]
fields = ["phi"]
hidden = [10]

[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "phi_t = 0"
points = { sobol = 10 }
)toml";

}  // namespace pecann::problem
