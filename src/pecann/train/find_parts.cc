#include "pecann/train/find_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "pecann/evaluate/model.h"
#include "pecann/expr/integral.h"
#include "pecann/expr/interpolant.h"
#include "pecann/problem/automatic.h"
#include "pecann/problem/joints.h"
#include "pecann/problem/parts.h"
#include "pecann/problem/recommended.h"
#include "pecann/problem/scope.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/solution.h"

namespace pecann::train {
namespace {

constexpr int kStepsOfWindow = 10;      // of Gauss–Newton, at most, in each window
constexpr double kUsualSteps = 4;       // that it takes
constexpr double kHopelessLeft = 0.5;   // a first window that leaves more is not worth the others
constexpr double kPoorLeft = 0.1;       // a first window that leaves less is short enough
constexpr double kShorterPays = 0.3;    // of what a first window twice as long leaves
constexpr double kWorse = 3;            // times what coarser parts leave
constexpr double kSeesSomething = 0.3;  // features that leave less of an even residual pay more than smaller parts
constexpr double kEvenly = 0.7;         // a share of the layers that makes a residual an even one
constexpr double kMoreFeatures = 1.6;
constexpr double kGrowthPays = 0.2;  // of what was left with fewer features
constexpr int kMostFeatures = 400;   // of a part
constexpr double kSmallFront = 300;  // columns: narrower fronts take as long a step as if they had these more
constexpr double kMostUnknowns = 2e5;
constexpr int kMostPartWindows = 512;
constexpr std::size_t kComparedPoints = 4000;
constexpr double kMostKept = 3e7;  // numbers of steps that a run would take over

/// Features of a part: enough for a wave in each direction.
int features_of_part(int dimension) { return dimension == 1 ? 40 : dimension == 2 ? 100 : 160; }
double scale_in_part(int dimension) { return dimension == 3 ? 3 : 4; }

constexpr int kFirstParts = 4;          // along the longest coordinate in space
constexpr std::size_t kMostJumps = 20;  // planes of materials; tables of more nodes are measured fields
constexpr int kMostLevels = 16;
constexpr double kWorthHalving = 0.4;  // of the residual of the worst layer
constexpr double kUneven = 4;          // the worst layer over the middle one, where the residual is at one place
constexpr double kMostUnlike = 2.5;    // widths of neighbouring layers

/// A problem in parts and windows that is solved to its end.
struct Level {
  problem::Problem problem;
  std::vector<std::vector<double>> windows;
  double left = 0;
  std::vector<std::vector<double>> layers = {};                           // left_by_layers, the worst window
  std::vector<std::shared_ptr<const optim::KnownSteps>> steps_made = {};  // of every window; null beyond kMostKept
  double kept = 0;                                                        // numbers in them
};

class Search {
 public:
  Search(const problem::Problem& problem, bool linear, const PartsLimits& limits, const Tell& tell)
      : problem_(problem),
        limits_(limits),
        tell_(tell),
        steps_(linear ? 1 : kStepsOfWindow),
        features_(features_of_part(problem.box.dimension())) {
    for (const std::string& name : problem::field_names(problem))
      readings_.push_back(evaluation_reading(problem, name));
    const sampling::PointSet all = evaluation_points(problem, problem.box);
    std::vector<std::size_t> chosen;
    const std::size_t stride = std::max<std::size_t>(all.count / kComparedPoints, 1);
    for (std::size_t i = 0; i < all.count; i += stride) chosen.push_back(i);
    points_ = sampling::subset(all, chosen);
  }

