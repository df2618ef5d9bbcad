#include "pecann/evaluate/tile_runner.h"

#include <algorithm>

#include "pecann/base/require.h"
#include "pecann/kernel/tape.h"

namespace pecann::evaluate {

TileRunner::TileRunner(const BoundProgram& bound) : bound_(&bound) {
  const std::size_t tile = bound.tile();
  const expr::Program& program = bound.program();
  const auto uses = bound.uses();
  for (const auto& use : uses) {
    passes_.emplace_back(bound.model().networks()[use.network], use.plan.channels, tile);  // as in every part
    pass_inputs_.emplace_back(bound.model().network_inputs()[use.network].size());
    pass_columns_.emplace_back(use.coefficients.size());
  }
  const std::size_t columns = program.columns.size(), jets = program.jets.size(), scalars = program.parameters.size();
  tape_inputs_.resize(columns + jets + scalars);
  tape_adjoints_.assign(columns + jets + scalars, nullptr);
  combined_.resize(jets * tile);
  combined_adjoints_.resize(jets * tile);
  scalars_.resize(scalars * tile);
  scalar_adjoints_.resize(scalars * tile);
  for (std::size_t s = 0; s < scalars; ++s) {
    tape_inputs_[columns + jets + s] = scalars_.data() + s * tile;
    tape_adjoints_[columns + jets + s] = scalar_adjoints_.data() + s * tile;
  }
  scratch_.resize(kernel::tape_scratch(program.tape, tile));
  adjoint_scratch_.resize(scratch_.size());
  seeds_.resize(static_cast<std::size_t>(bound.num_outputs()) * tile);
  for (int o = 0; o < bound.num_outputs(); ++o) seed_pointers_.push_back(seed(o));
}

double TileRunner::numbers(const BoundProgram& bound) {
  const auto tile = static_cast<double>(bound.tile());
  double sum = 2 * static_cast<double>(kernel::tape_scratch(bound.program().tape, bound.tile())) +
               (bound.num_outputs() +
                2.0 * static_cast<double>(bound.program().jets.size() + bound.program().parameters.size())) *
                   tile;
  for (const BoundProgram::NetworkUse& use : bound.uses()) {  // as network::Pass lays out its layers
    const network::Network& network = bound.model().networks()[use.network];
    double rows = network.inputs() + network.shape().outputs, widest = 0;
    for (const network::Network::Layer& layer : network.layers()) {
      rows += 2.0 * layer.out;
      widest = std::max(widest, static_cast<double>(layer.in));
    }
    sum += (rows + 4 * widest) * static_cast<double>(use.plan.channels.size()) * tile;
  }
  return sum;
}

void TileRunner::forward(const PackedModel& model, std::size_t tile) {
  const expr::Program& program = bound_->program();
  const BoundProgram::Tile& own = bound_->tile_at(tile);
  tile_ = tile;
  first_ = own.first;
  count_ = own.count;
  points_ = own.padded();

  const std::size_t columns = program.columns.size();
  for (std::size_t c = 0; c < columns; ++c) tape_inputs_[c] = bound_->column(static_cast<int>(c)) + own.place;
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    const auto& use = bound_->uses()[p];
    for (std::size_t i = 0; i < use.inputs.size(); ++i) pass_inputs_[p][i] = use.inputs[i] + own.place;
    for (std::size_t c = 0; c < use.coefficients.size(); ++c)
      pass_columns_[p][c] = use.coefficients[c].data() + own.place;
    passes_[p].forward(model.network(bound_->network_on(p, tile)), pass_inputs_[p], pass_columns_[p], points_);
    for (std::size_t j = 0; j < use.jets.size(); ++j) {
      const JetSource& source = use.plan.sources[j];
      const std::size_t jet = use.jets[j];
      if (source.direct()) {
        tape_inputs_[columns + jet] = passes_[p].output(use.outputs[j], source.parts[0].channel);
        continue;
      }
      double* const sum = combined_.data() + jet * bound_->tile();
      std::fill(sum, sum + points_, 0.0);
      for (const auto& [channel, factor] : source.parts) {
        const double* const part = passes_[p].output(use.outputs[j], channel);
        for (std::size_t i = 0; i < points_; ++i) sum[i] += factor * part[i];
      }
      tape_inputs_[columns + jet] = sum;
    }
  }
  for (std::size_t s = 0; s < program.parameters.size(); ++s) {
    double* const values = scalars_.data() + s * bound_->tile();
    std::fill(values, values + points_, model.scalar(bound_->scalars()[s]).value);
  }
  kernel::tape_forward(program.tape, tape_inputs_, scratch_.data(), points_);
}

const double* TileRunner::output(int o) const {
  return kernel::tape_output(bound_->program().tape, tape_inputs_, scratch_.data(), points_, o);
}

