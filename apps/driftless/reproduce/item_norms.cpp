// Higueras and Soderlind 2003, section 2: semi-inner products and logarithmic norms, on random vectors and matrices.
#include <fmt/format.h>

#include <cmath>

#include "apps/driftless/reproduce/item.h"
#include "apps/driftless/reproduce/random_states.h"
#include "driftless/analysis/stability/logarithmic_norm.h"
#include "driftless/analysis/stability/semi_inner_product.h"

namespace reproduce {

using namespace driftless;

namespace {

constexpr std::size_t n = 4;
constexpr int trials = 500;

// Largest violations, relative. The limits of the definitions are taken at `small`: without them, 0 would satisfy most
// of what is asked of a product.
struct Products {
  double definition = 0.0, schwarz = 0.0, sign = 0.0, additive = 0.0;
};
struct Norms {
  double definition = 0.0, bounds = 0.0, gain = 0.0, shift = 0.0, scaled = 0.0, sum = 0.0;
};

constexpr double small = 1e-7;

void try_products(const Norm& norm, Random& random, Products& worst) {
  const Vector u = random.vector(n), v = random.vector(n), w = random.vector(n);
  const auto product = [&](const Vector& a, const Vector& b, Side side) {
    return semi_inner_product(norm, a, b, side);
  };
  const double size = norm(u) * (norm(v) + norm(w)), right = product(u, v, Side::right),
               left = product(u, v, Side::left);
  const double limit = norm(u) * (norm(combined(u, small, v)) - norm(u)) / small;
  worst.definition = std::fmax(worst.definition, std::abs(right - limit) / size);
  const Vector minus = combined(Vector(n), -1.0, v), total = combined(v, 1.0, w);
  worst.schwarz =
      std::max({worst.schwarz, violation(right, norm(u) * norm(v), size), violation(-norm(u) * norm(v), left, size)});
  worst.sign = std::fmax(worst.sign, std::abs(product(u, minus, Side::right) + left) / size);
  const double both = product(u, total, Side::right), of_w = product(u, w, Side::right);
  worst.additive = std::max({worst.additive, violation(left + of_w, both, size), violation(both, of_w + right, size)});
}

void try_norms(const Norm& norm, Random& random, Norms& worst) {
  const Matrix a = random.matrix(n), b = random.matrix(n), identity = Matrix::identity(n);
  const Vector u = random.vector(n);
  const double mu = logarithmic_norm(a, norm), large = operator_norm(a, norm), z = random.between(-2.0, 2.0);
  const double limit = (operator_norm(combined(identity, small, a), norm) - 1.0) / small, least = least_gain(a, norm);
  worst.definition = std::fmax(worst.definition, std::abs(mu - limit) / large);
  worst.bounds = std::max({worst.bounds, violation(-least, mu, large), violation(mu, large, large)});
  const double image = norm(times(a, u));
  worst.gain =
      std::max({worst.gain, violation(least * norm(u), image, image), violation(image, large * norm(u), image)});
  worst.shift =
      std::fmax(worst.shift, std::abs(logarithmic_norm(combined(a, z, identity), norm) - mu - z) / (large + 2.0));
  const double alpha = random.between(0.0, 3.0);
  worst.scaled = std::fmax(
      worst.scaled, std::abs(logarithmic_norm(combined(Matrix(n, n), alpha, a), norm) - alpha * mu) / (3.0 * large));
  worst.sum = std::fmax(worst.sum,
                        violation(logarithmic_norm(combined(a, 1.0, b), norm), mu + logarithmic_norm(b, norm), large));
}

}  // namespace

Measurement norm_properties() {
  Measurement result;
  for (const char* name : {"1", "2", "inf"}) {
    Random random;
    Products products;
    Norms norms;
    for (int k = 0; k < trials; ++k) {
      try_products(Norm::by_name(name), random, products);
      try_norms(Norm::by_name(name), random, norms);
    }
    struct Row {
      const char *id, *what;
      double found;
      const char* paper;
      double rounding = 1e-12;
    };
    const Row rows[] = {
        {"product", "(u, v)+ against the limit that defines it", products.definition, "equal, (2.1)", 1e-5},
        {"schwarz", "|(u, v)| above |u| |v|", products.schwarz, "never, (2.2)"},
        {"sign", "(u, -v)+ against -(u, v)-", products.sign, "equal, Proposition 2.1.1"},
        {"additive", "(u, v + w)+ outside of its bounds", products.additive, "never, Proposition 2.1.3"},
        {"definition", "M+[A] against the limit that defines it", norms.definition, "equal, (1.3)", 1e-5},
        {"bounds", "M+ outside of [-l, L]", norms.bounds, "never, Proposition 2.2.1"},
        {"gain", "|A u| outside of [l, L] |u|", norms.gain, "never, by definition"},
        {"shift", "M+[f + z I] against M+[f] + z", norms.shift, "equal, Proposition 2.2.2"},
        {"scaled", "M+[alpha f] against alpha M+[f]", norms.scaled, "equal, Proposition 2.2.3"},
        {"sum", "M+[f + g] above M+[f] + M+[g]", norms.sum, "never, Proposition 2.2.4"}};
    for (const auto& [id, what, found, paper, rounding] : rows)
      result.lines.push_back(never_violated(fmt::format("{} {}", id, name),
                                            fmt::format("norm {}: {}, at most", name, what), found, paper, rounding));
  }
  return result;
}

}  // namespace reproduce
