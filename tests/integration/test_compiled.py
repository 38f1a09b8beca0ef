"""The wheel whose busiest modules are compiled: it says what the sources say."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from bench.fuzz import break_page, grow_page
from tests.services import c_compiler

pytestmark = pytest.mark.slow_file(seconds=150)
ROOT = Path(__file__).parents[2]
ASKED = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "1"}
READ_ALL = """
import hashlib, json, sys
from pathlib import Path
import pageloom
from pageloom.core import words

said = {"compiled": not words.__file__.endswith(".py")}
for path in sorted(Path(sys.argv[1]).iterdir()):
    try:
        answer = pageloom.extract(path.read_bytes(), "https://pages.example/a/b?c=d").to_json()
    except pageloom.PageloomError as error:
        answer = f"{type(error).__name__}: {error}"
    said[path.name] = hashlib.sha256(answer.encode()).hexdigest()
print(json.dumps(said))
"""
MEASURE_ALL = """
import json, sys
from pathlib import Path
from pageloom import PageloomError
from pageloom.core.decode.source import decode
from pageloom.core.extract import blocks, features
from pageloom.core.extract import native_features as figures
from pageloom.core.extract.page_features import read_context

measured, other = 0, []
for path in sorted(Path(sys.argv[1]).iterdir()):
    try:
        source = decode(path.read_bytes(), url="https://pages.example/a/b?c=d")
    except PageloomError:
        continue
    body = source.tree.select_one("body")
    page = blocks.segment(body)
    if not page:
        continue
    context = read_context(source.tree, source.url)
    one, two = features.measure(page, context), figures.measure(page, context)
    pairs = [
        (one.names, two.names),
        (one.figures.tobytes(), two.figures.tobytes()),
        (one.side.tobytes(), two.side.tobytes()),
        (one.unmistakable.tobytes(), two.unmistakable.tobytes()),
    ]
    measured += 1
    if any(left != right for left, right in pairs):
        other.append(path.name)
print(json.dumps({"measured": measured, "other": other}))
"""


def build(place: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(place), str(ROOT)]
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def run(script: str, pages: Path, package: Path) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", script, str(pages)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(package)},
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    c_compiler()
    place = tmp_path_factory.mktemp("compiled")
    done = build(place, MYPYC_OPT_LEVEL="0", **ASKED)  # the same code, in half the time
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = place.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def unpacked(wheel: Path) -> Path:
    place = wheel.parent / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    return place


def settings_of_the_hook() -> dict[str, list[str]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return settings["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]


@pytest.mark.timeout(300)
def test_the_listed_modules_are_compiled_and_lie_beside_their_sources(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for module in settings_of_the_hook()["modules"]:
        source = module if module.endswith(".pyx") else f"{module}.py"
        binary = f"pageloom/{module.removesuffix('.pyx')}.cpython-"
        assert f"pageloom/{source}" in names
        assert [name for name in names if name.startswith(binary)], module
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"pageloom"}
    assert "none-any" not in wheel.name


@pytest.mark.timeout(300)
def test_building_leaves_nothing_among_the_sources(wheel: Path):
    assert not [*(ROOT / "src").rglob("*.so"), *(ROOT / "src").rglob("*.c")]


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> Path:
    """Whole, broken and grown ones; one is too long for what is written in C."""
    place = tmp_path_factory.mktemp("pages")
    chance = random.Random(5)  # noqa: S311  no secret
    whole = [path.read_bytes() for path in sorted((ROOT / "tests" / "golden").rglob("*.html"))]
    broken = [break_page(whole, chance) for _ in range(200)]
    grown = [grow_page(chance) for _ in range(200)]
    long = b"<p>a line of many</p>" * 2_000
    for number, page in enumerate((*whole, *broken, *grown, long)):
        (place / str(number)).write_bytes(page)
    return place


@pytest.mark.timeout(300)
def test_compiled_or_not_a_page_makes_the_same_document(unpacked: Path, pages: Path):
    compiled = run(READ_ALL, pages, unpacked)
    plain = run(READ_ALL, pages, ROOT / "src")
    assert (compiled.pop("compiled"), plain.pop("compiled")) == (True, False)
    assert len(plain) > 400
    assert {name for name in plain if plain[name] != compiled[name]} == set()


@pytest.mark.timeout(300)
def test_what_is_written_in_c_has_the_figures_of_its_reference(unpacked: Path, pages: Path):
    told = run(MEASURE_ALL, pages, unpacked)
    assert told["measured"] > 300
    assert told["other"] == []


@pytest.mark.timeout(600)
def test_unit_golden_and_quality_tests_hold_for_the_wheel(unpacked: Path):
    """Where mypyc compiles, a wrong annotation is an error that the sources never show."""
    lanes = [str(ROOT / "tests" / lane) for lane in ("unit", "golden", "quality")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", "-o", "pythonpath=.", *lanes],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
    )
    assert f"pageloom: compiled, {unpacked / 'pageloom'}" in done.stdout
    assert done.returncode == 0, done.stdout[-20_000:]


@pytest.mark.timeout(300)
def test_the_doctor_tells_whether_modules_are_compiled(unpacked: Path):
    told = {}
    for package in (unpacked, ROOT / "src"):
        done = subprocess.run(
            [sys.executable, "-m", "pageloom", "doctor", "--json"],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": str(package)},
        )
        findings = {one["name"]: one for one in json.loads(done.stdout)["findings"]}
        told[package] = findings["compiled"]["ok"]
    assert told == {unpacked: True, ROOT / "src": False}


def test_without_a_compiler_who_asks_for_one_is_told_what_is_missing(tmp_path: Path):
    done = build(tmp_path, CC="no-such-compiler", **ASKED)
    assert done.returncode != 0
    assert "There is no C compiler no-such-compiler" in done.stdout + done.stderr
    assert not list(tmp_path.glob("*.whl"))


def test_without_a_compiler_all_others_get_python_alone(tmp_path: Path):
    done = build(tmp_path, CC="no-such-compiler")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "There is no C compiler no-such-compiler" in done.stdout + done.stderr
    assert [path.name for path in tmp_path.glob("*-none-any.whl")]


def test_what_is_built_is_what_is_tried():
    """Other versions of these may compile to something else."""
    pinned = (ROOT / "requirements" / "dev.txt").read_text().split()
    exact = [one for one in settings_of_the_hook()["dependencies"] if "==" in one]
    assert len(exact) == 3
    assert set(exact) <= set(pinned)
