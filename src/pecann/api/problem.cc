#include "pecann/problem.h"

#include <algorithm>

#include "pecann/api/problem_data.h"
#include "pecann/api/table_of_columns.h"
#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/problem/catalogue.h"
#include "pecann/problem/problem_file.h"
#include "pecann/problem/write_draft.h"
#include "pecann/sampling/box_domain.h"
#include "pecann/sampling/table.h"

namespace pecann {
namespace {

/// A piece of a term's region in the internal form.
sampling::RegionPointer region_of(const Region::Piece& piece, const sampling::Domain& domain, const std::string& term) {
  const sampling::GridChoice choice{piece.closed, piece.after_start};
  for (const sampling::RegionWord& word : sampling::region_words())
    if (piece.name == word.word) return (domain.*word.region)(choice);
  if (piece.name == "on" || piece.name == "inside") {
    const auto part =
        piece.name == "on" ? domain.on_shape(piece.coordinate, choice) : domain.inside_shape(piece.coordinate, choice);
    if (part) return part;
    throw InputError({.key = "term." + term + ".region",
                      .value = piece.coordinate,
                      .rule = "is no shape of the problem",
                      .hint = domain.shape_names().empty() ? "call domain() before"
                                                           : hint_for(piece.coordinate, domain.shape_names())});
  }
  require(piece.name == "face", "pieces are made by interior(), boundary(), face(), …");
  const int coordinate = domain.box().index_of(piece.coordinate);
  if (coordinate < 0)
    throw InputError({.key = "term." + term + ".region",
                      .value = piece.coordinate,
                      .rule = "is no coordinate of the problem",
                      .hint = hint_for(piece.coordinate, domain.box().names)});
  return domain.plane(coordinate, piece.value, choice);
}

void set_points(const Points& points, problem::TermSpec& term) {
  using Kind = sampling::PointRule::Kind;
  term.points.redraw_every = points.redraw_every;
  term.points.count = points.count;
  term.points.grid = points.nodes;
  switch (points.kind) {
    case Points::Kind::Grid:
      term.points.kind = Kind::Grid;
      break;
    case Points::Kind::Gauss:
      term.points.kind = Kind::Gauss;
      break;
    case Points::Kind::Sobol:
      term.points.kind = Kind::Sobol;
      break;
    case Points::Kind::Uniform:
      term.points.kind = Kind::Uniform;
      break;
    case Points::Kind::LatinHypercube:
      term.points.kind = Kind::LatinHypercube;
      break;
    case Points::Kind::File:
      term.points_file = points.source;
      break;
    case Points::Kind::SameAs:
      term.points_of = points.source;
      break;
    case Points::Kind::Table:
      term.points_file = term.name + ".csv";
      break;
    case Points::Kind::Chosen:
      if (points.density || points.redraw_every > 0)
        throw InputError({.key = "term." + term.name + ".points",
                          .rule = "points that are chosen by the program cannot be redrawn or have others beside them",
                          .hint = "give them, as in sobol(1000).redraw(10)"});
      term.automatic_points = true;
      break;
  }
}

/// Takes the columns over as a table, read as a file of them would be; those that are no coordinates are data.
void add_table(const std::vector<Column>& columns, problem::TermSpec& term, problem::Problem& draft) {
  const std::string& name = term.points_file;
  draft.tables[name] =
      std::make_shared<const sampling::Table>(sampling::parse_csv(api::text_of_columns(columns, name), name));
  problem::DataSpec data{.file = name};
  for (const Column& column : columns)
    if (draft.box.index_of(column.first) < 0) data.columns[column.first] = column.first;
  if (!term.data && !data.columns.empty()) term.data = std::move(data);
}

problem::DataSpec data_spec(const Data& data) {
  return {.file = data.file,
          .columns = data.columns,
          .noise = data.noise,
          .noise_scale = value_named<problem::NoiseScale>("data.noise_scale", data.noise_scale)};
}

void add_term(api::ProblemData& data, problem::Role role, const std::string& name, const Equations& equations,
              const Region& region, const Points& points, const Term& options) {
  problem::TermSpec term;
  term.name = name;
  term.role = role;
  for (const Equation& equation : equations.list()) {
    data.leaves.merge(equation.left.data().leaves);
    data.leaves.merge(equation.right.data().leaves);
    term.equation_texts.push_back(!equation.text.empty() ? equation.text
                                  : equation.inequality  ? equation.left.text()
                                                         : equation.left.text() + " = " + equation.right.text());
  }
  for (const Region::Piece& piece : region.pieces()) term.regions.push_back(region_of(piece, *data.draft.domain, name));
  set_points(points, term);
  if (points.density) {
    data.leaves.merge(points.density->data().leaves);
    term.near =
        problem::NearSpec{.count = points.near_count, .density_text = points.density->text(), .pool = points.near_pool};
  }
  term.batch = options.batch;
  term.aggregate = static_cast<problem::Aggregate>(options.aggregate);
  term.distance = static_cast<problem::Distance>(options.distance);
  term.weight = options.weight;
  term.eta = options.eta;
  if (options.data) term.data = data_spec(*options.data);
  if (points.kind == Points::Kind::Table) add_table(points.columns, term, data.draft);
  data.draft.terms.push_back(std::move(term));
}
static_assert(static_cast<int>(problem::Aggregate::Pointwise) == static_cast<int>(Aggregate::Pointwise) &&
              static_cast<int>(problem::Distance::Absolute) == static_cast<int>(Distance::Absolute));

/// Reads what a draft says. Its training stays open where it is, unless overrides name phases of the recommended one.
problem::Problem read_again(const problem::Problem& draft, const std::set<std::string>& terms_without_role,
                            const std::vector<std::string>& overrides) {
  problem::Problem written = draft;
  if (std::ranges::any_of(overrides, [](const std::string& text) { return text.starts_with("phase"); }))
    written.training_open = false;
  try {
    return problem::read_problem(problem::write_draft(written, terms_without_role), "", overrides, "none",
                                 draft.tables);
  } catch (const InputError& error) {  // lines of a text that nobody has seen would only confuse
    InputError::Parts parts = error.parts();
    parts.place = {};
    throw InputError(std::move(parts));
  }
}

}  // namespace

problem::Problem api::ProblemData::finished(const std::vector<std::string>& overrides) const {
  problem::Problem complete = draft;
  for (const auto& [name, value] : leaves.constants) complete.constants.emplace(name, value);
  for (const auto& [name, table] : leaves.tables) {
    complete.interpolated.emplace(name, table->spec);
    complete.tables.emplace(table->spec.file, table->table);
  }
  for (const auto& [name, options] : leaves.parameters)
    complete.parameters.push_back(
        {name, options.initial, options.lower, options.upper, options.log_scale, options.exact});
  return read_again(complete, terms_without_role, overrides);
}

Problem::Problem(std::string title, const std::vector<Coordinate>& coordinates)
    : data_(std::make_unique<api::ProblemData>()) {
  data_->draft.title = std::move(title);
  data_->draft.held_out.keep.reset();  // chosen with the training, as the strategy is
  data_->draft.penalty.strategy.clear();
  data_->draft.windows.retry = problem::default_retry(data_->draft.windows.usual);
  sampling::Box& box = data_->draft.box;
  for (const Coordinate& coordinate : coordinates) {
    if (coordinate.name() == "t")
      box.time = box.dimension();
    else if (!coordinate.in_space())
      box.family.push_back(box.dimension());
    box.names.push_back(coordinate.name());
    box.lower.push_back(coordinate.lower());
    box.upper.push_back(coordinate.upper());
  }
  data_->draft.domain = sampling::box_domain(box);
}

Problem::Problem(std::unique_ptr<api::ProblemData> data) : data_(std::move(data)) {}
Problem::~Problem() = default;
Problem::Problem(const Problem& other) : data_(std::make_unique<api::ProblemData>(*other.data_)) {}
Problem::Problem(Problem&& other) noexcept = default;
Problem& Problem::operator=(Problem other) noexcept {
  data_ = std::move(other.data_);
  return *this;
}

/// A problem that was read, as a draft: its networks and points are what they are.
static std::unique_ptr<api::ProblemData> draft_of(problem::Problem problem) {
  for (problem::NetworkSpec& network : problem.networks) network.automatic = false;
  for (problem::TermSpec& term : problem.terms) term.automatic_points = false;
  return std::make_unique<api::ProblemData>(api::ProblemData{std::move(problem), {}, {}});
}

Problem Problem::from_text(const std::string& toml, const std::vector<std::string>& overrides) {
  return Problem(draft_of(problem::read_problem(toml, "problem text", overrides)));
}

Problem Problem::load(const std::string& name_or_file, const std::vector<std::string>& overrides,
                      const std::string& recipe) {
  return Problem(draft_of(problem::load_problem(name_or_file, overrides, recipe)));
}

Problem& Problem::domain(const Shape& domain, const std::vector<Shape>& materials) {
  std::vector<Shape::Part> parts = domain.parts();
  for (const Shape& material : materials) parts.insert(parts.end(), material.parts().begin(), material.parts().end());
  std::string text = "domain = \"" + domain.text() + "\"\n[shapes]\n";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto same = std::find_if(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const Shape::Part& other) { return other.name == parts[i].name; });
    if (same == parts.begin() + static_cast<std::ptrdiff_t>(i)) text += parts[i].name + " = " + parts[i].text + "\n";
  }
  data_->draft.domain = problem::read_domain(text, data_->draft);
  return *this;
}

