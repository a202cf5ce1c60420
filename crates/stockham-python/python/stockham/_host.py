"""Arrays of PyTorch, JAX and others in host memory: NumPy's views of them are transformed, and the results are theirs again."""

from __future__ import annotations

import sys
from typing import Any

from . import _fused, _general, _producers, _stockham


class Host:
    """A library whose arrays in host memory NumPy can see."""

    def view(self, x: Any) -> Any:
        """NumPy's view of an array."""
        import numpy as np

        return np.asarray(x)

    def give(self, result: Any, like: Any) -> Any:
        """The library's array of a result."""
        raise NotImplementedError

    takes_bits = False
    """Whether bfloat16 is given and taken as bits."""

    def stored(self, x: Any) -> Any:
        """NumPy's view of an array as it lies, whatever its numbers."""
        return self.view(x)

    def give_stored(self, result: Any, like: Any, dtype: str) -> Any:
        """The library's array of a result that may be of any numbers."""
        return self.give(result, like)

    def target(self, out: Any) -> Any:
        """NumPy's view of an output."""
        return None if out is None else self.view(out)

    def call(self, code: int, x: Any, n: Any, axis: Any, norm: Any, workers: Any, out: Any, device: str | None) -> Any:
        """A DFT, in the words of `stockham.fft`."""
        target = self.target(out)
        result = _stockham.call(code, self.view(x), n, axis, norm, False, workers, None, target, device)
        return self.give(result, x) if out is None else out

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
        target = self.target(out)
        result = _stockham.call_trig(code, self.view(x), type, n, axis, norm, False, workers, orthogonalize, target, device)
        return self.give(result, x) if out is None else out

    def run_plan(self, core: Any, source: Any, target: Any, in_place: bool, x: Any, out: Any) -> Any:
        """A plan's run."""
        import numpy as np

        if isinstance(core, _stockham.FusedPlan):
            into = self.stored(x) if in_place and out is None else self.target(out)
            a = into if in_place and out is None else self.stored(x)
            result = _fused.run(core, source, target, in_place, a, into, self.takes_bits)
            return self.give_stored(result, x, target[1]) if into is None else (x if out is None else out)
        a = self.view(x)
        shape, dtype, _ = source
        if a.shape != shape or a.dtype != dtype:
            raise ValueError(f"the plan is for {dtype} of shape {shape}, not {a.dtype} of {a.shape}")
        into = self.target(x if in_place and out is None else out)
        if in_place and out is None:
            core.run(into, into)
            return x
        result = _general.into(into, target[0], np.dtype(target[1]), a, core.run, dtype == target[1])
        return self.give(result, x) if out is None else out


class TorchHost(Host):
    """PyTorch's tensors."""

    def view(self, x: Any) -> Any:
        """NumPy's view of a tensor."""
        torch = _producers.module("torch")
        if x.requires_grad:
            refuse_gradients(torch, x)
            x = x.detach()
        if x.is_conj() or x.is_neg():
            x = x.resolve_conj().resolve_neg()
        # NumPy has no such numbers.
        if x.dtype == torch.bfloat16:
            x = x.float()
        elif x.dtype == torch.complex32:
            x = x.to(torch.complex64)
        return x.numpy()

    takes_bits = True

    def stored(self, x: Any) -> Any:
        """NumPy's view of a tensor as it lies; of bfloat16's bits."""
        import numpy as np

        torch = _producers.module("torch")
        if x.dtype != torch.bfloat16:
            return self.view(x)
        refuse_gradients(torch, x)
        return x.detach().resolve_neg().view(torch.int16).numpy().view(np.uint16)

    def give_stored(self, result: Any, like: Any, dtype: str) -> Any:
        """A tensor of NumPy's array, or of bfloat16's bits."""
        import numpy as np

        torch = _producers.module("torch")
        return torch.from_numpy(result.view(np.int16)).view(torch.bfloat16) if dtype == "bfloat16" else self.give(result, like)

    def target(self, out: Any) -> Any:
        """NumPy's view of an output, which is a tensor without bits that say how it is to be read."""
        if out is None:
            return None
        torch = _producers.module("torch")
        if not isinstance(out, torch.Tensor):
            raise TypeError(f"out must be a tensor, not {type(out).__name__}")
        if out.is_conj() or out.is_neg():
            raise ValueError("out is lazily conjugated or negated: it cannot be written")
        refuse_gradients(torch, out)
        return self.stored(out) if out.dtype == torch.bfloat16 else out.detach().numpy()

    def give(self, result: Any, like: Any) -> Any:
        """A tensor of NumPy's array."""
        return _producers.module("torch").from_numpy(result)


class JaxHost(Host):
    """JAX's arrays, which are never written to."""

    def target(self, out: Any) -> Any:
        """No output is taken."""
        refuse_output(out)

    def give(self, result: Any, like: Any) -> Any:
        """An array of NumPy's."""
        return _producers.module("jax").numpy.asarray(result)


class DlpackHost(Host):
    """Whoever else lends memory by DLPack, as the array API has it."""

    def view(self, x: Any) -> Any:
        """NumPy's view of an array. (With no stream to wait for, the producer waits for what is still to be written.)"""
        import numpy as np

        return np.from_dlpack(x)

    def target(self, out: Any) -> Any:
        """NumPy's view of an output, which may be read-only."""
        return None if out is None else self.view(out)

    def give(self, result: Any, like: Any) -> Any:
        """An array of the producer's, if it tells who makes them; NumPy's else."""
        names = getattr(like, "__array_namespace__", None)
        make = getattr(names(), "from_dlpack", None) if names is not None else None
        return result if make is None else make(result)


def refuse_gradients(torch: Any, x: Any) -> None:
    """Raises where a gradient would be lost."""
    if x.requires_grad and torch.is_grad_enabled():
        raise NotImplementedError(
            "plans, and outputs that are given, have no gradients: detach the tensor, or use torch.no_grad()"
        )


def refuse_output(out: Any) -> None:
    """Raises where an array would be written that must not be."""
    if out is not None:
        raise TypeError("JAX's arrays are never written to: out must be None")


def refuse_traced(x: Any) -> None:
    """Raises where JAX has no numbers yet."""
    core = getattr(sys.modules.get("jax"), "core", None)
    if isinstance(x, getattr(core, "Tracer", ())):
        raise TypeError(
            "transforms cannot be traced by JAX: call them outside of jax.jit, jax.grad and jax.vmap, or by jax.pure_callback "
            "with numpy.asarray of its arguments"
        )


TORCH = TorchHost()
JAX = JaxHost()
DLPACK = DlpackHost()
