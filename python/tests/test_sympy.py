"""Systems stated with sympy.physics.mechanics, against hand-written models and closed forms."""
import math

import numpy as np
import pytest

sympy = pytest.importorskip("sympy")
from sympy.physics.mechanics import KanesMethod, LagrangesMethod, Particle, Point, ReferenceFrame, dynamicsymbols  # noqa: E402

import driftless as dl  # noqa: E402

t = dynamicsymbols._t
m, g, L, k = sympy.symbols("m g L k")


def lagrange(lagrangian, q, **more):
    system = LagrangesMethod(lagrangian, q, **more)
    system.form_lagranges_equations()
    return system


def test_a_pendulum_with_a_multiplier():
    x, y = dynamicsymbols("x y")
    system = lagrange(m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 - m * g * y, [x, y], hol_coneqs=[x**2 + y**2 - L**2])
    p = dl.from_sympy(system, {m: 0.5, g: 9.81, L: 1.0}, {x: 1.0, y: 0.0})
    r = p.solve(5.0, rtol=1e-10)
    hand = dl.solve(force=lambda q: [0.0, -0.5 * 9.81], mass=0.5 * np.eye(2), constraint=lambda q: q @ q - 1.0, q0=[1.0, 0.0], t_span=(0, 5), rtol=1e-10)
    assert r.names[:4] == ["x", "y", "x_dot", "y_dot"] and p.parameters == {"L": 1.0, "g": 9.81, "m": 0.5}
    np.testing.assert_allclose(r.q[:, -1], hand.q[:, -1], atol=1e-8)
    np.testing.assert_allclose(r.lam[:, -1], hand.lam[:, -1], atol=1e-7)
    assert r.certificate["position"] < 1e-14 and r.certificate["velocity"] < 1e-13


def test_a_four_bar_linkage_closes():
    a, b, c = dynamicsymbols("a b c")  # angles of three bars of lengths 1, 2, 1.5 over a ground of 2.2
    lengths = (1.0, 2.0, 1.5)
    points, at = [], (0, 0)
    for angle, length in zip((a, b, c), lengths):
        points.append((at[0] + length / 2 * sympy.cos(angle), at[1] + length / 2 * sympy.sin(angle)))
        at = (at[0] + length * sympy.cos(angle), at[1] + length * sympy.sin(angle))
    kinetic = sum(l * (p[0].diff(t) ** 2 + p[1].diff(t) ** 2) / 2 + l**3 / 12 * angle.diff(t) ** 2 / 2
                  for l, p, angle in zip(lengths, points, (a, b, c)))
    potential = sum(l * g * p[1] for l, p in zip(lengths, points))
    system = lagrange(kinetic - potential, [a, b, c], hol_coneqs=[at[0] - 2.2, at[1]])
    r = dl.from_sympy(system, {g: 9.81}, {a: 1.5, b: 0.2, c: -1.6}).solve(30.0, rtol=1e-8)
    x = sum(l * np.cos(r[name]) for l, name in zip(lengths, "abc"))
    y = sum(l * np.sin(r[name]) for l, name in zip(lengths, "abc"))
    assert np.abs(x - 2.2).max() < 1e-13 and np.abs(y).max() < 1e-13
    expression = sympy.lambdify([(a, b, c), (a.diff(t), b.diff(t), c.diff(t))], (kinetic + potential).doit().subs(g, 9.81))
    energy = [expression(q, v) for q, v in zip(r.q.T, r.v.T)]
    assert np.ptp(energy) < 1e-4

    def joints(q):  # by hand, with the centres and the angles of the bars
        starts, stops = [], []
        for (x, y, angle), length in zip(q.reshape(3, 3), lengths):
            half = length / 2 * np.array([np.cos(angle), np.sin(angle)])
            starts.append(np.array([x, y]) - half)
            stops.append(np.array([x, y]) + half)
        return np.hstack([starts[0], starts[1] - stops[0], starts[2] - stops[1], stops[2] - np.array([2.2, 0])])

    p = dl.mechanical(lambda: np.array([[0.0, -9.81 * l, 0.0] for l in lengths]).ravel(), joints, np.diag(np.ravel([[l, l, l**3 / 12] for l in lengths])),
                      q0=np.ravel([[*centre, r[name][0]] for centre, name in zip(middles(lengths, [r[name][0] for name in "abc"]), "abc")]), v0=[0.0] * 9)
    hand, found = p.solve(3.0, rtol=1e-10), dl.from_sympy(system, {g: 9.81}, {a: 1.5, b: 0.2, c: -1.6}).solve(3.0, rtol=1e-10)
    np.testing.assert_allclose([found[name][-1] for name in "abc"], hand.q[2::3, -1], atol=1e-7)