  PartsSearch run() {
    PartsSearch found;
    std::optional<std::vector<std::vector<double>>> before;
    int windows = problem::can_be_cut(problem_) ? 4 : 1;
    double left_before = std::numeric_limits<double>::infinity();
    problem::Planes planes = first_planes();
    for (int number = 0; number < kMostLevels; ++number) {
      const std::optional<Level> level = solve(planes, windows);
      if (stop_) break;
      if (!level) {
        before.reset();
        if (failed_later_ && 2 * windows <= kMostPartWindows)
          windows *= 2;
        else
          planes = halved(planes, {});
        continue;
      }
      if (before && windows > 1 && level->left > kWorse * left_before && 2 * windows <= kMostPartWindows) {
        if (tell_) tell_(fmt::format("{} leave {:.1e}: the windows are too long", words(level->problem), level->left));
        windows = 2 * level->problem.windows.count;  // finer parts leave less unless Gauss–Newton went astray
        left_before = std::numeric_limits<double>::infinity();
        continue;
      }
      left_before = level->left;
      const std::vector<std::vector<double>> values = values_of(*level);
      const double change = before ? distance(*before, values) : std::numeric_limits<double>::infinity();
      const std::string what = words(level->problem);
      if (tell_)
        tell_(fmt::format("{} leave {:.1e} of the residual on fresh points{}", what, level->left,
                          before ? fmt::format(", {:.1e} from the parts before", change) : ""));
      const bool better = change < found.change || !found.solved;
      if (before && change <= kAcceptedChange && level->left <= kAcceptedLeft && better)
        found = {level->problem, level->left, change, what, level->steps_made};
      if (change <= limits_.enough) break;
      before = values;
      const double parts = problem::count_parts(level->problem);
      const problem::Planes coarser = planes;
      const int fewer = features_;
      planes = refined(planes, *level);
      windows = level->problem.windows.count;
      if (planes == coarser && features_ == fewer) {  // nothing of space to cut: the same again would differ by nothing
        if (windows == 1 || 2 * windows > kMostPartWindows) break;
        windows *= 2;
      } else if (windows > 1)
        windows =
            std::min(kMostPartWindows, static_cast<int>(std::ceil(windows * std::pow(count(planes) / parts, power()))));
    }
    return found;
  }

 private:
  static double count(const problem::Planes& planes) {
    double parts = 1;
    for (const std::vector<double>& along : planes) parts *= static_cast<double>(along.size()) + 1;
    return parts;
  }
  /// Windows grow as parts do along one coordinate.
  double power() const { return 1.0 / std::max(problem_.box.dimension() - 1, 1); }

  /// Where tables of materials jump: solutions have kinks there, which features do not have.
  std::vector<double> jumps_along(int coordinate) const {
    const sampling::Box& box = problem_.box;
    if (coordinate == box.time) return {};
    std::set<double> places;
    for (const auto& [name, table] : problem_.interpolated)
      for (std::size_t axis = 0; axis < table.coordinates.size(); ++axis)
        if (table.coordinates[axis] == box.names[coordinate])
          for (const double place : table.interpolant->jumps(axis))
            if (place > box.lower[coordinate] && place < box.upper[coordinate]) places.insert(place);
    if (places.size() > kMostJumps) return {};
    return {places.begin(), places.end()};
  }

  /// Parts in space that are about as wide as high.
  problem::Planes first_planes() const {
    const sampling::Box& box = problem_.box;
    double longest = 0;
    for (int c = 0; c < box.dimension(); ++c)
      if (c != box.time) longest = std::max(longest, box.upper[c] - box.lower[c]);
    problem::Planes planes;
    for (int c = 0; c < box.dimension(); ++c) {
      const double share = (box.upper[c] - box.lower[c]) / longest;
      const int along = c == box.time ? 1 : std::max(1, static_cast<int>(std::lround(kFirstParts * share)));
      if (std::vector<double> jumps = jumps_along(c); !jumps.empty()) {
        planes.push_back(std::move(jumps));
        continue;
      }
      planes.push_back(problem::equal_planes(box.lower[c], box.upper[c], along));
    }
    return planes;
  }

  /// More features in every part where the residual is even and they pay, else smaller parts with as many as at first.
  problem::Planes refined(const problem::Planes& planes, const Level& level) {
    const bool paid = level.left <= kGrowthPays * left_before_growth_;
    left_before_growth_ = std::numeric_limits<double>::infinity();
    if (!paid) {
      features_ = features_of_part(problem_.box.dimension());
      grows_ = false;
    }
    if (grows_ && features_ < kMostFeatures && level.left < kSeesSomething && evenly(level.layers)) {
      left_before_growth_ = level.left;
      features_ = std::min(kMostFeatures, static_cast<int>(kMoreFeatures * features_));
      return planes;
    }
    return halved(planes, level.layers);
  }

  /// How far the worst layer is above the middle one.
  static double unevenness(std::vector<double> layers) {
    const double worst = std::ranges::max(layers);
    std::ranges::nth_element(layers, layers.begin() + static_cast<std::ptrdiff_t>(layers.size() / 2));
    const double middle = layers[layers.size() / 2];
    return middle > 0 ? worst / middle : 1;
  }

