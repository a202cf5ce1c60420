"""Random expressions, and what NumPy makes of them."""

import numpy as np
from stockham import expr


class Points:
    """The numbers that an expression is of: so many along each axis, of which the first ones are there."""

    def __init__(self, counts, there, axes):
        self.counts, self.there, self.axes = counts, there, axes

    def along(self, axis):
        """Something about an axis, in the shape of what is there."""
        return [1] * (axis % len(self.there)) + [-1] + [1] * (len(self.there) - 1 - axis % len(self.there))


def interpret(tree, value, points):
    """NumPy's numbers of an expression, of the numbers that are there."""
    of = [interpret(part, value, points) for part in tree._parts]
    if tree._op == "array":
        numbers, axes = tree._data
        axes = [axis % value.ndim for axis in axes]
        shape = [1] * value.ndim
        for axis, n in zip(axes, numbers.shape, strict=True):
            shape[axis] = n
        whole = np.transpose(numbers, np.argsort(axes)).reshape(shape)
        return whole[tuple(slice(0, n) for n in points.there)]
    match tree._op:
        case "value":
            return value
        case "constant":
            return np.float64(tree._data)
        case "index":
            return np.arange(points.there[tree._data], dtype=float).reshape(points.along(tree._data))
        case "complex":
            return of[0] + 1j * of[1]
        case "select":
            return np.where(*of)
        case "norm_sqr":
            return np.real(of[0]) ** 2 + np.imag(of[0]) ** 2
        case "phase":
            size = np.abs(of[0])
            return np.where(size > 0, of[0] / np.where(size > 0, size, 1), 0)
        case "rsqrt":
            return 1 / np.sqrt(of[0])
        case "sin_pi":
            return np.sin(np.pi * of[0])
        case "cos_pi":
            return np.cos(np.pi * of[0])
    functions = {
        "add": np.add,
        "sub": np.subtract,
        "mul": np.multiply,
        "div": np.divide,
        "neg": np.negative,
        "min": np.minimum,
        "max": np.maximum,
        "less": np.less,
        "re": np.real,
        "im": np.imag,
        "conj": np.conj,
        "sqrt": np.sqrt,
        "log2": np.log2,
        "exp2": np.exp2,
        "floor": np.floor,
    }
    return functions[tree._op](*of)


def constant(rng):
    return float(rng.integers(-8, 9)) / 4


def lookup(rng, points, is_complex):
    """An array along some axes, in any order, as long as what is there or as what is transformed, or 1."""
    rank = len(points.counts)
    axes = rng.permutation(rank)[: rng.integers(1, rank + 1)].tolist()
    lengths = [int(rng.choice([points.counts[axis], points.there[axis], 1], p=[0.5, 0.3, 0.2])) for axis in axes]
    numbers = rng.uniform(-1, 1, lengths)
    if is_complex:
        numbers = numbers + 1j * rng.uniform(-1, 1, lengths)
    if axes == list(range(rank - len(axes), rank)) and rng.integers(2):
        return expr.array(numbers)
    return expr.array(numbers, [axis - rank if rng.integers(2) else axis for axis in axes])


def condition(rng, points):
    """One that does not depend on roundings."""
    axis = int(rng.integers(len(points.counts)))
    at, half = expr.index(axis), points.counts[axis] / 2 - 0.25
    return at < half if rng.integers(2) else expr.floor(at * 0.5) > half


def real(rng, points, depth):
    """A real expression, of moderate numbers if the number itself is one."""

    def inner():
        return real(rng, points, depth - 1)

    match int(rng.integers(6 if depth == 0 else 20)):
        case 0 | 1:
            return expr.value().real
        case 2:
            return expr.value().imag * 0.5
        case 3:
            return expr.minimum(expr.power(), 4.0)
        case 4:
            axis = int(rng.integers(len(points.counts)))
            return expr.index(axis) / points.counts[axis]
        case 5:
            return lookup(rng, points, False)
        case 6:
            return inner() + constant(rng)
        case 7:
            return constant(rng) - inner()
        case 8:
            return inner() * inner()
        case 9:
            return inner() / (1.0 + expr.power(inner()))
        case 10:
            return expr.minimum(inner(), inner())
        case 11:
            return expr.maximum(inner(), constant(rng))
        case 12:
            return expr.sqrt(expr.power(complex_one(rng, points, depth - 1)) + 1)
        case 13:
            return expr.rsqrt(expr.power(inner()) + 1)
        case 14:
            return expr.log2(expr.power(inner()) + 1)
        case 15:
            return expr.exp2(expr.minimum(inner(), 2.0))
        case 16:
            axis = int(rng.integers(len(points.counts)))
            turn = expr.sinpi if rng.integers(2) else expr.cospi
            return turn(expr.index(axis) * 0.125 + constant(rng))
        case 17:
            return expr.where(condition(rng, points), inner(), inner())
        case 18:
            return expr.gate(1, 5, int(rng.integers(len(points.counts))), -inner())
        case _:
            return expr.db(expr.minimum(expr.power(inner()), 100.0), floor=0.01)


def complex_one(rng, points, depth):
    """A complex one."""

    def inner():
        return complex_one(rng, points, depth - 1)

    match int(rng.integers(3 if depth == 0 else 11)):
        case 0 | 1:
            return expr.value() + 0j
        case 2:
            return lookup(rng, points, True)
        case 3:
            return inner().conj()
        case 4:
            return inner() * inner() * 0.5
        case 5:
            return inner() - real(rng, points, depth - 1)
        case 6:
            return real(rng, points, depth - 1) / (inner() + 3)
        case 7:
            return expr.from_parts(real(rng, points, depth - 1), inner().imag)
        case 8:
            return expr.where(condition(rng, points), inner(), constant(rng))
        case 9:
            return expr.shift(int(rng.integers(len(points.counts))), inner())
        case _:
            return inner() * (0.25 - 0.5j)