def middles(lengths, angles):
    """Of bars one behind another."""
    bars = np.array([[l * math.cos(angle), l * math.sin(angle)] for l, angle in zip(lengths, angles)])
    return np.cumsum(bars, axis=0) - bars / 2


def test_a_sleigh_on_a_plane_has_a_velocity_constraint():
    # A knife edge at the centre of mass: it keeps its speed and turns at a constant rate, so that it goes around in circles.
    x, y, phi = dynamicsymbols("x y phi")
    system = lagrange((x.diff(t) ** 2 + y.diff(t) ** 2 + phi.diff(t) ** 2) / 2, [x, y, phi],
                      nonhol_coneqs=[x.diff(t) * sympy.sin(phi) - y.diff(t) * sympy.cos(phi)])
    r = dl.from_sympy(system, {}, {x: 0.0, y: 0.0, phi: 0.0, x.diff(t): 2.0, y.diff(t): 0.0, phi.diff(t): 0.5}).solve(10.0, rtol=1e-9)
    np.testing.assert_allclose(r["x"][-1], 4.0 * math.sin(5.0), atol=1e-6)
    np.testing.assert_allclose(r["y"][-1], 4.0 * (1.0 - math.cos(5.0)), atol=1e-6)
    sideways = r["x_dot"] * np.sin(r["phi"]) - r["y_dot"] * np.cos(r["phi"])
    assert np.abs(sideways).max() < 1e-12