  /// The layers halved that have much of the residual, and those that are much wider than their neighbours then; all of
  /// them where nothing is known.
  problem::Planes halved(const problem::Planes& planes, const std::vector<std::vector<double>>& layers) const {
    const sampling::Box& box = problem_.box;
    double most_uneven = 1;
    for (int c = 0; c < box.dimension(); ++c)
      if (c != box.time && !layers.empty()) most_uneven = std::max(most_uneven, unevenness(layers[c]));
    problem::Planes finer = planes;
    for (int c = 0; c < box.dimension(); ++c) {
      if (c == box.time) continue;
      // Every layer along a front has the same residual: halving those would not resolve it.
      if (most_uneven >= kUneven && unevenness(layers[c]) < kUneven / 2) continue;
      const double worst = layers.empty() ? 0 : std::ranges::max(layers[c]);
      std::vector<double> ends = {box.lower[c]};
      ends.insert(ends.end(), planes[c].begin(), planes[c].end());
      ends.push_back(box.upper[c]);
      std::vector<double> next = {ends[0]};
      for (std::size_t l = 0; l + 1 < ends.size(); ++l) {
        if (layers.empty() || layers[c][l] > kWorthHalving * worst) next.push_back((ends[l] + ends[l + 1]) / 2);
        next.push_back(ends[l + 1]);
      }
      for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t l = 0; l + 1 < next.size(); ++l) {
          const auto width = [&](std::size_t i) { return next[i + 1] - next[i]; };
          const bool wide = (l > 0 && width(l) > kMostUnlike * width(l - 1)) ||
                            (l + 2 < next.size() && width(l) > kMostUnlike * width(l + 1));
          if (!wide) continue;
          next.insert(next.begin() + static_cast<std::ptrdiff_t>(l) + 1, (next[l] + next[l + 1]) / 2);
          changed = true;
        }
      }
      finer[c].assign(next.begin() + 1, next.end() - 1);
    }
    return finer;
  }

  /// True where most layers have about as much of the residual as the worst one.
  bool evenly(const std::vector<std::vector<double>>& layers) const {
    double worst = 0, all = 0, high = 0;
    for (int c = 0; c < problem_.box.dimension(); ++c)
      if (c != problem_.box.time) worst = std::max(worst, std::ranges::max(layers[c]));
    for (int c = 0; c < problem_.box.dimension(); ++c)
      for (const double layer : layers[c]) {
        if (c == problem_.box.time) continue;
        ++all;
        high += layer > kWorthHalving * worst;
      }
    return high > kEvenly * all;
  }

  problem::Problem in_parts(const problem::Planes& planes, int windows) const {
    const int dimension = problem_.box.dimension();
    const problem::Problem cut = windows > 1 ? problem::cut_into_windows(problem_, windows) : problem_;
    return with_features(cut,
                         {.activation = problem::Activation::Sin,
                          .scale = std::vector<double>(problem_.box.names.size(), scale_in_part(dimension)),
                          .count = features_,
                          .planes = planes},
                         steps_);
  }

  /// Products of all windows of a problem in parts; also whether it fits.
  double products_of(const problem::Problem& problem) const {
    double own = 0;
    for (const problem::NetworkSpec& network : problem.networks) own += problem::count_parameters(network);
    const problem::Parts parts(problem.box, problem.decompose.planes);
    const double front = own * parts.widest_front() + kSmallFront;
    return problem.windows.count * (steps_ > 1 ? kUsualSteps : 1) * problem::count_residuals(problem) * front * front;
  }

