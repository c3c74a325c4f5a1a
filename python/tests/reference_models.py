"""Reference problems as Python functions; the numbers are those of testset/ and examples/models/."""
import math

import numpy as np

import driftless as dl

# Andrews' squeezing mechanism: one parameter per number of the model, so that all of them can be changed.
ANDREWS = dict(m1=0.04325, m2=0.00365, m3=0.02373, m4=0.00706, m5=0.07050, m6=0.00706, m7=0.05498, I1=2.194e-6, I2=4.410e-7, I3=5.255e-6, I4=5.667e-7,
               I5=1.169e-5, I6=5.667e-7, I7=1.912e-5, xa=-0.06934, ya=-0.00227, xb=-0.03635, yb=0.03273, xc=0.014, yc=0.072, c0=4530.0, l0=0.07785, mom=0.033,
               d=0.028, da=0.0115, e=0.02, ea=0.01421, rr=0.007, ra=0.00092, ss=0.035, sa=0.01874, sb=0.01043, sc=0.018, sd=0.02, ta=0.02308, tb=0.00916,
               u=0.04, ua=0.01228, ub=0.00449, zf=0.02, zt=0.04, fa=0.01421)
ANDREWS_START = [-0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550, -0.222668390165885885, 1.23054744454982119]
ANDREWS_NAMES = ["beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"]


def andrews_mass(q, m1, m2, m3, m4, m5, m6, m7, I1, I2, I3, I4, I5, I6, I7, rr, ra, da, sa, sb, e, ea, zt, ta, tb, u, zf, fa, ua, ub):
    e1, z1 = e - ea, zf - fa
    m = np.zeros((7, 7), dtype=object)
    m[0, 0] = m1 * ra**2 + m2 * (rr**2 - 2 * da * rr * np.cos(q[1]) + da**2) + I1 + I2
    m[0, 1] = m[1, 0] = m2 * (da**2 - da * rr * np.cos(q[1])) + I2
    m[1, 1] = m2 * da**2 + I2
    m[2, 2] = m3 * (sa**2 + sb**2) + I3
    m[3, 3] = m4 * e1**2 + I4
    m[3, 4] = m[4, 3] = m4 * (e1**2 + zt * e1 * np.sin(q[3])) + I4
    m[4, 4] = m4 * (zt**2 + 2 * zt * e1 * np.sin(q[3]) + e1**2) + m5 * (ta**2 + tb**2) + I4 + I5
    m[5, 5] = m6 * z1**2 + I6
    m[5, 6] = m[6, 5] = m6 * (z1**2 - u * z1 * np.sin(q[5])) + I6
    m[6, 6] = m6 * (z1**2 - 2 * u * z1 * np.sin(q[5]) + u**2) + m7 * (ua**2 + ub**2) + I6 + I7
    return m


def andrews_force(q, v, m2, m4, m6, mom, da, rr, sc, sd, xb, yb, xc, yc, c0, l0, zt, e, ea, zf, fa, u):
    e1, z1 = e - ea, zf - fa
    dx = sd * np.cos(q[2]) + sc * np.sin(q[2]) + xb - xc
    dy = sd * np.sin(q[2]) - sc * np.cos(q[2]) + yb - yc
    length = np.sqrt(dx**2 + dy**2)
    pull = -c0 * (length - l0) / length
    return np.array([mom - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * np.sin(q[1]), m2 * da * rr * v[0] ** 2 * np.sin(q[1]),
                     pull * (dx * (sc * np.cos(q[2]) - sd * np.sin(q[2])) + dy * (sd * np.cos(q[2]) + sc * np.sin(q[2]))),
                     m4 * zt * e1 * v[4] ** 2 * np.cos(q[3]), -m4 * zt * e1 * v[3] * (v[3] + 2 * v[4]) * np.cos(q[3]),
                     -m6 * u * z1 * v[6] ** 2 * np.cos(q[5]), m6 * u * z1 * v[5] * (v[5] + 2 * v[6]) * np.cos(q[5])])