namespace {

/// A network of fields that share their inputs, without its layers.
problem::NetworkSpec network_of(const std::vector<Field>& fields, const std::string& name) {
  problem::NetworkSpec spec;
  spec.name = name;
  for (const Field& field : fields) {
    spec.fields.push_back(field.name());
    if (field.inputs().size() != fields.front().inputs().size() ||
        !std::equal(field.inputs().begin(), field.inputs().end(), fields.front().inputs().begin(),
                    [](const Coordinate& a, const Coordinate& b) { return a.name() == b.name(); }))
      throw InputError({.key = "network.fields",
                        .value = field.name(),
                        .rule = "depends on other coordinates than '" + fields.front().name() + "'",
                        .hint = "fields of one network share its inputs; give this one a network of its own"});
  }
  if (!fields.empty())
    for (const Coordinate& input : fields.front().inputs()) spec.inputs.push_back(input.name());
  return spec;
}

}  // namespace

Problem& Problem::network(const std::vector<Field>& fields, const Network& network) {
  for (const Field& field : fields) data_->leaves.merge(field.data().leaves);
  problem::NetworkSpec spec = network_of(fields, "network-" + std::to_string(data_->draft.networks.size() + 1));
  spec.hidden = network.hidden;
  spec.activation = value_named<problem::Activation>("network.activation", network.activation);
  spec.output = value_named<problem::Output>("network.output", network.output);
  spec.fourier_sigma = network.fourier_sigma;
  spec.first_scale = network.first_scale;
  spec.spread_biases = network.spread_biases;
  data_->draft.networks.push_back(std::move(spec));
  return *this;
}

