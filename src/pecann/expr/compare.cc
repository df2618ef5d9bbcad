#include "pecann/expr/expr.h"

namespace pecann::expr {
namespace {

std::strong_ordering compare_numbers(double a, double b) {  // constants are finite, so the order is total
  return a < b ? std::strong_ordering::less : b < a ? std::strong_ordering::greater : std::strong_ordering::equal;
}

std::strong_ordering compare_sites(const std::map<std::string, Expr>& a, const std::map<std::string, Expr>& b) {
  auto left = a.begin();
  for (const auto& [name, replacement] : b) {
    if (left == a.end()) return std::strong_ordering::less;
    if (const auto order = left->first <=> name; order != 0) return order;
    if (const auto order = compare(left->second, replacement); order != 0) return order;
    ++left;
  }
  return left == a.end() ? std::strong_ordering::equal : std::strong_ordering::greater;
}

}  // namespace

std::strong_ordering compare(const Expr& a, const Expr& b) {
  if (&a.node() == &b.node()) return std::strong_ordering::equal;
  if (const auto order = a->kind <=> b->kind; order != 0) return order;
  if (const auto order = compare_numbers(a->value, b->value); order != 0) return order;
  if (const auto order = a->name <=> b->name; order != 0) return order;
  if (const auto order = a->derivative <=> b->derivative; order != 0) return order;
  if (const auto order = compare_sites(a->site, b->site); order != 0) return order;
  if (const auto order = a->arguments.size() <=> b->arguments.size(); order != 0) return order;
  for (std::size_t i = 0; i < a->arguments.size(); ++i)
    if (const auto order = compare(a->arguments[i], b->arguments[i]); order != 0) return order;
  return std::strong_ordering::equal;
}

bool same(const Expr& a, const Expr& b) {
  return &a.node() == &b.node() || (a->hash == b->hash && a->size == b->size && compare(a, b) == 0);
}

}  // namespace pecann::expr
