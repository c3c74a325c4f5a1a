// Planar chains of nodes at fixed distances, open, closed to a loop, or hung up at both ends: M = m I and a tridiagonal
// G M^-1 G^T, of any size. Source: constructed for this test set. Digits trusted to 18 places (more than 22 agree).
#include <cmath>
#include <numbers>

#include "driftless/equations/mechanical_model.h"
#include "testset/catalogue.h"
#include "testset/generators.h"
#include "testset/values.h"

namespace driftless::testset {

namespace {

constexpr double gravity = 9.81;

// Node 0 is fixed at the origin, and the last one at (span, 0) unless the chain is open.
struct Chain {
  std::size_t links;
  bool both_ends;
  double link_length;
  double span = 0.0;

  std::size_t nodes() const { return both_ends ? links - 1 : links; }
  double node_mass() const { return 1.0 / static_cast<double>(nodes()); }
  // Coordinate 0 or 1 of X_k - X_{k-1}, k = 1..links.
  auto edge(auto q, std::size_t k, std::size_t coordinate) const {
    auto e = k <= nodes() ? q[2 * (k - 1) + coordinate] : 0.0 * q[0] + (coordinate == 0 ? span : 0.0);
    if (k > 1) e -= q[2 * (k - 2) + coordinate];
    return e;
  }

  void mass(auto, auto, auto M) const {
    for (std::size_t i = 0; i < 2 * nodes(); ++i) M(i, i) = node_mass();
  }
  void force(auto, auto, auto, auto f) const {
    for (std::size_t k = 0; k < nodes(); ++k) f[2 * k + 1] = -gravity * node_mass();
  }
  void constraint(auto q, auto, auto g) const {
    for (std::size_t k = 1; k <= links; ++k) {
      const auto x = edge(q, k, 0), y = edge(q, k, 1);
      g[k - 1] = 0.5 * (x * x + y * y - link_length * link_length);
    }
  }
  double energy(auto q, auto v, double) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < nodes(); ++k)
      sum += node_mass() * (0.5 * (v[2 * k] * v[2 * k] + v[2 * k + 1] * v[2 * k + 1]) + gravity * q[2 * k + 1]);
    return sum;
  }
};

Chain open_chain(std::size_t n) { return {n, false, 1.0 / static_cast<double>(n)}; }
Chain loop(std::size_t n) { return {n, true, std::sin(std::numbers::pi / static_cast<double>(n))}; }
Chain suspended(std::size_t n) { return {n, true, 1.0 / static_cast<double>(n), suspended_chain_span}; }

// The multipliers at rest: (G M^-1 G^T) lambda = G M^-1 f, tridiagonal, by elimination without pivoting as it is
// definite.
Vector multipliers_at_rest(const Chain& chain, const Vector& q) {
  const std::size_t n = chain.links;
  const double per_mass = 1.0 / chain.node_mass();
  const auto dot = [&](std::size_t k, std::size_t l) {
    return chain.edge(ConstSpan(q), k, 0) * chain.edge(ConstSpan(q), l, 0) +
           chain.edge(ConstSpan(q), k, 1) * chain.edge(ConstSpan(q), l, 1);
  };
  Vector diagonal(n), lambda(n, 0.0);
  for (std::size_t k = 1; k <= n; ++k) {
    const bool free_begin = k > 1, free_end = k <= chain.nodes();
    diagonal[k - 1] = ((free_begin ? 1.0 : 0.0) + (free_end ? 1.0 : 0.0)) * per_mass * dot(k, k);
    const double falling = (free_begin ? 1.0 : 0.0) - (free_end ? 1.0 : 0.0);
    lambda[k - 1] = falling * gravity * chain.edge(ConstSpan(q), k, 1);
  }
  for (std::size_t k = 2; k <= n; ++k) {
    const double beside = -per_mass * dot(k - 1, k), factor = beside / diagonal[k - 2];
    diagonal[k - 1] -= factor * beside;
    lambda[k - 1] -= factor * lambda[k - 2];
  }
  lambda[n - 1] /= diagonal[n - 1];
  for (std::size_t k = n - 1; k >= 1; --k)
    lambda[k - 1] = (lambda[k - 1] + per_mass * dot(k, k + 1) * lambda[k]) / diagonal[k - 1];
  return lambda;
}

