"""Gradients of transforms of PyTorch's tensors.

A call is written as casts, crops and zeros behind, which PyTorch differentiates, and one transform of exact lengths, which is
linear: its gradient is its adjoint, a transform again, so that gradients have gradients. In PyTorch's convention the gradient
of a real function with respect to a complex z is 2·dL/d(conj z), and that of y = A·z is the conjugate transpose of A.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from . import _codes, _cuda_arrays, _cuda_libraries, _general, _producers

ENDS = {1: ((0, -1), (0, -1)), 2: ((), (0,)), 3: ((0,), ()), 4: ((), ())}
"""Points of the input and of the output of a cosine transform of a type that are scaled to make it orthogonal: by the root of 2
and by that of 1/2."""

ENDS_OF_SINES: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {1: ((), ()), 2: ((), (-1,)), 3: ((-1,), ()), 4: ((), ())}
"""Those of a sine transform."""


CODES = {"dft": (_codes.FFTN, _codes.IFFTN), "real": (_codes.RFFTN, _codes.IRFFTN)}
"""Functions of several axes, forward and inverse."""


@dataclass(frozen=True)
class Map:
    """A transform of exact lengths, as a linear map of tensors. (A tuple would be taken apart by PyTorch.)"""

    kind: tuple[str, int]
    inverse: bool
    axes: tuple[int, ...]
    lengths: tuple[int, ...]
    norm: str
    orthogonal: bool
    workers: int | None
    device: str | None

    def value(self, x: Any) -> Any:
        """The transform of a tensor, as calls without gradients compute it."""
        name, type = self.kind
        axes, lengths, inverse = list(self.axes), list(self.lengths), int(self.inverse)
        numbers = _producers.of_numbers(x)
        if name in CODES:
            return numbers.call(CODES[name][inverse], x, lengths, axes, self.norm, self.workers, None, self.device)
        code = (_codes.DCTN if name == "cosine" else _codes.DSTN) + inverse
        return numbers.call_trig(code, x, type, None, axes, self.norm, self.workers, self.orthogonal, None, self.device)

    def of(self, x: Any) -> Any:
        """The transform of a tensor, with its gradient."""
        return linear().apply(x, self)

    def adjoint(self, g: Any) -> Any:
        """The adjoint map of a tensor, with its gradient."""
        name, type = self.kind
        back = replace(self, inverse=not self.inverse, norm=_general.SWAPPED[self.norm])
        if name == "dft":
            return back.of(g)
        if name == "real":
            # Points of half a spectrum stand for two, but those that are their own mirror images.
            n = self.lengths[-1]
            inner = slice(1, (n + 1) // 2)
            if self.inverse:
                return scaled(back.of(g), self.axes[-1], inner, 2.0)
            return back.of(scaled(g, self.axes[-1], inner, 0.5))
        # What is orthogonal but for a factor has its inverse, but for a factor, for its adjoint.
        back = replace(back, orthogonal=True)
        if self.orthogonal:
            return back.of(g)
        forward = {2: 3, 3: 2}.get(type, type) if self.inverse else type
        taken, given = (ENDS if name == "cosine" else ENDS_OF_SINES)[forward]
        for axis in self.axes:
            for point in given:
                g = scaled(g, axis, point, 2**0.5)
        result = back.of(g)
        for axis in self.axes:
            for point in taken:
                result = scaled(result, axis, point, 0.5**0.5)
        return result

    def behind(self, places: int) -> Map:
        """The same map of tensors with so many dimensions before."""
        return replace(self, axes=tuple(axis + places for axis in self.axes))


def scaled(a: Any, axis: int, points: int | slice, factor: float) -> Any:
    """A tensor with some points along an axis multiplied."""
    torch = _producers.module("torch")
    weights = torch.ones(a.shape[axis], dtype=a.real.dtype, device=a.device)
    weights[points] = factor
    return a * weights.reshape(-1, *(1,) * (a.ndim - axis - 1))


def _linear() -> Any:
    """The function of tensors and maps that automatic differentiation knows."""
    torch = _producers.module("torch")

    def forward(x: Any, map: Map) -> Any:
        return map.value(x)

    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.map = inputs[1]

    def backward(ctx: Any, gradient: Any) -> Any:
        return ctx.map.adjoint(gradient), None

    def jvp(ctx: Any, tangent: Any, _: Any) -> Any:
        return ctx.map.of(tangent)

    def vmap(info: Any, in_dims: Any, x: Any, map: Map) -> Any:
        return map.behind(1).of(x.movedim(in_dims[0], 0)), 0

    functions = {each.__name__: staticmethod(each) for each in (forward, setup_context, backward, jvp, vmap)}
    # PyTorch is loaded by who uses it, so that its class has no subclass in the text.
    return type("Linear", (torch.autograd.Function,), functions)


class Differentiable(_cuda_libraries.Torch):
    """Tensors on any device, as they are differentiated."""

    def of(self, x: Any) -> Any:
        return x

    def identity(self, a: Any) -> tuple[Any, ...]:
        # Nothing is kept of such calls.
        return ([],)

    def current(self, a: Any) -> Any:
        return _cuda_libraries.NOTHING

    def conjugate(self, a: Any) -> Any:
        return a.conj()


linear: Callable[[], Any] = functools.cache(_linear)
"""It is made once."""

library: Callable[[], Differentiable] = functools.cache(Differentiable)
"""So is this."""


class Caller(_cuda_arrays.Caller):
    """A call with tensors that are differentiated."""

    def __init__(self, workers: Any, device: str | None) -> None:
        super().__init__(library())
        self.workers, self.device = workers, device

    def check_device(self, a: Any, device: str | None) -> None:
        """Refuses another device than that of a tensor on a GPU."""
        if a.is_cuda:
            super().check_device(a, device)

    def fitted(self, a: Any, lengths: list[int], axes: list[int]) -> Any:
        """The tensor cropped to lengths, or with zeros behind."""
        pad = [0] * (2 * a.ndim)
        for n, axis in zip(lengths, axes, strict=True):
            a = a.narrow(axis, 0, min(n, a.shape[axis]))
            # From the last dimension on, before and behind.
            pad[2 * (a.ndim - axis) - 1] = n - a.shape[axis]
        return _producers.module("torch").nn.functional.pad(a, pad) if any(pad) else a

    def run(self, described: Any, a: Any, shape: tuple[int, ...], dtype: str, out: Any, key: Any = None) -> Any:
        """The transform of a tensor."""
        kind, inverse, axes, lengths, words, orthogonal = described
        return Map(kind, inverse, tuple(axes), tuple(lengths), words, orthogonal, self.workers, self.device).of(a)

    def run_parts(self, described: Any, a: Any, shape: tuple[int, ...], dtype: str, out: Any) -> Any:
        """A real transform of complex numbers."""
        return self.run(described, a, shape, dtype, out)


class Tensors:
    """Calls with tensors whose gradients are asked for."""

    def call(self, code: int, x: Any, n: Any, axis: Any, norm: Any, workers: Any, out: Any, device: str | None) -> Any:
        """A DFT, in the words of `stockham.fft`."""
        refuse_output(out)
        return Caller(workers, device).call(code, x, n, axis, norm, workers, None, None)

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
        refuse_output(out)
        return Caller(workers, device).call_trig(code, x, type, n, axis, norm, workers, orthogonalize, None, None)

    def run_plan(self, core: Any, source: Any, target: Any, in_place: bool, x: Any, out: Any) -> Any:
        """Plans are for numbers alone."""
        raise NotImplementedError("plans compute no gradients: call stockham.fft, or the plan within torch.no_grad()")


def refuse_output(out: Any) -> None:
    """Raises where a gradient would be lost, as PyTorch's own functions do."""
    if out is not None:
        raise RuntimeError("out takes no part in automatic differentiation: leave it out, or use torch.no_grad()")


TENSORS = Tensors()
