// The flux of heat through a face as a function of the temperature gradient across it, from a convex potential: the
// constraint g(q, v) = 0 of Example 4.1 of Higueras and Soderlind 2003, one equation per face.
#pragma once

#include <memory>

#include "driftless/analysis/heat_mesh.h"
#include "driftless/autodiff/functions.h"

namespace driftless {

class FluxLaw {
 public:
  virtual ~FluxLaw() = default;

  // g(q, v) at each face, and its derivatives; g_q < 0 and g_v <= 0 for a convex potential.
  virtual void evaluate(std::span<const HeatFace> faces, ConstSpan q, ConstSpan v, Span g, Span g_q,
                        Span g_v) const = 0;
  // The flux q with g(q, v) = 0, starting from the q given, and -dq/dv >= 0. False where none is found.
  virtual bool solve(std::span<const HeatFace> faces, ConstSpan v, Span q, Span conductivity) const = 0;
};

namespace detail {

// q = -H'(v).
template <class Potential>
class PotentialLaw final : public FluxLaw {
 public:
  explicit PotentialLaw(Potential h) : h_(std::move(h)) {}
  void evaluate(std::span<const HeatFace> faces, ConstSpan q, ConstSpan v, Span g, Span g_q, Span g_v) const override {
    for (std::size_t k = 0; k < v.size(); ++k) {
      const Taylor<double> h = at(faces[k], v[k]);
      g[k] = -q[k] - h.first;
      g_q[k] = -1.0;
      g_v[k] = -h.second;
    }
  }
  bool solve(std::span<const HeatFace> faces, ConstSpan v, Span q, Span conductivity) const override {
    for (std::size_t k = 0; k < v.size(); ++k) {
      const Taylor<double> h = at(faces[k], v[k]);
      q[k] = -h.first;
      conductivity[k] = h.second;
    }
    return true;
  }

 private:
  Taylor<double> at(const HeatFace& face, double v) const { return h_(Taylor<double>(v, 1.0, 0.0), face.x, face.y); }
  Potential h_;
};

// psi'(q) = -v.
template <class Dissipation>
class DissipationLaw final : public FluxLaw {
 public:
  explicit DissipationLaw(Dissipation psi) : psi_(std::move(psi)) {}
  void evaluate(std::span<const HeatFace> faces, ConstSpan q, ConstSpan v, Span g, Span g_q, Span g_v) const override {
    for (std::size_t k = 0; k < v.size(); ++k) {
      const Taylor<double> psi = at(faces[k], q[k]);
      g[k] = -psi.first - v[k];
      g_q[k] = -psi.second;
      g_v[k] = -1.0;
    }
  }
  // Newton's method, held between the ends of an interval that contains the root, as psi' is increasing.
  bool solve(std::span<const HeatFace> faces, ConstSpan v, Span q, Span conductivity) const override {
    bool all = true;
    for (std::size_t k = 0; k < v.size(); ++k) {
      double low = -std::numeric_limits<double>::infinity(), high = -low;
      bool found = false;
      for (int i = 0; i < 200 && !found; ++i) {
        const Taylor<double> psi = at(faces[k], q[k]);
        const double residual = psi.first + v[k];
        (residual > 0.0 ? high : low) = q[k];
        double next = q[k] - residual / psi.second;
        if (!(next > low && next < high)) {
          if (std::isfinite(low) && std::isfinite(high))
            next = 0.5 * (low + high);
          else
            next = residual > 0.0 ? q[k] - 1.0 - std::abs(q[k]) : q[k] + 1.0 + std::abs(q[k]);
        }
        found = residual == 0.0 || std::abs(next - q[k]) <= 4e-16 * std::abs(next);
        if (residual != 0.0) q[k] = next;
        conductivity[k] = 1.0 / psi.second;
      }
      all = all && found;
    }
    return all;
  }

 private:
  Taylor<double> at(const HeatFace& face, double q) const { return psi_(Taylor<double>(q, 1.0, 0.0), face.x, face.y); }
  Dissipation psi_;
};

}  // namespace detail

// From a potential H(v, x, y), convex in v and written for any scalar type: q = -dH/dv.
template <class Potential>
std::shared_ptr<const FluxLaw> flux_of_potential(Potential h) {
  return std::make_shared<const detail::PotentialLaw<Potential>>(std::move(h));
}

// From its dual, the dissipation psi(q, x, y), strictly convex in q: dpsi/dq = -v.
template <class Dissipation>
std::shared_ptr<const FluxLaw> flux_of_dissipation(Dissipation psi) {
  return std::make_shared<const detail::DissipationLaw<Dissipation>>(std::move(psi));
}

}  // namespace driftless
