"""Which hosts a trigger means."""

from __future__ import annotations

import pytest

from pageloom.core.dom import parse
from pageloom.core.rules.book import RuleBook
from pageloom.core.rules.load import load_rules
from pageloom.core.rules.schema import HostSpec, RuleSpec, TriggerSpec

PAGE = parse("<p>x</p>")


def matches(url: str, **host: str | list[str]) -> bool:
    spec = RuleSpec(id="r", trigger=TriggerSpec(host=HostSpec(**host)))
    return bool(RuleBook([spec]).match(PAGE, url))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/", True),
        ("https://www.example.com/", True),
        ("https://EXAMPLE.com./", True),
        ("https://example.com:8443/a", True),
        ("https://user@example.com/", True),
        ("https://blog.example.com/", False),
        ("https://www.blog.example.com/", False),
        ("https://ample.com/", False),
        ("https://example.com.evil.test/", False),
        ("https://wwwexample.com/", False),
        ("not an address", False),
    ],
)
def test_equals_does_not_mind_www_nor_ports(url, expected):
    assert matches(url, equals="example.com") is expected
    assert matches(url, equals="www.Example.com") is expected


def test_equals_strips_www_once_and_as_a_label():
    assert matches("https://ww.example.com/", equals="ww.example.com")
    assert not matches("https://ww.example.com/", equals="example.com")
    assert matches("https://www.www.example.com/", equals="www.www.example.com")
    assert matches("https://web.example/", equals="web.example")


def test_equals_www_compares_the_host_as_asked_for():
    assert matches("https://www.example.com/", equals_www="www.example.com")
    assert not matches("https://example.com/", equals_www="www.example.com")
    assert matches("https://example.com/", equals_www="example.com")
    assert not matches("https://www.example.com/", equals_www="example.com")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/", True),
        ("https://www.example.com/", True),
        ("https://blog.example.com/", True),
        ("https://a.b.example.com/", True),
        ("https://ample.com/", False),
        ("https://myexample.com/", False),
        ("https://example.com.test/", False),
    ],
)
def test_ends_with_respects_label_borders(url, expected):
    assert matches(url, ends_with="example.com") is expected


def test_ample_does_not_match_example():
    assert not matches("https://example.com/", ends_with="ample.com")


def test_ends_with_a_leading_dot_means_hosts_below_only():
    assert matches("https://sport.example.com/", ends_with=".example.com")
    assert not matches("https://example.com/", ends_with=".example.com")
    assert not matches("https://www.example.com/", ends_with=".example.com")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://bbc.co.uk/", True),
        ("https://www.bbc.co.uk/news", True),
        ("https://news.bbc.co.uk/", True),
        ("https://itv.co.uk/", False),
        ("https://bbc.com/", False),
    ],
)
def test_etld_plus_one_knows_public_suffixes(url, expected):
    assert matches(url, etld_plus_one="bbc.co.uk") is expected


def test_names_in_other_scripts_are_compared_in_ascii():
    assert matches("https://bücher.example/", equals="xn--bcher-kva.example")
    assert matches("https://xn--bcher-kva.example/", equals="bücher.example")
    assert matches("https://laden.BÜCHER.example/", ends_with="bücher.example")


def test_one_satisfied_key_is_enough():
    assert matches("https://a.example/", equals="b.example", ends_with=["c.example", "a.example"])


def test_addresses_by_number_are_hosts_too():
    assert matches("http://192.0.2.7:8080/", equals="192.0.2.7")
    assert matches("http://[2001:db8::1]/", equals="[2001:db8::1]")


@pytest.mark.parametrize("host", ["https://example.com/", "exa mple.com", "", "a/b", "a@b"])
def test_what_is_no_host_is_an_error(host):
    loaded = load_rules(f"- id: r\n  trigger: {{host: {{equals: '{host}'}}}}\n")
    assert loaded.specs == []
    assert loaded.problems[0].field == "trigger.host.equals[0]"
