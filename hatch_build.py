"""Compile the modules in which a page spends most of its time, where there is a compiler.

    pip install .                                          compiled where it can be
    HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 pip install .         compiled, or it fails and says why
    HATCH_BUILD_NO_HOOKS=1 pip install .                   Python alone, in a few seconds

By hand, because the plugin that does this builds among the sources, where an old binary would hide
what is edited.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "pageloom"
TYPED = "turbohtml"
"""Without its types little is gained: most of what the modules do is to ask the tree."""


class CompileHook(BuildHookInterface[Any]):
    """Puts compiled modules beside their sources in a wheel; an editable install goes without."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and tell the builder what to take into the wheel."""
        if version == "editable":
            return
        self._place = tempfile.TemporaryDirectory(prefix=f"{PACKAGE}-compiled-")
        command = [sys.executable, __file__, self._place.name, *self.config["modules"]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode != 0:
            self._go_without(f"{done.stdout}{done.stderr}The modules cannot be compiled.")
            return
        libraries = Path(self._place.name, "lib")
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"] |= {
            str(path): str(path.relative_to(libraries)) for path in libraries.rglob("*.so")
        }

    def _go_without(self, reason: str) -> None:
        """Python alone says the same, later: only who asked for more is refused."""
        if os.environ.get("HATCH_BUILD_HOOK_ENABLE_CUSTOM", "").lower() in ("1", "true"):
            self.app.abort(reason)
        self.app.display_warning(f"{reason} The wheel is Python alone.")

    def finalize(self, *_: Any) -> None:
        """Remove what is in the wheel by now."""
        if hasattr(self, "_place"):
            self._place.cleanup()


def check_tools() -> None:
    """End here, with a reason, where compiling would fail after a while."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        sys.exit(f"There is no C compiler {compiler}; Debian's is in the package gcc.")
    headers = Path(sysconfig.get_path("include"))
    if not (headers / "Python.h").exists():
        sys.exit(f"There is no {headers}/Python.h; Debian's is in the package python3-dev.")


def compile_modules(place: Path, modules: list[str]) -> None:
    """Write the compiled modules into ``lib`` under a directory."""
    from setuptools import Distribution

    os.chdir(Path(__file__).parent / "src")
    level = os.environ.get("MYPYC_OPT_LEVEL", "1")  # more takes longer to build and gains nothing
    extensions = [
        *_from_python([name for name in modules if not name.endswith(".pyx")], place, level),
        *_from_cython([name for name in modules if name.endswith(".pyx")], place, level),
    ]
    build = Distribution({"name": PACKAGE, "ext_modules": extensions}).get_command_obj("build_ext")
    build.build_lib = str(place / "lib")
    build.build_temp = str(place / "objects")
    build.ensure_finalized()
    build.run()


def _from_python(modules: list[str], place: Path, level: str) -> list[Any]:
    from mypyc.build import mypycify

    os.environ["MYPYPATH"] = _types_of(TYPED, place / "types")
    return mypycify(
        [
            "--config-file=",
            "--python-version=3.11",
            "--explicit-package-bases",
            "--follow-imports=silent",  # pyright looks after the rest
            "--ignore-missing-imports",
            "--no-site-packages",
            f"--cache-dir={place / 'cache'}",
            *(f"{PACKAGE}/{module}.py" for module in modules),
        ],
        opt_level=level,
        debug_level="0",
        target_dir=str(place / "code"),
        group_name=f"{PACKAGE}.compiled",
    )


def _from_cython(modules: list[str], place: Path, level: str) -> list[Any]:
    from Cython.Build import cythonize
    from setuptools import Extension

    # Loops over numbers: this is what it is for. Only who asks for none at all gets none.
    optimised = "-O0" if level == "0" else "-O3"
    named = [
        Extension(
            f"{PACKAGE}.{module.removesuffix('.pyx').replace('/', '.')}",
            [f"{PACKAGE}/{module}"],
            extra_compile_args=[optimised, "-g0"],
        )
        for module in modules
    ]
    return cythonize(named, build_dir=str(place / "c"), quiet=True, force=True)


def _types_of(package: str, place: Path) -> str:
    """A directory with this package alone.

    The types of others must not be seen: what is compiled would depend on what happens to be
    installed where it is built.
    """
    (home,) = importlib.util.find_spec(package).submodule_search_locations
    shutil.copytree(home, place / package, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    return str(place)


if __name__ == "__main__":
    check_tools()
    compile_modules(Path(sys.argv[1]), sys.argv[2:])
