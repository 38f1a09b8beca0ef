"""What is shipped for running the workers names what there is."""

from __future__ import annotations

import configparser
import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml
from tests.deploy.kuberay import RAY_JOB

from pageloom.apps import metrics
from pageloom.apps.agents.topology import AGENTS, section_of
from pageloom.settings import load_settings

DEPLOY = Path(__file__).parents[2] / "deploy"
_NAME = re.compile(r"\bpageloom_[a-z_]+")


def known_names() -> set[str]:
    """Every name that /metrics may show."""
    names: set[str] = set()
    for family in metrics.REGISTRY.collect():
        ends = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}
        names |= {family.name + end for end in ends.get(family.type, ("",))}
    return names


def dashboard_queries() -> list[str]:
    dashboard = json.loads((DEPLOY / "grafana" / "pageloom.json").read_text())
    return [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]


def alerts() -> list[dict]:
    groups = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def test_the_dashboard_and_the_alerts_ask_only_for_figures_that_exist():
    asked = [*dashboard_queries(), *(rule["expr"] for rule in alerts())]
    found = {name for query in asked for name in _NAME.findall(query)}
    assert found <= known_names()
    assert len(found) > 15


def test_every_alert_says_what_to_do():
    for rule in alerts():
        assert set(rule["annotations"]) == {"summary", "action"}
        assert rule["labels"]["severity"] in ("warning", "critical")


@pytest.mark.parametrize(
    "name",
    [
        "pageloom_extract_success_total",
        "pageloom_extract_errors_total",
        "pageloom_extract_duration_seconds_bucket",
        "pageloom_parse_duration_seconds_bucket",
        "pageloom_stage_duration_seconds_bucket",
        "pageloom_quality_score_bucket",
        "pageloom_word_count_bucket",
        "pageloom_queue_messages",
        "pageloom_dead_letters",
        "pageloom_fetch_duration_seconds_bucket",
        "pageloom_render_duration_seconds_bucket",
        "pageloom_versions_total",
        "pageloom_changes_total",
    ],
)
def test_the_names_that_were_promised_are_there(name):
    assert name in known_names()


def test_the_compose_file_runs_every_worker():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = compose["services"]
    commands = {name: each["command"] for name, each in services.items() if "command" in each}
    assert commands.pop("web")[0] == "serve"
    assert commands == {agent: ["worker", agent] for agent in AGENTS}
    settings = services["parser"]["environment"]
    names = [name for name in settings if name.startswith("PAGELOOM_")]
    load_settings(environment=dict.fromkeys(names, "x"), directories=())
    for name, service in services.items():
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:"), f"{name} is open to the world"


def test_the_web_app_of_the_compose_file_starts_once_somebody_can_sign_in(tmp_path):
    from pageloom.apps.web.server_state import make_site, read_listen
    from pageloom.errors import SettingsError
    from pageloom.library import open_library

    web = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["web"]
    given = {
        name: re.sub(r"\$\{\w+:-(.*?)\}", r"\1", value)
        for name, value in web["environment"].items()
    }
    given |= {
        "PAGELOOM_DATABASE_URL": str(tmp_path / "a.db"),
        "PAGELOOM_WEB_LISTEN": web["command"][2],
    }
    settings = load_settings(environment=given, directories=())
    assert settings.library.through_workers
    _, port = read_listen(settings.web.listen)
    with open_library(settings=settings) as library:
        with pytest.raises(SettingsError, match="sign in"):
            make_site(library, port)
        library.set_password("a long enough password")
        assert str(make_site(library, port).origin) == "http://localhost:8460"


def test_prometheus_asks_every_worker_on_its_port():
    settings = load_settings(environment={}, directories=())
    config = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yaml").read_text())
    (targets,) = (job["static_configs"][0]["targets"] for job in config["scrape_configs"])
    wanted = [f"{agent}:{getattr(settings, section_of(agent)).port}" for agent in AGENTS]
    assert sorted(targets) == sorted(wanted)


def test_the_units_start_workers_that_exist():
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read_string((DEPLOY / "systemd" / "pageloom-worker@.service").read_text())
    assert unit["Service"]["ExecStart"].endswith("pageloom worker %i")
    assert unit["Service"]["Restart"] == "always"
    stop = load_settings(environment={}, directories=()).broker.shutdown_timeout
    assert int(unit["Service"]["TimeoutStopSec"]) > stop
    target = (DEPLOY / "systemd" / "pageloom-workers.target").read_text()
    started = set(re.findall(r"pageloom-worker@([a-z-]+)\.service", target))
    assert started <= set(AGENTS)
    assert len(started) == len(AGENTS) - 1  # discovery is started by those who want it


def test_the_unit_of_the_web_app_gives_its_work_the_time_to_end():
    from pageloom.apps.web.work import STOP_SECONDS

    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read_string((DEPLOY / "systemd" / "pageloom-serve.service").read_text())
    assert unit["Service"]["ExecStart"].endswith("pageloom serve")
    assert int(unit["Service"]["TimeoutStopSec"]) > STOP_SECONDS


def test_the_image_holds_the_extras_that_workers_need():
    text = (DEPLOY / "Containerfile").read_text()
    found = re.search(r"/src\[([a-z,]+)\]", text)
    assert found
    assert {"agents", "postgres", "web"} <= set(found[1].split(","))


def bulk_commands() -> dict[str, list[str]]:
    """The bulk command in each file for Ray."""
    import shlex

    job = yaml.safe_load((DEPLOY / "ray" / "rayjob.yaml").read_text())
    text = (DEPLOY / "ray" / "cluster.yaml").read_text()
    said = text.partition("'pageloom ")[2].partition("'")[0].replace("\\\n#", " ")
    return {"rayjob": shlex.split(job["spec"]["entrypoint"])[1:], "cluster": shlex.split(said)}


@pytest.mark.parametrize("name", ["rayjob", "cluster"])
def test_the_commands_for_ray_can_be_planned(name, tmp_path):
    from tests.archives import write_warcs
    from tests.integration.cli import pageloom

    words = bulk_commands()[name]
    paths = write_warcs(tmp_path / "crawl", 2, 1)
    (tmp_path / "warc.paths.gz").write_bytes(b"")
    import gzip

    listed = "\n".join(Path(path).name for path in paths).encode()
    (tmp_path / "warc.paths.gz").write_bytes(gzip.compress(listed))
    words[words.index("--base") + 1] = str(tmp_path / "crawl")
    result = pageloom(*words, "--plan", cwd=tmp_path)
    assert result.code == 0, result.err
    assert words[words.index("--on") + 1] == "ray"


def test_the_job_for_kubernetes_and_the_cluster_are_what_their_schemas_ask_for():
    job = yaml.safe_load((DEPLOY / "ray" / "rayjob.yaml").read_text())
    jsonschema.validate(job, RAY_JOB)
    assert job["spec"]["shutdownAfterJobFinishes"], "without it nothing is cleaned up"
    ray = pytest.importorskip("ray")
    theirs = json.loads((Path(ray.__file__).parent / "autoscaler/ray-schema.json").read_text())
    jsonschema.validate(yaml.safe_load((DEPLOY / "ray" / "cluster.yaml").read_text()), theirs)
    cluster = job["spec"]["rayClusterSpec"]
    for group in cluster["workerGroupSpecs"]:
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]
    pinned = (DEPLOY.parent / "requirements" / "dev.txt").read_text()
    version = re.search(r"^ray==(.*)$", pinned, re.MULTILINE)[1]
    assert cluster["rayVersion"] == version
    assert version in (DEPLOY / "ray" / "Containerfile").read_text()
