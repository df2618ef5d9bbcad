#include "pecann/expr/program.h"

#include <algorithm>

#include "pecann/base/require.h"
#include "pecann/expr/collapse.h"
#include "pecann/expr/tape_builder.h"

namespace pecann::expr {
namespace {

/// Fills the lists of a Program while its tape is built.
class ProgramBuilder : public TapeBuilder {
 public:
  explicit ProgramBuilder(Program& program) : program_(program) { program_.sites.emplace_back(); }

  /// Inputs in the order of the contract: columns, jets, parameters.
  kernel::Tape tape() const {
    const std::size_t first[] = {0, program_.columns.size(), program_.columns.size() + program_.jets.size()};
    std::vector<int> places;
    for (const Input& input : inputs_)
      places.push_back(static_cast<int>(first[static_cast<std::size_t>(input.list)] + input.index));
    return finish(places);
  }

 private:
  enum class List { Column, Jet, Parameter };
  struct Input {
    List list;
    std::size_t index;
  };

  std::optional<int> read(const Expr& a) override {
    if (coordinate_only(a)) return added(List::Column, program_.columns, a);
    if (a->kind == Kind::Parameter) return added(List::Parameter, program_.parameters, a->name);
    if (a->kind != Kind::Field) return std::nullopt;
    JetInput jet{.field = a->name, .site = site_of(a->site)};
    jet.linear_operator = operator_of(a);
    if (jet.linear_operator < 0) jet.index = a->derivative;
    return added(List::Jet, program_.jets, jet);
  }
  bool gathers_coordinates() const override { return true; }

  /// The builder asks once for each distinct expression, so every input is new.
  template <class T>
  int added(List list, std::vector<T>& to, const T& value) {
    inputs_.push_back({list, to.size()});
    to.push_back(value);
    return static_cast<int>(inputs_.size()) - 1;
  }

  int site_of(const std::map<std::string, Expr>& site) {
    const auto equal_sites = [&](const std::map<std::string, Expr>& other) {
      return std::ranges::equal(site, other, [](const auto& left, const auto& right) {
        return left.first == right.first && same(left.second, right.second);
      });
    };
    const auto found = std::ranges::find_if(program_.sites, equal_sites);
    if (found != program_.sites.end()) return static_cast<int>(found - program_.sites.begin());
    program_.sites.push_back(site);
    return static_cast<int>(program_.sites.size()) - 1;
  }

  Program& program_;
  std::vector<Input> inputs_;
};

}  // namespace

Program compile(std::span<const Expr> residuals, const std::map<std::string, int>& network_of) {
  Program program;
  Collapsed collapsed = collapse(residuals, network_of);
  program.operators = std::move(collapsed.operators);
  ProgramBuilder builder(program);
  for (const Expr& residual : collapsed.residuals) builder.add_output(residual);
  program.tape = builder.tape();
  return program;
}

}  // namespace pecann::expr
