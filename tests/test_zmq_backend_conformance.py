"""pyzmq's own tests pass on the page's stand-in for libzmq, but for those listed with a reason."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "web" / "browser" / "zmq_backend"
AT_LEAST = 250  # passed; with tornado or numpy installed there are more


@pytest.fixture(scope="module")
def conformance():
    sys.path.insert(0, str(PACKAGE))
    try:
        import conformance
    finally:
        sys.path.remove(str(PACKAGE))
    return conformance


def test_pyzmqs_own_tests(conformance) -> None:
    try:
        conformance.source()
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        if "could not fetch" not in str(error) and isinstance(error, RuntimeError):
            raise
        if os.environ.get("CI", "").lower() in ("true", "1"):
            raise  # there the real tests must run
        pytest.skip(f"pyzmq's tests are not at hand: {error}")
    counts = conformance.run(["--no-header"])
    failed = [name for name in counts if re.match("failed .", name)]
    assert not failed and not counts["died"]
    assert counts["passed"] >= AT_LEAST


def test_every_exclusion_has_a_reason() -> None:
    excluded = tomllib.loads((PACKAGE / "excluded.toml").read_text())["excluded"]
    for name, reason in excluded.items():
        assert name.startswith("test_") and len(reason.split()) >= 4, name