Equations equations_of(const Chain& chain) {
  Mechanical::Shape shape;
  for (std::size_t k = 1; k <= chain.nodes(); ++k) {
    shape.q_names.push_back(fmt::format("x{}", k));
    shape.q_names.push_back(fmt::format("y{}", k));
  }
  shape.lambda_names = numbered("lambda{}", 1, chain.links);
  shape.constraint_names = numbered("link {}", 1, chain.links);
  return mechanical(chain, shape);
}

Vector start_of(const Chain& chain, const Vector& q) {
  return joined({q, Vector(q.size(), 0.0), multipliers_at_rest(chain, q)});
}

std::vector<Reference> open_references(std::size_t n) {
  if (n == 2)
    return {{1.0,
             {-4.9741557074515635647e-1, 5.0771546955655702767e-2, -9.7616477243810510113e-1, -9.3447737047435516436e-2,
              3.1638464679688825670e-2, 3.0996622931133302503e-1, -1.3113620982595018181e-1, 8.5031175948144484383e-1,
              -8.85242581839363849e-1, -9.01857725737949312e-2}}};
  if (n == 5)
    return {
        {1.0,
         {-1.9999308082672851979e-1, 1.6636169732343207410e-3,  -3.9059734054038083190e-1, 6.2244275429630931812e-2,
          -5.9030819624856959267e-1, 5.1493735336081739732e-2,  -7.7965377811597421523e-1, -1.2913179100909990805e-2,
          -9.4249150846905961592e-1, -1.2903326165968123449e-1, -5.1225226692524358432e-3, -6.1580826999909123649e-1,
          8.7147763480592543172e-2,  -3.2549928305045112048e-1, 7.3299827382165896296e-2,  -6.8248657133658634681e-2,
          2.2143313803222641164e-2,  8.2142957098827408664e-2,  6.9494845281945229634e-3,  1.0344959605394205114e-1,
          6.93500491777421706e+0,    5.35879921520366208e+0,    3.87783799999159302e+0,    2.50492279698085053e+0,
          1.20130521955551876e+0}}};
  if (n == 10)
    return {
        {1.0,
         {-8.5920570879106294176e-2, -5.1163028641866691733e-2, -1.8047330432640404519e-1, -1.8608757068933883239e-2,
          -2.7056063520937430160e-1, 2.4799454301522668690e-2,  -3.6718852738769721066e-1, 5.0549220381516528933e-2,
          -4.6717822561855660691e-1, 5.1984576679330184518e-2,  -5.6597094864117442690e-1, 3.6492711789126715195e-2,
          -6.6207160751631151959e-1, 8.8401646412682680843e-3,  -7.5397857553509689410e-1, -3.0569342201547747699e-2,
          -8.3986230316936402518e-1, -8.1794192885986256236e-2, -9.1331222940637701239e-1, -1.4965514141883061700e-1,
          3.2267850714240575296e-1,  -5.4188976454388684028e-1, 2.0347871470479327651e-1,  -8.8810135696353619272e-1,
          2.3242453599910180797e-1,  -8.2802858044746771450e-1, 2.7536563590850078265e-1,  -6.6688894293876902878e-1,
          2.7830382388852648030e-1,  -4.6220908058277524700e-1, 2.5330219248766732404e-1,  -3.0277190090141911752e-1,
          2.2142186788683471407e-1,  -1.9197848346643516836e-1, 1.8916335917894410781e-1,  -1.1674836856104493706e-1,
          1.5546081298588397942e-1,  -6.0242585544572486794e-2, 1.4618320255699194256e-1,  -5.0200877958831196058e-2,
          1.55341233185165196e+1,    1.01221982772451785e+1,    8.93257268729152673e+0,    7.90841265981319894e+0,
          6.97463598428814889e+0,    5.94567934226159632e+0,    4.79387534548117209e+0,    3.58318886458498135e+0,
          2.36363401477959542e+0,    1.15726217702279026e+0}}};
  return {};
}

