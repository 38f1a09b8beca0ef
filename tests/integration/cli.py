"""Runs the command line, in this process or, where that is the point, as a process of its own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from pageloom.apps.cli.main import run


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def environment(**extra: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)} | extra


def pageloom(*arguments: object, stdin: bytes = b"", cwd: Any = None, **extra: str) -> Result:
    """Run a command in this process: one of its own would mostly be starting."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, contextlib.chdir(cwd or "."):
        for name, value in extra.items():
            patch.setenv(name, value)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        code = run([str(argument) for argument in arguments])
    return Result(code, *(_text(stream) for stream in (out, err)))


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()


def pageloom_process(
    *arguments: object, stdin: bytes = b"", cwd: object = None, **extra: str
) -> Result:
    """Run a command as its users do."""
    done = subprocess.run(
        [sys.executable, "-m", "pageloom", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=cwd,
        env=environment(**extra),
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())
