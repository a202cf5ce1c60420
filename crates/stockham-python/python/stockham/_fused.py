"""Plans of numbers that are other than they lie in memory."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _stockham
from .expr import Condition, Expr

SIZES = {
    "int8": 1,
    "uint8": 1,
    "int16": 2,
    "uint16": 2,
    "int32": 4,
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
    "complex64": 8,
    "complex128": 16,
}
"""Bytes of a number of each dtype that may be in memory."""

DOUBLE = ("int32", "float64", "complex128")
"""Those whose numbers single precision does not hold."""

MOST_PARTS = 2000
"""Parts of an expression, as the library has it."""

Part = tuple[str, list[int], float, tuple[bytes, bool, list[tuple[int, int]]] | None]
"""What the extension module takes for a part of an expression."""


class Side(NamedTuple):
    """The numbers that an expression is of."""

    counts: tuple[int, ...]
    """How many are transformed along each axis of the array."""
    there: tuple[int, ...]
    """How many of them are in memory."""
    axes: tuple[int, ...]
    """Those that are transformed."""
    is_complex: bool
    """Whether the number itself is."""

    def dimension(self, axis: int) -> tuple[bool, int] | None:
        """Whether an axis is transformed, and its number among those that are or are not; None of one number alone."""
        if axis in self.axes:
            return True, self.axes.index(axis)
        others = [other for other, n in enumerate(self.counts) if other not in self.axes and n != 1]
        return (False, others.index(axis)) if axis in others else None

    def axis(self, axis: int) -> int:
        """An axis counted from the first."""
        rank = len(self.counts)
        if not -rank <= axis < rank:
            raise ValueError(f"an expression is of axis {axis}, and the array has {rank} dimensions")
        return axis % rank


def parts(of: Expr, side: Side, what: str) -> tuple[list[Part], bool]:
    """The parts of an expression, each after those that it is made of, and whether it is complex."""
    if not isinstance(of, Expr):
        raise TypeError(f"{what} must be an expression of stockham.expr, not {type(of).__name__}")
    numbers: dict[int, int] = {}
    listed: list[Part] = []
    kinds: list[bool] = []
    waiting: list[Expr | Condition] = [of]
    while waiting:
        part = waiting[-1]
        if id(part) in numbers:
            waiting.pop()
            continue
        missing = [each for each in part._parts if id(each) not in numbers]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        operands = [numbers[id(each)] for each in part._parts]
        numbers[id(part)] = len(listed)
        described, is_complex = one(part, operands, [kinds[number] for number in operands], side)
        listed.append(described)
        kinds.append(is_complex)
        if len(listed) > MOST_PARTS:
            raise ValueError(f"{what}: an expression has {MOST_PARTS} parts at most")
    return listed, kinds[-1]


def one(part: Expr | Condition, operands: list[int], kinds: list[bool], side: Side) -> tuple[Part, bool]:
    """A part of such operands, which are complex or not, and whether it is."""
    name, data = part._op, part._data
    if name == "value":
        return (name, [], 0.0, None), side.is_complex
    if name == "constant":
        return (name, [], data, None), False
    if name == "index":
        dimension = side.dimension(side.axis(data))
        if dimension is None:
            return ("constant", [], 0.0, None), False
        return ("index" if dimension[0] else "batch", [dimension[1]], 0.0, None), False
    if name == "array":
        return looked_up(data[0], [side.axis(axis) for axis in data[1]], side)
    is_complex = {"complex": True, "re": False, "im": False, "norm_sqr": False, "conj": kinds[:1] == [True]}
    ring = name in ("add", "sub", "mul", "div", "neg", "select", "phase")
    return (name, operands, 0.0, None), is_complex.get(name, ring and any(kinds))


def looked_up(numbers: Any, axes: list[int], side: Side) -> tuple[Part, bool]:
    """An array's part, along axes of what is transformed."""
    import numpy as np

    if len(set(axes)) != len(axes):
        raise ValueError(f"an array lies along axes {axes}: one is named twice")
    rank = len(side.axes)
    along: list[tuple[int, int]] = []
    padding: list[tuple[int, int]] = []
    kept: list[Any] = []
    for axis, n in zip(axes, numbers.shape, strict=True):
        dimension = side.dimension(axis)
        if n == 1 or dimension is None:
            if n not in (1, side.counts[axis]):
                raise ValueError(f"an array has {n} numbers along axis {axis}, where there is one")
            kept.append(0)
            continue
        count = side.counts[axis]
        if n not in (count, side.there[axis]):
            raise ValueError(f"an array has {n} numbers along axis {axis}, where {count} are transformed")
        kept.append(slice(None))
        padding.append((0, max(count - n, 0)))
        along.append((dimension[1] if dimension[0] else rank + dimension[1], count))
    whole = np.pad(numbers[tuple(kept)], padding) if along else numbers[tuple(kept)]
    is_complex = bool(whole.dtype.kind == "c")
    return ("array", [], 0.0, (np.ascontiguousarray(whole).tobytes(), is_complex, along)), is_complex


