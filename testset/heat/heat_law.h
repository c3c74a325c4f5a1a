// The flux of heat through a face as a function of the temperature gradient across it, from a convex potential: the
// constraint g(q, v) = 0 of Example 4.1 of Higueras and Soderlind 2003, one equation per face.
#pragma once

#include <memory>

#include "driftless/autodiff/functions.h"
#include "testset/heat/heat_mesh.h"

namespace driftless::testset {

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
  // A few faces at a time, one iteration of each after the other: these do not wait for each other in the processor.
  bool solve(std::span<const HeatFace> faces, ConstSpan v, Span q, Span conductivity) const override {
    constexpr std::size_t together = 8;
    bool all = true;
    for (std::size_t first = 0; first < v.size(); first += together) {
      const std::size_t last = std::min(first + together, v.size());
      Search search[together];
      std::size_t left = last - first;
      for (int i = 0; i < 200 && left > 0; ++i)
        for (std::size_t k = first; k < last; ++k)
          if (Search& own = search[k - first]; !own.found && iterate(faces[k], v[k], own, q[k], conductivity[k]))
            --left;
      all = all && left == 0;
    }
    return all;
  }

 private:
  struct Search {
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    double last_move = 0.0;
    bool found = false;
  };
  // Newton's method, held between the ends of an interval that contains the root, as psi' is increasing. Arrived if the
  // next move, move (move/last_move)^2 where convergence is quadratic, would be lost in rounding.
  bool iterate(const HeatFace& face, double v, Search& search, double& q, double& conductivity) const {
    const Taylor<double> psi = at(face, q);
    const double residual = psi.first + v;
    (residual > 0.0 ? search.high : search.low) = q;
    conductivity = 1.0 / psi.second;
    double next = q - residual * conductivity;
    bool newton = true;
    if (!(next > search.low && next < search.high)) {
      newton = false;
      if (std::isfinite(search.low) && std::isfinite(search.high))
        next = 0.5 * (search.low + search.high);
      else
        next = residual > 0.0 ? q - 1.0 - std::abs(q) : q + 1.0 + std::abs(q);
    }
    const double move = std::abs(next - q), rounding = 4e-16 * std::abs(next), last = search.last_move;
    const bool quadratic = newton && last <= 0.01 * std::abs(next);
    search.found =
        residual == 0.0 || move <= rounding || (quadratic && move * move * move <= 0.25 * rounding * last * last);
    search.last_move = newton ? move : 0.0;
    if (residual != 0.0) q = next;
    return search.found;
  }
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

}  // namespace driftless::testset
