from __future__ import annotations

from pathlib import Path

import pytest
from tests.integration.cli import pageloom_process

from pageloom.errors import SettingsError
from pageloom.settings import RENAMED, load_settings


def write(directory: Path, text: str) -> Path:
    directory.mkdir(exist_ok=True)
    (directory / "pageloom.toml").write_text(text, encoding="utf-8")
    return directory


def origins(settings) -> dict[str, str]:
    return {name: origin for name, _, origin in settings.items()}


def test_without_anything_written_everything_is_default():
    settings = load_settings(environment={}, directories=())
    assert settings.extraction.max_content_length == 10_000_000
    assert settings.extraction.parse_timeout_ms == 5_000
    assert (settings.fetch.timeout, settings.fetch.connect_timeout) == (30.0, 10.0)
    assert set(origins(settings).values()) == {"default"}


def test_later_places_win_and_each_value_knows_its_place(tmp_path):
    user = write(
        tmp_path / "user",
        "[extraction]\nmin_quality_score = 10\ntext_min_length = 11\nmax_depth = 12\n"
        "[fetch]\ntimeout = 13",
    )
    here = write(tmp_path / "here", "[extraction]\ntext_min_length = 21\nmax_depth = 22\n")
    settings = load_settings(
        directories=(user, here),
        environment={"PAGELOOM_EXTRACTION_MAX_DEPTH": "32", "PAGELOOM_FETCH_TIMEOUT": "33"},
        flags={"fetch.timeout": 43.0, "extraction.strict": None},
    )
    values = settings.extraction
    assert (values.min_quality_score, values.text_min_length, values.max_depth) == (10, 21, 32)
    assert settings.fetch.timeout == 43.0
    told = origins(settings)
    assert told["extraction.min_quality_score"] == str(user / "pageloom.toml")
    assert told["extraction.text_min_length"] == str(here / "pageloom.toml")
    assert told["extraction.max_depth"] == "PAGELOOM_EXTRACTION_MAX_DEPTH"
    assert told["fetch.timeout"] == "flag"
    assert told["extraction.strict"] == "default"


def test_files_are_found_in_the_config_and_the_working_directory(tmp_path, monkeypatch):
    write(tmp_path / "pageloom", "[extraction]\nmax_depth = 7\nstrict = true\n")
    here = write(tmp_path / "here", "[extraction]\nmax_depth = 8\n")
    monkeypatch.chdir(here)
    settings = load_settings(environment={"XDG_CONFIG_HOME": str(tmp_path)})
    assert (settings.extraction.max_depth, settings.extraction.strict) == (8, True)


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("1", True), ("false", False), ("0", False)]
)
def test_the_environment_is_text(text: str, value: bool):
    environment = {
        "PAGELOOM_EXTRACTION_STRICT": text,
        "PAGELOOM_EXTRACTION_MAX_CONTENT_LENGTH": "500",
        "PAGELOOM_FETCH_ALLOWED_HOSTS": "10.0.0.0/8, wiki.example",
        "PATH": "/bin",
    }
    settings = load_settings(environment=environment, directories=())
    assert settings.extraction.strict is value
    assert settings.extraction.max_content_length == 500
    assert settings.fetch.allowed_hosts == ("10.0.0.0/8", "wiki.example")


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("[extraction]\nmax_content_lenght = 1", "extraction.max_content_length"),
        ("[extractoin]\nstrict = true", "extraction"),
        ("[fetch]\ntime_out = 3", "fetch.timeout"),
    ],
)
def test_a_misspelt_name_is_refused_with_the_nearest(tmp_path, text: str, near: str):
    with pytest.raises(SettingsError) as caught:
        load_settings(environment={}, directories=(write(tmp_path, text),))
    assert near in caught.value.suggestions[0]


def test_a_misspelt_variable_is_refused_with_the_nearest():
    with pytest.raises(SettingsError) as caught:
        load_settings(environment={"PAGELOOM_EXTRACTION_STRIKT": "1"}, directories=())
    assert "PAGELOOM_EXTRACTION_STRICT" in caught.value.suggestions[0]


@pytest.mark.parametrize(
    "text",
    [
        "[extraction]\nmax_depth = 'deep'",
        "[extraction]\nmax_depth = '256'",
        "[extraction]\nmax_depth = -1",
        "[library]\nlocal_percent = 101",
        "[extraction]\nstrict = 'yes please'",
        "[fetch]\nallowed_hosts = 'one'",
        "extraction = 5",
        "[extraction\n",
        "\udcff",
    ],
)
def test_a_wrong_value_is_refused_and_the_place_named(tmp_path, text: str):
    (tmp_path / "pageloom.toml").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(SettingsError) as caught:
        load_settings(environment={}, directories=(tmp_path,))
    assert "pageloom.toml" in caught.value.message


def test_what_is_secret_is_only_said_to_be_set():
    from pageloom.settings import without_secrets

    assert without_secrets("notify.webhook_secret", "x") == "(set)"
    assert without_secrets("notify.webhook_secrets", ("a=b",)) == ("(set)",)
    assert without_secrets("notify.smtp_password", "") == ""
    assert without_secrets("notify.targets", ("slack://a/b",)) == ("slack://…",)
    assert without_secrets("database.url", "postgresql://u:p@h/db") == "postgresql://…@h/db"
    assert without_secrets("database.url", "postgresql://u:p/w#@h/db") == "postgresql://…@h/db"
    assert without_secrets("broker.url", "me:secret@rabbit:5672") == "…@rabbit:5672"
    assert without_secrets("fetch.allowed_proxies", ("u:p@h",)) == ("…@h",)
    assert without_secrets("notify.mail_from", "me@mill.example") == "me@mill.example"
    assert without_secrets("fetch.timeout", 30) == 30