class Described(NamedTuple):
    """A plan's description, with axes counted from the first."""

    core: _stockham.FusedPlan
    shape: tuple[int, ...]
    strides: list[int]
    out_shape: tuple[int, ...]
    out_dtype: str
    out_strides: list[int]


def planned(
    shape: tuple[int, ...],
    name: str,
    kind: tuple[str, int],
    is_inverse: bool,
    axes: list[int],
    lengths: list[int],
    norm: str,
    orthogonalize: bool,
    strides: list[int] | None,
    out_strides: list[int] | None,
    out_dtype: str | None,
    precision: str | None,
    load: Expr | None,
    store: Expr | None,
    filtered: Expr | None,
    keep: int | Sequence[int] | None,
    accumulate: bool,
    in_place: bool,
    workers: int | None,
    device: str | None,
) -> Described:
    """A plan of FusedPlan's."""
    is_half = kind[0] == "real" and filtered is None
    taken, given = list(shape), list(shape)
    for axis, n in zip(axes, lengths, strict=True):
        taken[axis] = given[axis] = n
    if is_half:
        (taken if is_inverse else given)[axes[-1]] = lengths[-1] // 2 + 1
    if any(shape[axis] < taken[axis] for axis in axes) and any(shape[axis] > taken[axis] for axis in axes):
        raise ValueError(f"along some axes n pads and along others it crops: slice the array first, {shape} for {tuple(taken)}")
    if precision is None:
        told = out_dtype if out_dtype in ("float32", "float64", "complex64", "complex128") else name
        precision = "float64" if told in DOUBLE else "float32"
    there = tuple(min(n, m) for n, m in zip(shape, taken, strict=True))
    source = Side(tuple(taken), there, tuple(axes), name.startswith("complex"))
    kept = list(given)
    if keep is not None:
        listed = [operator.index(each) for each in ([keep] if isinstance(keep, int) else keep)]
        if len(listed) != len(axes) or any(not 1 <= m <= given[axis] for m, axis in zip(listed, axes, strict=False)):
            raise ValueError(f"keep={listed} of {[given[axis] for axis in axes]} numbers along each of the axes")
        for m, axis in zip(listed, axes, strict=True):
            kept[axis] = m
    gives_complex = kind[0] == "dft" or (is_half and not is_inverse)
    target = Side(tuple(given), tuple(kept), tuple(axes), gives_complex)
    spectrum_shape = list(given)
    if filtered is not None and kind[0] == "real":
        spectrum_shape[axes[-1]] = lengths[-1] // 2 + 1
    spectrum = Side(tuple(spectrum_shape), tuple(spectrum_shape), tuple(axes), True)
    loaded = None if load is None else parts(load, source, "load")[0]
    between = None if filtered is None else parts(filtered, spectrum, "filtered")[0]
    stored = None
    if store is not None:
        stored, gives_complex = parts(store, target, "store")
    if out_dtype is None:
        out_dtype = {"float32": "complex64", "float64": "complex128"}.get(precision, precision) if gives_complex else precision
    for each in (name, out_dtype):
        if each not in SIZES:
            raise ValueError(f"no numbers of {each} in memory: use one of {', '.join(SIZES)}")
    if in_place and filtered is not None and kind[0] == "real":
        raise ValueError("real numbers have no plan there and back in place")
    if in_place and (name != out_dtype or tuple(kept) != shape):
        raise ValueError(f"in place, the output is as the input: {name} of {shape}, and not {out_dtype} of {tuple(kept)}")
    input_strides = packed(shape) if strides is None else strides
    output_strides = packed(kept) if out_strides is None else out_strides
    if in_place and out_strides is None:
        output_strides = input_strides
    core = _stockham.FusedPlan(
        kind,
        is_inverse,
        axes,
        lengths,
        norm,
        orthogonalize,
        (name, list(shape), input_strides),
        (out_dtype, kept, output_strides),
        precision,
        loaded,
        stored,
        between,
        accumulate,
        in_place,
        workers,
        device,
    )
    return Described(core, shape, input_strides, tuple(kept), out_dtype, output_strides)


