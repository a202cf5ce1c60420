"""Calls of `stockham.fft` with arrays on CUDA devices."""

from __future__ import annotations

import operator
from typing import Any

from . import _codes, _general, _host, _stockham
from ._cuda_libraries import Library

COMPLEX_OF = {"float32": "complex64", "float64": "complex128"}
REAL_OF = {"complex64": "float32", "complex128": "float64"}
SINGLE = ("float16", "bfloat16")

KNOWN: dict[Any, Any] = {}
"""Plans of calls that took their input as it lay and gave a new array, as their library knows them."""

MOST_KNOWN = 64


class Caller:
    """Calls for the arrays of a library."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def call(self, code: int, x: Any, n: Any, axis: Any, norm: Any, workers: Any, out: Any, device: str | None) -> Any:
        """A DFT, in the words of `stockham.fft`."""
        library, family = self.library, _codes.family(code)
        given = library.of(x)
        key: Any = None
        if out is None and device is None:
            key = (self, code, n, axis, norm, *library.identity(given))
            try:
                known = KNOWN.get(key)
            except TypeError:
                # Lists have no hash; what else has none is told below.
                key = self.key(code, given, n, axis, norm)
                known = KNOWN.get(key)
            if known is not None:
                return library.again(known, given)
        with library.current(given):
            a = self.floating(given, device)
            is_complex = library.dtype(a) in REAL_OF
            if family in (_codes.TO_SPECTRUM, _codes.TO_HERMITIAN) and is_complex:
                raise TypeError("x must be a real sequence")
            from_half = family in (_codes.FROM_SPECTRUM, _codes.FROM_HERMITIAN)
            lengths, axes = self.points(code, a, n, axis, from_half)
            if not axes:
                if family != _codes.COMPLEX:
                    raise ValueError("at least 1 axis must be transformed")
                return x
            if from_half and n is None and _codes.is_many(code):
                lengths[-1] = _general.points_of_half(a.shape[axes[-1]])
            words, inverse = _general.normalized(norm), _codes.is_inverse(code)
            taken, kind = list(lengths), ("real", 0)
            if family == _codes.COMPLEX:
                kind = ("dft", 0)
                a = a if is_complex else library.astype(a, COMPLEX_OF[library.dtype(a)])
            elif from_half:
                if lengths[-1] < 1:
                    raise ValueError(f"Invalid number of data points ({lengths[-1]}) specified")
                taken[-1] = lengths[-1] // 2 + 1
                a = a if is_complex else library.astype(a, COMPLEX_OF[library.dtype(a)])
                if family == _codes.FROM_HERMITIAN:
                    a, words = library.conjugate(a), _general.SWAPPED[words]
                inverse = True
            else:
                words = _general.SWAPPED[words] if inverse else words
                inverse = False
            a = self.fitted(a, taken, axes)
            shape = list(a.shape)
            for each, length in zip(axes, lengths, strict=True):
                shape[each] = length
            dtype = library.dtype(a)
            if kind[0] == "real":
                dtype = REAL_OF[dtype] if inverse else COMPLEX_OF[dtype]
                shape[axes[-1]] = lengths[-1] if inverse else lengths[-1] // 2 + 1
            described = (kind, inverse, axes, lengths, words, False)
            if family == _codes.TO_HERMITIAN or a is not given:
                key = None
            result = self.run(described, a, tuple(shape), dtype, out if family != _codes.TO_HERMITIAN else None, key)
            if family == _codes.TO_HERMITIAN:
                result = self.put(library.conjugate(result), out)
            return result

    def key(self, code: int, a: Any, n: Any, axis: Any, norm: Any) -> Any:
        """All that a call's plan follows from, with tuples for lists; None of what is not kept."""
        words = tuple(axis) if type(axis) is list else axis, tuple(n) if type(n) is list else n
        key = (self, code, words, norm, *self.library.identity(a))
        try:
            hash(key)
        except TypeError:
            return None
        return key

    def call_trig(
        self,
        code: int,
        x: Any,
        type: Any,
        n: Any,
        axis: Any,
        norm: Any,
        workers: Any,
        orthogonalize: Any,
        out: Any,
        device: str | None,
    ) -> Any:
        """A cosine or sine transform, in the words of `stockham.fft`."""
        library = self.library
        given = library.of(x)
        with library.current(given):
            a = self.floating(given, device)
            lengths, axes = self.points(code, a, n, axis, False)
            if not axes:
                return x
            words = _general.normalized(norm)
            type = operator.index(type)
            if not 1 <= type <= 4:
                raise ValueError(f"invalid type of transform: {type}, should be 1, 2, 3 or 4")
            is_cosine = _codes.family(code) == _codes.COSINE
            if is_cosine and type == 1 and min(lengths) < 2:
                raise RuntimeError("zero-length FFT requested: a DCT of type 1 takes two points at least")
            orthogonal = words == "ortho" if orthogonalize is None else bool(orthogonalize)
            kind = ("cosine" if is_cosine else "sine", type)
            described = (kind, _codes.is_inverse(code), axes, lengths, words, orthogonal)
            a = self.fitted(a, lengths, axes)
            shape, dtype = tuple(a.shape), library.dtype(a)
            if dtype not in REAL_OF:
                return self.run(described, a, shape, dtype, out)
            return self.run_parts(described, a, shape, dtype, out)

    def run_parts(self, described: Any, a: Any, shape: tuple[int, ...], dtype: str, out: Any) -> Any:
        """A real transform of the real and of the imaginary parts of complex numbers."""
        library = self.library
        result = library.empty(shape, dtype, a)
        for part, target in zip(library.parts(a), library.parts(result), strict=True):
            self.run(described, part, shape, REAL_OF[dtype], target)
        return self.put(result, out)

    def run_plan(self, core: Any, source: Any, target: Any, in_place: bool, x: Any, out: Any) -> Any:
        """A plan's run."""
        library = self.library
        a = library.of(x)
        shape, dtype, strides = source
        if tuple(a.shape) != shape or library.dtype(a) != dtype:
            raise ValueError(f"the plan is for {dtype} of shape {shape}, not {library.dtype(a)} of {tuple(a.shape)}")
        if core.device != f"cuda:{library.ordinal(a)}":
            raise ValueError(f"the plan is for {core.device}, and the array is on cuda:{library.ordinal(a)}")
        with library.current(a):
            self.check_strides(a, strides, "x")
            if in_place:
                result = a
                if out is not None and out is not x:
                    raise ValueError("the plan is in place: out must be x or None")
            else:
                result = library.empty(target[0], target[1], a) if out is None else library.of(out)
                if tuple(result.shape) != target[0] or library.dtype(result) != target[1]:
                    raise ValueError(f"out must be {target[1]} of shape {target[0]}")
                self.check_strides(result, target[2], "out")
            library.enqueue(core, a, result)
            return x if in_place else (result if out is None else out)

    def check_strides(self, a: Any, strides: list[int], what: str) -> None:
        found = self.library.strides(a)
        if any(one != other for one, other, n in zip(found, strides, a.shape, strict=True) if n > 1):
            raise ValueError(f"{what} has the strides {found}, in elements, and the plan is for {strides}")

    def floating(self, a: Any, device: str | None) -> Any:
        """An array of the numbers that are computed with."""
        library = self.library
        self.check_device(a, device)
        name = library.dtype(a)
        if name in COMPLEX_OF or name in REAL_OF:
            return a
        if name in SINGLE:
            return library.astype(a, "float32")
        if name == "complex32":
            return library.astype(a, "complex64")
        if name.startswith(("int", "uint", "bool")):
            return library.astype(a, "float64")
        raise TypeError(f"no transforms of {name}: use float32, float64, complex64 or complex128")

    def check_device(self, a: Any, device: str | None) -> None:
        """Refuses another device than the array's."""
        here = f"cuda:{self.library.ordinal(a)}"
        if device not in (None, here, "cuda" if here == "cuda:0" else here):
            raise ValueError(f"the array is on the device {here}, not on {device}")

    def points(self, code: int, a: Any, n: Any, axis: Any, from_half: bool) -> tuple[list[int], list[int]]:
        """The points along each axis, and the axes."""
        if _codes.is_many(code):
            return _general.several(a, n, axis)
        position = _general.position(a, axis)
        return [_general.one(a, n, position, from_half)], [position]

    def fitted(self, a: Any, lengths: list[int], axes: list[int]) -> Any:
        """The array cropped to lengths, or with zeros behind."""
        index, shape = [slice(None)] * a.ndim, list(a.shape)
        for n, axis in zip(lengths, axes, strict=True):
            index[axis] = slice(0, min(n, shape[axis]))
            shape[axis] = n
        if list(a.shape) == shape:
            return a
        cropped = a[tuple(index)]
        if list(cropped.shape) == shape:
            return cropped
        padded = self.library.zeros(tuple(shape), self.library.dtype(a), a)
        padded[tuple(index)] = cropped
        return padded

    def run(self, described: Any, a: Any, shape: tuple[int, ...], dtype: str, out: Any, key: Any = None) -> Any:
        """Plans a transform, which may have been planned before, and submits it."""
        library = self.library
        kind, inverse, axes, lengths, words, orthogonal = described
        if any(stride < 0 for stride in library.strides(a)):
            a, key = library.contiguous(a), None
        result = library.empty(shape, dtype, a) if out is None else self.checked(out, shape, dtype, a)
        pointers = library.pointer(a), library.pointer(result)
        same = library.dtype(a) == dtype and tuple(a.shape) == shape
        in_place = same and pointers[0] == pointers[1] and library.strides(a) == library.strides(result)
        direct = result
        if not in_place and out is not None and (not self.is_distinct(result) or self.may_overlap(a, result)):
            direct = library.empty(shape, dtype, a)
        core = _stockham.CorePlan(
            kind,
            inverse,
            axes,
            lengths,
            words,
            orthogonal,
            (library.dtype(a), list(a.shape), library.strides(a)),
            (dtype, list(shape), library.strides(direct)),
            in_place,
            None,
            f"cuda:{library.ordinal(a)}",
        )
        if key is not None:
            if len(KNOWN) >= MOST_KNOWN:
                KNOWN.clear()
            KNOWN[key] = library.known(core, shape, dtype, a)
        library.enqueue(core, a, direct)
        if direct is not result:
            library.copy_into(result, direct)
        return result if out is None else out

    def checked(self, out: Any, shape: tuple[int, ...], dtype: str, a: Any) -> Any:
        """The output that was given, if it fits."""
        library = self.library
        result = library.of(out)
        if tuple(result.shape) != shape:
            raise ValueError(f"out has the shape {tuple(result.shape)}, the result {shape}")
        if library.dtype(result) != dtype:
            raise TypeError(f"out has the dtype {library.dtype(result)}, the result {dtype}")
        if library.ordinal(result) != library.ordinal(a):
            raise ValueError("out is on another device than x")
        return result

    def put(self, result: Any, out: Any) -> Any:
        """The result, in the output if one was given."""
        if out is None:
            return result
        self.library.copy_into(self.checked(out, tuple(result.shape), self.library.dtype(result), result), result)
        return out

    def is_distinct(self, a: Any) -> bool:
        """Whether its numbers have places of their own, and strides that can be described."""
        room = 1
        for stride, n in sorted((stride, n) for stride, n in zip(self.library.strides(a), a.shape, strict=True) if n > 1):
            if stride < room:
                return False
            room = stride * n
        return True

    def may_overlap(self, a: Any, other: Any) -> bool:
        """Whether two arrays may share memory."""
        sizes = {"float32": 4, "float64": 8, "complex64": 8, "complex128": 16}

        def span(array: Any) -> tuple[int, int]:
            size, begin = sizes[self.library.dtype(array)], self.library.pointer(array)
            if 0 in array.shape:
                return begin, begin
            far = sum((n - 1) * stride for n, stride in zip(array.shape, self.library.strides(array), strict=True))
            return begin, begin + size * (far + 1)

        (begin, end), (first, last) = span(a), span(other)
        return max(begin, first) < min(end, last)


class JaxCaller(Caller):
    """Calls for JAX's arrays, which are seen through CuPy, and never written to."""

    def call(self, code: int, x: Any, n: Any, axis: Any, norm: Any, workers: Any, out: Any, device: str | None) -> Any:
        """A DFT, in the words of `stockham.fft`."""
        _host.refuse_output(out)
        return self.give(super().call(code, x, n, axis, norm, workers, None, device))

    def call_trig(
        self,
        code: int,
        x: Any,
        type: Any,
        n: Any,
        axis: Any,
        norm: Any,
        workers: Any,
        orthogonalize: Any,
        out: Any,
        device: str | None,
    ) -> Any:
        """A cosine or sine transform, in the words of `stockham.fft`."""
        _host.refuse_output(out)
        return self.give(super().call_trig(code, x, type, n, axis, norm, workers, orthogonalize, None, device))

    def give(self, result: Any) -> Any:
        """JAX's array of a result."""
        import jax

        return result if isinstance(result, jax.Array) else jax.dlpack.from_dlpack(result)