void TileRunner::pull_back_expressions() {
  const expr::Program& program = bound_->program();
  const std::size_t columns = program.columns.size(), tile = bound_->tile();
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    const auto& use = bound_->uses()[p];
    passes_[p].clear_adjoints();
    for (std::size_t j = 0; j < use.jets.size(); ++j) {
      const std::size_t jet = use.jets[j];
      double*& adjoint = tape_adjoints_[columns + jet];
      if (use.plan.sources[j].direct()) {
        adjoint = passes_[p].adjoint(use.outputs[j], use.plan.sources[j].parts[0].channel);
      } else {
        adjoint = combined_adjoints_.data() + jet * tile;
        std::fill(adjoint, adjoint + points_, 0.0);
      }
    }
  }
  std::fill(scalar_adjoints_.begin(), scalar_adjoints_.end(), 0.0);
  kernel::tape_backward(program.tape, tape_inputs_, scratch_.data(), points_, seed_pointers_, tape_adjoints_,
                        adjoint_scratch_.data());
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    const auto& use = bound_->uses()[p];
    for (std::size_t j = 0; j < use.jets.size(); ++j) {
      if (use.plan.sources[j].direct()) continue;
      const double* const adjoint = tape_adjoints_[columns + use.jets[j]];
      for (const auto& [channel, factor] : use.plan.sources[j].parts) {
        double* const part = passes_[p].adjoint(use.outputs[j], channel);
        for (std::size_t i = 0; i < points_; ++i) part[i] += factor * adjoint[i];
      }
    }
  }
}

void TileRunner::backward(const PackedModel& model, std::span<double> gradient) {
  pull_back_expressions();
  const Model& layout = bound_->model();
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    const int n = bound_->network_on(p, tile_);
    passes_[p].backward(model.network(n),
                        gradient.subspan(layout.network_offset(n), layout.networks()[n].num_parameters()));
  }
  const auto scalars = bound_->scalars();
  for (std::size_t s = 0; s < scalars.size(); ++s) {
    const int index = scalars[s];
    const double* const adjoint = scalar_adjoints_.data() + s * bound_->tile();
    double sum = 0;
    for (std::size_t i = 0; i < points_; ++i) sum += adjoint[i];
    gradient[layout.scalar_offset() + index] += sum * model.scalar(index).slope;
  }
}

void TileRunner::jacobian(const PackedModel& model, double* rows, std::size_t stride,
                          std::span<const std::ptrdiff_t> first_column) {
  require(stride >= points_, "a row block holds the tile");
  pull_back_expressions();
  const Model& layout = bound_->model();
  written_.assign(layout.networks().size(), 0);
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    const int n = bound_->network_on(p, tile_);
    if (first_column[n] < 0) continue;
    const std::size_t size = layout.networks()[n].num_parameters();
    double* const target = rows + static_cast<std::size_t>(first_column[n]) * stride;
    if (!written_[n]) {
      passes_[p].jacobian(model.network(n), target, stride);
      written_[n] = 1;
      continue;
    }
    jacobian_scratch_.resize(size * bound_->tile());
    passes_[p].jacobian(model.network(n), jacobian_scratch_.data(), points_);
    for (std::size_t q = 0; q < size; ++q)
      for (std::size_t i = 0; i < points_; ++i) target[q * stride + i] += jacobian_scratch_[q * points_ + i];
  }
}

void TileRunner::jacobian(const PackedModel& model, double* rows, std::size_t stride) {
  const Model& layout = bound_->model();
  all_columns_.clear();
  for (int n = 0; n < static_cast<int>(layout.networks().size()); ++n)
    all_columns_.push_back(static_cast<std::ptrdiff_t>(layout.network_offset(n)));
  jacobian(model, rows, stride, all_columns_);
  for (std::size_t n = 0; n < written_.size(); ++n) {
    if (written_[n]) continue;
    const std::size_t size = layout.networks()[n].num_parameters(), offset = layout.network_offset(static_cast<int>(n));
    for (std::size_t q = 0; q < size; ++q) std::fill_n(rows + (offset + q) * stride, points_, 0.0);
  }
  for (std::size_t index = 0; index < layout.scalars().size(); ++index)
    std::fill_n(rows + (layout.scalar_offset() + index) * stride, points_, 0.0);
  const auto scalars = bound_->scalars();
  for (std::size_t s = 0; s < scalars.size(); ++s) {
    const int index = scalars[s];
    const double slope = model.scalar(index).slope;
    const double* const adjoint = scalar_adjoints_.data() + s * bound_->tile();
    double* const target = rows + (layout.scalar_offset() + index) * stride;
    for (std::size_t i = 0; i < points_; ++i) target[i] = slope * adjoint[i];
  }
}

}  // namespace pecann::evaluate
