#include <algorithm>
#include <functional>

#include "pecann/base/input_error.h"
#include "pecann/expr/integral.h"
#include "pecann/expr/interpolant.h"
#include "pecann/expr/parser.h"

namespace pecann::expr {
namespace {

using Arguments = std::vector<Expr>;

struct BuiltIn {
  std::size_t least, most;  // number of arguments
  std::function<Expr(const Arguments&)> build;
};

template <Expr (*F)(const Expr&)>
BuiltIn of_one() {
  return {1, 1, [](const Arguments& x) { return F(x[0]); }};
}

template <Expr (*F)(const Expr&, const Expr&)>
BuiltIn of_many() {
  return {2, 1000, [](const Arguments& x) {
            Expr result = x[0];
            for (std::size_t i = 1; i < x.size(); ++i) result = F(result, x[i]);
            return result;
          }};
}

/// Anything but zero counts as true, as in `if`.
Expr truth(const Expr& a) { return 1 - equal(a, 0); }
Expr both(const Expr& a, const Expr& b) { return min(truth(a), truth(b)); }
Expr either(const Expr& a, const Expr& b) { return max(truth(a), truth(b)); }
Expr negated(const Expr& a) { return equal(a, 0); }

const std::map<std::string, BuiltIn, std::less<>>& built_ins() {
  static const std::map<std::string, BuiltIn, std::less<>> table = {
      {"sin", of_one<sin>()},
      {"cos", of_one<cos>()},
      {"tan", of_one<tan>()},
      {"exp", of_one<exp>()},
      {"log", of_one<log>()},
      {"sqrt", of_one<sqrt>()},
      {"tanh", of_one<tanh>()},
      {"sinh", of_one<sinh>()},
      {"cosh", of_one<cosh>()},
      {"asin", of_one<asin>()},
      {"acos", of_one<acos>()},
      {"atan", of_one<atan>()},
      {"erf", of_one<erf>()},
      {"abs", of_one<abs>()},
      {"sign", of_one<sign>()},
      {"min", of_many<min>()},
      {"max", of_many<max>()},
      {"and", of_many<both>()},
      {"or", of_many<either>()},
      {"not", of_one<negated>()},
      {"if", {3, 3, [](const Arguments& x) { return if_else(x[0], x[1], x[2]); }}}};
  return table;
}

/// Functions with a grammar of their own.
constexpr const char* kSpecialCalls[] = {"d",   "dn",   "laplacian", "at",       "grad",
                                         "div", "curl", "dot",       "integral", "mean"};

const std::string kInFunction = "in the function '";

std::string counted(std::size_t count) { return std::to_string(count) + (count == 1 ? " argument" : " arguments"); }

std::string arity_rule(std::string_view name, std::size_t least, std::size_t most, std::size_t given) {
  return "'" + shortened(name, 40) + "' takes " + (most > least ? "at least " : "") + counted(least) + ", " +
         std::to_string(given) + " given";
}

}  // namespace

std::vector<std::string> reserved_names() {
  std::vector<std::string> names = {"pi", "e", "exact", "data", "normal"};
  names.insert(names.end(), std::begin(kSpecialCalls), std::end(kSpecialCalls));
  for (const auto& entry : built_ins()) names.push_back(entry.first);
  return names;
}

Expr Parser::call(const Token& name) {
  if (const auto function = scope_.functions.find(std::string(name.text)); function != scope_.functions.end())
    return user_call(name, function->second);
  if (const auto table = scope_.tables.find(std::string(name.text)); table != scope_.tables.end())
    return table_call(name, table->second);
  if (const auto result = built_in_call(name)) return *result;
  if (symbol(name, std::string(name.text)))
    fail(name, "'" + shortened(name.text, 40) + "' is not a function", "products are written with *");
  std::vector<std::string> known(std::begin(kSpecialCalls), std::end(kSpecialCalls));
  for (const auto& entry : built_ins()) known.push_back(entry.first);
  for (const auto& entry : scope_.functions) known.push_back(entry.first);
  for (const auto& entry : scope_.tables) known.push_back(entry.first);
  // np.sin and math.sin are the sin of other languages.
  const std::size_t dot = name.text.find_last_of('.');
  const std::string bare(dot == name.text.npos ? name.text : name.text.substr(dot + 1));
  fail(name, "unknown function '" + shortened(name.text, 40) + "'",
       bare == "ln" ? "the natural logarithm is log" : hint_for(bare, known));
}

std::optional<Expr> Parser::built_in_call(const Token& name) {
  if (name.text == "d") return derivative_call(name);
  if (name.text == "at") return at_call(name);
  if (const auto result = vector_call(name)) return result;
  if (name.text == "integral" || name.text == "mean") return integral_call(name);
  const auto found = built_ins().find(name.text);
  if (found == built_ins().end()) return std::nullopt;
  const BuiltIn& built_in = found->second;
  const Arguments given = call_arguments();
  if (given.size() < built_in.least || given.size() > built_in.most)
    fail(name, arity_rule(name.text, built_in.least, built_in.most, given.size()));
  for (const Expr& argument : given) scalar(name, argument);
  return built_in.build(given);
}

/// ( a, b, … ) with the opening parenthesis as the next token.
std::vector<Expr> Parser::call_arguments() {
  const Token open = token_;
  advance();
  Arguments result;
  if (accept(")")) return result;
  do result.push_back(comparison());
  while (accept(","));
  expect_close(open);
  return result;
}

Expr Parser::user_call(const Token& name, const Function& function) {
  const Arguments given = call_arguments();
  if (given.size() != function.arguments.size())
    fail(name, arity_rule(name.text, function.arguments.size(), function.arguments.size(), given.size()));
  std::map<std::string, Expr> arguments;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!arguments.emplace(function.arguments[i], given[i]).second)
      fail(name, "the function '" + shortened(name.text, 40) + "' has two arguments '" + function.arguments[i] + "'");
  return expanded(name, function, arguments);
}

