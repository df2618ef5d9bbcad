#include "pecann/optim/ssbroyden_update.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {

BroydenParameters self_scaled_parameters(const UpdateProducts& products, std::size_t n) {
  constexpr double kSameDirection = 1e-14;  // below this, a = b h − 1 is rounding: s and Hy are parallel
  const double h = products.yhy / products.ys;
  const double b = products.sbs / products.ys;
  const double a = b * h - 1.0;
  const double c = std::sqrt(std::abs(a) / (1.0 + a));
  const double rho_minus = std::min(1.0, h * (1.0 - c));
  const double theta_minus = a < kSameDirection ? -std::numeric_limits<double>::infinity() : (rho_minus - 1.0) / a;
  const double theta_plus = 1.0 / rho_minus;
  const double theta = std::max(theta_minus, std::min(theta_plus, (1.0 - b) / b));
  const double sigma = 1.0 + a * theta;
  const double tau_bfgs = std::min(1.0, 1.0 / b);
  const double volume = std::pow(std::abs(sigma), 1.0 / (1.0 - static_cast<double>(n)));
  const double tau = theta <= 0 ? std::min(tau_bfgs * volume, sigma) : tau_bfgs * std::min(volume, 1.0 / theta);
  const double phi = (1.0 - theta) / sigma;
  if (!(tau > 0) || !std::isfinite(tau) || !std::isfinite(phi)) return {};
  return {tau, phi};
}

SpanUpdate span_update(const UpdateProducts& products, const BroydenParameters& parameters) {
  const auto& [ys, yhy, sbs] = products;
  const auto& [tau, phi] = parameters;
  return {.scale = 1.0 / tau,
          .ss = phi * yhy / (ys * ys * tau) + 1.0 / ys,
          .sh = -phi / (ys * tau),
          .hh = (phi - 1.0) / (yhy * tau)};
}

void apply_update(const SpanUpdate& update, std::span<const double> s, std::span<const double> hy,
                  std::span<const double> v, std::span<const double> hv, std::span<double> result) {
  const double sv = dot(s, v);
  const double hyv = dot(hy, v);
  const double along_s = update.ss * sv + update.sh * hyv;
  const double along_hy = update.sh * sv + update.hh * hyv;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = update.scale * hv[i] + along_s * s[i] + along_hy * hy[i];
}

}  // namespace pecann::optim
