"""Runs the command line as its users do: as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any


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


def pageloom(*arguments: object, stdin: bytes = b"", cwd: object = None, **extra: str) -> Result:
    done = subprocess.run(
        [sys.executable, "-m", "pageloom", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=cwd,
        env=environment(**extra),
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())