def andrews_loops(q, rr, d, ss, e, zf, zt, u, xa, ya, xb, yb):
    x = rr * np.cos(q[0]) - d * np.cos(q[0] + q[1])
    y = rr * np.sin(q[0]) - d * np.sin(q[0] + q[1])
    return np.array([x - ss * np.sin(q[2]) - xb, y + ss * np.cos(q[2]) - yb,
                     x - e * np.sin(q[3] + q[4]) - zt * np.cos(q[4]) - xa, y + e * np.cos(q[3] + q[4]) - zt * np.sin(q[4]) - ya,
                     x - zf * np.cos(q[5] + q[6]) - u * np.sin(q[6]) - xa, y - zf * np.sin(q[5] + q[6]) + u * np.cos(q[6]) - ya])


def andrews(**options):
    return dl.mechanical(andrews_force, andrews_loops, andrews_mass, q0=ANDREWS_START, v0=[0.0] * 7, names=ANDREWS_NAMES, **ANDREWS, **options)


def pendulum_schropp(**options):
    return dl.mechanical(lambda g: np.array([0.0, -g]), lambda q, L: q @ q - L**2, q0=[1.0, 0.0], v0=[0.0, 0.0], L=1.0, g=1.0, **options)


def car_axis(**options):
    def force(q, t, m, L0, L, bump, omega, g):
        yb = bump * np.sin(omega * t)
        wheel = np.array([np.sqrt(L**2 - yb**2), yb])
        left, right = q[:2], q[2:] - wheel
        down = np.array([0.0, -m * g])
        return np.hstack([(L0 / np.linalg.norm(left) - 1.0) * left + down, (L0 / np.linalg.norm(right) - 1.0) * right + down])

    def joints(q, t, L, bump, omega):
        yb = bump * np.sin(omega * t)
        return [np.sqrt(L**2 - yb**2) * q[0] + yb * q[1], (q[0] - q[2]) ** 2 + (q[1] - q[3]) ** 2 - L**2]

    return dl.mechanical(force, joints, lambda m: m * np.eye(4), q0=[0.0, 0.5, 1.0, 0.5], v0=[-0.5, 0.0, -0.5, 0.0], m=10 * 1e-4 / 2, L0=0.5, L=1.0, bump=0.1,
                         omega=10.0, g=1.0, **options)


def hlr_index2(**options):
    return dl.semi_explicit(lambda x, z: [x[0] * x[1] ** 2 * z[0] ** 2, x[0] ** 2 * x[1] ** 2 - 3 * x[1] ** 2 * z[0]], lambda x: x[0] ** 2 * x[1] - 1.0,
                            x0=[1.0, 1.0], z0=[1.0], **options)


def hlr_index3(**options):
    def rate(x, z):
        y1, y2, z1, z2 = x
        return [2 * y1 * y2 * z1 * z2, -y1 * y2 * z2**2, (y1 * y2 + z1 * z2) * z[0], -y1 * y2**2 * z2**2 * z[0]]

    return dl.semi_explicit(rate, lambda x: x[0] * x[1] ** 2 - 1.0, x0=[1.0] * 4, z0=[1.0], **options)


def ascher_petzold_index2(**options):
    def rate(x, z, t, alpha):
        return [(alpha - 1 / (2 - t)) * x[0] + (2 - t) * alpha * z[0] + (3 - t) / (2 - t) * np.exp(t),
                (1 - alpha) / (t - 2) * x[0] - x[1] + (alpha - 1) * z[0] + 2 * np.exp(t)]

    return dl.semi_explicit(rate, lambda x, t: (t + 2) * x[0] + (t**2 - 4) * x[1] - (t**2 + t - 2) * np.exp(t), x0=[1.0, 1.0], z0=[math.nan], alpha=10.0,
                            **options)


def gradient_flow_sphere(**options):
    a = np.diag(np.arange(1.0, 6.0)) + 1.0 / (1.0 + np.arange(1.0, 6.0) + np.arange(5.0)[:, None])
    return dl.semi_explicit(lambda x, z, a: -a @ x - z[0] * x, lambda x: (x @ x - 1) / 2, x0=[5**-0.5] * 5, z0=[math.nan], a=a, **options)


