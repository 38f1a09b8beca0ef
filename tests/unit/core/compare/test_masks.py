from __future__ import annotations

import pytest

from pageloom.core.compare.masks import Setting, mask_line

TRIVIAL = [
    ("Updated 3 hours ago", "Updated just now", "relative-time"),
    ("vor 5 Minuten", "vor 2 Stunden", "relative-time"),
    ("il y a 2 jours", "il y a 3 jours", "relative-time"),
    ("hace 3 horas", "hace 4 horas", "relative-time"),
    ("3小时前", "5小时前", "relative-time"),
    ("Sale ends in 3 days", "Sale ends in 2 days", "relative-time"),
    ("1,234 views · 56 comments", "1,250 views · 58 comments", "counter"),
    ("12 345 просмотров", "12 350 просмотров", "counter"),
    ("37 people are viewing this right now", "12 people are viewing this right now", "counter"),
    ("455 pessoas interessadas", "460 pessoas interessadas", "counter"),
    ("Viewed 1,204 times", "Viewed 1,301 times", "counter"),
    ("★ 4.6 (128)", "★ 4.6 (140)", "counter"),
    ("Likes received: 208", "Likes received: 209", "counter"),
    ("Last updated: 3 March 2026, 14:32 CET", "Last updated: 4 March 2026, 09:01 CET", "timestamp"),
    ("Stand: 12.03.2026", "Stand: 13.03.2026", "timestamp"),
    ("最終更新日：2026年3月5日", "最終更新日：2026年3月6日", "timestamp"),
    ("© 2024–2025 Foo Ltd", "© 2024–2026 Foo Ltd", "copyright-year"),
    ("5 min read", "6 min read", "reading-time"),
    ("Lesezeit: 4 Minuten", "Lesezeit: 5 Minuten", "reading-time"),
    ("Session ID: 8f3a99c1d2e3f4a5b6", "Session ID: 00ff11ee22dd33cc44", "session"),
    ("Page generated in 0.032 seconds", "Page generated in 0.140 seconds", "machine"),
    ("DAX 18.234,50 +0,42 %", "DAX 18.190,12 -0,24 %", "ticker"),
]
MEANT = [
    ("Only 3 left in stock", "Only 2 left in stock"),
    ("Delivery in 3 days", "Delivery in 5 days"),
    ("Up to 50 comments per month", "Up to 80 comments per month"),
    ("Apply by 3 May 2026", "Apply by 9 May 2026"),
    ("Effective 1 January 2026", "Effective 1 May 2026"),
    ("Saturday, 18 April 2026, 19:30", "Saturday, 25 April 2026, 19:30"),
    ("Monday 9:00 – 18:00", "Monday 10:00 – 16:00"),
    ("€49 per seat", "€59 per seat"),
    ("Rated 4.6 out of 5", "Rated 4.1 out of 5"),
    ("The clip was watched by about 2 million people in the first week after it had come out",
     "The clip was watched by about 3 million people in the first week after it had come out"),
    ("Python 3.9 or newer", "Python 3.11 or newer"),
    ("In stock", "Out of stock"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "kind"), TRIVIAL)
def test_what_only_moves_on_is_masked(before, after, kind):
    one, two = mask_line(before), mask_line(after)
    assert one.key == two.key
    assert kind in one.kinds


@pytest.mark.parametrize(("before", "after"), MEANT)
def test_what_means_something_is_not(before, after):
    assert mask_line(before).key != mask_line(after).key


def test_a_bare_number_is_a_counter_unless_it_is_a_value():
    assert mask_line("1,204").kinds == ("counter",)
    assert not mask_line("600", Setting(is_value=True)).spans
    assert not mask_line("£ 600").spans
