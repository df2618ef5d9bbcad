// Overrides as --set takes them, one a line, on a problem with every list that a path can lead into.
#include <vector>

#include "fuzz/target.h"
#include "pecann/problem/problem_file.h"

namespace pecann::fuzz {
namespace {

// Short: every execution reads it.
constexpr std::string_view kBase = R"toml(coordinates = { x = [0, 1], t = [0, 1] }
constants = { b = 2 }
functions = { "f(a)" = "a^2" }
exact = { u = "x*t" }
parameters = { k = 1 }
network = [{ fields = ["u"], hidden = [4] }]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t = k*u_x + f(b)"
points = { sobol = 8 }
[[phase]]
optimizer = "adam"
epochs = 3
)toml";

}  // namespace

void fuzz_one(std::string_view bytes) {
  std::vector<std::string> overrides;
  while (!bytes.empty() && overrides.size() < 4) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    overrides.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  accepted([&] {
    const std::string written = problem::write_problem(problem::read_problem(kBase, "base.toml", overrides));
    std::string again;
    require(accepted([&] { again = problem::write_problem(problem::read_problem(written, "again.toml")); }),
            "an overridden problem is written as it is read", written);
    require(again == written, "an overridden problem is read as the same one", written);
  });
}

}  // namespace pecann::fuzz