Problem& Problem::features(const std::vector<Field>& fields, const Features& features) {
  for (const Field& field : fields) data_->leaves.merge(field.data().leaves);
  problem::NetworkSpec spec = network_of(fields, "network-" + std::to_string(data_->draft.networks.size() + 1));
  spec.hidden = {features.count};
  spec.activation = value_named<problem::Activation>("network.activation", features.activation);
  spec.features = {features.scale, features.graded};
  data_->draft.networks.push_back(std::move(spec));
  return *this;
}

Problem& Problem::fields(const std::vector<Field>& fields) {
  for (const Field& field : fields) {
    data_->leaves.merge(field.data().leaves);
    problem::NetworkSpec spec{.fields = {field.name()}};
    for (const Coordinate& input : field.inputs()) spec.inputs.push_back(input.name());
    spec.automatic = true;
    data_->draft.networks.push_back(std::move(spec));
  }
  return *this;
}

Problem& Problem::accuracy(double error) {
  data_->draft.accuracy = error;
  return *this;
}

Problem& Problem::uses(const std::vector<Expression>& names) {
  for (const Expression& name : names) data_->leaves.merge(name.data().leaves);
  return *this;
}

Problem& Problem::exact(const Field& field, const Expression& solution) {
  data_->leaves.merge(solution.data().leaves);
  data_->draft.exact_texts[field.name()] = solution.text();
  return *this;
}

Problem& Problem::objective(const std::string& name, const Equations& equations, const Region& region,
                            const Points& points, const Term& term) {
  add_term(*data_, problem::Role::Objective, name, equations, region, points, term);
  return *this;
}

Problem& Problem::constraint(const std::string& name, const Equations& equations, const Region& region,
                             const Points& points, const Term& term) {
  add_term(*data_, problem::Role::Constraint, name, equations, region, points, term);
  return *this;
}

Problem& Problem::equation(const Equations& equations, const Region& region, const Points& points, const Term& term) {
  const std::string name = "term-" + std::to_string(data_->draft.terms.size() + 1);
  data_->terms_without_role.insert(name);
  add_term(*data_, problem::Role::Constraint, name, equations, region, points, term);
  return *this;
}

const std::string& Problem::title() const { return data_->draft.title; }

Problem Problem::changed(const std::vector<std::string>& overrides) const {
  return Problem(draft_of(data_->finished(overrides)));
}

std::string Problem::text() const {
  problem::Problem problem = data_->finished();
  problem.origin = problem.source = "";  // a problem of a program comes from no file
  return problem::write_problem(problem);
}

}  // namespace pecann