def limit_cycle_sphere(**options):
    def rate(x, z, omega, kappa):
        return np.array([-omega * x[1], omega * x[0], -kappa * x[2]]) - 2 * z[0] * x

    return dl.semi_explicit(rate, lambda x: x @ x - 1, x0=[math.sqrt(0.19), 0.0, 0.9], z0=[math.nan], omega=2 * math.pi, kappa=1.0, **options)


def lorenz_lifted(**options):
    def rate(x, z, sigma, rho, beta):
        y = x[:3]
        f = np.array([sigma * (y[1] - y[0]), y[0] * (rho - y[2]) - y[1], y[0] * y[1] - beta * y[2]])
        k = y[2] / 10 - z[0]
        return np.hstack([f - k * y / 50, y @ f / 50 + k])

    return dl.semi_explicit(rate, lambda x: x[3] - x[:3] @ x[:3] / 100, x0=[1.0, 1.0, 1.0, 0.03], z0=[math.nan], sigma=10.0, rho=28.0, beta=8 / 3, **options)


def lognorm_linear(**options):
    return dl.semi_explicit(lambda x, z: [-3 * x[0] + x[1] + 0.6 * z[0] + 0.8 * z[1], -x[0] - 3 * x[1] - 0.8 * z[0] + 0.6 * z[1]],
                            lambda x, z: [0.5 * x[0] - 4 * z[0] + z[1], 0.5 * x[1] + z[0] - 4 * z[1]], x0=[1.0, -1.0], z0=[0.0, 0.0], **options)


def lognorm_nonlinear(**options):
    rotation = np.array([[0.6, 0.8], [-0.8, 0.6]])
    return dl.semi_explicit(lambda x, z: -3 * x + np.sin(x) + rotation @ np.sin(z), lambda x, z: -2 * z - z**3 + 0.5 * rotation @ np.arctan(x), x0=[1.0, 2.0],
                            z0=[0.0, 0.0], **options)


def stiff_spring_pendulum(**options):
    def rate(x, z):
        return np.array([x[2], x[3], -z[0] * x[0], -1 - z[0] * x[1]])

    return dl.semi_explicit(rate, lambda x, z, epsilon: epsilon**2 * z[0] * np.linalg.norm(x[:2]) - np.linalg.norm(x[:2]) + 1, x0=[1.0, 0.0, 0.0, 0.0], z0=[0.0],
                            epsilon=1e-2, **options)


def transistor_amplifier(**options):
    """By the voltages of the capacitors, x, and those at one side of three of them, z."""
    def currents(x, z, UF, beta):
        return beta * (np.exp((z[0] - x[1]) / UF) - 1), beta * (np.exp((z[1] - x[3]) / UF) - 1)

    def rate(x, z, t, Ub, UF, alpha, beta, R0, R):
        i1, i2 = currents(x, z, UF, beta)
        return [-(x[0] + z[0] - 0.1 * np.sin(200 * math.pi * t)) / R0 / 1e-6, -(x[1] / R - i1) / 2e-6, -((x[2] + z[1] - Ub) / R + alpha * i1) / 3e-6,
                -(x[3] / R - i2) / 4e-6, -((x[4] + z[2] - Ub) / R + alpha * i2) / 5e-6]

    def nodes(x, z, t, Ub, UF, alpha, beta, R0, R):
        i1, i2 = currents(x, z, UF, beta)
        return [(x[0] + z[0] - 0.1 * np.sin(200 * math.pi * t)) / R0 + (2 * z[0] - Ub) / R + (1 - alpha) * i1,
                (x[2] + z[1] - Ub) / R + alpha * i1 + (2 * z[1] - Ub) / R + (1 - alpha) * i2, (x[4] + z[2] - Ub) / R + alpha * i2 + z[2] / R]

    return dl.semi_explicit(rate, nodes, x0=[-3.0, 3.0, 3.0, 3.0, 6.0], z0=[3.0, 3.0, 0.0], Ub=6.0, UF=0.026, alpha=0.99, beta=1e-6, R0=1000.0, R=9000.0,
                            **options)


