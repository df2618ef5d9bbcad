#include "pecann/results/cpp_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace pecann::results {
namespace {

const std::set<std::string> kKeywords = {
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char8_t",
    "char16_t",    "char32_t", "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "typeof",       "union",
    "unsigned",    "using",    "virtual",    "void",      "volatile",  "wchar_t",      "while",
    "xor",         "xor_eq"};

/// Macros of compilers in their default modes, of the C library and of POSIX that are not in capitals, or in one alone.
const std::set<std::string> kMacros = {"I",         "alloca",   "arm",      "assert",    "basename",
                                       "clrbit",    "complex",  "errno",    "howmany",   "i386",
                                       "imaginary", "isclr",    "isset",    "linux",     "major",
                                       "makedev",   "minor",    "mips",     "offsetof",  "math_errhandling",
                                       "powerof2",  "powerpc",  "riscv",    "roundup",   "sched_priority",
                                       "setbit",    "setjmp",   "signbit",  "sigsetjmp", "sparc",
                                       "st_atime",  "st_ctime", "st_mtime", "stderr",    "stdin",
                                       "stdout",    "sun",      "unix",     "va_arg",    "va_copy",
                                       "va_end",    "va_start", "vax"};

/// B50, B9600: speeds of terminals (termios.h).
bool is_speed(const std::string& name) {
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  return name.size() > 1 && name[0] == 'B' && std::ranges::all_of(name.substr(1), digit);
}

bool may_be_a_macro(const std::string& name) {
  const auto capital = [](unsigned char c) { return std::isupper(c) != 0; };
  const auto small = [](unsigned char c) { return std::islower(c) != 0; };
  return kMacros.contains(name) || is_speed(name) ||
         (std::ranges::count_if(name, capital) >= 2 && std::ranges::none_of(name, small));
}

}  // namespace

std::string cpp_name(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "_" + name;
  return kKeywords.contains(name) || may_be_a_macro(name) ? name + "_" : name;
}

std::string CppNames::take(const std::string& text) {
  std::string name = cpp_name(text);
  while (!taken_.insert(name).second) name += "_";
  return name;
}

std::string cpp_number(double value) {
  if (std::isnan(value)) return "std::numeric_limits<double>::quiet_NaN()";
  if (std::isinf(value))
    return value > 0 ? "std::numeric_limits<double>::infinity()" : "-std::numeric_limits<double>::infinity()";
  return value == 0 && std::signbit(value) ? "-0.0" : fmt::format("{}", value);  // the shortest digits that do
}

}  // namespace pecann::results