def packed(shape: Sequence[int]) -> list[int]:
    """Distances in an array in C order."""
    found, step = [], 1
    for length in reversed(shape):
        found.append(step)
        step *= length
    return found[::-1]


def dtype_name(dtype: Any) -> str:
    """A dtype's name; NumPy has none of bfloat16, if nobody has brought it one."""
    if isinstance(dtype, str) and dtype == "bfloat16":
        return dtype
    from ._devices import dtype_name

    return dtype_name(dtype)


def numpy_dtype(name: str) -> Any:
    """NumPy's dtype of a name."""
    import numpy as np

    if name != "bfloat16":
        return np.dtype(name)
    try:
        import ml_dtypes
    except ImportError:
        raise TypeError("NumPy has no bfloat16 without ml_dtypes: give out=, an array of uint16 for the bits") from None
    return np.dtype(ml_dtypes.bfloat16)


def fits(found: Any, name: str) -> bool:
    """Whether an array's dtype is the one of that name; that of bfloat16's bits is, too."""
    return bool(found.name == name or (name == "bfloat16" and found.name == "uint16"))


def arranged(a: Any, shape: tuple[int, ...], strides: list[int]) -> Any:
    """An array as it is planned, if it is not one: a copy, of which nothing is written if there is nothing to copy."""
    if a.flags.aligned and all(
        n <= 1 or by == step * a.itemsize for n, by, step in zip(shape, a.strides, strides, strict=True)
    ):
        return a
    return empty(shape, a.dtype, strides)


def empty(shape: tuple[int, ...], dtype: Any, strides: list[int]) -> Any:
    """A new array with such distances, in numbers; what is between them is 0."""
    import numpy as np

    count = 0 if 0 in shape else 1 + sum((n - 1) * step for n, step in zip(shape, strides, strict=True))
    dtype = np.dtype(dtype)
    memory = np.empty(count, dtype) if list(strides) == packed(shape) else np.zeros(count, dtype)
    return np.lib.stride_tricks.as_strided(memory, shape, [step * dtype.itemsize for step in strides])


def run(core: Any, source: Any, target: Any, in_place: bool, x: Any, out: Any, takes_bits: bool = False) -> Any:
    """A plan's run on NumPy's arrays; of bfloat16 a new output is the bits, if they are taken."""
    import numpy as np

    given, x = x, np.asarray(x)
    if not x.dtype.isnative:
        x = x.astype(x.dtype.newbyteorder("="))
    shape, name, strides = source
    if x.shape != shape or not fits(x.dtype, name):
        raise ValueError(f"the plan is for {name} of shape {shape}, not {x.dtype} of {x.shape}")
    if in_place and (out is None or out is given):
        if not (x is given and x.flags.writeable and arranged(x, shape, strides) is x):
            raise ValueError("x cannot be transformed in place: it is no array as planned, or read-only")
        core.run(x, x)
        return x
    out_shape, out_name, out_strides = target
    if out is not None:
        checked(out, out_shape, out_name)
    direct = out is not None and arranged(out, out_shape, out_strides) is out and not np.may_share_memory(x, out)
    if direct:
        result = out
    elif out is not None:
        result = empty(out_shape, out.dtype, out_strides)
        result[...] = out
    else:
        result = empty(out_shape, numpy_dtype("uint16" if takes_bits and out_name == "bfloat16" else out_name), out_strides)
    if in_place:
        result[...] = x
        core.run(result, result)
    else:
        laid = arranged(x, shape, strides)
        if laid is not x:
            laid[...] = x
        core.run(laid, result)
    if out is None:
        return result
    if not direct:
        out[...] = result
    return out


def checked(out: Any, shape: tuple[int, ...], name: str) -> None:
    """Refuses an output of another kind."""
    import numpy as np

    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array of NumPy's, not {type(out).__name__}")
    if out.shape != shape:
        raise ValueError(f"out has the shape {out.shape}, the result {shape}")
    if not fits(out.dtype, name) or not out.dtype.isnative:
        raise TypeError(f"out has the dtype {out.dtype}, the result {name}")
    if not out.flags.writeable:
        raise ValueError("out is read-only")
