#include "corpus.h"

namespace {

constexpr std::string_view models[] = {
    R"(model Pendulum "a rod"
  parameter Real L(min = 0, unit = "m") = 2 * half, half = 0.5;
  constant Real g = 9.81;
  Real x(start = L, fixed = true), y(start = 0.0), vx, vy, lambda;
initial equation
  vx = 0;
equation
  der(x) = vx; der(y) = vy;
  der(vx) = -lambda * x;
  der(vy) = -lambda * y - g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 2.5, Tolerance = 1e-6), __driftless(points = [0, 0]));
end Pendulum;
)",
    R"(model Chain
  parameter Integer n = 4;
  parameter Real A[:, :] = [1, 2; 3, 4], v[3] = {1, 2, 3}, w[n] = linspace(0, 1, n);
  type Length = Real(unit = "m", min = 0);
  Length[n] x(start = {i / n for i in 1:n}), y(each nominal = 2);
  Real M[2, 2] = A * transpose(A) + identity(2), s = sum(x[i] * y[i] for i in 1:n), z[2, n - 1];
equation
  for i in 1:n loop
    der(x[i]) = if i > 1 then x[i] - x[max(i - 1, 1)] else y[end];
    y[i] = x[n - i + 1] * w[i];
  end for;
  z[:, 2:end] = fill(s, 2, n - 2);
  z[:, 1] = (cross({1, 0, 0}, {0, s, 1}))[1:2];
end Chain;
)",
    R"(model Ball
  parameter Real e = 0.8;
  Real h(start = 1), v;
  Integer n(start = 0);
  discrete Real last; Boolean up, b[2];
equation
  der(h) = v;
  der(v) = -9.81;
  up = v > 0 and not h < 0 or edge(b[1]);
  b = {change(n), pre(up)};
  when {h < 0, initial(), sample(0, 0.1)} then
    reinit(v, -e * pre(v));
    last = time + n;
    if v > 1 then n = pre(n) + 1; else n = 0; end if;
  elsewhen h > 10 then
    terminate("gone at " + String(time, significantDigits = 3));
  end when;
  assert(h > -1, "h = " + String(h), AssertionLevel.warning);
end Ball;
)",
    R"(model Functions
  record P Real x; Real v[2]; end P;
  type E = enumeration(slow, fast);
  function f
    input Real a[:]; input Integer n = 2; input E e = E.slow; output Real s; output P p;
  protected
    Real t = 2 * n; constant Real c = 3;
  algorithm
    s := 0; p := P(1, zeros(2));
    for i in 1:size(a, 1) loop
      if a[i] > 1 then s := s + i * a[i]; break; elseif e == E.fast then return; end if;
      while n > 5 loop s := s + 1; return; end while;
    end for;
    (t, ) := g(s);
    p := P(x = t, v = {c, mod(t, 2)});
    p.v[1] := abs(s);
    assert(s < 100, "too large");
  end f;
  function g input Real u; output Real y; output Real z = 1; algorithm y := noEvent(if u > 0 then sqrt(u) else u); end g;
  Real x(start = 1), y; P q, r[2];
equation
  der(x * y) = smooth(1, if x > 2 then x else 2);
  (y, q) = f({x, time, 3}, e = E.fast);
  for i in 1:2 loop r[i] = P(i, {x, y}); end for;
algorithm
  y := x; y := y + floor(time);
end Functions;
)",
    R"(//! base 0.1.0
package 'Swing'
  type 'Mode' = enumeration('slow', 'fast');
  constant Real 'c' = 2.0;
  model 'Swing' "two masses"
    parameter Real 'rod.length'(min = 0.0, unit = "m") = 1.0 "length";
    parameter 'Mode' 'mode' = 'Mode'.'fast' annotation(Evaluate = true);
    parameter Real 'eta'(fixed = false, start = 1.0);
    parameter equation guess('bob.v') = prioritize(3.0, 4);
    Real 'bob.r[1]'(start = 1.0, fixed = true, stateSelect = StateSelect.prefer) @ 12, 'bob.v';
    Boolean 'taut'(start = true);
  initial equation
    'bob.v' = 0.0 * 'eta';
    prioritize('bob.r[1]', 2);
  equation
    @ 3 der('bob.r[1]') = 'bob.v' @ 4;
    der('bob.v') = -9.81 - (if 'mode' == 'Mode'.'fast' then 'c' else 1.0) * 'bob.r[1]' ^ 2.0 / 'rod.length';
    'taut' = 'bob.v' >= 0.0;
    if 'taut' then assert('bob.v' < 3.0, "fast"); end if;
  initial algorithm
    'eta' := integer(time / 3.0);
    annotation(experiment(StopTime = 2.0));
  end 'Swing';
end 'Swing';
)",
    R"(model Algorithms
  Integer n, m; Real v, w[3], u; parameter Boolean on = true;
equation
  der(v) = 1 + homotopy(actual = u, simplified = 0) + semiLinear(v, 1, 2);
  if on then u = 1; else u = 2; v = 3; end if;
algorithm
  when v > 1 then
    n := n + 1; m := n;
    reinit(v, 0);
  elsewhen {time > 7, terminal()} then
    m := div(n, 2) + rem(n, 3);
  end when;
  for i loop w[i] := if i == 2 then v else -v^2; end for;
  if v > 3 then w[1] := 2; elseif time < 1 then w[2:3] := {1, 2}; end if;
end Algorithms;
)",
};

}  // namespace

std::span<const std::string_view> corpus() { return models; }
