"""Arrays of PyTorch and JAX in host memory: NumPy's views of them are transformed, and the results are theirs again."""

from __future__ import annotations

from typing import Any

from . import _general, _producers


class Host:
    """A library whose arrays in host memory NumPy can see."""

    def view(self, x: Any) -> Any:
        """NumPy's view of an array."""
        import numpy as np

        return np.asarray(x)

    def give(self, result: Any) -> Any:
        """The library's array of a result."""
        raise NotImplementedError

    def call(self, code: int, x: Any, n: Any, axis: Any, norm: Any, workers: Any, out: Any, device: str | None) -> Any:
        """A DFT, in the words of `stockham.fft`."""
        target = None if out is None else self.view(out)
        result = _general.call(code, self.view(x), n, axis, norm, False, workers, None, target, device)
        return self.give(result) if out is None else out

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
        target = None if out is None else self.view(out)
        result = _general.call_trig(code, self.view(x), type, n, axis, norm, False, workers, orthogonalize, target, device)
        return self.give(result) if out is None else out

    def run_plan(self, core: Any, source: Any, target: Any, in_place: bool, x: Any, out: Any) -> Any:
        """A plan's run."""
        import numpy as np

        a = self.view(x)
        shape, dtype, _ = source
        if a.shape != shape or a.dtype != dtype:
            raise ValueError(f"the plan is for {dtype} of shape {shape}, not {a.dtype} of {a.shape}")
        if in_place and out is None:
            core.run(a, a)
            return x
        into = None if out is None else self.view(out)
        result = _general.into(into, target[0], np.dtype(target[1]), a, core.run, dtype == target[1])
        return self.give(result) if out is None else out


class TorchHost(Host):
    """PyTorch's tensors."""

    def view(self, x: Any) -> Any:
        """NumPy's view of a tensor."""
        torch = _producers.module("torch")
        if not isinstance(x, torch.Tensor):
            raise TypeError(f"out must be a tensor, not {type(x).__name__}")
        refuse_gradients(torch, x)
        x = x.resolve_conj().resolve_neg()
        # NumPy has no such numbers.
        return (x.float() if x.dtype == torch.bfloat16 else x).detach().numpy()

    def give(self, result: Any) -> Any:
        """A tensor of NumPy's array."""
        return _producers.module("torch").from_numpy(result)


class JaxHost(Host):
    """JAX's arrays, which are never written to."""

    def view(self, x: Any) -> Any:
        """NumPy's view of an array."""
        import numpy as np

        return np.asarray(x)

    def call(self, code: int, x: Any, n: Any, axis: Any, norm: Any, workers: Any, out: Any, device: str | None) -> Any:
        """A DFT, in the words of `stockham.fft`."""
        refuse_output(out)
        return super().call(code, x, n, axis, norm, workers, None, device)

    def give(self, result: Any) -> Any:
        """An array of NumPy's."""
        return _producers.module("jax").numpy.asarray(result)


def refuse_gradients(torch: Any, x: Any) -> None:
    """Raises where a gradient would be lost."""
    if x.requires_grad and torch.is_grad_enabled():
        raise NotImplementedError("no gradients are computed: call x.detach() before, or within torch.no_grad()")


def refuse_output(out: Any) -> None:
    """Raises where an array would be written that must not be."""
    if out is not None:
        raise TypeError("JAX's arrays are never written to: out must be None")


TORCH = TorchHost()
JAX = JaxHost()
