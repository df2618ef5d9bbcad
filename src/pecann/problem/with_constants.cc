#include "pecann/problem/with_constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/problem/definition_order.h"
#include "pecann/problem/scope.h"

namespace pecann::problem {
namespace {

class Variant {
 public:
  Variant(const Problem& problem, const std::map<std::string, double>& values) : problem_(problem) {
    for (const auto& [name, value] : values) {
      require(problem.constants.contains(name), "with_constants: a constant of the problem");
      problem_.constants[name] = value;
      values_ += fmt::format("{}{} = {}", values_.empty() ? "" : ", ", name, value);
    }
    make_exact();
    for (TermSpec& term : problem_.terms) make_term(term);
    check_networks();
  }

  Problem take() { return std::move(problem_); }

 private:
  [[noreturn]] void refuse(const std::string& key, const std::string& text, const std::string& rule,
                           const std::string& hint = "") const {
    throw InputError({.place = {.file = problem_.source},
                      .key = key,
                      .value = shortened(text),
                      .rule = "in a phase with " + values_ + ": " + rule,
                      .hint = hint});
  }

  /// What parse() makes of a text; what it refuses is refused with the key.
  template <class Parse>
  auto parsed(const std::string& key, const std::string& text, const expr::Scope& scope, const Parse& parse)
      -> decltype(parse(text, scope)) {
    try {
      return parse(text, scope);
    } catch (const InputError& error) {
      refuse(key, text, error.parts().rule, error.parts().hint);
    }
  }

  void make_exact() {
    const std::vector<Definition> texts(problem_.exact_texts.begin(), problem_.exact_texts.end());
    const auto in_a_circle = [](std::size_t, const std::string& rule) { require(false, rule); };
    problem_.exact.clear();
    for (const std::size_t number : definition_order(texts, "exact.", in_a_circle)) {
      const auto& [name, text] = texts[number];
      problem_.exact.emplace(name, parsed("exact." + name, text, exact_scope(problem_), expr::parse));
    }
  }

  void make_term(TermSpec& term) {
    const std::string key = "term." + term.name;
    const expr::Scope scope = equation_scope(problem_, term);
    term.residuals.clear();
    for (const std::string& text : term.equation_texts) {
      for (const expr::Expr& residual : parsed(key + ".equation", text, scope, expr::parse_equations)) {
        if (expr::coordinate_only(residual))
          refuse(key + ".equation", text, "the equation mentions no field and no trainable parameter");
        term.residuals.push_back(residual);
      }
    }
    if (term.near)
      term.near->density =
          parsed(key + ".points.density", term.near->density_text, density_scope(problem_), expr::parse);
  }

  void check_networks() const {
    for (const NetworkSpec& network : problem_.networks)
      if (!is_used(network, problem_))
        refuse("network." + network.name, "", "no equation mentions a field of this network");
  }

  Problem problem_;
  std::string values_;  // the new values in words
};

}  // namespace

Problem with_constants(const Problem& problem, const std::map<std::string, double>& values) {
  return Variant(problem, values).take();
}

}  // namespace pecann::problem
