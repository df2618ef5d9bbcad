// The few vector operations that optimisers are made of. Sums run in eight interleaved partial sums, added in a fixed
// order: the loops vectorise without licence to reorder, and the bits are the same on every vector width.
#pragma once

#include <span>

namespace pecann::optim {

double dot(std::span<const double> a, std::span<const double> b);
double max_abs(std::span<const double> a);                                       // ‖a‖∞; NaN when an entry is NaN
double sum_abs(std::span<const double> a);                                       // ‖a‖₁
void add_scaled(double factor, std::span<const double> a, std::span<double> y);  // y += factor·a
void along(std::span<const double> x, double step, std::span<const double> direction,
           std::span<double> point);  // point = x + step·direction
bool all_finite(std::span<const double> a);

}  // namespace pecann::optim
