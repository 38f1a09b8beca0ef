from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from tests.integration.cli import environment

from pageloom.core import pipeline

ROOT = Path(__file__).parents[2]


def test_imports_go_only_the_way_the_architecture_allows():
    from importlinter.cli import lint_imports

    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0


def test_every_stage_says_its_place_and_the_pipeline_agrees():
    order = re.findall(r"^ +(\d) (\w+) ", pipeline.__doc__ or "", re.MULTILINE)
    assert [int(number) for number, _ in order] == list(range(1, 10))
    places: dict[str, list[str]] = {}
    for number, name in order:
        places.setdefault(name, []).append(number)
    stages = {path.parent.name: path for path in (ROOT / "src/pageloom/core").glob("*/__init__.py")}
    assert set(stages) == set(places)
    picture = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for name, path in stages.items():
        word = "Stage" if len(places[name]) == 1 else "Stages"
        assert path.read_text().startswith(f'"""{word} {" and ".join(places[name])} of 9: {name}. ')
        assert re.search(rf"^   {name}\b", picture, re.MULTILINE)


def test_functions_are_short_and_files_can_be_read_in_one_sitting():
    from tools.measure import files_in, functions_in, part

    source = ROOT / "src" / "pageloom"
    assert part(functions_in(source), 0.95) <= 25
    grows_by_itself = source / "edges/store/schema.py"  # every step of the schema stays for good
    too_long = {place for length, place in files_in(source) if length > 620}
    assert too_long <= {str(grows_by_itself)}, "split what has two subjects"


def test_front_doors_take_values_for_what_they_are():
    """Once a fetcher that was none went through a ``cast`` into every check of the workers."""
    doors = sorted((ROOT / "src" / "pageloom" / "apps").rglob("*.py"))
    assert [path.name for path in doors if re.search(r"\bcast\(", path.read_text())] == []


def run_python(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    return done.stdout.strip()


HEAVY = (
    "aiohttp asyncio fastapi numpy playwright rich publicsuffixlist sqlite3 turbohtml typer yaml"
)


def test_importing_pageloom_loads_nothing_heavy():
    loaded = run_python("import sys, pageloom; print(*sys.modules)").split()
    assert not set(HEAVY.split()) & set(loaded)


def test_extracting_a_page_loads_no_network_and_no_terminal():
    script = "import sys, pageloom; pageloom.extract('<p>Hello there</p>'); print(*sys.modules)"
    loaded = run_python(script).split()
    assert not {"aiohttp", "fastapi", "playwright", "rich", "sqlite3", "typer"} & set(loaded)


def test_help_loads_neither_engine_nor_network():
    script = (
        "import sys; sys.argv = ['pageloom', 'extract', '--help']\n"
        "from pageloom.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(*sys.modules)"
    )
    loaded = run_python(script).split()
    assert not {"aiohttp", "asyncio", "numpy", "rich", "turbohtml"} & set(loaded)


def test_the_command_line_leaves_the_engine_to_the_sandbox(tmp_path):
    """Only the child that reads the page loads what reading takes; the parent starts sooner."""
    page = tmp_path / "page.html"
    page.write_text("<title>Tide</title><p>The water in the bay went out further than ever.</p>")
    script = (
        f"import sys; sys.argv = ['pageloom', 'extract', {str(page)!r}, '-o', {os.devnull!r}]\n"
        "from pageloom.__main__ import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "print(*sys.modules)"
    )
    loaded = run_python(script).split()
    heavy = "aiohttp asyncio markdown_it numpy pydantic publicsuffixlist rich turbohtml yaml"
    assert not set(heavy.split()) & set(loaded)


def test_workers_load_only_what_they_work_with():
    """Each is a process of its own: what it has no use for is memory that many times over."""
    script = (
        "import sys\n"
        "from pageloom.apps.agents.topology import make_agent\n"
        "for name in 'parser classifier price-tracker notifier storage discovery'.split():\n"
        "    make_agent(name)\n"
        "print(*sys.modules)"
    )
    loaded = run_python(script).split()
    assert not {"aiohttp", "numpy", "rapidfuzz", "turbohtml", "typer", "yaml"} & set(loaded)


def test_listing_pages_loads_only_what_lists_need(tmp_path):
    script = (
        "import os, sys; from pageloom.apps.cli.main import run;"
        f"os.environ['PAGELOOM_DATABASE_URL'] = {str(tmp_path / 'library.db')!r};"
        "assert run(['list']) == 0; print(*sys.modules)"
    )
    loaded = run_python(script).split()
    parts = (
        "core.options edges.broker.options edges.fetch flows.observing edges.store.search"
        " model.library"
    )
    heavy = "aiohttp asyncio numpy psycopg rich structlog turbohtml yaml"
    assert not {*(f"pageloom.{part}" for part in parts.split()), *heavy.split()} & set(loaded)


def test_every_public_name_is_there_and_no_other():
    import pageloom

    for name in pageloom.__all__:
        assert getattr(pageloom, name) is not None
    assert set(dir(pageloom)) == set(pageloom.__all__)
    with pytest.raises(AttributeError):
        _ = pageloom.nonsense


def test_every_error_of_the_family_is_public():
    import pageloom
    from pageloom import errors

    family = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.PageloomError)
    }
    assert family <= set(pageloom.__all__)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> zipfile.ZipFile:
    place = tmp_path_factory.mktemp("wheel")
    command = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(place), str(ROOT)]
    plain = {**os.environ, "HATCH_BUILD_NO_HOOKS": "1"}
    subprocess.run([sys.executable, *command], check=True, capture_output=True, env=plain)
    (built,) = place.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        yield archive


