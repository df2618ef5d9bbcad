// Vectors in texts: [a, b], what may be done with them, and the words of vector calculus. Their components are the
// coordinates of space in the order of the problem.
#include <algorithm>

#include "pecann/base/input_error.h"
#include "pecann/expr/parser.h"

namespace pecann::expr {
namespace {

constexpr std::size_t kMostComponents = 20;

bool any_vector(const std::vector<Expr>& parts) { return std::ranges::any_of(parts, is_vector); }

std::string size_text(const Expr& a) {
  return is_vector(a) ? "a vector of " + std::to_string(a->arguments.size()) : std::string("a number");
}

/// f of the components of vectors of one size; numbers stay what they are for every component.
template <class Build>
Expr by_component(const std::vector<Expr>& parts, std::size_t size, const Build& build) {
  std::vector<Expr> components;
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<Expr> of_one;
    for (const Expr& part : parts) of_one.push_back(is_vector(part) ? part->arguments[i] : part);
    components.push_back(build(std::move(of_one)));
  }
  return vector_of(std::move(components));
}

}  // namespace

bool is_vector(const Expr& a) { return a->kind == Kind::Vector; }

std::vector<std::string> space_of(const Scope& scope) {
  std::vector<std::string> space;
  for (const std::string& name : scope.coordinates)
    if (name != scope.time && std::ranges::find(scope.family, name) == scope.family.end()) space.push_back(name);
  return space;
}

const Expr& Parser::scalar(const Token& token, const Expr& a) const {
  if (is_vector(a))
    fail(token, "a vector where a number is needed", "dot(a, b) is a product of vectors, sqrt(dot(a, a)) a length");
  return a;
}

/// [ a, b, … ] behind its opening bracket.
Expr Parser::bracketed(const Token& open) {
  std::vector<Expr> components;
  do {
    const Token token = token_;
    components.push_back(comparison());
    if (is_vector(components.back()))
      fail(token, "a vector inside a vector", "matrices have no words: write the components");
    if (components.size() > kMostComponents) fail(open, "a vector of more than 20 components");
  } while (accept(","));
  if (!accept("]")) fail(token_, "a ']' is missing for the '[' of column " + std::to_string(open.position + 1));
  return vector_of(std::move(components));
}

Expr Parser::added(const Token& token, std::vector<Expr> terms) {
  if (!any_vector(terms)) return sum(std::move(terms));
  std::erase_if(terms, [](const Expr& term) { return term.is_constant(0); });
  for (const Expr& term : terms)
    if (!is_vector(term) || term->arguments.size() != terms[0]->arguments.size())
      fail(token, "a sum of " + size_text(terms[0]) + " and " + size_text(term),
           "vectors are added to vectors of the same size");
  return by_component(terms, terms[0]->arguments.size(), [](std::vector<Expr> parts) { return sum(std::move(parts)); });
}

Expr Parser::multiplied(const Token& token, std::vector<Expr> factors) {
  const auto vector = std::ranges::find_if(factors, is_vector);
  if (vector == factors.end()) return product(std::move(factors));
  if (std::ranges::count_if(factors, is_vector) > 1) fail(token, "a product of two vectors", "write dot(a, b)");
  return by_component(factors, (*vector)->arguments.size(),
                      [](std::vector<Expr> parts) { return product(std::move(parts)); });
}

Expr Parser::divided(const Token& token, const Expr& above, const Expr& below) {
  scalar(token, below);
  if (!is_vector(above)) return above / below;
  return by_component({above, below}, above->arguments.size(),
                      [](const std::vector<Expr>& parts) { return parts[0] / parts[1]; });
}

Expr Parser::negative(const Expr& a) {
  if (!is_vector(a)) return -a;
  return by_component({a}, a->arguments.size(), [](const std::vector<Expr>& parts) { return -parts[0]; });
}

std::vector<std::string> Parser::space(const Token& name) const {
  const std::vector<std::string> coordinates = space_of(scope_);
  if (coordinates.empty()) fail(name, "'" + std::string(name.text) + "' needs a coordinate of space");
  return coordinates;
}