  std::optional<Level> solve(const problem::Planes& planes, int windows) {
    Level level{in_parts(planes, windows), {}};
    double unknowns = 0;
    for (const problem::NetworkSpec& network : level.problem.networks) unknowns += problem::count_parameters(network);
    stop_ =
        products_of(level.problem) > limits_.products || unknowns * problem::count_parts(level.problem) > kMostUnknowns;
    if (stop_) return std::nullopt;
    failed_later_ = false;
    std::optional<std::vector<double>> first = solved(level);
    // Shorter windows where those help: the number is found with the first of them.
    while (windows > 1 && 2 * windows <= kMostPartWindows && !(first && level.left < kPoorLeft)) {
      Level shorter{in_parts(planes, 2 * windows), {}};
      if (products_of(shorter.problem) > limits_.products) break;
      std::optional<std::vector<double>> other = solved(shorter);
      // While a window sees nothing of the solution its residual says nothing: only its length can be the reason.
      if (!other || (first && level.left <= kHopelessLeft && shorter.left > kShorterPays * level.left)) break;
      level = std::move(shorter);
      first = std::move(other);
      windows *= 2;
    }
    if (!first || level.left > kHopelessLeft) {
      if (tell_)
        tell_(fmt::format("{} leave {:.1e} of the residual in the first window", words(level.problem), level.left));
      return std::nullopt;
    }
    level.windows.push_back(std::move(*first));
    while (static_cast<int>(level.windows.size()) < level.problem.windows.count) {
      std::optional<std::vector<double>> next = solved(level);
      if (!next || level.left > kHopelessLeft) {
        failed_later_ = true;
        if (tell_)
          tell_(fmt::format("{} leave {:.1e} of the residual in window {}", words(level.problem), level.left,
                            level.windows.size() + 1));
        return std::nullopt;
      }
      level.windows.push_back(std::move(*next));
    }
    return level;
  }

  /// The coefficients of the next window, whose residual is counted in.
  std::optional<std::vector<double>> solved(Level& level) const {
    const auto kept = std::make_shared<optim::KnownSteps>();
    std::optional<std::vector<double>> x =
        solved_coefficients(level.problem, problem_.seed, steps_, level.windows, kept.get());
    level.kept += static_cast<double>((kept->steps.size() + 1) * kept->start.size());
    level.steps_made.resize(level.windows.size());
    level.steps_made.push_back(level.kept <= kMostKept ? kept : nullptr);
    level.left = std::max(level.left, x ? left_by(level.problem, problem_.seed, *x, {}, level.windows).own
                                        : std::numeric_limits<double>::infinity());
    if (!x) return x;
    std::vector<std::vector<double>> layers = left_by_layers(level.problem, problem_.seed, *x, level.windows);
    if (level.layers.empty()) level.layers = layers;
    for (std::size_t c = 0; c < layers.size(); ++c)
      for (std::size_t l = 0; l < layers[c].size(); ++l)
        level.layers[c][l] = std::max(level.layers[c][l], layers[c][l]);
    return x;
  }

  std::string words(const problem::Problem& problem) const {
    const problem::NetworkSpec& network = problem.networks.front();
    return fmt::format("{} {} features in each of {}{}", network.hidden.front(), word_of(network.activation),
                       problem::parts_words(problem),
                       problem.windows.count > 1 ? fmt::format(" and {} time windows", problem.windows.count) : "");
  }

  std::vector<std::vector<double>> values_of(const Level& level) const {
    Solution solution(level.problem, problem_.seed);
    for (const std::vector<double>& window : level.windows) solution.add_window(window);
    std::vector<std::vector<double>> values;
    solution.evaluate(readings_, points_, values);
    return values;
  }

  /// ‖a − b‖ / ‖b‖ of the worst field.
  static double distance(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
    double worst = 0;
    for (std::size_t f = 0; f < a.size(); ++f) {
      double above = 0, below = 0;
      for (std::size_t i = 0; i < a[f].size(); ++i) {
        above += (a[f][i] - b[f][i]) * (a[f][i] - b[f][i]);
        below += b[f][i] * b[f][i];
      }
      worst = std::max(worst, below > 0 && std::isfinite(above) ? std::sqrt(above / below)
                                                                : std::numeric_limits<double>::infinity());
    }
    return worst;
  }

  const problem::Problem& problem_;
  PartsLimits limits_;
  const Tell& tell_;
  int steps_;
  std::vector<expr::Expr> readings_;
  sampling::PointSet points_;
  bool grows_ = true;  // more features in a part have not disappointed yet
  double left_before_growth_ = std::numeric_limits<double>::infinity();
  int features_;               // of a part
  bool failed_later_ = false;  // in another window than the first
  bool stop_ = false;          // finer parts cannot be paid
};

}  // namespace

PartsSearch find_parts(const problem::Problem& problem, bool linear, const PartsLimits& limits, const Tell& tell) {
  const auto integrates = [](const problem::TermSpec& term) { return expr::has_integrals(term.residuals); };
  if (problem.box.dimension() > 3 || !problem.parameters.empty() || std::ranges::any_of(problem.terms, integrates))
    return {};
  return Search(problem, linear, limits, tell).run();
}

}  // namespace pecann::train
