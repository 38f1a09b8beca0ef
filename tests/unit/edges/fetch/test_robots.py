from __future__ import annotations

import pytest

from pageloom.edges.fetch.robots import read_robots

FILE = """\
\ufeff# comment
User-agent: Slurp
User-agent: Other/1.0
Disallow: /

User-agent: *
Disallow: /search
Allow: /search/about
Disallow: /*.pdf$
Disallow: /a*b*c
Disallow: /ä
Crawl-delay: 2.5

User-agent: pageloom
Disallow: /only
Crawl-delay: nonsense
"""


@pytest.mark.parametrize(
    ("agent", "path", "allowed"),
    [
        ("Slurp", "/", False),
        ("other", "/x", False),
        ("Someone", "/", True),
        ("Someone", "/search?q=1", False),
        ("Someone", "/search/about", True),
        ("Someone", "/x/y.pdf", False),
        ("Someone", "/x/y.pdf?z", True),
        ("Someone", "/a1b2c3", False),
        ("Someone", "/acb", True),
        ("Someone", "/%C3%A4x", False),
        ("Pageloom", "/only/x", False),
        ("Pageloom", "/search", True),
    ],
)
def test_the_longest_matching_rule_of_the_own_group_decides(agent: str, path: str, allowed: bool):
    assert read_robots(FILE, agent).allows(path) is allowed


def test_delays_are_read_where_they_make_sense():
    assert read_robots(FILE, "Someone").delay == 2.5
    assert read_robots(FILE, "Pageloom").delay == 0
    assert read_robots("User-agent: *\nCrawl-delay: 999999", "x").delay == 30


@pytest.mark.parametrize("text", ["", "nonsense", "Disallow: /", "\x00" * 100, "<html>404</html>"])
def test_a_file_without_groups_allows_all(text: str):
    assert read_robots(text, "x").allows("/any")


def test_patterns_made_to_take_long_do_not():
    file = "User-agent: *\n" + ("Disallow: /" + "a*" * 900 + "b\n") * 2_000
    assert read_robots(file, "x").allows("/" + "a" * 5_000)


@pytest.mark.timeout(5)
def test_many_agents_with_many_rules_take_no_longer_than_their_lines():
    agents = "".join(f"User-agent: a{number}\n" for number in range(4_000))
    rules = "".join(f"Disallow: /{number}\n" for number in range(6_000))
    assert not read_robots(agents + rules, "a3999").allows("/5999")


@pytest.mark.parametrize(
    ("pattern", "path", "allowed"),
    [
        ("/fish", "/fishheads", False),
        ("/fish*", "/Fish.asp", True),
        ("/fish/", "/fish", True),
        ("/*.php", "/index.php?x", False),
        ("/*.php$", "/index.php?x", True),
        ("/fish*.php", "/fishheads/catfish.php", False),
        ("*/x$", "/a/x", False),
        ("$", "/", True),
        ("/$", "/", False),
    ],
)
def test_the_wildcards_of_the_standard(pattern: str, path: str, allowed: bool):
    assert read_robots(f"User-agent: *\nDisallow: {pattern}", "x").allows(path) is allowed
