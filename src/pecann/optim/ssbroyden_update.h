// The self-scaled Broyden update of an inverse Hessian H, reduced to a few numbers.
//
// A step s = αp along p = −Hg and the change y of the gradient give the family
//   H⁺ = (1/τ) [ H − (Hy)(Hy)ᵀ/(y·Hy) + φ (y·Hy) v vᵀ ] + s sᵀ/(y·s),      v = s/(y·s) − Hy/(y·Hy).
// τ = φ = 1 is BFGS. The choice below is the second one of [Al-Baali & Khalfan 2005], called SSBroyden2 by
// [Urbán, Stefanou, Pons 2025]: τ shrinks eigenvalues that are too large and φ moves between BFGS and DFP, both from
//   h = y·Hy/(y·s),   b = s·H⁻¹s/(y·s) = −α s·g/(y·s),   a = b h − 1 ≥ 0.
// Everything lies in the span of s and Hy:
//   H⁺ = scale·H + ss·s sᵀ + sh·(s Hyᵀ + Hy sᵀ) + hh·Hy Hyᵀ.
#pragma once

#include <cstddef>
#include <span>

namespace pecann::optim {

/// The scalar products that an update depends on.
struct UpdateProducts {
  double ys = 0;   // y·s, positive
  double yhy = 0;  // y·Hy, positive
  double sbs = 0;  // s·H⁻¹s, positive
};

struct BroydenParameters {
  double tau = 1;
  double phi = 1;
};

/// τ and φ of SSBroyden2 for n unknowns; BFGS's where its formulas break down.
BroydenParameters self_scaled_parameters(const UpdateProducts& products, std::size_t n);

struct SpanUpdate {
  double scale = 1;
  double ss = 0, sh = 0, hh = 0;
};

SpanUpdate span_update(const UpdateProducts& products, const BroydenParameters& parameters);

/// result = H⁺ v from hv = H v (result may be hv).
void apply_update(const SpanUpdate& update, std::span<const double> s, std::span<const double> hy,
                  std::span<const double> v, std::span<const double> hv, std::span<double> result);

}  // namespace pecann::optim
