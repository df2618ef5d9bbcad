// What a problem may choose by a word, each word spelled once (base/name_table.h). Methods with options of their own,
// optimisers, schedules and penalty strategies, are rows of their registries instead.
#pragma once

#include "pecann/base/name_table.h"
#include "pecann/expr/interpolant.h"
#include "pecann/network/network.h"

namespace pecann::problem {

using expr::Interpolate;
using network::Activation;
using network::Output;

enum class Role { Objective, Constraint };
enum class Aggregate { Mean, Sum, Pointwise };
enum class Distance { Square, Absolute };
/// Noise of synthesised data is relative to the root mean square of all exact values, or to each one.
enum class NoiseScale { Rms, Value };
/// The networks of a window begin at random, with the parameters of the window before, or with its function of time.
enum class WindowStart { Fresh, Previous, Extrapolate };
/// The range of t that inputs are normalised with.
enum class Normalise { Whole, Window };
/// The optimiser's memory at the begin of a window or a part of it.
enum class Curvature { Fresh, Previous };
/// The iterate that is reported.
enum class Keep { Best, Last };

}  // namespace pecann::problem

namespace pecann {

template <>
struct NameTable<problem::Role> {
  static constexpr NamedValue<problem::Role> table[] = {{problem::Role::Objective, "objective"},
                                                        {problem::Role::Constraint, "constraint"}};
};
template <>
struct NameTable<problem::Aggregate> {
  static constexpr NamedValue<problem::Aggregate> table[] = {{problem::Aggregate::Mean, "mean"},
                                                             {problem::Aggregate::Sum, "sum"},
                                                             {problem::Aggregate::Pointwise, "pointwise"}};
};
template <>
struct NameTable<problem::Distance> {
  static constexpr NamedValue<problem::Distance> table[] = {{problem::Distance::Square, "square"},
                                                            {problem::Distance::Absolute, "absolute"}};
};
template <>
struct NameTable<problem::NoiseScale> {
  static constexpr NamedValue<problem::NoiseScale> table[] = {{problem::NoiseScale::Rms, "rms"},
                                                              {problem::NoiseScale::Value, "value"}};
};
template <>
struct NameTable<problem::WindowStart> {
  static constexpr NamedValue<problem::WindowStart> table[] = {{problem::WindowStart::Fresh, "fresh"},
                                                               {problem::WindowStart::Previous, "previous"},
                                                               {problem::WindowStart::Extrapolate, "extrapolate"}};
};
template <>
struct NameTable<problem::Normalise> {
  static constexpr NamedValue<problem::Normalise> table[] = {{problem::Normalise::Whole, "whole"},
                                                             {problem::Normalise::Window, "window"}};
};
template <>
struct NameTable<problem::Curvature> {
  static constexpr NamedValue<problem::Curvature> table[] = {{problem::Curvature::Fresh, "fresh"},
                                                             {problem::Curvature::Previous, "previous"}};
};
template <>
struct NameTable<problem::Interpolate> {
  static constexpr NamedValue<problem::Interpolate> table[] = {{problem::Interpolate::Nearest, "nearest"},
                                                               {problem::Interpolate::Linear, "linear"},
                                                               {problem::Interpolate::Cubic, "cubic"}};
};
template <>
struct NameTable<problem::Keep> {
  static constexpr NamedValue<problem::Keep> table[] = {{problem::Keep::Best, "best"}, {problem::Keep::Last, "last"}};
};
}  // namespace pecann
