// The beginning of the problem whose files some targets read: small, with an exact solution and a trainable scalar. A
// target goes on with the points of the equation, its other terms and its training.
#pragma once

#include <string_view>

namespace pecann::fuzz {

inline constexpr std::string_view kSmallProblem = R"toml(coordinates = { x = [0, 1], t = [0, 1] }
[exact]
u = "x*t"
[parameters]
k = 1
[evaluate]
grid = [3, 3]
[[network]]
fields = ["u"]
hidden = [2]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t = k*u_xx + x"
)toml";

}  // namespace pecann::fuzz
