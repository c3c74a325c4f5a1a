// n four-bar loops side by side: points B_0..B_n turn about A_i = (i, 0), coupled by rods of length 1.
// Source: benchmark A02 of the IFToMM library of multibody problems. The cranks turn in parallel like one rotating
// pendulum, so that B_0 is known by elliptic functions; digits trusted to 28 places (25 for the multipliers).
#include "driftless/equations/mechanical_model.h"
#include "testset/catalogue.h"
#include "testset/generators.h"
#include "testset/values.h"

namespace driftless::testset {

namespace {

constexpr double four_bar_gravity = 9.81;

struct FourBars {
  std::size_t loops;

  std::size_t rods_at(std::size_t i) const { return i == 0 || i == loops ? 1 : 2; }  // without the crank

  // Uniform rods of mass 1: a third at each end and a sixth between; cranks have one end on the ground.
  void mass(auto, auto, auto M) const {
    for (std::size_t i = 0; i <= loops; ++i) {
      for (std::size_t c = 0; c < 2; ++c) {
        M(2 * i + c, 2 * i + c) = (1.0 + static_cast<double>(rods_at(i))) / 3.0;
        if (i < loops) M(2 * i + c, 2 * i + 2 + c) = M(2 * i + 2 + c, 2 * i + c) = 1.0 / 6.0;
      }
    }
  }
  void force(auto, auto, auto, auto f) const {
    for (std::size_t i = 0; i <= loops; ++i)
      f[2 * i + 1] = -0.5 * four_bar_gravity * (1.0 + static_cast<double>(rods_at(i)));
  }
  void constraint(auto q, auto, auto g) const {
    for (std::size_t i = 0; i <= loops; ++i) {
      const auto x = q[2 * i] - static_cast<double>(i), y = q[2 * i + 1];
      g[i] = x * x + y * y - 1.0;
    }
    for (std::size_t i = 0; i < loops; ++i) {
      const auto x = q[2 * i + 2] - q[2 * i], y = q[2 * i + 3] - q[2 * i + 1];
      g[loops + 1 + i] = x * x + y * y - 1.0;
    }
  }
  double energy(auto q, auto v, double) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < q.size(); ++k) {
      const double shares = 1.0 + static_cast<double>(rods_at(k / 2));
      sum += shares / 6.0 * v[k] * v[k];
      if (k + 2 < q.size()) sum += v[k] * v[k + 2] / 6.0;
      if (k % 2 == 1) sum += 0.5 * four_bar_gravity * shares * q[k];
    }
    return sum;
  }
};

// All cranks parallel to the first, whose end is at (x, y).
Vector parallel(std::size_t n, double x, double y, double vx, double vy, const Vector& lambda) {
  Vector q, v;
  for (std::size_t i = 0; i <= n; ++i) {
    q.insert(q.end(), {static_cast<double>(i) + x, y});
    v.insert(v.end(), {vx, vy});
  }
  return joined({q, v, lambda});
}

std::vector<Reference> four_bar_references(std::size_t n) {
  const Vector none(2 * n + 1, unknown);
  if (n == 2)
    return {{0.3, parallel(2, 0.346576311922190284834058040341, 0.938021780138613126986612887614,
                           1.4588218504547744175912886195, -0.538999314714641644379259948513,
                           {-3.6106599162522588917642525e+0, -5.2541468990844047890995253e+0,
                            -3.6106599162522588917642525e+0, -5.0341072562750614196674157e-2,
                            5.0341072562750614196674157e-2})},
            {0.7, parallel(2, 0.997621322207312983733933347132, 0.0689325574553317306136792359279,
                           0.325607907920822657245881485475, -4.71233628364390838283286522066, none)},
            {1.0, parallel(2, -0.195020301949435093644058645695, -0.980799205662173832601772862614,
                           -6.67667803688115806616311665843, 1.32757832516048721391310511512, none)},
            {10.0, parallel(2, 0.328458111540815378652164167789, 0.944518538178600962161285438582,
                            1.42305147020694412328098058072, -0.494868845487042958990900225212, none)},
            {20.0, parallel(2, 0.839746574306843546539994581695, 0.542978536352884661594965372299,
                            1.83822264419674271465822640114, -2.84291378927409712857878025395, none)}};
  if (n == 40)
    return {{0.3, parallel(40, 0.344787734911868984812755015322, 0.938680679386948264896493924091,
                           1.44088949507330143750265840358, -0.529254555009154583745278513165, none)},
            {0.7, parallel(40, 0.994884510665725180049018559159, 0.101018861790363488837378248317,
                           0.461644521320384772194976200599, -4.54650721217249357953424492427, none)},
            {1.0, parallel(40, -0.115356880632109898062999703337, -0.993324111300450185687094121214,
                           -6.66998752394177159077751148924, 0.774600098662343315200874105583, none)},
            {10.0, parallel(40, 0.180512226686728390103178654894, 0.983572740582311574881322478826,
                            1.14844127746941413331991775145, -0.21077006677942393177944310805, none)},
            {20.0, parallel(40, 0.410901153762945222145245576762, 0.911679900971980651631413130278,
                            1.56678537190906994861821587206, -0.706162235593837307107427480181, none)}};
  return {};
}

}  // namespace

Equations n_four_bar(std::size_t n) {
  Mechanical::Shape shape;
  for (std::size_t i = 0; i <= n; ++i) {
    shape.q_names.push_back(fmt::format("x{}", i));
    shape.q_names.push_back(fmt::format("y{}", i));
  }
  shape.constraint_names = numbered("crank {}", 0, n + 1);
  for (const auto& name : numbered("coupler {}", 0, n)) shape.constraint_names.push_back(name);
  return mechanical(FourBars{n}, shape);
}

// Upright cranks at speed 1 are accelerated by (0, -1), which each crank has to add to gravity.
Vector n_four_bar_start(std::size_t n) {
  const FourBars model{n};
  Vector lambda(2 * n + 1, 0.0);
  for (std::size_t i = 0; i <= n; ++i) {
    const double rods = static_cast<double>(model.rods_at(i));
    const double inertia = (1.0 + rods) / 3.0 + rods / 6.0;
    lambda[i] = 0.5 * (inertia - 0.5 * four_bar_gravity * (1.0 + rods));
  }
  return parallel(n, 0.0, 1.0, 1.0, 0.0, lambda);
}

Problem n_four_bar_problem(std::size_t n) {
  return {.title = fmt::format("{} four-bar loops", n),
          .source = "IFToMM library of multibody problems, A02",
          .notes =
              "The constraint Jacobian loses ranks whenever the cranks are horizontal, first at t = 0.7144 (2 loops) "
              "or t = 0.7216 (40 loops): only robust solvers get beyond.",
          .equations = n_four_bar(n),
          .start = n_four_bar_start(n),
          .references = four_bar_references(n),
          .trusted_digits = 25};
}

}  // namespace driftless::testset
