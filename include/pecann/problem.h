/// \file
/// A problem: domain, networks, terms and training. It is the same thing as a problem file
/// (docs/problem-files.md): text() writes one, from_text() reads one, and both train to the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pecann/export.h"
#include "pecann/expression.h"
#include "pecann/options.h"
#include "pecann/regions.h"
#include "pecann/shapes.h"
#include "pecann/training.h"

namespace pecann {

namespace api {
struct ProblemData;
}

/// What is to be solved and how. Mistakes are reported as std::runtime_error, whose what() names the key, the value,
/// what is allowed and the nearest known name. The call that makes a mistake throws it; what is wrong with the whole is
/// thrown by text() and train().
class PECANN_API Problem {
 public:
  /// The domain is the box of the coordinates' ranges, unless domain() is called; grids list their nodes in this order.
  Problem(std::string title, const std::vector<Coordinate>& coordinates);
  ~Problem();
  Problem(const Problem& other);               ///< an independent copy
  Problem(Problem&& other) noexcept;           ///< takes over
  Problem& operator=(Problem other) noexcept;  ///< an independent copy, or takes over

  /// Reads a problem file's content, with overrides ("held_out.keep=best") as on the command line. Together with text()
  /// this sets any key of the format in a problem made here. Files that it names are relative to the working directory.
  static Problem from_text(const std::string& toml, const std::vector<std::string>& overrides = {});
  /// Loads a problem of the catalogue or a file, as the command line does, with overrides
  /// ("phase.1.epochs=50") and a recipe.
  static Problem load(const std::string& name_or_file, const std::vector<std::string>& overrides = {},
                      const std::string& recipe = "");

  /// Says what of the box the problem is posed on, before terms that name its shapes. `materials` are further shapes,
  /// for inside() and on().
  Problem& domain(const Shape& domain, const std::vector<Shape>& materials = {});
  /// Adds a network whose outputs are `fields`; they share their inputs.
  Problem& network(const std::vector<Field>& fields, const Network& network = {});
  /// Random features in the place of a network.
  Problem& features(const std::vector<Field>& fields, const Features& features = {});
  /// Names unknowns that have no network of their own: they get one by themselves, and the training, or the search for
  /// an accuracy, chooses what stands for it.
  Problem& fields(const std::vector<Field>& fields);
  /// Asks for the largest relative l² error of every field: train() then tries means until its estimate is below, for
  /// at most ten minutes or Stop::seconds (docs/accuracy.md). Summary::accuracy tells how that went.
  Problem& accuracy(double error);
  /// Makes parameters, constants and tables known that only equations given as texts mention.
  Problem& uses(const std::vector<Expression>& names);
  /// Gives the exact solution of a field, for errors and synthetic data.
  Problem& exact(const Field& field, const Expression& solution);
  /// Adds equations whose residuals are to be made small; objectives add up.
  Problem& objective(const std::string& name, const Equations& equations, const Region& region,
                     const Points& points = chosen_points(), const Term& term = {});
  /// Adds equations that must hold; they have a multiplier and a penalty of their own.
  Problem& constraint(const std::string& name, const Equations& equations, const Region& region,
                      const Points& points = chosen_points(), const Term& term = {});
  /// Adds equations whose role follows from what they are: an objective where they fill the domain or have data, else a
  /// constraint. The term is called "term-1", "term-2", … by its place.
  Problem& equation(const Equations& equations, const Region& region, const Points& points = chosen_points(),
                    const Term& term = {});
  /// Chooses the dual update.
  Problem& penalty(const Penalty& penalty);
  /// Adds the next phase of training. Without any, the recommended training for the problem's size is taken.
  Problem& phase(const Phase& phase);
  /// Cuts time into windows; needs a coordinate "t" and a term on initial_time().
  Problem& windows(const Windows& windows);
  /// Sets the rules that end the training early.
  Problem& stop(const Stop& stop);
  /// Chooses which iterate is reported, and how often held-out points are looked at. Without this call it is the best
  /// one where the recommended training is taken, else the last one.
  Problem& held_out(const HeldOut& held_out);
  /// Says how errors are measured.
  Problem& evaluation(const Evaluation& evaluation);
  /// Sets the nodes per coordinate of the grid on which errors are measured.
  Problem& evaluation_grid(const std::vector<int>& nodes);
  /// Sets the seed of all random numbers; the default is 1.
  Problem& seed(std::uint64_t seed);

  const std::string& title() const;  ///< as it was given
  /// A copy with overrides ("report.snapshots=[0.5, 1]"), which reach every key of problem files.
  Problem changed(const std::vector<std::string>& overrides) const;
  /// The complete problem as a file; `pecann run` on it gives the same history, bit for bit.
  std::string text() const;
  /// Trains in this process and returns when it is done. The problem may be destroyed afterwards.
  Result train(const TrainOptions& options = {}) const;

 private:
  explicit Problem(std::unique_ptr<api::ProblemData> data);
  std::unique_ptr<api::ProblemData> data_;
};

}  // namespace pecann
