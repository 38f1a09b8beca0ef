from __future__ import annotations

import re

from tests.integration.cli import pageloom, pageloom_process

import pageloom as package


def test_version():
    assert pageloom_process("--version").out == f"pageloom {package.__version__}\n"


def test_help_names_every_command():
    result = pageloom("--help")
    assert result.code == 0
    assert {"extract", "explain", "doctor"} <= set(re.findall(r"[a-z]+", result.out))


def test_without_arguments_the_help_is_shown():
    result = pageloom()
    assert result.code == 2
    assert result.out == pageloom("--help").out


def test_doctor_tells_settings_with_origin_and_what_to_install(tmp_path):
    (tmp_path / "pageloom.toml").write_text("[extraction]\nmax_depth = 99\n")
    result = pageloom("doctor", "--json", cwd=tmp_path, PAGELOOM_FETCH_TIMEOUT="7")
    assert result.code == 0
    told = result.json
    assert told["settings"]["extraction.max_depth"] == {
        "value": 99,
        "origin": str(tmp_path / "pageloom.toml"),
    }
    assert told["settings"]["fetch.timeout"]["origin"] == "PAGELOOM_FETCH_TIMEOUT"
    assert told["settings"]["extraction.strict"]["origin"] == "default"
    findings = {finding["name"]: finding for finding in told["findings"]}
    assert findings["sandbox"]["ok"]
    assert findings["turbohtml"]["ok"]
    for name, finding in findings.items():
        assert finding["ok"] or finding["fix"], name


def test_doctor_for_people(tmp_path):
    result = pageloom("doctor", cwd=tmp_path)
    assert result.code == 0
    for expected in ("sandbox", "extra [browser]", "extraction.max_depth", "default"):
        assert expected in result.out
    for line in (r"extraction.strict +false", r"fetch.allowed_hosts +none"):
        assert re.search(line, result.out)


def test_doctor_refuses_wrong_settings(tmp_path):
    (tmp_path / "pageloom.toml").write_text("[extraction]\nmax_deepness = 99\n")
    result = pageloom("doctor", "--json", cwd=tmp_path)
    assert (result.code, result.json["error"]["code"]) == (2, "SettingsError")


def test_a_setting_that_is_gone_is_named_once_on_standard_error(tmp_path):
    result = pageloom_process("list", cwd=tmp_path, PAGELOOM_FETCH_HTTP2="false")
    assert result.code == 0
    assert result.err == (
        "Warning: The setting fetch.http2 is ignored (set in PAGELOOM_FETCH_HTTP2)."
        " Pages are fetched over HTTP/1.1 only.\n"
    )
