"""Finite fields, integers and polynomials."""

import random

import numpy as np
import pytest
import stockham
from stockham import integer, ntt, polynomial

ONE_WORD = ["goldilocks", "998244353", "17"]
MORE = ["P1", "P3", "G8", "bls12-381", "bn254"]


@pytest.mark.parametrize("name", ONE_WORD + MORE)
def test_transforms_follow_the_definition(name):
    field = ntt.Field(name)
    p, n = field.modulus, 16
    w = field.root_of_unity(n)
    assert pow(w, n // 2, p) == p - 1
    rng = random.Random(1)
    x = [rng.randrange(p) for _ in range(n - 3)] + [p - 1, 0, 1]
    expected = [sum(x[j] * pow(w, j * k, p) for j in range(n)) % p for k in range(n)]
    assert ntt.fft(x, field=name).tolist() == expected
    assert ntt.ifft(expected, field).tolist() == x
    scaled = ntt.fft(x, field, norm="forward").tolist()
    assert [value * n % p for value in scaled] == expected


@pytest.mark.parametrize(
    ("name", "n"),
    [("goldilocks", 51), ("koalabear", 127), ("998244353", 2 * 7 * 17), ("bls12-381", 66), ("bn254", 9)],
)
def test_orders_that_are_no_powers_of_two(name, n):
    field = ntt.Field(name)
    p, w = field.modulus, field.root_of_unity(n)
    assert pow(field.root_of_unity(2 * n), 2, p) == w
    assert all(pow(w, n // q, p) != 1 for q in range(2, n + 1) if n % q == 0)
    rng = random.Random(2)
    x = [rng.randrange(p) for _ in range(n - 1)] + [p - 1]
    expected = [sum(x[j] * pow(w, j * k, p) for j in range(n)) % p for k in range(n)]
    assert ntt.fft(x, field=name).tolist() == expected
    assert ntt.ifft(expected, field).tolist() == x


@pytest.mark.parametrize(
    ("name", "root", "n"), [("P3", None, 3), ("17", None, 3), ("bn254", None, 5), ("goldilocks", "plonky2", 3)]
)
def test_roots_that_are_not_there(name, root, n):
    for order in (0, -1, n, 2**64, 2**62):
        with pytest.raises(ValueError, match="no root of order"):
            ntt.Field(name, root=root).root_of_unity(order)


def test_arrays_of_words():
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2**63, (3, 8, 5), np.uint64)
    y = ntt.fft(x, axis=1)
    assert y.dtype == np.uint64 and y.shape == x.shape
    for i in range(3):
        assert ntt.fft([int(v) for v in x[i, :, 2]]).tolist() == y[i, :, 2].tolist()
    np.testing.assert_array_equal(ntt.ifft(y, axis=1), x % np.uint64(2**64 - 2**32 + 1))
    p = 2**64 - 2**32 + 1
    negative = np.array([-1, -(2**63), 5, 0])
    assert ntt.ifft(ntt.fft(negative)).tolist() == [p - 1, p - 2**63, 5, 0]
    assert ntt.fft(np.zeros((0, 4), np.uint64)).shape == (0, 4)


@pytest.mark.parametrize("name", ["babybear", "koalabear", "998244353", "65537"])
@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
def test_words_stay_words(name, dtype):
    field = ntt.Field(name)
    assert field.dtype == np.uint32
    x = np.random.default_rng(2).integers(0, 2**32, (3, 16), dtype)
    y = ntt.fft(x, field)
    assert y.dtype == dtype
    assert y.tolist() == [ntt.fft(row.tolist(), name).tolist() for row in x]
    np.testing.assert_array_equal(ntt.ifft(y, name), x % dtype(field.modulus))
    assert ntt.fft(x.astype(np.int64), name).dtype == object
    assert ntt.fft(np.ones(4, np.uint32)).dtype == np.uint64


def evaluated(coefficients, points, p):
    """A polynomial's values, by Horner's rule."""
    found = []
    for x in points:
        value = 0
        for c in reversed(coefficients):
            value = (value * x + c) % p
        found.append(value)
    return found


def bit_reversed(values):
    bits = len(values).bit_length() - 1
    return [values[int(f"{i:0{bits}b}"[::-1], 2)] if bits else values[0] for i in range(len(values))]


@pytest.mark.parametrize("name", ["babybear", "goldilocks", "bls12-381", "0x3fffffee00000001"])
@pytest.mark.parametrize("order", ["nn", "nr", "rn", "rr"])
@pytest.mark.parametrize("coset", [None, 7])
def test_cosets_and_orders(name, order, coset):
    field = ntt.Field(name)
    p, n, w = field.modulus, 16, field.root_of_unity(16)
    rng = random.Random(order)
    c = [rng.randrange(p) for _ in range(n)]
    values = evaluated(c, [(coset or 1) * pow(w, k, p) % p for k in range(n)], p)
    given = bit_reversed(c) if order[0] == "r" else c
    expected = bit_reversed(values) if order[1] == "r" else values
    assert ntt.fft(given, name, coset=coset, order=order).tolist() == expected
    assert ntt.ifft(expected, name, coset=coset, order=order[::-1]).tolist() == given


@pytest.mark.parametrize("name", ["babybear", "goldilocks", "bls12-381", "P3"])
def test_zeros_behind(name):
    p = ntt.Field(name).modulus
    rng = random.Random(5)
    for given, n in [(4, 16), (3, 16), (1, 2), (20, 16), (16, 16)]:
        x = [rng.randrange(p) for _ in range(given)]
        whole = (x + [0] * n)[:n]
        for transform in (ntt.fft, ntt.ifft):
            assert transform(x, name, n=n).tolist() == transform(whole, name).tolist()
    many = np.array([rng.randrange(2**31) for _ in range(24)], np.uint64).reshape(2, 4, 3)
    padded = np.concatenate([many, np.zeros((2, 12, 3), np.uint64)], axis=1)
    np.testing.assert_array_equal(ntt.fft(many, name, axis=1, n=16), ntt.fft(padded, name, axis=1))


@pytest.mark.parametrize("name", ["babybear", "goldilocks", "bls12-381"])
@pytest.mark.parametrize("order", ["nn", "nr", "rn", "rr"])
def test_extensions(name, order):
    field = ntt.Field(name)
    p, n, blowup = field.modulus, 8, 4
    rng = random.Random(order)
    c = [rng.randrange(p) for _ in range(n)]
    small, large = field.root_of_unity(n), field.root_of_unity(n * blowup)
    values = evaluated(c, [pow(small, k, p) for k in range(n)], p)
    onto = evaluated(c, [11 * pow(large, k, p) % p for k in range(n * blowup)], p)
    given = bit_reversed(values) if order[0] == "r" else values
    expected = bit_reversed(onto) if order[1] == "r" else onto
    assert ntt.extend(given, blowup, name, coset=11, order=order).tolist() == expected
    both = np.array([given, given], object)
    assert ntt.extend(both.T, blowup, name, 0, coset=11, order=order).T.tolist() == [expected, expected]


@pytest.mark.parametrize(("name", "preset"), [("babybear", "risc0"), ("goldilocks", "plonky2")])
def test_roots_of_other_libraries(name, preset):
    field = ntt.Field(name, root=preset)
    own = ntt.Field(name)
    p, n = own.modulus, 64
    w = field.root_of_unity(n)
    assert w != own.root_of_unity(n) and pow(w, n // 2, p) == p - 1
    x = list(range(n))
    expected = evaluated(x, [pow(w, k, p) for k in range(n)], p)
    assert ntt.fft(x, field).tolist() == ntt.fft(x, name, root=preset).tolist() == expected
    assert ntt.ifft(expected, field).tolist() == x
    whole = field.root_of_unity(2**field.max_log_len)
    assert ntt.fft(x, own, root=whole).tolist() == expected
    extended = evaluated(x, [3 * pow(field.root_of_unity(2 * n), k, p) for k in range(2 * n)], p)
    assert ntt.extend(expected, 2, field, coset=3).tolist() == extended


def test_plonky2s_root_of_order_64_is_8():
    assert ntt.Field("goldilocks", root="plonky2").root_of_unity(64) == 8


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ValueError, lambda: ntt.fft([1, 2], order="no")),
        (ValueError, lambda: ntt.fft([1, 2], n=0)),
        (ValueError, lambda: ntt.fft([1, 2, 3], order="nr")),
        (ValueError, lambda: ntt.fft([1, 2, 3], coset=3)),
        (ValueError, lambda: ntt.fft([1, 2], coset=0)),
        (TypeError, lambda: ntt.fft([1, 2], coset=1.5)),
        (NotImplementedError, lambda: ntt.fft([1, 2], "P3", coset=3)),
        (NotImplementedError, lambda: ntt.Field("P3", root=3)),
        ((ValueError, NotImplementedError), lambda: ntt.Field("babybear", root="nobody")),
        ((ValueError, NotImplementedError), lambda: ntt.Field("babybear", root=1)),
        (ValueError, lambda: ntt.extend([1, 2], 3)),
        (ValueError, lambda: ntt.extend([1, 2], 0)),
        (ValueError, lambda: ntt.extend([1, 2, 3], 2)),
        (ValueError, lambda: ntt.extend([], 2)),
        (NotImplementedError, lambda: ntt.extend([1, 2], 2**40, "babybear")),
    ],
)
def test_what_domains_refuse(error, call):
    with pytest.raises(error):
        call()


