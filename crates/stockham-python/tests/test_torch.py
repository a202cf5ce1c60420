"""PyTorch's tensors in host memory, and their gradients."""

import functools

import numpy as np
import pytest
import scipy.fft
import stockham
import stockham.fft
from conftest import KINDS, TRIGS, assert_near

torch = pytest.importorskip("torch")

SEVERAL = [name + suffix for name in KINDS for suffix in ("2", "n")]


def random_tensor(rng, shape, dtype):
    """A random tensor, contiguous or not, perhaps with a bit that says that it is conjugated or negated."""
    x = torch.from_numpy(rng.standard_normal(shape))
    if dtype.is_complex:
        x = torch.complex(x, torch.from_numpy(rng.standard_normal(shape)))
    x = (9 * x).to(dtype)
    arrangement = rng.integers(5)
    if arrangement == 1 and x.ndim > 1:
        x = x.transpose(0, -1).contiguous().transpose(0, -1)
    elif arrangement == 2:
        x = torch.stack([x, x], -1)[..., 1]
    elif arrangement == 3 and dtype.is_complex:
        x = x.conj()
        assert x.is_conj()
    elif arrangement == 4 and dtype.is_complex:
        # The imaginary part of a conjugate is negated lazily.
        x = torch.complex(x.real, x.conj().imag)
    return x


@pytest.mark.parametrize("name", [*KINDS, *TRIGS, *SEVERAL, "dctn", "idstn"])
@pytest.mark.parametrize("seed", range(12))
def test_random_tensors(name, seed):
    rng = np.random.default_rng([seed, *name.encode()])
    shape = rng.integers(2, 9, rng.integers(2, 4)).tolist()
    dtypes = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.bool]
    dtypes += [] if name.startswith(("rfft", "ihfft")) else 2 * [torch.complex64, torch.complex128]
    x = random_tensor(rng, shape, dtypes[rng.integers(len(dtypes))])
    numbers = x.resolve_conj().resolve_neg()
    numbers = numbers.float() if x.dtype in (torch.bfloat16, torch.float16) else numbers
    expected = getattr(scipy.fft, name)(numbers.numpy())
    found = getattr(stockham.fft, name)(x)
    assert type(found) is torch.Tensor
    scale = 30 * expected.size if "irfft" in name or name.startswith("hfft") else 0.0
    assert_near(found.numpy(), expected, x.numel(), scale)
    out = torch.zeros(*expected.shape, 2, dtype=found.dtype)[..., 0]
    assert getattr(stockham.fft, name)(x, out=out) is out
    assert_near(out.numpy(), expected, x.numel(), scale)


def test_results_have_the_types_of_torch():
    for dtype in [torch.float32, torch.float64, torch.complex64, torch.complex128]:
        x = torch.ones(8, dtype=dtype)
        assert stockham.fft.fft(x).dtype == torch.fft.fft(x).dtype
        assert stockham.fft.irfft(x).dtype == torch.fft.irfft(x).dtype
    for dtype in [torch.float16, torch.bfloat16, torch.complex32]:
        assert stockham.fft.fft(torch.ones(8).to(dtype)).dtype == torch.complex64
    assert stockham.fft.fft(torch.ones(8, dtype=torch.int64)).dtype == torch.complex128


def test_negated_tensors():
    x = torch.randn(8, dtype=torch.complex128).conj().imag
    assert x.is_neg()
    torch.testing.assert_close(stockham.fft.rfft(x), torch.fft.rfft(x))
    for bad in [torch.zeros(4, dtype=torch.complex128).conj(), torch.zeros(4, dtype=torch.complex128).conj().imag]:
        with pytest.raises((ValueError, TypeError)):
            stockham.fft.fft(torch.ones(4), out=bad)


def test_subclasses_are_tensors():
    class Own(torch.Tensor):
        pass

    x = torch.randn(8)
    for each in [x.as_subclass(Own), torch.nn.Parameter(x, requires_grad=False)]:
        assert isinstance(stockham.fft.fft(each), torch.Tensor)
        torch.testing.assert_close(torch.Tensor(stockham.fft.rfft(each).abs()), torch.fft.rfft(x).abs())


def gradients_are_right(function, x):
    x = x.detach().requires_grad_()
    assert torch.autograd.gradcheck(function, (x,), check_forward_ad=True)
    assert torch.autograd.gradgradcheck(function, (x,))


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("n", [None, 3, 6])
def test_gradients_along_an_axis(name, n, norm):
    rng = np.random.default_rng([n or 0, *name.encode()])
    for dtype in [torch.float64] + ([] if name in ("rfft", "ihfft") else [torch.complex128]):
        for axis, shape in [(-1, (2, 5)), (0, (4, 1))]:
            x = random_tensor(rng, shape, dtype)
            gradients_are_right(functools.partial(getattr(stockham.fft, name), n=n, axis=axis, norm=norm), x)


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("name", [kind + "n" for kind in KINDS])
@pytest.mark.parametrize("kwargs", [{}, {"axes": (2, 0), "s": (4, 3)}, {"s": (3, 2)}], ids=str)
def test_gradients_along_several_axes(name, kwargs, norm):
    rng = np.random.default_rng([len(str(kwargs)), *name.encode()])
    for dtype in [torch.float64] + ([] if name in ("rfftn", "ihfftn") else [torch.complex128]):
        x = random_tensor(rng, (2, 2, 3), dtype)
        gradients_are_right(functools.partial(getattr(stockham.fft, name), norm=norm, **kwargs), x)


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("orthogonalize", [None, False, True])
@pytest.mark.parametrize("type", [1, 2, 3, 4])
@pytest.mark.parametrize("name", TRIGS)
def test_gradients_of_cosines_and_sines(name, type, orthogonalize, norm):
    rng = np.random.default_rng([type, *name.encode()])
    kwargs = {"type": type, "norm": norm, "orthogonalize": orthogonalize}
    gradients_are_right(
        functools.partial(getattr(stockham.fft, name), n=4, **kwargs), random_tensor(rng, (1, 5), torch.float64)
    )
    x = random_tensor(rng, (3, 1, 2), torch.complex128)
    gradients_are_right(functools.partial(getattr(stockham.fft, name + "n"), axes=(2, 0), **kwargs), x)


