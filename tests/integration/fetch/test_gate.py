"""The gate as callers meet it: nothing is looked up, dialled, or told of what is inside."""

from __future__ import annotations

import asyncio

import pytest
from tests.unit.edges.fetch.test_guard import NOT_AN_ADDRESS, NOT_DIALLED

from pageloom.edges.fetch.fetcher import open_fetcher
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.request import FetchRequest
from pageloom.errors import FetchError, InvalidUrl, PageloomError
from pageloom.flows.capture.acquire import acquire

GOOD = ["93.184.216.34", "2606:2800:220:1::1"]
BAD = """
127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255
168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1
192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1
64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
2001:db8::1 2002:7f00:1:: 2002:a00:1:: 3fff::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1
100::1 4000::1 2a00:1450::5efe:7f00:1 2a00:1450::200:5efe:a9fe:a9fe
""".split()


async def refusals(urls: list[str], resolve, mode: str = "never") -> dict[str, PageloomError]:
    found: dict[str, PageloomError] = {}
    async with open_fetcher(FetchOptions(), resolve=resolve) as fetcher:
        for url in urls:
            try:
                await acquire(FetchRequest(url=url), fetcher=fetcher, rules=None, render=mode)
            except PageloomError as error:
                found[url] = error
    return found


async def never(host: str, port: int, family: object) -> list[str]:
    raise AssertionError(f"{host} was looked up")


@pytest.mark.parametrize("mode", ["auto", "force"])
def test_every_spelling_is_refused_before_any_look_up(mode: str):
    found = asyncio.run(refusals(NOT_DIALLED, never, mode))
    assert len(NOT_DIALLED) >= 80
    assert {url for url in NOT_DIALLED if url not in found} == set()
    for error in found.values():
        assert isinstance(error, FetchError)
        assert error.kind == "blocked_address"


def test_what_is_no_web_address_is_refused_too():
    found = asyncio.run(refusals(NOT_AN_ADDRESS, never))
    assert set(found) == set(NOT_AN_ADDRESS)
    assert {type(error) for error in found.values()} == {InvalidUrl}


@pytest.mark.parametrize("place", ["alone", "first", "last"])
def test_every_closed_answer_of_a_name_is_refused(place: str):
    """Alone, or among good ones: one bad record closes the name."""
    names = {f"name{number}.example": answer for number, answer in enumerate(BAD)}

    async def resolve(host: str, port: int, family: object) -> list[str]:
        bad = names[host]
        return {"alone": [bad], "first": [bad, *GOOD], "last": [*GOOD, bad]}[place]

    found = asyncio.run(refusals([f"http://{name}/" for name in names], resolve))
    assert len(BAD) >= 45
    assert len(found) == len(BAD)
    for url, error in found.items():
        assert isinstance(error, FetchError)
        assert error.kind == "blocked_address"
        assert names[url.split("/")[2]] not in str(error.to_dict())


def test_an_answer_that_changes_between_two_fetches_is_judged_each_time(site):
    """Rebinding: the first answer is allowed and used, the second is another matter."""
    site.add("/", b"first")
    answers = [["127.0.0.1"], ["10.0.0.1"]]

    async def resolve(host: str, port: int, family: object) -> list[str]:
        return answers.pop(0)

    async def run():
        chosen = FetchOptions(allowed_hosts=("127.0.0.0/8",), retries=0)
        async with open_fetcher(chosen, resolve=resolve) as fetcher:
            request = FetchRequest(url=site.url("/", "rebinds.example"))
            first = await fetcher.get(request)
            with pytest.raises(FetchError) as caught:
                await fetcher.get(request)
            return first, caught.value

    first, error = asyncio.run(run())
    assert first.body == b"first"
    assert error.kind == "blocked_address"
    assert site.connections == 1
