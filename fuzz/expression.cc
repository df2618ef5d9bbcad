// Equation texts: whatever the parser takes, the printer writes so that it is read back as the same tree;
// derivative, compiled program and values are made of small ones.
#include <vector>

#include "fuzz/target.h"
#include "pecann/expr/integral.h"
#include "pecann/expr/interpolant.h"
#include "pecann/expr/node.h"
#include "pecann/expr/parse.h"
#include "pecann/expr/program.h"

namespace pecann::fuzz {
namespace {

using namespace pecann::expr;

// Nodes. A text that writes out to more is refused as beyond the program's own, larger bound: libFuzzer
// would look for such and spend all of its time on them. Trees with more than kPrinted, shared ones counted as
// often as they occur, are only built, others with more than kCompiled only printed and read again.
constexpr std::uint32_t kMade = 500, kPrinted = 500, kCompiled = 60;

Scope make_scope() {
  Scope scope;
  scope.coordinates = {"x", "y", "t", "angle"};
  scope.time = "t";
  scope.constants = {{"b", 2.5}, {"nu", 1e-3}};
  scope.functions = {{"s", {{}, "sin(x)*exp(-t)"}}, {"f", {{"a", "c"}, "a^2 + c/b"}}, {"loop", {{"a"}, "loop(a)"}}};
  scope.fields = {"u", "v", "g"};
  scope.field_inputs = {{"g", {"x"}}};
  scope.parameters = {"k"};
  scope.exact = {{"u", sin(coordinate("x")) * exp(-coordinate("t"))}, {"v", Expr(1.0)}};
  scope.data = {"data.d"};
  scope.tables["m"] = std::make_shared<const Interpolant>("m", std::vector<std::string>{"x", "angle"},
                                                          std::vector<std::vector<double>>{{0, 1, 3}, {0, 1}},
                                                          std::vector<double>{1, 2, 3, 4, 5, 6}, Interpolate::Cubic);
  scope.tables["n"] = std::make_shared<const Interpolant>("n", std::vector<std::string>{"x"},
                                                          std::vector<std::vector<double>>{{0, 1, 3}},
                                                          std::vector<double>{1, 2, 3}, Interpolate::Nearest);
  scope.integrals = true;
  return scope;
}

void check_small(const Expr& tree, const Scope& scope) {
  accepted([&] { derivative(tree, "x", scope.field_inputs); });
  const std::map<std::string, int> networks = {{"u", 0}, {"v", 0}, {"g", 1}};
  accepted([&] { compile(point_expressions({&tree, 1}, scope.time), networks); });
  if (!coordinate_only(tree)) return;
  const double point[] = {0.25, -1, 0, 3};
  std::map<std::string, const double*> columns;
  for (const char* name : {"x", "y", "t", "angle", "data.d"}) columns[name] = point;
  std::vector<double> values(std::size(point));
  double* const results[] = {values.data()};
  accepted([&] { evaluate_columns(std::vector<Expr>{tree}, columns, std::size(point), results); });
}

void check_tree(const Expr& tree, const Scope& scope) {
  if (tree->size > kPrinted) return;
  const std::string text = to_string(tree);
  bool equal = false;
  require(accepted([&] { equal = same(parse(text, scope), tree); }), "the printed expression is read again", text);
  require(equal, "the printed expression is read as the same tree", text);
  if (tree->size <= kCompiled) check_small(tree, scope);
}

}  // namespace

void fuzz_one(std::string_view bytes) {
  static const Scope scope = make_scope();
  accepted([&] {
    const std::vector<Expr> components = [&] {
      const WorkBound bound(kMade);
      return parse_equations(bytes, scope);
    }();
    for (const Expr& tree : components) check_tree(tree, scope);
  });
}

}  // namespace pecann::fuzz