def test_what_fields_refuse():
    for name in ["", "no", "15", "complex-f32", "-7", "0"]:
        with pytest.raises(ValueError):
            ntt.Field(name)
    with pytest.raises(NotImplementedError):
        ntt.fft([1, 2, 3, 4, 5, 6, 7])
    with pytest.raises(NotImplementedError):
        ntt.fft([1, 2, 3], field="P3")
    with pytest.raises(TypeError):
        ntt.fft([1.5, 2.5])
    with pytest.raises(ValueError):
        ntt.fft([])
    with pytest.raises(IndexError):
        ntt.fft([1, 2], axis=3)
    with pytest.raises((ValueError, NotImplementedError)):
        ntt.fft([1, 2], norm="ortho")
    for n in [0, 7, 2**40]:
        with pytest.raises(ValueError):
            ntt.Field("goldilocks").root_of_unity(n)


def test_fields_have_names():
    names = ntt.fields()
    assert {"goldilocks", "P3", "bls12-381"} <= set(names)
    for name in names:
        field = ntt.Field(name)
        assert field.name == name
        assert pow(2, field.modulus - 1, field.modulus) == 1


@pytest.mark.parametrize("bits", [(0, 10), (100, 100), (70_000, 70_000), (65_000, 200_000), (300_000, 300_001)])
def test_products_of_integers(bits):
    rng = random.Random(sum(bits))
    for signs in [(1, 1), (1, -1), (-1, -1)]:
        a, b = (sign * rng.getrandbits(count) if count else 0 for sign, count in zip(signs, bits, strict=True))
        assert integer.multiply(a, b) == a * b
        assert integer.multiply(a, b, device="cpu") == a * b
    assert integer.multiply(a, a) == a * a
    assert integer.multiply(a, b, workers=2, device="cpu") == a * b