/// kappa(x + 1, y): a table elsewhere than at the point.
Expr Parser::table_call(const Token& name, const std::shared_ptr<const Interpolant>& table) {
  const Arguments given = call_arguments();
  const std::size_t count = table->coordinates().size();
  if (given.size() != count) fail(name, arity_rule(name.text, count, count, given.size()));
  for (const Expr& argument : given) scalar(name, argument);
  return built_at(name, [&] { return table_value(table, given); });
}

Expr Parser::expanded(const Token& name, const Function& function, const std::map<std::string, Expr>& arguments) {
  const std::string function_name(name.text);
  if (std::ranges::find(state_.functions, function_name) != state_.functions.end())
    fail(name, "the function '" + shortened(name.text, 40) + "' calls itself", "recursion is not allowed");
  if (state_.functions.size() >= kMaxNesting)
    fail(name, "functions that call each other more than " + std::to_string(kMaxNesting) + " deep");
  state_.functions.push_back(function_name);
  try {
    const Expr result = Parser(function.body, scope_, arguments, state_).parse_all(Form::Expression);
    state_.functions.pop_back();
    return result;
  } catch (const InputError& error) {
    // Where functions call functions, the innermost one is the one to look at.
    const std::string& rule = error.parts().rule;
    const std::size_t inner = rule.find(kInFunction);
    fail(name,
         inner != std::string::npos
             ? rule.substr(inner)
             : kInFunction + shortened(name.text, 40) + "' = " + error.parts().value + ": " + rule,
         error.parts().hint);
  }
}

/// d(expr, x, y, …)
Expr Parser::derivative_call(const Token& name) {
  const Token open = token_;
  advance();
  const Expr inner = comparison();
  std::vector<std::string> coordinates;
  while (accept(",")) {
    coordinates.push_back(coordinate_name(token_));
    advance();
  }
  expect_close(open);
  if (coordinates.empty()) fail(name, "a derivative needs a coordinate", "write d(expression, x)");
  return differentiated(name, inner, coordinates);
}

/// integral(expr) or integral(expr, over = space), the same with mean.
Expr Parser::integral_call(const Token& name) {
  const std::string word(name.text);
  if (!scope_.integrals)
    fail(name, "'" + word + "' is over the region of a term, and there is none here",
         "use it in the equation of a term");
  const Token open = token_;
  advance();
  const Token first = token_;
  if (first.is(")")) fail(name, arity_rule(name.text, 1, 1, 0), "write " + word + "(u)");
  const Expr inner = scalar(first, comparison());
  std::string over;
  if (accept(",")) {
    const Token key = token_;
    const std::string hint = "write " + word + "(u, over = space)";
    if (key.kind != Token::Kind::Name || key.text != "over")
      fail(key, "'" + word + "' takes one expression, and what it is over", hint);
    advance();
    if (!accept("=")) fail(token_, "a '=' is missing", hint);
    if (token_.kind != Token::Kind::Name || token_.text != kOverSpace)
      fail(token_, "an integral is over the whole region, or over = space at every time", hint);
    if (scope_.time.empty()) fail(token_, "over = space needs a coordinate t", "write " + word + "(u)");
    over = kOverSpace;
    advance();
  }
  expect_close(open);
  return built_at(name, [&] { return word == "mean" ? mean(inner, over) : integral(inner, over); });
}

/// at(expr, x = a, y = b, …)
Expr Parser::at_call(const Token& name) {
  const Token open = token_;
  advance();
  const Expr inner = comparison();
  std::map<std::string, Expr> site;
  while (accept(",")) {
    const Token coordinate = token_;
    const std::string replaced = coordinate_name(coordinate);
    advance();
    if (!accept("=")) fail(token_, "a '=' is missing", "write at(u, " + replaced + " = 1)");
    const Token value = token_;
    const Expr replacement = scalar(value, comparison());
    if (!coordinate_only(replacement))
      fail(value, "a coordinate may be replaced only by an expression of coordinates and constants");
    if (!site.emplace(replaced, replacement).second)
      fail(coordinate, "the coordinate '" + replaced + "' is replaced twice");
  }
  expect_close(open);
  if (site.empty()) fail(name, "at() needs a coordinate and its value", "write at(u, x = 1)");
  return built_at(name, [&] { return at(inner, site); });
}

}  // namespace pecann::expr
