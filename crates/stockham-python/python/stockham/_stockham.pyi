from typing import Any, TypeAlias, final

__version__: str
__all__ = [
    "CoreField",
    "CorePlan",
    "FusedPlan",
    "__version__",
    "cache_clear",
    "cache_info",
    "cache_limit",
    "call",
    "call_trig",
    "field_names",
    "forget_after_fork",
    "get_device",
    "get_workers",
    "list_devices",
    "measure",
    "multiply_integers",
    "multiply_polynomials",
    "run_job",
    "set_default_workers",
    "set_device",
]

_Part: TypeAlias = tuple[str, list[int], float, tuple[bytes, bool, list[tuple[int, int]]] | None]

def call(
    code: int,
    x: Any,
    n: Any,
    axis: Any,
    norm: Any,
    overwrite_x: Any,
    workers: Any,
    plan: Any,
    out: Any,
    device: Any,
) -> Any: ...
def call_trig(
    code: int,
    x: Any,
    of_type: Any,
    n: Any,
    axis: Any,
    norm: Any,
    overwrite_x: Any,
    workers: Any,
    orthogonalize: Any,
    out: Any,
    device: Any,
) -> Any: ...
def run_job(
    kind: tuple[str, int],
    inverse: bool,
    x: Any,
    out: Any,
    axes: list[int],
    lengths: list[int],
    norm: str,
    orthogonalize: bool,
    finish: str,
    workers: int | None,
    device: str | None,
) -> None: ...
def cache_info() -> dict[str, int]: ...
def cache_clear() -> None: ...
def cache_limit(max_entries: int | None = None, max_bytes: int | None = None) -> None: ...
def set_device(name: str | None) -> str | None: ...
def get_device() -> str: ...
def list_devices() -> tuple[list[dict[str, Any]], list[tuple[str, str]]]: ...
def forget_after_fork() -> None: ...
def set_default_workers(workers: int) -> int: ...
def get_workers() -> int:
    """The calling thread's default of `workers`."""

def field_names() -> list[str]: ...
def multiply_integers(a: str, b: str, workers: int | None, device: str | None, progress: Any) -> bytes: ...
def multiply_polynomials(
    a: bytes, b: bytes, is_double: bool, product: str, workers: int | None, device: str | None, progress: Any
) -> bytes: ...
def measure(numbers: str, n: int, inverse: bool, seed: int, device: str | None) -> tuple[float, float, bool]: ...

@final
class CorePlan:
    def __new__(
        cls,
        kind: tuple[str, int],
        inverse: bool,
        axes: list[int],
        lengths: list[int],
        norm: str,
        orthogonalize: bool,
        input: tuple[str, list[int], list[int]],
        output: tuple[str, list[int], list[int]],
        in_place: bool,
        workers: int | None,
        device: str | None,
    ) -> CorePlan: ...
    @property
    def workspace_bytes(self) -> int: ...
    @property
    def device(self) -> str: ...
    def explain(self) -> str: ...
    def to_json(self) -> str: ...
    def source(self) -> str: ...
    def run(self, x: Any, out: Any) -> None: ...
    def call(self, x: Any, out: Any) -> Any: ...
    def enqueue(self, input: int, output: int, workspace: int, stream: int) -> None: ...

@final
class FusedPlan:
    def __new__(
        cls,
        kind: tuple[str, int],
        inverse: bool,
        axes: list[int],
        lengths: list[int],
        norm: str,
        orthogonalize: bool,
        input: tuple[str, list[int], list[int]],
        output: tuple[str, list[int], list[int]],
        precision: str,
        load: list[_Part] | None,
        store: list[_Part] | None,
        filtered: list[_Part] | None,
        accumulates: bool,
        in_place: bool,
        workers: int | None,
        device: str | None,
    ) -> FusedPlan: ...
    @property
    def workspace_bytes(self) -> int: ...
    @property
    def device(self) -> str: ...
    def explain(self) -> str: ...
    def to_json(self) -> str: ...
    def source(self) -> str: ...
    def run(self, x: Any, out: Any) -> None: ...
    def enqueue(self, input: int, output: int, workspace: int, stream: int) -> None: ...

@final
class CoreField:
    def __new__(cls, name: str, root: str | None) -> CoreField: ...
    @property
    def name(self) -> str: ...
    @property
    def radix(self) -> int: ...
    @property
    def digits(self) -> int: ...
    @property
    def digit_bytes(self) -> int: ...
    @property
    def modulus(self) -> bytes: ...
    @property
    def max_log_len(self) -> int: ...
    def root(self, n: int) -> bytes: ...
    def elements(self, numbers: bytes, words: int) -> bytes: ...
    def numbers(self, elements: bytes) -> bytes: ...
    def transform(
        self,
        data: bytes,
        given: int,
        n: int,
        inverse: bool,
        norm: str,
        coset: bytes,
        reversed: tuple[bool, bool],
        workers: int | None,
        device: str | None,
    ) -> bytes: ...
    def extend(
        self,
        data: bytes,
        n: int,
        blowup: int,
        coset: bytes,
        reversed: tuple[bool, bool],
        workers: int | None,
        device: str | None,
    ) -> bytes: ...
    def multiply(self, a: bytes, b: bytes, product: str, workers: int | None, device: str | None, progress: Any) -> bytes: ...
