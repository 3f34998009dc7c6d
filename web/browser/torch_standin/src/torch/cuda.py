"""There is no GPU in the page."""

from typing import Any

from ._refusal import missing


def is_available() -> bool:
    return False


def device_count() -> int:
    return 0


def __getattr__(name: str) -> Any:
    return missing("torch.cuda", name)