def mms_index2_gamma(**options):
    def gamma(x, t):
        m = np.zeros((3, 3), dtype=object)
        m[0, 0], m[0, 1], m[1, 0], m[1, 1] = 2 + np.sin(t), 0.3 * x[0] * x[1], 0.3 * x[0] * x[1], 2 + x[0] ** 2
        m[1, 2], m[2, 1], m[2, 2] = 0.2 * np.cos(t), 0.2 * np.cos(t), 1 + x[2] ** 2
        return m

    def rate(x, z, t):
        wanted = 1 + 0.5 * np.sin(3 * t)
        kappa = z[0] - wanted + (z[0] ** 2 - wanted**2) / 4
        return gamma(x, t) @ np.array([-x[1], x[0], -x[2]]) - kappa * np.array([2 * x[0], 2 * x[1], x[2]])

    return dl.semi_explicit(rate, lambda x, t: x[0] ** 2 + x[1] ** 2 + x[2] ** 2 / 2 - 1 - np.exp(-2 * t) / 2, mass=gamma, x0=[1.0, 0.0, 1.0], z0=[1.0],
                            **options)


def mms_index3_nonautonomous(**options):
    def wanted(t, a, b):  # direction n, length l and pivot p with their derivatives: position, velocity, acceleration
        S, C, s, c = np.sin(a * t), np.cos(a * t), np.sin(b * t), np.cos(b * t)
        n, dn = np.array([S * c, S * s, -C]), np.array([a * C * c - b * S * s, a * C * s + b * S * c, a * S])
        ddn = np.array([-(a**2 + b**2) * S * c - 2 * a * b * C * s, -(a**2 + b**2) * S * s + 2 * a * b * C * c, a**2 * C])
        l, dl_, ddl = 1 + 0.1 * np.sin(2 * t), 0.2 * np.cos(2 * t), -0.4 * np.sin(2 * t)
        return (l * n + pivot(t), dl_ * n + l * dn + 0.3 * np.cos(t) * np.array([1, 0, 0]), ddl * n + 2 * dl_ * dn + l * ddn - pivot(t))

    def pivot(t):
        return 0.3 * np.sin(t) * np.array([1, 0, 0])

    def natural(v):
        return -0.1 * (v @ v) * v + 0.5 * np.array([v[1], -v[0], 0]) - np.array([0, 0, 1])

    def force(q, v, t, a, b):
        wq, wv, ww = wanted(t, a, b)
        return natural(v) - natural(wv) + ww + 0.2 * (wq @ ww) * wq + (wq - pivot(t)) * (2 + np.cos(3 * t))

    def rod(q, t):
        arm, l = q - pivot(t), 1 + 0.1 * np.sin(2 * t)
        return (arm @ arm - l**2) / 2

    return dl.mechanical(force, rod, lambda q: np.eye(3) + 0.2 * np.outer(q, q), q0=[0.0, 0.0, -1.0], v0=[0.8, 0.0, -0.2], a=0.5, b=0.7, **options)


def redundant_parallelogram(**options):
    place = np.array([-1.0, 0.0, 1.0])

    def cranks(q):
        return (q[0] + place * np.cos(q[2]) - place) ** 2 + (q[1] + place * np.sin(q[2])) ** 2 - 1

    return dl.mechanical(lambda g: np.array([0, -g, 0]), cranks, np.diag([1, 1, 1 / 3]), g=9.81, q0=[0.998797482749889685568866587543, -0.0490264056655575760326216250027, 0.0],
                         v0=[-0.0480833351123973965424857301071, -0.979584642612729271959025660643, 0.0], **options)


