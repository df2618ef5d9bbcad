// The recursive descent behind parse.h. The grammar is in parse.cc, calls are in parse_calls.cc,
// vectors in parse_vectors.cc, names in parse_names.cc.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pecann/base/input_error.h"
#include "pecann/expr/lexer.h"
#include "pecann/expr/parse.h"

namespace pecann::expr {

// A text at these limits is read, differentiated and compiled in well under a second.
inline constexpr std::size_t kMaxText = 100'000;      // characters of one text
inline constexpr std::size_t kMaxExpanded = 200'000;  // characters read, function bodies counted per call
inline constexpr int kMaxNesting = 200;

/// Words about derivatives in space, of one argument.
inline constexpr std::array<std::string_view, 5> kCalculus = {"grad", "div", "curl", "laplacian", "dn"};

/// True for a vector, which only texts have.
bool is_vector(const Expr& a);

/// What a text and the bodies of the functions that it calls have in common.
struct ParseState {
  int nesting = 0;
  std::size_t characters = 0;
  std::vector<std::string> functions;  // being expanded, outermost first
};

class Parser {
 public:
  /// `arguments`: the function's arguments when the text is its body.
  Parser(std::string_view text, const Scope& scope, const std::map<std::string, Expr>& arguments, ParseState& state);

  enum class Form { Expression, Equation };
  Expr parse_all(Form form);

 private:
  // parse.cc: the grammar, one function per level.
  Expr whole(Form form);
  Expr side_of_equation();
  Expr comparison();
  Expr relation();
  Expr compared(const Expr& left);  // with what follows, where that is a comparison
  Expr additive();
  Expr multiplicative();
  Expr negation();
  Expr power();
  Expr primary();

  // parse_calls.cc: name( … ).
  Expr call(const Token& name);
  Expr table_call(const Token& name, const std::shared_ptr<const Interpolant>& table);
  Expr user_call(const Token& name, const Function& function);
  Expr expanded(const Token& name, const Function& function, const std::map<std::string, Expr>& arguments);
  std::optional<Expr> built_in_call(const Token& name);
  Expr derivative_call(const Token& name);
  Expr at_call(const Token& name);
  Expr integral_call(const Token& name);
  std::vector<Expr> call_arguments();

  // parse_vectors.cc: [a, b] and words about vectors.
  Expr bracketed(const Token& open);
  Expr added(const Token& token, std::vector<Expr> terms);
  Expr multiplied(const Token& token, std::vector<Expr> factors);
  Expr divided(const Token& token, const Expr& above, const Expr& below);
  static Expr negative(const Expr& a);
  const Expr& scalar(const Token& token, const Expr& a) const;
  std::vector<std::string> space(const Token& name) const;
  std::vector<Expr> space_vector(const Token& name, const Expr& a) const;
  std::optional<Expr> vector_call(const Token& name);
  Expr gradient_call(const Token& name, const Expr& a);
  Expr divergence_call(const Token& name, const Expr& a);
  Expr curl_call(const Token& name, const Expr& a);
  Expr dot_call(const Token& name, const Expr& a, const Expr& b);

  // parse_names.cc: what a name stands for.
  Expr named(const Token& name);
  std::optional<Expr> symbol(const Token& token, const std::string& name);
  std::optional<Expr> differentiable(const Token& token, const std::string& name);
  std::optional<Expr> derivative_name(const Token& token, const std::string& name);
  std::string coordinate_name(const Token& token);
  Expr differentiated(const Token& token, Expr a, const std::vector<std::string>& coordinates);
  std::vector<std::string> known_names() const;

  /// Returns what build() makes; what it refuses is refused with the place of the token.
  template <class Build>
  Expr built_at(const Token& token, const Build& build) const {
    try {
      return build();
    } catch (const InputError& error) {
      fail(token, error.parts().rule, error.parts().hint);
    }
  }

  void check_nesting() const;
  void advance() { token_ = lexer_.next(); }
  bool accept(std::string_view sign);
  void expect_close(const Token& open);
  [[noreturn]] void fail(const Token& token, const std::string& rule, const std::string& hint = "") const {
    fail_at(text_, token.position, rule, hint);
  }

  std::string_view text_;
  const Scope& scope_;
  const std::map<std::string, Expr>& arguments_;
  ParseState& state_;
  Lexer lexer_;
  Token token_;  // the next one, not yet used
};

}  // namespace pecann::expr
