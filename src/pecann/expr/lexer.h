// Words of an expression: numbers, names, signs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pecann::expr {

struct Token {
  enum class Kind { Number, Name, Sign, End };
  Kind kind = Kind::End;
  std::string_view text;     // points into the lexer's text
  std::size_t position = 0;  // offset of its first character
  double number = 0;

  bool is(std::string_view sign) const { return kind == Kind::Sign && text == sign; }
};

/// An error at an offset of a text: the message names the column, the value is the text itself.
[[noreturn]] void fail_at(std::string_view text, std::size_t position, const std::string& rule,
                          const std::string& hint = "");

/// Reads one token at a time; throws InputError at a character or number that has no meaning.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();

 private:
  Token number();
  Token name();
  Token sign();

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace pecann::expr