std::vector<Reference> closed_references(std::size_t n) {
  if (n == 6)
    return {
        {1.0,
         {-3.7911297401189731867e-1, -3.2599594006038551933e-1, -8.7777065873529071436e-1, -3.6260896323936915322e-1,
          -1.3629823245069283925e+0, -4.8331372453366346080e-1, -8.7258311348287825865e-1, -3.8580160309745869167e-1,
          -4.9686558016752930684e-1, -5.5898079079557890942e-2, -2.1187082303044348706e-1, 2.4639257105637964159e-1,
          -2.4444177835187885379e-1, 6.8999858224037375212e-1,  -1.3536421642774552623e+0, 5.1487867953854734375e+0,
          -1.3570676158287603323e-1, -9.7634464225261150124e-1, 1.4592397177227042972e-1,  -1.2970856975565459835e+0,
          1.10688010200775596e-1,    -3.14977292759019185e+0,   -6.64316467558360386e+0,   2.71017509854220404e+1,
          1.89068377462896899e+1,    1.73145080139192303e+1}}};
  return {};
}

}  // namespace

Equations chain_pendulum(std::size_t n) { return equations_of(open_chain(n)); }
Equations closed_loop_chain(std::size_t n) { return equations_of(loop(n)); }
Equations suspended_chain(std::size_t n) { return equations_of(suspended(n)); }

Vector chain_pendulum_start(std::size_t n) {
  Vector q(2 * n, 0.0);
  for (std::size_t k = 1; k <= n; ++k) q[2 * (k - 1)] = static_cast<double>(k) / static_cast<double>(n);
  return start_of(open_chain(n), q);
}

Vector closed_loop_chain_start(std::size_t n) {
  Vector q;
  for (std::size_t k = 1; k < n; ++k) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    q.insert(q.end(), {0.5 - 0.5 * std::cos(angle), 0.5 * std::sin(angle)});
  }
  return start_of(loop(n), q);
}

Vector suspended_chain_start(std::size_t n) {
  const double length = 1.0 / static_cast<double>(n);
  const std::size_t left = (3 * n + 4) / 5;
  const double a = length * static_cast<double>(left), b = 1.0 - a;
  // The corner of the triangle with sides a, b and the span, below.
  const double x = (a * a - b * b + suspended_chain_span * suspended_chain_span) / (2.0 * suspended_chain_span);
  const double y = -std::sqrt(a * a - x * x);
  Vector q;
  for (std::size_t k = 1; k < n; ++k) {
    const double share = k <= left ? length * static_cast<double>(k) / a : length * static_cast<double>(n - k) / b;
    q.insert(q.end(), {k <= left ? share * x : suspended_chain_span + share * (x - suspended_chain_span), share * y});
  }
  return start_of(suspended(n), q);
}

Problem chain_pendulum_problem(std::size_t n) {
  return {.title = fmt::format("Chain pendulum of {} links", n),
          .source = "constructed for this test set",
          .notes = "Chaotic: compare at t <= 1 only. There are reference values for 2, 5 and 10 links.",
          .equations = chain_pendulum(n),
          .start = chain_pendulum_start(n),
          .references = open_references(n),
          .trusted_digits = 18};
}

Problem closed_loop_chain_problem(std::size_t n) {
  return {.title = fmt::format("Closed chain of {} links hanging from one node", n),
          .source = "constructed for this test set",
          .notes =
              "One closed loop. With 4 links the chain becomes flat, and G singular, near t = 0.571. "
              "There are reference values for 6 links.",
          .equations = closed_loop_chain(n),
          .start = closed_loop_chain_start(n),
          .references = closed_references(n),
          .trusted_digits = 18};
}

}  // namespace driftless::testset