def test_what_products_of_integers_refuse():
    for a in [1.5, "3", None, 2 + 0j]:
        with pytest.raises(TypeError):
            integer.multiply(a, 3)
    assert integer.multiply(True, np.int64(3)) == 3


@pytest.mark.parametrize("field", ["goldilocks", "P1", "bn254"])
@pytest.mark.parametrize("product", ["linear", "cyclic", "negacyclic"])
def test_products_of_polynomials_over_fields(field, product):
    p, n = ntt.Field(field).modulus, 8
    rng = random.Random(3)
    a, b = ([rng.randrange(p) for _ in range(n)] for _ in range(2))
    expected = [0] * (2 * n - 1)
    for i in range(n):
        for j in range(n):
            expected[i + j] = (expected[i + j] + a[i] * b[j]) % p
    if product != "linear":
        sign = 1 if product == "cyclic" else -1
        expected = [(expected[i] + sign * (expected[i + n] if i + n < 2 * n - 1 else 0)) % p for i in range(n)]
    assert polynomial.multiply(a, b, product=product, field=field).tolist() == expected


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c8", "c16"])
def test_products_of_polynomials_over_numbers(dtype):
    rng = np.random.default_rng(1)
    a, b = (10 * rng.standard_normal(n) for n in (9, 14))
    a, b = ((x + 1j * x[::-1]).astype(dtype) if dtype[0] == "c" else x.astype(dtype) for x in (a, b))
    found = polynomial.multiply(a, b)
    assert found.dtype == np.result_type(np.dtype(dtype), np.float32)
    np.testing.assert_allclose(found, np.convolve(a, b), rtol=1e-3, atol=1e-3 if "4" in dtype or dtype == "c8" else 1e-10)
    assert polynomial.multiply([], []).size == 0
    with pytest.raises(ValueError):
        polynomial.multiply(a, b, product="cyclic")
    with pytest.raises(ValueError):
        polynomial.multiply([[1.0]], [1.0])
    with pytest.raises(ValueError):
        polynomial.multiply(a, a, product="no")
    with pytest.raises(ValueError):
        polynomial.multiply([[1]], [1], field="goldilocks")


def test_accuracy_is_measured():
    for accuracy in stockham.verify(lengths=[1, 2, 3, 16, 97, 1024]):
        assert accuracy.l2 < 4
    assert all(each.passes for each in stockham.verify(dtype="goldilocks", lengths=[4, 60, 256]))
    assert stockham.verify(dtype=np.complex64, lengths=[8], inverse=True)[0].inverse
    with pytest.raises(ValueError):
        stockham.verify(dtype="float16")
    with pytest.raises(ValueError):
        stockham.verify(lengths=[0])
    with pytest.raises(ValueError):
        stockham.verify("cuda:99")