def n_four_bar(n=2, **options):
    def weights():  # a uniform rod of mass 1 has a third of it at each end, and a sixth between
        m = np.diag([2 / 3] + [1.0] * (n - 1) + [2 / 3])
        for k in range(n):
            m[k, k + 1] = m[k + 1, k] = 1 / 6
        return np.kron(np.eye(2), m)

    def rods(q):
        x, y = q[: n + 1], q[n + 1:]
        cranks = [(x[i] - i) ** 2 + y[i] ** 2 - 1 for i in range(n + 1)]
        return cranks + [(x[i + 1] - x[i]) ** 2 + (y[i + 1] - y[i]) ** 2 - 1 for i in range(n)]

    return dl.mechanical(lambda g: -g * np.array([0.0] * (n + 1) + [1.0] + [1.5] * (n - 1) + [1.0]), rods, weights(), g=9.81,
                         q0=[*range(n + 1)] + [1.0] * (n + 1), v0=[1.0] * (n + 1) + [0.0] * (n + 1), **options)


def links(q, n, end=()):
    """Vectors from node to node of a chain that begins at 0: x first, then y."""
    k = len(q) // 2
    x, y = [0.0, *q[:k], *end[:1]], [0.0, *q[k:], *end[1:]]
    return [(x[i + 1] - x[i], y[i + 1] - y[i]) for i in range(n)]


def chain_pendulum(n=5, **options):
    return dl.mechanical(lambda g: np.array([0.0] * n + [-g / n] * n), lambda q: [(x**2 + y**2 - 1 / n**2) / 2 for x, y in links(q, n)], np.eye(2 * n) / n, g=9.81,
                         q0=[k / n for k in range(1, n + 1)] + [0.0] * n, v0=[0.0] * (2 * n), **options)


def closed_loop_chain(n=6, **options):
    length, turn = math.sin(math.pi / n), 2 * math.pi / n * np.arange(1, n)
    return dl.mechanical(lambda g: np.array([0.0] * (n - 1) + [-g / (n - 1)] * (n - 1)),
                         lambda q: [(x**2 + y**2 - length**2) / 2 for x, y in links(q, n, (0.0, 0.0))], np.eye(2 * n - 2) / (n - 1), g=9.81,
                         q0=[*(0.5 - 0.5 * np.cos(turn)), *(0.5 * np.sin(turn))], v0=[0.0] * (2 * n - 2), **options)


def heat_flux_mol(n=10, **options):
    def rate(x, z):
        flux = [0.0, *z, 0.0]
        return [(flux[i] - flux[i + 1]) * n for i in range(n)]

    return dl.semi_explicit(rate, lambda x, z: [z[j] + z[j] ** 3 + (x[j + 1] - x[j]) * n for j in range(n - 1)],
                            x0=1 + np.cos(math.pi * (np.arange(n) + 0.5) / n), z0=[0.5] * (n - 1), **options)


def fekete20(**options):
    n = 20
    rings = [(3, 13, 0, 3 / 8), (7, 29, 0, 1 / 8), (6, 7, 0, -2 / 15), (4, 17, 1, -3 / 10)]  # points, shift, first, latitude
    places = [(2 * math.pi * (i - first) / count + math.pi / shift, math.pi * latitude) for count, shift, first, latitude in rings for i in range(1, count + 1)]
    start = [[math.cos(a) * math.cos(b), math.sin(a) * math.cos(b), math.sin(b)] for a, b in places]

    def force(q, v):
        p, total = q.reshape(n, 3), []
        for i in range(n):
            apart = [p[i] - p[j] for j in range(n) if j != i]
            total.append(sum(one / (one @ one) for one in apart))
        return np.hstack(total) - 0.5 * v

    return dl.mechanical(force, lambda q: [p @ p - 1 for p in q.reshape(n, 3)], q0=np.ravel(start), v0=[0.0] * (3 * n), **options)


def reaction_diffusion(n=50, **options):
    def rate(x, z):
        padded = [x[0], *x, x[-1]]
        return [(padded[i] - 2 * padded[i + 1] + padded[i + 2]) / (50 / n) ** 2 + x[i] * (1 - x[i]) - 0.1 * z[i] for i in range(n)]

    front = (np.arange(1, n + 1) <= n / 10).astype(float)
    return dl.semi_explicit(rate, lambda x, z: z + z**3 - x / (0.2 + x), x0=front, z0=0.6 * front, **options)