/// The argument of a word that takes a vector with a component for each coordinate of space.
std::vector<Expr> Parser::space_vector(const Token& name, const Expr& a) const {
  const std::size_t count = space(name).size();
  if (is_vector(a) && a->arguments.size() == count) return a->arguments;
  std::string names;
  for (const std::string& coordinate : space(name)) names += (names.empty() ? "" : ", ") + coordinate;
  fail(name,
       "'" + std::string(name.text) + "' takes a vector of " + std::to_string(count) + ", one component for each of " +
           names + "; given is " + size_text(a),
       "as in " + std::string(name.text) + "([u, v])");
}

Expr Parser::gradient_call(const Token& name, const Expr& a) {
  if (is_vector(a))
    fail(name, "the gradient of a vector is a matrix, which has no word",
         "write its components, as in dot(w, grad(u))");
  std::vector<Expr> components;
  for (const std::string& coordinate : space(name)) components.push_back(differentiated(name, a, {coordinate}));
  return vector_of(std::move(components));
}

Expr Parser::divergence_call(const Token& name, const Expr& a) {
  const std::vector<Expr> components = space_vector(name, a);
  const std::vector<std::string> coordinates = space(name);
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < components.size(); ++i)
    terms.push_back(differentiated(name, components[i], {coordinates[i]}));
  return sum(std::move(terms));
}

/// In three coordinates ∇ × a; in two the number ∂a_y/∂x − ∂a_x/∂y of a vector, and (∂s/∂y, −∂s/∂x) of a number.
Expr Parser::curl_call(const Token& name, const Expr& a) {
  const std::vector<std::string> x = space(name);
  const auto slope = [&](const Expr& part, std::size_t by) { return differentiated(name, part, {x[by]}); };
  if (x.size() == 2 && !is_vector(a)) return vector_of({slope(a, 1), -slope(a, 0)});
  if (x.size() != 2 && x.size() != 3) fail(name, "'curl' needs two or three coordinates of space");
  const std::vector<Expr> v = space_vector(name, a);
  if (x.size() == 2) return slope(v[1], 0) - slope(v[0], 1);
  return vector_of({slope(v[2], 1) - slope(v[1], 2), slope(v[0], 2) - slope(v[2], 0), slope(v[1], 0) - slope(v[0], 1)});
}

Expr Parser::dot_call(const Token& name, const Expr& a, const Expr& b) {
  if (!is_vector(a) || !is_vector(b) || a->arguments.size() != b->arguments.size())
    fail(name, "'dot' takes two vectors of the same size; given are " + size_text(a) + " and " + size_text(b),
         "as in dot([u, v], grad(u))");
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < a->arguments.size(); ++i) terms.push_back(a->arguments[i] * b->arguments[i]);
  return sum(std::move(terms));
}

/// grad, div, curl, laplacian, dn and dot; nothing when the name is none of them.
std::optional<Expr> Parser::vector_call(const Token& name) {
  const bool pair = name.text == "dot";
  if (!pair && std::ranges::find(kCalculus, name.text) == kCalculus.end()) return std::nullopt;
  const std::vector<Expr> given = call_arguments();
  if (given.size() != (pair ? 2 : 1))
    fail(name, "'" + std::string(name.text) + "' takes " + (pair ? "2 arguments, " : "1 argument, ") +
                   std::to_string(given.size()) + " given");
  if (pair) return dot_call(name, given[0], given[1]);
  if (name.text == "grad") return gradient_call(name, given[0]);
  if (name.text == "div") return divergence_call(name, given[0]);
  if (name.text == "curl") return curl_call(name, given[0]);
  std::vector<Expr> terms;
  for (const std::string& coordinate : space(name)) {
    if (name.text == "laplacian") {
      terms.push_back(differentiated(name, given[0], {coordinate, coordinate}));
      continue;
    }
    const std::string component = "normal." + coordinate;
    if (std::ranges::find(scope_.data, component) == scope_.data.end())
      fail(name, "dn() needs a normal, and there is none here", "use it on a boundary, a shape or a face");
    terms.push_back(multiplied(name, {data_column(component), differentiated(name, given[0], {coordinate})}));
  }
  return added(name, std::move(terms));
}

}  // namespace pecann::expr
