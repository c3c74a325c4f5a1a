// An approximate inverse of c P - f_x for heat conduction. With the derivatives g_q, g_v of the law and k = g_v/g_q its
// rows are
//     c theta_i + sum of +- area q_f / C_i = a_i,    g_v (theta_left - theta_right) / distance - g_q q_f = b_f,
// so that (c C + L) theta = C a + sum of +- area b_f / g_q with the conductivities k; a cycle finds theta, and q
// follows.
#include "testset/heat/heat_multilevel.h"

namespace driftless::testset {

namespace {

class HeatPreconditioner final : public Index1Preconditioner {
 public:
  explicit HeatPreconditioner(const HeatProblem& problem)
      : problem_(problem),
        capacity_(capacities(problem)),
        g_q_(problem.faces()),
        conductivity_(problem.faces()),
        cycles_(problem) {}

  void linearise(ConstSpan x, double) override {
    const std::size_t n = problem_.cells(), m = problem_.faces();
    Vector v(m), g(m);
    gradients(problem_, x.first(n), v);
    problem_.law->evaluate(problem_.mesh.faces, x.subspan(n, m), v, g, g_q_, conductivity_);
    for (std::size_t k = 0; k < m; ++k) conductivity_[k] /= g_q_[k];
    cycles_.set_conductivity(conductivity_);
  }
  std::optional<std::size_t> prepare_real(std::size_t slot, double c) override { return cycles_.prepare_real(slot, c); }
  std::optional<std::size_t> prepare_complex(std::size_t slot, std::complex<double> c) override {
    return cycles_.prepare_complex(slot, c);
  }
  void apply_real(std::size_t slot, Span b) override {
    eliminate_fluxes(b);
    cycles_.solve_real(slot, b.first(problem_.cells()));
    find_fluxes(b);
  }
  void apply_complex(std::size_t slot, Span re, Span im) override {
    const std::size_t n = problem_.cells();
    for (const Span part : {re, im}) eliminate_fluxes(part);
    cycles_.solve_complex(slot, re.first(n), im.first(n));
    for (const Span part : {re, im}) find_fluxes(part);
  }

 private:
  // (a, b) becomes (C a + sum of +- area b / g_q, b / g_q).
  void eliminate_fluxes(Span b) const {
    const std::size_t n = problem_.cells();
    for (std::size_t i = 0; i < n; ++i) b[i] *= capacity_[i];
    for (std::size_t k = 0; k < problem_.faces(); ++k) {
      const HeatFace& face = problem_.mesh.faces[k];
      const double q = b[n + k] /= g_q_[k];
      b[face.left] += face.area * q;
      if (face.right != no_cell) b[face.right] -= face.area * q;
    }
  }
  // (theta, b / g_q) becomes (theta, q).
  void find_fluxes(Span b) const {
    const std::size_t n = problem_.cells();
    for (std::size_t k = 0; k < problem_.faces(); ++k) {
      const HeatFace& face = problem_.mesh.faces[k];
      const double right = face.right == no_cell ? 0.0 : b[face.right];
      b[n + k] = conductivity_[k] / face.distance * (b[face.left] - right) - b[n + k];
    }
  }

  const HeatProblem& problem_;
  Vector capacity_, g_q_, conductivity_;
  HeatCycles cycles_;
};

}  // namespace

std::unique_ptr<Index1Preconditioner> make_heat_preconditioner(const HeatProblem& problem) {
  return std::make_unique<HeatPreconditioner>(problem);
}

}  // namespace driftless::testset
