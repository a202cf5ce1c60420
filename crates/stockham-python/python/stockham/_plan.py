"""Transforms of one shape, planned once."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from . import _fused, _producers, _stockham
from .expr import Expr

__all__ = ["Plan", "plan"]

KINDS = {
    "c2c": ("dft", 0),
    "r2c": ("real", 0),
    "c2r": ("real", 0),
    **{f"dct{number}": ("cosine", number) for number in (1, 2, 3, 4)},
    **{f"dst{number}": ("sine", number) for number in (1, 2, 3, 4)},
}
SIZES = {"float32": 4, "float64": 8, "complex64": 8, "complex128": 16}
OUTPUTS = {
    "r2c": {"float32": "complex64", "float64": "complex128"},
    "c2r": {"complex64": "float32", "complex128": "float64"},
}


def plan(
    shape: int | Sequence[int],
    dtype: Any = "complex128",
    *,
    kind: str = "c2c",
    axes: int | Sequence[int] = (-1,),
    norm: str | None = "backward",
    inverse: bool = False,
    n: int | Sequence[int] | None = None,
    keep: int | Sequence[int] | None = None,
    load: Expr | None = None,
    store: Expr | None = None,
    filtered: Expr | None = None,
    accumulate: bool = False,
    out_dtype: Any = None,
    precision: str | None = None,
    orthogonalize: bool | None = None,
    strides: Sequence[int] | None = None,
    out_strides: Sequence[int] | None = None,
    in_place: bool = False,
    workers: int | None = None,
    device: str | None = None,
) -> Plan:
    """Plan a transform of arrays of one shape.

    Parameters
    ----------
    shape : int or sequence of ints
        The input's shape.
    dtype : dtype, optional
        The input's dtype in memory: float32, float64, complex64, complex128; int8, uint8, int16, uint16, int32, float16; or
        "bfloat16", of which NumPy has the bits as uint16, and those that `ml_dtypes` makes. Real numbers are complex ones, too.
    kind : str, optional
        "c2c"; "r2c" from real numbers to half a spectrum; "c2r" back; "dct1" to "dct4" and "dst1" to "dst4".
    axes : int or sequence of ints, optional
        The axes; the last by default.
    norm : {"backward", "ortho", "forward", "none"}, optional
        Where the factor 1/n is.
    inverse : bool, optional
        The inverse direction. "c2r" always is; "r2c" never.
    n : int or sequence of ints, optional
        How many points are transformed along each of the axes. Where the input has fewer, zeros follow, which are in no memory;
        where it has more, the first ones are taken. Of "c2r", an int is how many come out along the last of the axes:
        2·(m − 1) of m by default.
    keep : int or sequence of ints, optional
        Along each of the axes, how many of the output's first numbers are written; all by default.
    load, store : Expr, optional
        What is computed of the input's numbers as they are read, and of the output's before they are written.
    filtered : Expr, optional
        Of "c2c" and "r2c": the transform there and back; each number of the spectrum becomes what the expression gives of it.
    accumulate : bool, optional
        Whether the output's numbers are added to those of `out`, which the plan's calls need then.
    out_dtype : dtype, optional
        The output's dtype in memory, any that the input's may be. Integers are rounded, and held to their limits. By default
        it is that of the precision, real if `store` gives real numbers.
    precision : {"float32", "float64"}, optional
        What is computed with. By default that of `out_dtype`, if its numbers are floating point ones of 32 or 64 bits, or else
        of `dtype`; "float32" for integers of 16 bits and less, which it holds.
    orthogonalize : bool, optional
        As in `stockham.fft.dct`.
    strides, out_strides : sequence of ints, optional
        Bytes between neighbours along each axis in the input and in the output; those of arrays in C order by default.
    in_place : bool, optional
        Whether the output takes the input's place.
    workers : int, optional
        Threads of the CPU, as in `stockham.fft`.
    device : str, optional
        The device; that of `set_device` by default.

    Returns
    -------
    Plan
        To be called with arrays.

    Raises
    ------
    ValueError
        If the description makes no sense, or the device is not there.
    TypeError
        If an expression is none.
    NotImplementedError
        If the device does not compute such a transform.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham
    >>> rows = stockham.plan((3, 8), np.float64, kind="r2c")
    >>> rows(np.ones((3, 8)))[:, 0]
    array([8.+0.j, 8.+0.j, 8.+0.j])
    >>> rows.out_shape
    (3, 5)

    Samples of 16 bits, with zeros behind them, to the first numbers of their power spectrum:

    >>> from stockham import expr
    >>> power = stockham.plan(6, np.int16, kind="r2c", n=8, keep=3, load=expr.scale(0.5), store=expr.power())
    >>> power(np.array([2, 4, 6, 8, 0, 0], np.int16)).round(1)
    array([100. ,  52.6,   8. ], dtype=float32)
    """
    shape = tuple(operator.index(each) for each in ([shape] if isinstance(shape, int) else shape))
    rank = len(shape)
    name = _fused.dtype_name(dtype)
    if kind not in KINDS:
        raise ValueError(f"invalid kind {kind!r}, should be one of {', '.join(KINDS)}")
    if kind == "r2c" and inverse:
        raise ValueError('the inverse of "r2c" is "c2r"')
    listed = [operator.index(axis) for axis in ([axes] if isinstance(axes, int) else axes)]
    found = [axis + rank if axis < 0 else axis for axis in listed]
    if not found or any(not 0 <= axis < rank for axis in found) or len(set(found)) != len(found):
        raise ValueError(f"axes {listed} are not those of an array of {rank} dimensions, or repeated")
    lengths, is_fitted = points(shape, found, n, kind)
    is_natural = name in SIZES and name.startswith("complex") == (kind in ("c2c", "c2r"))
    said = (keep, load, store, filtered, precision, out_dtype)
    if is_fitted or not is_natural or accumulate or any(each is not None for each in said):
        if filtered is not None and (kind not in ("c2c", "r2c") or inverse):
            raise ValueError('there and back go "c2c" and "r2c", forward')
        norm = norm or "backward"
        orthogonal = (norm == "ortho" if orthogonalize is None else orthogonalize) and kind.startswith("d")
        size = _fused.SIZES.get(name, 1)
        out_name = None if out_dtype is None else _fused.dtype_name(out_dtype)
        described = _fused.planned(
            shape,
            name,
            KINDS[kind],
            inverse or kind == "c2r",
            found,
            lengths,
            norm,
            orthogonal,
            None if strides is None else counted(shape, strides, size, "strides"),
            None if out_strides is None else counted(shape, out_strides, _fused.SIZES.get(out_name or "", 1), "out_strides"),
            out_name,
            precision,
            load,
            store,
            filtered,
            keep,
            accumulate,
            in_place,
            workers,
            device,
        )
        source = (shape, name, described.strides)
        target = (described.out_shape, described.out_dtype, described.out_strides)
        return Plan(described.core, source, target, in_place, accumulate)
    out_shape = list(shape)
    if kind == "c2r":
        out_shape[found[-1]] = lengths[-1]
    if kind == "r2c":
        out_shape[found[-1]] = lengths[-1] // 2 + 1
    out_name = OUTPUTS.get(kind, {}).get(name, name)
    if in_place and kind in OUTPUTS:
        raise ValueError(f"{kind} has no plan in place: its output has another dtype")
    norm = norm or "backward"
    orthogonal = norm == "ortho" if orthogonalize is None else orthogonalize
    input_strides = counted(shape, strides, SIZES[name], "strides")
    output_strides = counted(tuple(out_shape), out_strides, SIZES[out_name], "out_strides")
    if in_place and out_strides is None:
        output_strides = input_strides
    core = _stockham.CorePlan(
        KINDS[kind],
        inverse or kind == "c2r",
        found,
        lengths,
        norm,
        orthogonal and kind.startswith("d"),
        (name, list(shape), input_strides),
        (out_name, out_shape, output_strides),
        in_place,
        workers,
        device,
    )
    return Plan(core, (shape, name, input_strides), (tuple(out_shape), out_name, output_strides), in_place)


def points(shape: tuple[int, ...], axes: list[int], n: int | Sequence[int] | None, kind: str) -> tuple[list[int], bool]:
    """The points along each of the axes, and whether these are others than the input has."""
    lengths = [shape[axis] for axis in axes]
    if kind == "c2r":
        lengths[-1] = 2 * (lengths[-1] - 1)
    natural = list(lengths)
    if n is not None:
        listed = [operator.index(each) for each in ([n] if isinstance(n, int) else n)]
        if kind == "c2r" and isinstance(n, int):
            listed = [*lengths[:-1], n]
        if len(listed) != len(axes):
            raise ValueError(f"n has {len(listed)} numbers for {len(axes)} axes")
        lengths = listed
    if any(length < 1 for length in lengths):
        raise ValueError(f"invalid number of data points ({lengths}) specified")
    if kind == "c2r":
        # Of an odd count the input has as many as of the even one below.
        return lengths, lengths[:-1] != natural[:-1] or lengths[-1] // 2 + 1 != shape[axes[-1]]
    return lengths, lengths != natural


def counted(shape: tuple[int, ...], strides: Sequence[int] | None, size: int, what: str) -> list[int]:
    """Distances in elements."""
    if strides is not None:
        if len(strides) != len(shape) or any(stride < 0 or stride % size for stride in strides):
            raise ValueError(f"{what}: {len(shape)} multiples of {size} bytes are needed, not negative: {strides}")
        return [stride // size for stride in strides]
    found, step = [], 1
    for length in reversed(shape):
        found.append(step)
        step *= length
    return found[::-1]


class Plan:
    """A transform of arrays of one shape, made ready; made by `stockham.plan`.

    Attributes
    ----------
    shape, out_shape : tuple of ints
        The shapes of the input and of the output.
    dtype, out_dtype : str
        Their dtypes.
    in_place : bool
        Whether the output takes the input's place.
    accumulate : bool
        Whether numbers are added to what is in the output.

    Examples
    --------
    >>> import numpy as np
    >>> import stockham
    >>> p = stockham.plan(4)
    >>> p(np.array([1, 2, 3, 4], complex))
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """

    __slots__ = (
        "__weakref__",
        "_core",
        "_input",
        "_output",
        "accumulate",
        "dtype",
        "in_place",
        "out_dtype",
        "out_shape",
        "shape",
    )

    def __init__(
        self,
        core: _stockham.CorePlan | _stockham.FusedPlan,
        source: tuple[tuple[int, ...], str, list[int]],
        target: tuple[tuple[int, ...], str, list[int]],
        in_place: bool,
        accumulate: bool = False,
    ) -> None:
        self._core = core
        self._input, self._output = source, target
        self.shape, self.dtype, _ = source
        self.out_shape, self.out_dtype, _ = target
        self.in_place = in_place
        self.accumulate = accumulate

    def __call__(self, x: Any, out: Any = None) -> Any:
        """Transform an array.

        Parameters
        ----------
        x : array
            In the planned shape and dtype. On the CPU, another arrangement in memory than the planned one is transformed, too.
        out : array, optional
            Where the result goes, or what it is added to.

        Returns
        -------
        array
            `out`, or `x` of a plan in place, or a new array.

        Raises
        ------
        ValueError
            If the shape or dtype is another than the planned one, the arrays overlap, or there is nothing to add to.
        """
        if self.accumulate and out is None:
            raise ValueError("the plan adds its output's numbers to those of out, which is not given")
        core = self._core
        if isinstance(core, _stockham.CorePlan):
            result = core.call(x, out)
            if result is not None:
                return result
        producer = _producers.of(x)
        if producer is not None:
            return producer.run_plan(core, self._input, self._output, self.in_place, x, out)
        if isinstance(core, _stockham.FusedPlan):
            return _fused.run(core, self._input, self._output, self.in_place, x, out)
        import numpy as np

        from . import _general

        given, x = x, np.asarray(x)
        x = np.asarray(x, x.dtype.newbyteorder("="))
        if x.shape != self.shape or x.dtype != self.dtype:
            raise ValueError(f"the plan is for {self.dtype} of shape {self.shape}, not {x.dtype} of {x.shape}")
        if self.in_place and (out is None or out is given):
            if not (x is given and _general.is_plain(x) and x.flags.writeable):
                raise ValueError(
                    "x cannot be transformed in place: it is no array, read-only, or its strides are negative or odd"
                )
            core.run(x, x)
            return x
        return _general.into(out, self.out_shape, np.dtype(self.out_dtype), x, core.run, self.dtype == self.out_dtype)

    @property
    def device(self) -> str:
        """The name of the device."""
        return self._core.device

    @property
    def workspace_bytes(self) -> int:
        """Bytes of memory that a call takes beside input and output."""
        return self._core.workspace_bytes

    def explain(self) -> str:
        """Tell how the transform is computed.

        Returns
        -------
        str
            Some lines.
        """
        return self._core.explain()

    def source(self) -> str:
        """The text of the kernels.

        Returns
        -------
        str
            CUDA C or OpenCL C; nothing on the CPU.
        """
        return self._core.source()

    def to_json(self) -> str:
        """The recipe as JSON, as `stockham explain --json` writes it.

        Returns
        -------
        str
            A JSON object.
        """
        return self._core.to_json()

    def __repr__(self) -> str:
        return f"Plan({self.dtype} {self.shape} -> {self.out_dtype} {self.out_shape} on {self.device})"
