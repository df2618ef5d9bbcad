#include "pecann/expr/parse.h"

#include "pecann/base/input_error.h"
#include "pecann/expr/node.h"
#include "pecann/expr/parser.h"

namespace pecann::expr {
namespace {

/// Counts the nesting of parentheses, calls and exponents while it lives.
class Nesting {
 public:
  explicit Nesting(ParseState& state) : state_(state) { ++state_.nesting; }
  ~Nesting() { --state_.nesting; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  ParseState& state_;
};

std::string shown(const Token& token) {
  return token.kind == Token::Kind::End ? "the end of the text" : "'" + shortened(token.text, 40) + "'";
}

}  // namespace

Parser::Parser(std::string_view text, const Scope& scope, const std::map<std::string, Expr>& arguments,
               ParseState& state)
    : text_(text), scope_(scope), arguments_(arguments), state_(state), lexer_(text) {}

Expr Parser::parse_all(Form form) {
  if (text_.size() > kMaxText)
    fail(token_,
         "a text of " + std::to_string(text_.size()) + " characters; at most " + std::to_string(kMaxText) +
             " are allowed",
         "split the equation, or give its values as data");
  state_.characters += text_.size();
  if (state_.characters > kMaxExpanded) fail(token_, "the functions, written out, are too long", "nest fewer calls");
  try {
    return whole(form);
  } catch (const InputError& error) {  // building knows no columns: the place is where the reading stands
    if (error.parts().place.column > 0) throw;
    fail(token_, error.parts().rule, error.parts().hint);
  }
}

Expr Parser::whole(Form form) {
  advance();
  if (token_.kind == Token::Kind::End) fail(token_, "an empty expression");
  Expr result = form == Form::Equation ? relation() : comparison();
  if (token_.kind == Token::Kind::End) return result;
  if (token_.is(")")) fail(token_, "unexpected ')'", "there is no '(' for it");
  if (token_.is("=")) {
    const bool second = form == Form::Equation;
    fail(token_, second ? "a second '='" : "'=' is not allowed in an expression",
         second ? "write two equations, as in [\"u = v\", \"v = 0\"]" : "a comparison is written ==");
  }
  const bool operand = token_.kind != Token::Kind::Sign || token_.is("(");
  fail(token_, "unexpected " + shown(token_), operand ? "products are written with *" : "");
}

/// a, a = b, a <= b or a >= b, at the outermost level of an equation.
Expr Parser::relation() {
  const Token first = token_;
  const Expr left = side_of_equation();
  const Token sign = token_;
  if (!sign.is("=") && !sign.is("<=") && !sign.is(">=")) return left;
  advance();
  const Expr right = side_of_equation();
  for (const char* other : {"<=", ">="})
    if (token_.is(other)) fail(token_, "a second relation", "write two equations, as in [\"a <= u\", \"u <= b\"]");
  if (sign.is("=")) return added(first, {left, negative(right)});
  const Expr &a = scalar(sign, left), &b = scalar(sign, right);
  return max(sign.is("<=") ? a - b : b - a, 0);
}

/// A truth value has no gradient: nothing would be trained, and its violation may well be zero.
Expr Parser::side_of_equation() {
  const Expr left = additive();
  if (token_.is("==")) fail(token_, "'==' compares, and gives 0 or 1", "in an equation write a single =");
  for (const std::string sign : {"<", ">"})
    if (token_.is(sign.c_str()))
      fail(token_, "'" + sign + "' compares, and gives 0 or 1: that is no equation",
           "write " + sign + "= for an inequality, or a = b; a comparison inside an equation stands in ( )");
  if (token_.is("!="))
    fail(token_, "'!=' compares, and gives 0 or 1: that is no equation",
         "write a = b: equations are written with =, inequalities with <= and >=");
  return left;
}

Expr Parser::comparison() { return compared(additive()); }

Expr Parser::compared(const Expr& left) {
  if (token_.kind != Token::Kind::Sign) return left;
  const Token sign = token_;
  for (const char* comparing : {"<", "<=", ">", ">=", "==", "!="})
    if (sign.is(comparing)) scalar(sign, left);
  const auto right = [&] {
    advance();
    const Expr result = scalar(sign, additive());
    for (const char* other : {"<", "<=", ">", ">=", "==", "!="})
      if (token_.is(other)) fail(token_, "comparisons do not chain", "write and(a < b, b < c)");
    return result;
  };
  if (sign.is("<")) return less(left, right());
  if (sign.is("<=")) return less_equal(left, right());
  if (sign.is(">")) return less(right(), left);
  if (sign.is(">=")) return less_equal(right(), left);
  if (sign.is("==")) return equal(left, right());
  if (sign.is("!=")) return 1 - equal(left, right());
  return left;
}

Expr Parser::additive() {
  const Token first = token_;
  std::vector<Expr> terms = {multiplicative()};
  for (;;) {
    if (accept("+"))
      terms.push_back(multiplicative());
    else if (accept("-"))
      terms.push_back(negative(multiplicative()));
    else
      return terms.size() == 1 ? terms[0] : added(first, std::move(terms));
  }
}

Expr Parser::multiplicative() {
  const Token first = token_;
  std::vector<Expr> factors = {negation()};
  for (;;) {
    if (accept("*"))
      factors.push_back(negation());
    else if (accept("/"))
      factors = {divided(first, multiplied(first, std::move(factors)), negation())};
    else
      return factors.size() == 1 ? factors[0] : multiplied(first, std::move(factors));
  }
}

Expr Parser::negation() {
  bool minus = false;
  for (;;) {
    if (accept("-"))
      minus = !minus;
    else if (!accept("+"))
      break;
  }
  const Expr result = power();
  return minus ? negative(result) : result;
}

Expr Parser::power() {
  const Token first = token_;
  const Expr base = primary();
  if (!token_.is("^")) return base;
  scalar(first, base);
  const Nesting nesting(state_);
  check_nesting();
  advance();
  return pow(base, scalar(first, negation()));
}

Expr Parser::primary() {
  const Token token = token_;
  if (token.kind == Token::Kind::Number) {
    advance();
    return Expr(token.number);
  }
  if (token.kind == Token::Kind::Name) {
    advance();
    if (!token_.is("(")) return named(token);
  }
  const Nesting nesting(state_);
  check_nesting();
  if (token.kind == Token::Kind::Name) return call(token);
  if (accept("(")) {
    const Expr inner = comparison();
    expect_close(token);
    return inner;
  }
  if (accept("[")) return bracketed(token);
  fail(token, "a number, a name or '(' is missing before " + shown(token));
}

void Parser::check_nesting() const {
  if (state_.nesting > kMaxNesting) fail(token_, "nested more than " + std::to_string(kMaxNesting) + " deep");
}

bool Parser::accept(std::string_view sign) {
  if (!token_.is(sign)) return false;
  advance();
  return true;
}

void Parser::expect_close(const Token& open) {
  if (accept(")")) return;
  fail(token_,
       "a ')' is missing for the '(' of column " + std::to_string(open.position + 1) + ", found " + shown(token_),
       token_.kind == Token::Kind::Sign || token_.kind == Token::Kind::End ? "" : "products are written with *");
}

namespace {

Expr read(std::string_view text, const Scope& scope, Parser::Form form) {
  ParseState state;
  const std::map<std::string, Expr> no_arguments;
  return Parser(text, scope, no_arguments, state).parse_all(form);
}

Expr read_number(std::string_view text, const Scope& scope, Parser::Form form) {
  const WorkBound bound;
  const Expr result = read(text, scope, form);
  if (is_vector(result))
    fail_at(text, 0, "a vector where a number is needed",
            "dot(a, b) is a product of vectors, sqrt(dot(a, a)) a length");
  return result;
}

std::vector<Expr> read_components(std::string_view text, const Scope& scope, Parser::Form form) {
  const WorkBound bound;
  const Expr result = read(text, scope, form);
  return is_vector(result) ? result->arguments : std::vector<Expr>{result};
}

}  // namespace

Expr parse(std::string_view text, const Scope& scope) { return read_number(text, scope, Parser::Form::Expression); }

Expr parse_equation(std::string_view text, const Scope& scope) {
  return read_number(text, scope, Parser::Form::Equation);
}

std::vector<Expr> parse_components(std::string_view text, const Scope& scope) {
  return read_components(text, scope, Parser::Form::Expression);
}

std::vector<Expr> parse_equations(std::string_view text, const Scope& scope) {
  return read_components(text, scope, Parser::Form::Equation);
}

bool is_inequality(std::string_view text) {
  Lexer lexer(text);
  int depth = 0;
  for (Token token = lexer.next(); token.kind != Token::Kind::End; token = lexer.next()) {
    depth += token.is("(") + token.is("[") - token.is(")") - token.is("]");
    if (depth == 0 && (token.is("<=") || token.is(">="))) return true;
    if (depth == 0 && token.is("=")) return false;
  }
  return false;
}

}  // namespace pecann::expr