@pytest.mark.parametrize(
    ("worker", "variable", "text", "value"),
    [
        ("fetcher", "INPUT_QUEUE", "jobs", "jobs"),
        ("parser", "OUTPUT_QUEUE", "read", "read"),
        ("parser", "MAX_HTML_SIZE", "5000", 5000),
        ("parser", "TEXT_MIN_LENGTH", "7", 7),
        ("change_detector", "PRICE_UPDATE_QUEUE", "prices", "prices"),
        ("change_detector", "NOTIFY_QUEUE", "news", "news"),
        ("change_detector", "STORAGE_QUEUE", "store", "store"),
        ("change_detector", "TEXT_DIFF_THRESHOLD", "0.5", 0.5),
        ("storage", "PREFETCH", "3", 3),
        ("storage", "CONCURRENCY", "2", 2),
    ],
)
def test_plain_names_set_the_one_worker_of_a_process(worker, variable, text, value):
    given = {variable: text, "RABBIT_URL": "amqp://elsewhere/"}
    alone = load_settings(environment=given, directories=(), worker=worker)
    assert getattr(getattr(alone, worker), variable.lower()) == value
    assert alone.origins[f"{worker}.{variable.lower()}"] == variable
    together = load_settings(environment=given, directories=())
    assert getattr(together, worker) == getattr(
        load_settings(environment={}, directories=()), worker
    )
    assert alone.broker.url == together.broker.url == "amqp://elsewhere/"
    ours = f"PAGELOOM_{worker.upper()}_{variable}"
    named = load_settings(environment={ours: text}, directories=())
    assert getattr(getattr(named, worker), variable.lower()) == value


def test_a_plain_name_with_a_value_that_does_not_fit_is_refused_where_it_stands():
    with pytest.raises(SettingsError, match="MAX_HTML_SIZE"):
        load_settings(environment={"MAX_HTML_SIZE": "big"}, directories=(), worker="parser")


@pytest.mark.parametrize(
    "variables",
    [
        {"PREFETCH": "70000"},
        {"PORT": "99999"},
        {"INPUT_QUEUE": "q" * 300},
        {"PAGELOOM_PARSER_INPUT_QUEUE": ""},
        {"PAGELOOM_BROKER_HEALTH_PORT": "65536"},
        {"PAGELOOM_BROKER_RETRY_DELAYS": "-1,2"},
        {"PAGELOOM_BROKER_RETRY_DELAYS": "1,nan"},
        {"PAGELOOM_BROKER_RETRY_DELAYS": "1e12"},
        {"PAGELOOM_BROKER_DEAD_LETTER_QUEUE": ""},
        {"PAGELOOM_NOTIFY_SMTP_PORT": "70000"},
    ],
)
def test_what_the_broker_or_the_system_would_refuse_is_refused_here(variables):
    (name,) = variables
    with pytest.raises(SettingsError, match=name) as trouble:
        load_settings(environment=variables, directories=(), worker="parser")
    assert trouble.value.suggestions


def test_a_setting_that_is_gone_is_ignored_with_a_warning(tmp_path):
    place = write(tmp_path / "old", "[fetch]\nhttp2 = false\ntimeout = 3.0\n")
    with pytest.warns(FutureWarning, match=r"fetch\.http2 is ignored \(set in .*pageloom\.toml\)"):
        settings = load_settings(environment={}, directories=(place,))
    assert settings.fetch.timeout == 3.0
    with pytest.warns(FutureWarning, match="set in PAGELOOM_FETCH_HTTP2"):
        load_settings(environment={"PAGELOOM_FETCH_HTTP2": "1"}, directories=())


@pytest.mark.parametrize("old", sorted(RENAMED))
def test_an_old_name_still_works_with_a_warning(tmp_path, old: str):
    section, name = old.split(".")
    new = RENAMED[old]
    default = getattr(getattr(load_settings(environment={}, directories=()), section), new)
    value = "Europe/Rome" if new == "timezone" else "::1" if new == "health_host" else 7
    file = write(tmp_path, f"[{section}]\n{name} = {value!r}\n")
    variable = f"PAGELOOM_{section}_{name}".upper()
    for given in (
        {"environment": {}, "directories": (file,)},
        {"environment": {variable: str(value)}, "directories": ()},
    ):
        message = rf"The setting {old} is now called {section}\.{new} \(set in .*\)"
        with pytest.warns(FutureWarning, match=message):
            settings = load_settings(**given)
        assert getattr(getattr(settings, section), new) == value != default
        shown = origins(settings)
        assert (f"{section}.{new}" in shown, old in shown) == (True, False)
        assert shown[f"{section}.{new}"] in (variable, str(file / "pageloom.toml"))


def test_a_command_warns_of_an_old_name_once(tmp_path):
    done = pageloom_process("doctor", cwd=tmp_path, PAGELOOM_WATCH_ZONE="Europe/Rome")
    assert done.err.count("Warning: The setting watch.zone is now called watch.timezone") == 1
    assert "settings.py" not in done.err
    assert "watch.timezone" in done.out