def test_a_double_pendulum_without_constraints():
    a, b = dynamicsymbols("a b")
    p1 = (sympy.sin(a), -sympy.cos(a))
    p2 = (p1[0] + sympy.sin(b), p1[1] - sympy.cos(b))
    kinetic = sum((p[0].diff(t) ** 2 + p[1].diff(t) ** 2) / 2 for p in (p1, p2))
    system = lagrange(kinetic - g * (p1[1] + p2[1]), [a, b])
    r = dl.from_sympy(system, {g: 9.81}, {a: 1.0, b: 0.5, a.diff(t): 0.0, b.diff(t): 0.0}).solve(3.0, rtol=1e-10)
    points = dl.solve(force=lambda q: [0, -9.81, 0, -9.81], q0=[math.sin(1.0), -math.cos(1.0), math.sin(1.0) + math.sin(0.5), -math.cos(1.0) - math.cos(0.5)],
                      constraint=lambda q: [q[0] ** 2 + q[1] ** 2 - 1, (q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2 - 1], v0=[0, 0, 0, 0], t_span=(0, 3), rtol=1e-10)
    assert math.sin(r["a"][-1]) == pytest.approx(points.q[0, -1], abs=1e-7) and -math.cos(r["a"][-1]) - math.cos(r["b"][-1]) == pytest.approx(points.q[3, -1], abs=1e-7)


def kane_pendulum(constrained):
    """A point on a rod: by its angle, or by x and y with what they must satisfy."""
    n, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(n, 0)
    bob = Point("P")
    if not constrained:
        q, u = dynamicsymbols("q u")
        bob.set_pos(origin, L * sympy.sin(q) * n.x - L * sympy.cos(q) * n.y)
        bob.set_vel(n, L * u * (sympy.cos(q) * n.x + sympy.sin(q) * n.y))
        method = KanesMethod(n, q_ind=[q], u_ind=[u], kd_eqs=[q.diff(t) - u])
    else:
        x, y, ux, uy = dynamicsymbols("x y ux uy")
        bob.set_pos(origin, x * n.x + y * n.y)
        bob.set_vel(n, ux * n.x + uy * n.y)
        method = KanesMethod(n, q_ind=[x], q_dependent=[y], u_ind=[ux], u_dependent=[uy], kd_eqs=[x.diff(t) - ux, y.diff(t) - uy],
                             configuration_constraints=[x**2 + y**2 - L**2], velocity_constraints=[x * ux + y * uy],
                             acceleration_constraints=[x * ux.diff(t) + ux**2 + y * uy.diff(t) + uy**2])
    method.kanes_equations([Particle("B", bob, m)], [(bob, -m * g * n.y)])
    return method


def test_kane_with_and_without_constraints():
    values = {m: 1.0, g: 9.81, L: 1.0}
    q, u = dynamicsymbols("q u")
    free = dl.from_sympy(kane_pendulum(False), values, {q: 0.5, u: 0.0}).solve(2.0, rtol=1e-10)
    x, y, ux, uy = dynamicsymbols("x y ux uy")
    bound = dl.from_sympy(kane_pendulum(True), values, {x: math.sin(0.5), y: -math.cos(0.5), ux: 0.0, uy: 0.0}).solve(2.0, rtol=1e-10)
    assert bound["x"][-1] == pytest.approx(math.sin(free["q"][-1]), abs=1e-7)
    np.testing.assert_allclose(np.hypot(bound["x"], bound["y"]), 1.0, atol=1e-13)
    assert bound.names == ["x", "y", "ux", "uy"]


def test_what_is_missing_is_said():
    x = dynamicsymbols("x")
    system = LagrangesMethod(m * x.diff(t) ** 2 / 2 - k * x**2 / 2, [x])
    with pytest.raises(dl.Misuse, match="form_lagranges_equations"):
        dl.from_sympy(system, {m: 1.0})
    system.form_lagranges_equations()
    with pytest.raises(dl.Misuse, match="no value: k"):
        dl.from_sympy(system, {m: 1.0})
    with pytest.raises(TypeError, match="KanesMethod"):
        dl.from_sympy("pendulum")


def kept_and_energy(r, closure, kinetic, potential, q, values):
    """The residuals of the constraints, and by how much the energy changes."""
    coordinates, rates = list(q), [one.diff(t) for one in q]
    residual = sympy.lambdify([coordinates, rates], [one.subs(values) for one in closure])
    energy = sympy.lambdify([coordinates, rates], (kinetic + potential).doit().subs(values))
    return (max(np.abs(residual(a, b)).max() for a, b in zip(r.q.T, r.v.T)), np.ptp([energy(a, b) for a, b in zip(r.q.T, r.v.T)]))


def test_a_slider_crank_is_that_of_one_angle():
    # A crank of length 1 with its mass at the pin, a rod of length 2 that only turns, and a slider of mass 3.
    a, b, x = dynamicsymbols("a b x")
    closure = [sympy.cos(a) + 2 * sympy.cos(b) - x, sympy.sin(a) - 2 * sympy.sin(b)]
    kinetic, potential = a.diff(t) ** 2 / 2 + 0.1 * b.diff(t) ** 2 / 2 + 3 * x.diff(t) ** 2 / 2, g * sympy.sin(a)
    system = lagrange(kinetic - potential, [a, b, x], hol_coneqs=closure)
    r = dl.from_sympy(system, {g: 9.81}, {a: 1.0, b: math.asin(math.sin(1.0) / 2), a.diff(t): 0.0}).solve(5.0, rtol=1e-10)
    off, change = kept_and_energy(r, closure, kinetic, potential, (a, b, x), {g: 9.81})
    assert off < 1e-14 and change < 1e-7

    def one_angle(t, y):  # I a'' + I' a'^2 / 2 = -g cos a, I = 1 + 3 p^2 + 0.1 r^2, p = dx/da, r = db/da
        root = np.sqrt(4 - np.sin(y[0]) ** 2)
        p = -np.sin(y[0]) - np.sin(y[0]) * np.cos(y[0]) / root
        slope = -np.cos(y[0]) - (np.cos(2 * y[0]) + (np.sin(y[0]) * np.cos(y[0])) ** 2 / root**2) / root
        turn = np.cos(y[0]) / root
        bend = -np.sin(y[0]) / root + np.sin(y[0]) * np.cos(y[0]) ** 2 / root**3
        return [y[1], (-(3 * p * slope + 0.1 * turn * bend) * y[1] ** 2 - 9.81 * np.cos(y[0])) / (1 + 3 * p**2 + 0.1 * turn**2)]

    hand = dl.solve_ivp(one_angle, (0, 5), [1.0, 0.0], rtol=1e-11, atol=1e-13)
    assert r["a"][-1] == pytest.approx(hand.y[0, -1], abs=1e-7)


def test_a_closed_chain_of_points():
    # Four links between two hooks, stated by three points: as written by hand.
    names = dynamicsymbols("x1 y1 x2 y2 x3 y3")
    points = [(0, 0), *zip(names[0::2], names[1::2]), (2.0, 0)]
    closure = [(p[0] - o[0]) ** 2 + (p[1] - o[1]) ** 2 - L**2 for o, p in zip(points, points[1:])]
    kinetic = sum(one.diff(t) ** 2 for one in names) / 2
    system = lagrange(kinetic - g * sum(names[1::2]), list(names), hol_coneqs=closure)
    values = [0.4, -0.5, 1.0, -0.7, 1.7, -0.4]
    start = {**dict(zip(names, values)), **{one.diff(t): 0.0 for one in names}}
    p = dl.from_sympy(system, {g: 9.81, L: 0.64}, start)
    r = p.solve(2.0, rtol=1e-10)

    def links(q):
        chain = np.hstack([[0.0, 0.0], q, [2.0, 0.0]])
        return [(chain[2 * k + 2] - chain[2 * k]) ** 2 + (chain[2 * k + 3] - chain[2 * k + 1]) ** 2 - 0.64**2 for k in range(4)]

    hand = dl.solve(force=lambda q: np.array([0.0, -9.81] * 3), constraint=links, q0=r.q[:, 0], v0=r.v[:, 0], t_span=(0, 2), rtol=1e-10)
    np.testing.assert_allclose(r.q[:, -1], hand.q[:, -1], atol=1e-6)
    assert r.certificate["position"] < 1e-13 and r.certificate["velocity"] < 1e-12


def test_a_top_keeps_its_momenta():
    precession, tilt, spin = dynamicsymbols("p n s")
    about = spin.diff(t) + precession.diff(t) * sympy.cos(tilt)
    kinetic = (tilt.diff(t) ** 2 + (precession.diff(t) * sympy.sin(tilt)) ** 2) / 2 + 0.2 * about**2 / 2
    potential = 3 * sympy.cos(tilt)
    system = lagrange(kinetic - potential, [precession, tilt, spin])
    r = dl.from_sympy(system, {}, {precession: 0.0, tilt: 0.6, spin: 0.0, precession.diff(t): 0.1, tilt.diff(t): 0.0, spin.diff(t): 20.0}).solve(5.0, rtol=1e-10)
    p, n, s = r.v[0], r.q[1], r.v[2]
    turning = s + p * np.cos(n)
    assert np.ptp(0.2 * turning) < 1e-7
    assert np.ptp(p * np.sin(n) ** 2 + 0.2 * turning * np.cos(n)) < 1e-7

    spinning = 20.0 + 0.1 * math.cos(0.6)
    momentum = 0.1 * math.sin(0.6) ** 2 + 0.2 * spinning * math.cos(0.6)

    def by_hand(t, y):  # precession, tilt, spin, rate of the tilt
        turn = (momentum - 0.2 * spinning * np.cos(y[1])) / np.sin(y[1]) ** 2
        return [turn, y[3], spinning - turn * np.cos(y[1]), (turn**2 * np.cos(y[1]) - 0.2 * spinning * turn + 3) * np.sin(y[1])]

    hand = dl.solve_ivp(by_hand, (0, 5), [0.0, 0.6, 0.0, 0.0], rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(r.q[:, -1], hand.y[:3, -1], atol=1e-7)


def rolling_disc():
    """A disc that rolls on a plane, by Kane's method: yaw, lean, spin."""
    yaw, lean, spin, u1, u2, u3 = dynamicsymbols("yaw lean spin u1 u2 u3")
    n = ReferenceFrame("N")
    a = n.orientnew("A", "Axis", [yaw, n.z])
    b = a.orientnew("B", "Axis", [lean, a.x])
    disc = b.orientnew("D", "Axis", [spin, b.y])
    disc.set_ang_vel(n, u1 * b.x + u2 * b.y + u3 * b.z)
    touch = Point("C")
    touch.set_vel(n, 0)
    centre = touch.locatenew("O", b.z)  # of radius 1
    centre.set_vel(n, disc.ang_vel_in(n).cross(centre.pos_from(touch)))
    plain = a.ang_vel_in(n) + b.ang_vel_in(a) + disc.ang_vel_in(b)
    kinematic = [(plain - disc.ang_vel_in(n)).dot(axis) for axis in (b.x, b.y, b.z)]
    from sympy.physics.mechanics import RigidBody, inertia

    body = RigidBody("disc", centre, disc, m, (inertia(b, m / 4, m / 2, m / 4), centre))
    method = KanesMethod(n, q_ind=[yaw, lean, spin], u_ind=[u1, u2, u3], kd_eqs=kinematic)
    method.kanes_equations([body], [(centre, -m * g * n.z)])
    return method, (yaw, lean, spin, u1, u2, u3)


def test_a_rolling_disc_keeps_its_energy_and_goes_around():
    method, (yaw, lean, spin, u1, u2, u3) = rolling_disc()
    r = dl.from_sympy(method, {m: 2.0, g: 9.81}, {yaw: 0.0, lean: 0.1, spin: 0.0, u1: 0.2, u2: 6.0, u3: 0.3}).solve(3.0, rtol=1e-10)
    height = np.cos(r["lean"])
    energy = 0.5 * 2.0 * (r["u1"] ** 2 + r["u2"] ** 2) + 0.5 * (0.5 * r["u1"] ** 2 + 1.0 * r["u2"] ** 2 + 0.5 * r["u3"] ** 2) + 2.0 * 9.81 * height
    assert np.ptp(energy) < 1e-7
    assert np.abs(r["lean"]).max() < 1.0 and np.ptp(r["lean"]) > 0.05  # it wobbles, and does not fall

    def by_hand(t, y):  # Newton and Euler in the frame that yaws and leans with the disc: yaw, lean, spin, u1, u2, u3
        lean, u1, u2, u3 = y[1], y[3], y[4], y[5]
        return [u3 / np.cos(lean), u1, u2 - u3 * np.tan(lean), (1.5 * u2 * u3 - u3**2 * np.tan(lean) / 4 + 9.81 * np.sin(lean)) / 1.25, -u1 * u3 / 1.5,
                u1 * u3 * np.tan(lean) - 2 * u1 * u2]

    hand = dl.solve_ivp(by_hand, (0, 3), [0.0, 0.1, 0.0, 0.2, 6.0, 0.3], rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose([r[name][-1] for name in ("yaw", "lean", "spin", "u1", "u2", "u3")], hand.y[:, -1], atol=1e-7)


def sphere_in_a_trough():
    """A sphere of radius r that rolls in a cylinder: its centre is d from the axis, which is horizontal. By Kane's method."""
    x, y, z, a, b, c, ux, uy, uz, wx, wy, wz = unknowns = dynamicsymbols("x y z a b c ux uy uz wx wy wz")
    r, d = sympy.symbols("r d")
    n, body = ReferenceFrame("N"), ReferenceFrame("S")
    body.orient(n, "Body", [a, b, c], "123")
    turning = [body.ang_vel_in(n).dot(axis) for axis in n]
    origin = Point("O")
    origin.set_vel(n, 0)
    centre = origin.locatenew("C", x * n.x + y * n.y + z * n.z)
    centre.set_vel(n, ux * n.x + uy * n.y + uz * n.z)
    body.set_ang_vel(n, wx * n.x + wy * n.y + wz * n.z)
    kinematic = [one - rate for one, rate in zip((ux, uy, uz, wx, wy, wz), [*(one.diff(t) for one in (x, y, z)), *turning])]
    slip = centre.vel(n) + body.ang_vel_in(n).cross(r / d * (x * n.x + z * n.z))
    from sympy.physics.mechanics import RigidBody, inertia

    sphere = RigidBody("S", centre, body, m, (inertia(n, *[2 * m * r**2 / 5] * 3), centre))
    method = KanesMethod(n, q_ind=[x, y, a, b, c], q_dependent=[z], u_ind=[wx, wy, wz], u_dependent=[ux, uy, uz], kd_eqs=kinematic,
                         configuration_constraints=[x**2 + z**2 - d**2],
                         velocity_constraints=[x * ux + z * uz, slip.dot((z * n.x - x * n.z) / d), slip.dot(n.y)])
    method.kanes_equations([sphere], [(centre, -m * g * n.z)])
    return method, unknowns, {m: 1.5, g: 9.81, r: 0.2, d: 1.0}


def test_a_sphere_rolls_to_and_fro_along_a_trough():
    # With n outward, theta from below, w = n . omega:  7/5 d theta'' = -g sin(theta),  7/5 y'' = 2/5 r w theta',  w' = -y' theta' / r
    method, (x, y, z, a, b, c, ux, uy, uz, wx, wy, wz), values = sphere_in_a_trough()
    start = {x: math.sin(0.5), z: -math.cos(0.5), y: 0.0, a: 0.0, b: 0.0, c: 0.0, wx: 0.7, wy: 0.3, wz: 1.1}
    r = dl.from_sympy(method, values, start).solve(3.0, rtol=1e-10)
    s, c = math.sin(0.5), math.cos(0.5)
    hand = dl.solve_ivp(lambda t, y: [y[1], -5 / 7 * 9.81 * np.sin(y[0]), y[3], 2 / 7 * 0.2 * y[4] * y[1], -y[3] * y[1] / 0.2], (0, 3),
                        [0.5, 0.2 * 0.3, 0.0, -0.2 * (0.7 * c + 1.1 * s), 0.7 * s - 1.1 * c], rtol=1e-12, atol=1e-13)
    assert r["x"][-1] == pytest.approx(math.sin(hand.y[0, -1]), abs=1e-8)
    assert r["y"][-1] == pytest.approx(hand.y[2, -1], abs=1e-8) and abs(r["y"][-1]) > 0.1
    assert np.abs(r["x"] ** 2 + r["z"] ** 2 - 1).max() < 1e-14
    slip = [r["ux"] - 0.2 * r["wy"] * -r["z"], r["uy"] + 0.2 * (r["wz"] * r["x"] - r["wx"] * r["z"]), r["uz"] - 0.2 * r["wy"] * r["x"]]
    assert np.abs(slip).max() < 1e-13


def test_two_blades_steer_as_a_bicycle_does():
    # Blades where the wheels are; the front one is held by a spring. By hand with the speed v along the rear one, turning at v tan(delta).
    x, y, heading, delta = dynamicsymbols("x y heading delta")
    rear = -sympy.sin(heading) * x.diff(t) + sympy.cos(heading) * y.diff(t)
    front = (-sympy.sin(heading + delta) * (x + sympy.cos(heading)).diff(t) + sympy.cos(heading + delta) * (y + sympy.sin(heading)).diff(t))
    kinetic = x.diff(t) ** 2 + y.diff(t) ** 2 + 0.15 * heading.diff(t) ** 2 + 0.05 * (heading + delta).diff(t) ** 2
    system = lagrange(kinetic - k * delta**2 / 2, [x, y, heading, delta], nonhol_coneqs=[rear, front])
    start = {x: 0.0, y: 0.0, heading: 0.2, delta: 0.3, x.diff(t): 1.5 * math.cos(0.2), y.diff(t): 1.5 * math.sin(0.2), delta.diff(t): 0.0}
    r = dl.from_sympy(system, {k: 0.5}, start).solve(5.0, rtol=1e-10)

    def by_hand(t, s):  # (2 + 0.4 T^2) v' + 0.1 T delta'' = -0.4 T T' delta' v,  0.1 (T v' + delta'') = -0.5 delta - 0.1 T' delta' v,  T = tan(delta)
        heading, delta, v, rate = s[2:]
        slope, bend = np.tan(delta), v * rate / np.cos(delta) ** 2
        right, torque = -0.4 * slope * bend, -0.5 * delta - 0.1 * bend
        gain = (right - slope * torque) / (2 + 0.3 * slope**2)
        return [v * np.cos(heading), v * np.sin(heading), v * slope, rate, gain, 10 * torque - slope * gain]

    hand = dl.solve_ivp(by_hand, (0, 5), [0.0, 0.0, 0.2, 0.3, 1.5, 0.0], rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(r.q[:, -1], hand.y[:4, -1], atol=1e-8)
    assert np.abs(-np.sin(r["heading"]) * r["x_dot"] + np.cos(r["heading"]) * r["y_dot"]).max() < 1e-14


class Later:
    """A KanesMethod with the public attributes of later versions alone."""

    def __init__(self, method):
        self._method = method

    def __getattr__(self, name):
        if name in ("_f_h", "_f_nh", "_k_nh"):
            raise AttributeError(name)
        if name == "holonomic_constraints":
            return self._method._f_h
        if name == "nonholonomic_constraints":
            return self._method._k_nh * self._method.u + self._method._f_nh
        return getattr(self._method, name)


def test_public_attributes_of_later_versions():
    from driftless.sympy_door import _kane

    method = kane_pendulum(True)
    x, y, ux, uy = dynamicsymbols("x y ux uy")
    start = {x: math.sin(0.5), y: -math.cos(0.5), ux: 0.0, uy: 0.0}
    values = {m: 1.0, g: 9.81, L: 1.0}
    now, later = dl.from_sympy(method, values, start).solve(1.0), _kane(Later(method), values, start).solve(1.0)
    np.testing.assert_array_equal(now.y, later.y)
