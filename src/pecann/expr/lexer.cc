#include "pecann/expr/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "pecann/base/input_error.h"

namespace pecann::expr {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

struct Stray {
  std::string_view text, hint;
};
constexpr std::array kStrays = {Stray{"**", "a power is written with ^"},
                                Stray{"&", "write and(a, b)"},
                                Stray{"|", "write or(a, b), or abs(a)"},
                                Stray{"!", "write not(a), or a != b"},
                                Stray{"%", ""},
                                Stray{"{", "use ( )"}};
constexpr std::array<std::string_view, 17> kSigns = {"<=", ">=", "==", "!=", "<", ">", "+", "-", "*",
                                                     "/",  "^",  "(",  ")",  "[", "]", ",", "="};

}  // namespace

void fail_at(std::string_view text, std::size_t position, const std::string& rule, const std::string& hint) {
  InputError::Parts parts;
  parts.place.column = static_cast<int>(position) + 1;
  parts.value = shortened(text);
  parts.rule = "column " + std::to_string(position + 1) + ": " + rule;
  parts.hint = hint;
  throw InputError(parts);
}

Token Lexer::next() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  if (at_ == text_.size()) return {Token::Kind::End, {}, at_};
  const char c = text_[at_];
  if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
  if (is_letter(c)) return name();
  return sign();
}

Token Lexer::number() {
  const char* begin = text_.data() + at_;
  double value = 0;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  Token token{Token::Kind::Number, text_.substr(at_, static_cast<std::size_t>(end - begin)), at_, value};
  if (error != std::errc()) fail_at(text_, at_, "the number " + shortened(token.text, 40) + " is out of range");
  at_ += token.text.size();
  return token;
}

/// Letters, digits and underscores; a dot joins two names (exact.u).
Token Lexer::name() {
  const std::size_t begin = at_;
  while (at_ < text_.size()) {
    const bool joins = text_[at_] == '.' && at_ + 1 < text_.size() && is_letter(text_[at_ + 1]);
    if (!joins && !is_letter(text_[at_]) && !is_digit(text_[at_])) break;
    ++at_;
  }
  return {Token::Kind::Name, text_.substr(begin, at_ - begin), begin};
}

Token Lexer::sign() {
  const std::string_view rest = text_.substr(at_);
  const auto begins = [&](std::string_view sign) { return rest.starts_with(sign); };
  if (!begins("!="))
    for (const Stray& stray : kStrays)
      if (begins(stray.text))
        fail_at(text_, at_, "'" + std::string(stray.text) + "' has no meaning here", std::string(stray.hint));
  const auto found = std::ranges::find_if(kSigns, begins);
  if (found == kSigns.end()) {
    const auto byte = static_cast<unsigned char>(rest[0]);
    if (byte >= 0x80)
      fail_at(text_, at_, "a character that is not ASCII", "write names in plain letters, products with *");
    fail_at(text_, at_, "a stray character '" + shortened(rest.substr(0, 1)) + "'");
  }
  const Token token{Token::Kind::Sign, rest.substr(0, found->size()), at_};
  at_ += found->size();
  return token;
}

}  // namespace pecann::expr