@pytest.mark.parametrize("name", KINDS)
def test_gradients_are_those_of_torch(name):
    real = name in ("rfft", "ihfft")
    for dtype in [torch.float32] if real else [torch.float32, torch.complex64]:
        x = torch.randn(4, 9, dtype=dtype, requires_grad=True)
        found, expected = (getattr(module, name)(x, 12) for module in (stockham.fft, torch.fft))
        torch.testing.assert_close(found, expected)
        weights = torch.randn_like(found)
        [ours], [theirs] = (torch.autograd.grad((y * weights).sum().abs(), x) for y in (found, expected))
        torch.testing.assert_close(ours, theirs)


def test_gradients_of_half_precision():
    for dtype in [torch.float16, torch.bfloat16]:
        x = torch.randn(16).to(dtype).requires_grad_()
        stockham.fft.rfft(x).abs().square().sum().backward()
        assert x.grad.dtype == dtype
        assert torch.isfinite(x.grad).all()
        assert x.grad.abs().sum() > 0


def test_gradients_of_transforms_of_functions():
    x = torch.randn(5, 8, dtype=torch.float64)

    def energy(x):
        return stockham.fft.rfft(x, norm="ortho").abs().pow(3).sum()

    def expected(x):
        return torch.fft.rfft(x, norm="ortho").abs().pow(3).sum()

    torch.testing.assert_close(torch.func.vmap(stockham.fft.fft, 1, 1)(x), torch.fft.fft(x, dim=0))
    torch.testing.assert_close(torch.func.grad(energy)(x), torch.func.grad(expected)(x))
    torch.testing.assert_close(torch.func.vmap(torch.func.grad(energy))(x), torch.func.vmap(torch.func.grad(expected))(x))
    torch.testing.assert_close(torch.func.hessian(energy)(x[0]), torch.func.hessian(expected)(x[0]))


def test_without_gradients():
    x = torch.randn(8, requires_grad=True)
    with torch.no_grad():
        assert not stockham.fft.fft(x).requires_grad
        out = torch.zeros(8, dtype=torch.complex64)
        assert stockham.fft.fft(x, out=out) is out
    assert not stockham.fft.fft(x.detach()).requires_grad
    with pytest.raises(RuntimeError, match="automatic differentiation"):
        stockham.fft.fft(x, out=torch.zeros(8, dtype=torch.complex64))
    with pytest.raises(NotImplementedError, match="gradients"):
        stockham.plan(8, "float32", kind="r2c")(x)
    assert stockham.fft.fftn(x, axes=()) is x


def test_what_is_refused():
    x = torch.randn(4, 6)
    for bad, error in [(x.to_sparse(), TypeError), (x.to("meta"), (TypeError, RuntimeError))]:
        with pytest.raises(error):
            stockham.fft.fft(bad)
    for each in [x, x.clone().requires_grad_()]:
        for kwargs, error in [
            ({"axis": 2}, IndexError),
            ({"n": 0}, ValueError),
            ({"n": 2.5}, TypeError),
            ({"norm": "no"}, ValueError),
            ({"workers": 0}, ValueError),
            ({"plan": 3}, NotImplementedError),
            ({"device": "nowhere"}, ValueError),
        ]:
            with pytest.raises(error):
                stockham.fft.fft(each, **kwargs)
        with pytest.raises(TypeError):
            stockham.fft.rfft(each + 0j)
        with pytest.raises(TypeError, match="tensor"):
            stockham.fft.fft(each.detach(), out=np.zeros((4, 6), complex))


def test_plans_of_tensors():
    x = torch.randn(4, 6, dtype=torch.float64)
    plan = stockham.plan((4, 6), "float64", kind="r2c")
    torch.testing.assert_close(plan(x), torch.fft.rfft(x))
    out = torch.empty(4, 4, dtype=torch.complex128)
    assert plan(x, out) is out
    torch.testing.assert_close(out, torch.fft.rfft(x))
    inside = stockham.plan(6, in_place=True)
    y = torch.randn(6, dtype=torch.complex128)
    expected = torch.fft.fft(y)
    assert inside(y) is y
    torch.testing.assert_close(y, expected)
    with pytest.raises(ValueError):
        inside(expected.conj())


@pytest.mark.parametrize("name", ["int16", "float16", "bfloat16"])
def test_plans_of_tensors_with_expressions(name):
    dtype = getattr(torch, name)
    x = torch.randint(-9, 9, (4, 6)).to(dtype)
    plan = stockham.plan((4, 6), name, kind="r2c", store=stockham.expr.power(), out_dtype="bfloat16")
    expected = torch.fft.rfft(x.float()).abs().square().bfloat16()
    found = plan(x)
    assert found.dtype == torch.bfloat16
    torch.testing.assert_close(found, expected, rtol=2**-7, atol=1e-3)
    out = torch.empty(4, 4, dtype=torch.bfloat16)
    assert plan(x, out) is out
    torch.testing.assert_close(out, found)
