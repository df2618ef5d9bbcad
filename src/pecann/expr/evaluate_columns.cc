#include <algorithm>

#include "pecann/base/aligned_vector.h"
#include "pecann/base/require.h"
#include "pecann/expr/interpolant.h"
#include "pecann/expr/program.h"
#include "pecann/expr/tape_builder.h"

namespace pecann::expr {
namespace {

constexpr std::size_t kTile = 256;  // points; a tape of 50 registers then fits the second-level cache

/// Reads coordinates, data and tables; the values of tables are computed before the tape runs.
class ColumnBuilder : public TapeBuilder {
 public:
  const std::vector<Expr>& inputs() const { return inputs_; }

 private:
  std::optional<int> read(const Expr& a) override {
    require(coordinate_only(a), "evaluate_columns: fields and parameters have no column");
    require(a->kind != Kind::NamedConstant, "evaluate_columns: the constant " + a->name + " has no value");
    if (a->kind != Kind::Coordinate && a->kind != Kind::Data && a->kind != Kind::Table) return std::nullopt;
    inputs_.push_back(a);  // the builder asks once for each distinct expression
    return static_cast<int>(inputs_.size()) - 1;
  }
  bool gathers_coordinates() const override { return false; }

  std::vector<Expr> inputs_;
};

using Columns = std::map<std::string, const double*>;

std::vector<double> table_values(const Expr& a, const Columns& values, std::size_t count) {
  const std::size_t dimension = a->arguments.size();
  std::vector<double> places(dimension * count), result(count);
  std::vector<double*> arguments;
  std::vector<int> orders;
  for (std::size_t i = 0; i < dimension; ++i) {
    arguments.push_back(places.data() + i * count);
    const auto order = a->derivative.find(a->table->coordinates()[i]);
    orders.push_back(order == a->derivative.end() ? 0 : order->second);
  }
  evaluate_columns(a->arguments, values, count, arguments);
  a->table->evaluate(orders, std::vector<const double*>(arguments.begin(), arguments.end()), count, result.data());
  return result;
}

}  // namespace

void evaluate_columns(std::span<const Expr> expressions, const std::map<std::string, const double*>& values,
                      std::size_t count, std::span<double* const> results) {
  require(expressions.size() == results.size(), "evaluate_columns: one result per expression");
  ColumnBuilder builder;
  for (const Expr& expression : expressions) builder.add_output(expression);
  const std::size_t num_inputs = builder.inputs().size();
  std::vector<int> places(num_inputs);
  for (std::size_t i = 0; i < num_inputs; ++i) places[i] = static_cast<int>(i);
  const kernel::Tape tape = builder.finish(places);

  std::vector<const double*> sources;
  std::vector<std::vector<double>> of_tables;
  for (const Expr& input : builder.inputs()) {
    if (input->kind == Kind::Table) {
      of_tables.push_back(table_values(input, values, count));
      sources.push_back(of_tables.back().data());
      continue;
    }
    const auto found = values.find(input->name);
    require(found != values.end(), "evaluate_columns: no values of " + input->name);
    sources.push_back(found->second);
  }
  // Tiles are copied: the caller's arrays need neither alignment nor a padded length.
  AlignedVector<double> tile(num_inputs * kTile), scratch(kernel::tape_scratch(tape, kTile));
  std::vector<const double*> inputs;
  for (std::size_t i = 0; i < num_inputs; ++i) inputs.push_back(tile.data() + i * kTile);
  for (std::size_t begin = 0; begin < count; begin += kTile) {
    const std::size_t points = std::min(kTile, count - begin), padded = round_up(points, kLanes);
    for (std::size_t i = 0; i < num_inputs; ++i) {
      double* to = tile.data() + i * kTile;
      std::copy_n(sources[i] + begin, points, to);
      std::fill(to + points, to + padded, to[points - 1]);
    }
    kernel::tape_forward(tape, inputs, scratch.data(), padded);
    for (std::size_t e = 0; e < expressions.size(); ++e)
      std::copy_n(kernel::tape_output(tape, inputs, scratch.data(), padded, e), points, results[e] + begin);
  }
}

}  // namespace pecann::expr
