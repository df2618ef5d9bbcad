// A window of a problem made ready to train: model, terms, points, data, and the redrawing of points.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pecann/base/random_stream.h"
#include "pecann/base/state_archive.h"
#include "pecann/evaluate/evaluator.h"
#include "pecann/train/solution.h"

namespace pecann::train {

class Assembly {
 public:
  /// `finished` holds the windows before this one: the end state of the last of them is the initial condition here.
  /// `use` is part of the names of the random streams.
  Assembly(const problem::Problem& problem, std::uint64_t seed, const Window& window, const Solution& finished,
           const std::string& use = "points");

  const evaluate::Model& model() const { return model_; }
  evaluate::Evaluator& evaluator() { return *evaluator_; }
  const evaluate::Evaluator& evaluator() const { return *evaluator_; }
  const sampling::Box& box() const { return box_; }
  /// All points of a set (evaluate::Term::point_set) with their data, also where training takes them in batches.
  const sampling::PointSet& points_of(std::size_t point_set) const { return sources_[point_set].full; }
  const std::vector<double>& eta() const { return eta_; }  // η, one per constraint entry

  /// Draws the points that are due before this epoch (counted from 1 in the window); true when any changed. Points near
  /// a density (TermSpec::near) are chosen with these parameters; before the first call they are spread evenly.
  bool redraw(long epoch, std::span<const double> parameters);
  bool redraws_before(long epoch) const;
  bool redraws() const;  // true when some points are drawn anew at some epoch

  // What a program does to points between epochs (train/point_changes.h, which has refused what cannot be done).
  /// Which of the points lie in the region of the terms on this set.
  std::vector<char> contained(std::size_t point_set, const sampling::PointSet& points) const;
  /// These points of that region (their order may change) with the columns that the equations read.
  sampling::PointSet with_columns(std::size_t point_set, const sampling::PointSet& points) const;
  /// √Σ r² over the equations of a term at points that have their columns.
  std::vector<double> residual_at(std::size_t term, const sampling::PointSet& located,
                                  std::span<const double> parameters) const;
  /// Draws by the set's own rule, or takes these points of its region, until the rule says otherwise.
  void draw_anew(std::size_t point_set, std::span<const double> parameters);
  void give(std::size_t point_set, const sampling::PointSet& points);
  const problem::TermSpec& owner_of(std::size_t point_set) const { return *sources_[point_set].owner; }

  /// What is saved is where the random streams stood when the present points were drawn; load() draws the points again.
  /// Points near a density, which depend on past parameters, and given ones are saved themselves.
  void save(StateWriter& writer) const;
  void load(const StateReader& reader);

 private:
  /// The points of one or several terms.
  struct Source {
    const problem::TermSpec* owner;                     // the term whose rule, region and data these are
    std::vector<const problem::TermSpec*> handed_over;  // initial terms whose values come from the window before
    RandomStream points_stream, batch_stream;
    std::uint64_t points_counter = 0, batch_counter = 0;  // of the streams, before the last draw
    sampling::PointSet full;  // all points with their columns; the evaluator has a subset where there is a batch
    bool near_drawn = false;  // the points near the density have been drawn with parameters, not evenly
    bool given = false;       // the points are a program's, not the rule's
    sampling::WantedColumns wanted = {};  // the columns that the equations of its terms read
  };

  std::size_t source_of(const problem::TermSpec& term);
  bool handed_over(const problem::TermSpec& term) const;
  sampling::PointSet sample(Source& source, const sampling::PointRule& rule) const;
  void spread_over_parts(const problem::TermSpec& term, sampling::PointSet& points) const;
  sampling::PointSet by_part(const sampling::PointSet& points) const;
  std::vector<std::string> drawn_columns(const Source& source) const;
  void draw(Source& source, std::span<const double> parameters);
  void draw_near(Source& source, std::span<const double> parameters);
  void load_near(Source& source, const std::string& name, const StateReader& reader);
  std::vector<double> density_at(const Source& source, const sampling::PointSet& points,
                                 std::span<const double> parameters) const;
  void save_given(const Source& source, const std::string& name, StateWriter& writer) const;
  void load_given(std::size_t point_set, const std::string& name, const StateReader& reader);
  bool due(const Source& source, long epoch) const;
  void add_data(const Source& source, sampling::PointSet& points) const;
  sampling::PointSet batch(Source& source);

  const problem::Problem* problem_;
  std::uint64_t seed_;
  std::string use_;
  Window window_;
  const Solution* finished_;
  sampling::Box box_;
  evaluate::Model model_;
  std::vector<Source> sources_;
  std::unique_ptr<evaluate::Evaluator> evaluator_;
  std::vector<double> eta_;
};

}  // namespace pecann::train
