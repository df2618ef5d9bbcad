#include "pecann/results/export_header.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <limits>
#include <sstream>

#include "pecann/results/prediction.h"
#include "pecann/results/sample_runs.h"
#include "pecann/sampling/grid.h"

namespace pecann::results {
namespace {

/// Two networks with other activations, one of them of fewer inputs, and a trainable scalar.
constexpr const char* kTwoNetworksText = R"toml(
title = "Two networks \\ and a // title"
coordinates = { x = [-1, 2], double = [0, 3] }
[parameters]
nu = { initial = 0.3, lower = 0.1, upper = 1 }
[[network]]
fields = ["u", "v"]
hidden = [7, 6]
activation = "sin"
[[network]]
fields = ["k"]
inputs = ["x"]
hidden = [5]
activation = "silu"
[[term]]
name = "one"
role = "objective"
region = "interior"
equation = ["nu*d(u, x, x) + k*d(v, double) = 1", "d(k, x) = nu*v"]
points = { grid = [6, 6] }
[[term]]
name = "side"
role = "constraint"
region = "boundary"
equation = "u = x"
points = { grid = [6, 6] }
[[phase]]
optimizer = "lbfgs"
epochs = 4
)toml";

/// Compiles a program around the header that prints the values of `calls` on a grid; compares with Solution::evaluate.
void compare(const std::string& toml, const std::string& calls, const std::vector<std::string>& expressions) {
  const TemporaryFolder folder;
  const problem::Problem problem = make_run(folder / "run", toml);
  const train::Solution solution = train::load_solution(problem, folder / "run", 1);
  std::vector<int> grid(problem.box.names.size(), 5);
  const sampling::PointSet points = sampling::grid_points(problem.box, grid);
  std::vector<std::vector<double>> values;
  solution.evaluate(parse_fields(problem, expressions), points, values);

  export_header_file(folder / "run", 0, folder / "field.hpp");
  std::string body;
  for (std::size_t i = 0; i < points.count; ++i) {
    body += "  show(";
    for (std::size_t c = 0; c < grid.size(); ++c) body += (c ? ", " : "") + fmt::format("{}", points.coordinates[c][i]);
    body += ");\n";
  }
  std::string parameters;
  for (std::size_t c = 0; c < grid.size(); ++c) parameters += fmt::format("{}double c{}", c ? ", " : "", c);
  write_text_file(folder / "main.cc",
                  "#include \"field.hpp\"\n#include <cstdio>\nusing namespace field_solution;\nstatic void show(" +
                      parameters + ") {\n  const double all[] = {" + calls +
                      "};\n  for (double a : all) std::printf(\"%.17g \", a);\n}\nint main() {\n" + body + "}\n");
  const std::string where = "cd '" + folder.path() + "' && ";
  if (std::system("g++ --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no g++";
  ASSERT_EQ(std::system(
                (where + "g++ -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Werror main.cc -o main 2>errors").c_str()),
            0)
      << read_text_file(folder / "errors");
  ASSERT_EQ(std::system((where + "./main > out").c_str()), 0);
  std::istringstream out(read_text_file(folder / "out"));
  for (std::size_t i = 0; i < points.count; ++i) {
    for (std::size_t e = 0; e < expressions.size(); ++e) {
      double printed = 0;
      ASSERT_TRUE(out >> printed);
      EXPECT_NEAR(printed, values[e][i], 1e-12 * std::max(1.0, std::abs(values[e][i])))
          << expressions[e] << " at point " << i;
    }
  }
}

TEST(ExportHeaderTest, FourierLayerSigmoidAndWindowsGiveTheSameNumbers) {
  compare(kTransportText,
          "phi(c0, c1, c2), phi_x(c0, c1, c2), phi_t(c0, c1, c2), phi_yy(c0, c1, c2), phi_xt(c0, c1, c2)",
          {"phi", "phi_x", "phi_t", "phi_yy", "phi_xt"});
}

TEST(ExportHeaderTest, SeveralNetworksActivationsAndAParameterGiveTheSameNumbers) {
  compare(kTwoNetworksText,
          "u(c0, c1), v_x(c0, c1), u_xx(c0, c1), v_jet(c0, c1).second[0][1], k(c0, c1), k_xx(c0, c1), "
          "k_jet(c0, c1).first[1], nu",
          {"u", "v_x", "u_xx", "d(v, x, double)", "k", "k_xx", "0*x", "nu + 0*x"});
}

TEST(ExportHeaderTest, RandomFeaturesGiveTheSameNumbers) {
  std::string text = kPoissonText;
  const std::string hidden = "hidden = [8, 8]", phase = "optimizer = \"lbfgs\"\nepochs = 30";
  text.replace(text.find(hidden), hidden.size(), "features = 40\nscale = 3");
  text.replace(text.find(phase), phase.size(), "optimizer = \"solve\"\nepochs = 1");
  compare(text, "u(c0), u_x(c0), u_xx(c0)", {"u", "u_x", "u_xx"});
}

TEST(ExportHeaderTest, PlainTanhNetworkGivesTheSameNumbers) {
  compare(kPoissonText, "u(c0), u_x(c0), u_xx(c0)", {"u", "u_x", "u_xx"});
}

TEST(ExportHeaderTest, ASolutionInPartsIsRefused) {
  const TemporaryFolder folder;
  make_run(folder / "run", std::string(kPoissonText) + "[decompose]\nx = 2\n");
  try {
    export_header_file(folder / "run", 0, folder / "field.hpp");
    FAIL() << "it was exported";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("a solution in 2 parts has no header yet"));
  }
}

TEST(ExportHeaderTest, NamespacesThatDoNotCompileAreRefused) {
  const TemporaryFolder folder;
  const problem::Problem problem = make_run(folder / "run", kPoissonText);
  const train::Solution solution = train::load_solution(problem, folder / "run", 1);
  for (const std::string name : {"", "a b", "1d", "class", "a::", "::a", "a:b", "a::class", "a\nb", "NAN", "wärme"}) {
    try {
      export_header(problem, solution, name, "");
      ADD_FAILURE() << "it was exported in the namespace " << name;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("cannot name a namespace of C++"));
    }
  }
  for (const std::string name : {"a", "plant::heat_2", "_u"})
    EXPECT_NO_THROW(export_header(problem, solution, name, ""));
}

TEST(ExportHeaderTest, InsideIsTheDomain) {
  const TemporaryFolder folder;
  const problem::Problem problem = make_run(folder / "run", R"toml(
coordinates = { x = [-1, 1], t = [0, 1], y = [-1, 1] }
domain = "(box - hole - pin) & (round + blob)"
[shapes]
hole = { disc = { centre = [0.3, 0.1], radius = 0.25 } }
pin = { polygon = [[-0.6, -0.6], [-0.1, -0.5], [-0.4, 0.1]] }
round = { ellipse = { centre = [0, 0], radii = [0.9, 0.7] } }
blob = { where = "sin(3*x) + y^2*if(x < 0, 2, -1) < -0.5" }
[[network]]
fields = ["inside"]
hidden = [3]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "laplacian(inside) = 1"
points = { sobol = 10 }
[[phase]]
optimizer = "adam"
epochs = 1
)toml");
  export_header_file(folder / "run", 0, folder / "field.hpp");
  write_text_file(folder / "main.cc", R"(
#include "field.hpp"
#include <cstdio>
int main() {
  for (int j = 0; j < 41; ++j)
    for (int i = 0; i < 41; ++i) std::printf("%d ", field_solution::inside(-0.999 + 0.05 * i, 0.5, -0.999 + 0.05 * j));
})");
  const std::string where = "cd '" + folder.path() + "' && ";
  if (std::system("g++ --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no g++";
  ASSERT_EQ(std::system((where + "g++ -std=c++17 -Wall -Wextra -Werror main.cc -o main 2>errors").c_str()), 0)
      << read_text_file(folder / "errors");
  ASSERT_EQ(std::system((where + "./main > out").c_str()), 0);
  std::istringstream out(read_text_file(folder / "out"));
  int inside = 0;
  for (int j = 0; j < 41; ++j)
    for (int i = 0; i < 41; ++i) {
      int printed = -1;
      ASSERT_TRUE(out >> printed);
      const std::vector<double> point = {-0.999 + 0.05 * i, 0.5, -0.999 + 0.05 * j};
      EXPECT_EQ(printed, problem.domain->contains(point) ? 1 : 0) << point[0] << ' ' << point[2];
      inside += printed;
    }
  EXPECT_GT(inside, 300);
}

/// Fields, coordinates and parameters with names that C++, macros or the header itself have.
constexpr const char* kHostileNamesText = R"toml(
title = "Hostile names \u001b[2J"
coordinates = { x = [0, 1], xx = [0, 1], double = [0, 1], double_ = [0, 1] }
[parameters]
u_jet = { initial = 0.3 }
M_PI = { initial = 0.4 }
point = { initial = 0.5 }
detail = { initial = 0.6 }
[[network]]
fields = ["u", "constexpr", "thread_local", "static_assert", "const_cast", "char16_t", "not_eq", "reinterpret_cast"]
hidden = [3]
[[network]]
fields = ["NAN", "INFINITY", "HUGE_VAL", "M_E", "linux", "unix", "Jet", "std", "kDimension", "NAN_", "errno", "I", "B0"]
hidden = [3]
[[term]]
name = "one"
role = "objective"
region = "interior"
equation = ["d(u, x) + NAN + linux = u_jet + M_PI + point + detail"]
points = { uniform = 5 }
[[phase]]
optimizer = "adam"
epochs = 1
)toml";

TEST(ExportHeaderTest, EveryNameCompiles) {
  compare(kHostileNamesText,
          "u(c0, c1, c2, c3), u_xx(c0, c1, c2, c3), u_xx_(c0, c1, c2, c3), u_jet_(c0, c1, c2, c3).first[0], u_jet, "
          "M_PI_, point, detail_, constexpr_(c0, c1, c2, c3), linux_(c0, c1, c2, c3), NAN_(c0, c1, c2, c3), "
          "NAN__(c0, c1, c2, c3), Jet_(c0, c1, c2, c3), not_eq_x(c0, c1, c2, c3)",
          {"u", "d(u, xx)", "d(u, x, x)", "d(u, x)", "u_jet + 0*x", "M_PI + 0*x", "point + 0*x", "detail + 0*x",
           "constexpr", "linux", "NAN", "NAN_", "Jet", "d(not_eq, x)"});
}

TEST(ExportHeaderTest, NamesOfMacrosAreEvadedOrRefusedWithAReason) {
  if (std::system("g++ --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no g++";
  const TemporaryFolder folder;
  const problem::Problem problem = problem::read_problem(kHostileNamesText, "test");
  train::Solution solution(problem, 1);
  solution.add_window(evaluate::Model(problem, train::normalisation_box(problem, {0, 1}), 1).initial_parameters(1));
  write_text_file(folder / "field.hpp", export_header(problem, solution, "field", "a test"));
  write_text_file(folder / "after.cc",
                  "#include <complex.h>\n#include <termios.h>\n#include <tgmath.h>\n#include <sys/param.h>\n"
                  "#include \"field.hpp\"\ndouble f() { return field::I_(0, 0, 0, 0) + field::B0_(0, 0, 0, 0); }\n");
  write_text_file(folder / "macro.cc", "#define point 3\n#include \"field.hpp\"\n");
  const std::string compile = "cd '" + folder.path() + "' && g++ -std=c++17 -fsyntax-only 2>errors ";
  EXPECT_EQ(std::system((compile + "-Wall -Wextra -Werror after.cc").c_str()), 0) << read_text_file(folder / "errors");
  EXPECT_NE(std::system((compile + "macro.cc").c_str()), 0);
  EXPECT_THAT(read_text_file(folder / "errors"),
              testing::HasSubstr("point is a macro here: undefine it, or rename the field or parameter"));
}

TEST(ExportHeaderTest, NumbersThatAreNotFiniteCompile) {
  const TemporaryFolder folder;
  const problem::Problem problem = problem::read_problem(kTwoNetworksText, "test");
  train::Solution solution(problem, 1);
  const evaluate::Model model(problem, train::normalisation_box(problem, {0, 1}), 1);
  std::vector<double> parameters = model.initial_parameters(1);
  parameters.front() = std::numeric_limits<double>::infinity();
  parameters[1] = -std::numeric_limits<double>::infinity();
  parameters.back() = std::numeric_limits<double>::quiet_NaN();  // the scalar
  solution.add_window(parameters);
  write_text_file(folder / "field.hpp", export_header(problem, solution, "field", "a test"));
  write_text_file(folder / "main.cc",
                  "#include \"field.hpp\"\nint main() { return std::isnan(field::nu) && "
                  "std::isinf(field::detail::kParameters0_0[0]) && field::detail::kParameters0_0[1] < 0 ? 0 : 1; }\n");
  if (std::system("g++ --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no g++";
  ASSERT_EQ(
      std::system(("cd '" + folder.path() + "' && g++ -std=c++17 -Wall -Werror main.cc -o main && ./main").c_str()), 0);
}

}  // namespace
}  // namespace pecann::results