def test_the_wheel_holds_every_file_of_the_package(wheel: zipfile.ZipFile):
    source = ROOT / "src"
    wanted = {
        str(path.relative_to(source))
        for path in (source / "pageloom").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted <= set(wheel.namelist())
    assert "pageloom/py.typed" in wanted


def test_the_wheel_holds_nothing_else(wheel: zipfile.ZipFile):
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"pageloom"}


def test_requirements_record_no_host():
    for path in (ROOT / "requirements").glob("*.txt"):
        assert "://" not in path.read_text()


def test_the_lowest_versions_are_those_that_pyproject_allows():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    ours = [*project["dependencies"]]
    ours += [
        one for name in extras if name not in ("all", "bench", "train") for one in extras[name]
    ]
    lines = (ROOT / "requirements" / "lowest.txt").read_text().split("\n")
    lowest = {plain_name(line.partition("==")[0]): line.partition("==")[2] for line in lines}
    for one in ours:
        name, floor = re.match(r"([\w.-]+)[^>]*>=([\d.]+)", one).groups()
        assert lowest[plain_name(name)].startswith(floor), f"{one}: run make pins"


def test_every_package_that_tests_import_is_pinned():
    """A machine that has more than the list would hide it."""
    pinned = {
        plain_name(re.split(r"[=\[ ;]", line)[0])
        for line in (ROOT / "requirements" / "dev.txt").read_text().splitlines()
    }
    newer = {"compression"}  # of the standard library, from 3.14 on
    ours = {"pageloom", "tests", "tools", "bench"} | newer | sys.stdlib_module_names
    homes = packages_distributions()
    for path in (ROOT / "tests").rglob("*.py"):
        for name in imported(path) - ours:
            owners = {plain_name(owner) for owner in homes.get(name, [])}
            assert owners & pinned, f"{path.name} imports {name}"


def plain_name(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


def test_the_doctor_knows_every_extra():
    import tomllib

    from pageloom.flows.doctor import EXTRAS

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = project["optional-dependencies"]
    assert set(EXTRAS) == set(declared) - {"all", "bench", "train"}
    for extra, packages in EXTRAS.items():
        names = {line.partition(">")[0].partition("[")[0] for line in declared[extra]}
        assert set(packages) == names
