"""A server that is killed in the middle of its work: nothing is lost, nothing is done twice."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress

import pytest
from tests.api.conftest import kettle
from tests.postgres import new_database
from tests.site.server import Site, send
from tests.web.server import running
from tests.web.test_following import read_events, stream

from pageloom.library import Library, open_library


def slow_pages(site: Site, count: int, gate: threading.Event) -> list[str]:
    """Pages of which all but the first two wait until they are let go."""

    def serve(number: int):
        def answer(request) -> None:
            if number > 1:
                gate.wait(20)
            page = kettle(words=f"Kettle number {number}. " * 20).encode()
            send(request, page, Content_Type="text/html; charset=utf-8")

        return answer

    for number in range(count):
        site.pages[f"/slow/{number}"] = serve(number)
    return [site.url(f"/slow/{number}") for number in range(count)]


def wait_until(library: Library, job_id: str, done: int) -> None:
    for _ in range(400):
        if library.get_job(job_id).done >= done:
            return
        time.sleep(0.05)
    pytest.fail(f"only {library.get_job(job_id).done} of {done} pages came")


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_job_of_a_killed_server_is_finished_by_the_next(kind, request, site, tmp_path):
    if kind == "sqlite":
        _kill_and_go_on(str(tmp_path / "library.db"), site)
        return
    with new_database(request.getfixturevalue("postgres")) as database:
        _kill_and_go_on(database, site)


def _kill_and_go_on(database: str, site: Site) -> None:
    gate = threading.Event()
    urls = slow_pages(site, 5, gate)  # fewer slow ones than may be fetched at once
    with open_library(database) as library:
        with running(database) as server:
            job = library.save_later(urls, tags=["Slow"], note="Once.")
            wait_until(library, job.id, 2)
            token = library.make_token(scopes=["read"])
            with stream(server, token, **{"Last-Event-ID": "0"}) as answer:
                seen = read_events(answer, 2)
            server.kill()
        assert library.get_job(job.id).state == "running"
        with library.context.store.write() as tx:  # as if the lease had run out
            tx.run("UPDATE jobs SET lease_until = '2020-01-01T00:00:00.000Z'")
        gate.set()
        with running(database) as server:
            wait_until(library, job.id, 5)
            for _ in range(100):
                if library.get_job(job.id).state == "done":
                    break
                time.sleep(0.05)
            everything = [event.id for event in library.events(limit=1000)]
            with stream(server, token, **{"Last-Event-ID": str(seen[-1]["id"])}) as answer:
                seen += read_events(answer, len(everything) - len(seen))
        assert [event["id"] for event in seen] == everything  # none lost, none twice
        info = library.get_job(job.id)
        assert (info.state, info.done, info.failed) == ("done", 5, 0)
        pages = [library.get(url) for url in urls]
        assert [page.version for page in pages] == [1] * 5
        assert all(library.tags(page) == ("Slow",) for page in pages)
        assert all([note.text for note in library.notes(page)] == ["Once."] for page in pages)


def test_a_job_is_cancelled_while_it_runs(site, tmp_path):
    gate = threading.Event()
    urls = slow_pages(site, 5, gate)
    with running(str(tmp_path / "a.db")) as server, open_library(tmp_path / "a.db") as library:
        job = library.save_later(urls)
        wait_until(library, job.id, 2)
        browser = server.browser()
        browser.post(f"/jobs/{job.id}", do="cancel")
        for _ in range(100):
            if library.get_job(job.id).state == "cancelled":
                break
            time.sleep(0.05)
        assert library.get_job(job.id).state == "cancelled"
        gate.set()


def test_a_server_that_is_asked_to_end_leaves_its_job_to_others_at_once(site, tmp_path):
    gate = threading.Event()
    urls = slow_pages(site, 4, gate)
    with open_library(tmp_path / "a.db") as library, running(str(tmp_path / "a.db")) as server:
        job = library.save_later(urls)
        wait_until(library, job.id, 2)
        server.stop()
        gate.set()
        assert library.get_job(job.id).state == "queued"


def test_reads_are_answered_while_a_writer_holds_the_library(tmp_path):
    with running(str(tmp_path / "a.db"), "--no-work") as server:
        browser = server.browser()
        with open_library(tmp_path / "a.db") as library:
            library.save_sample()
            with library.context.store.write() as tx:
                tx.run("UPDATE pages SET pinned = 1")
                assert browser.get("/").status == 200
                assert browser.get("/p/1").status == 200
                refused = browser.send("POST", "/api/v1/pages/1/notes", {"text": "x"})
        assert (refused.status, refused.json["retryable"]) == (503, True)
        assert refused.headers["retry-after"]


def test_who_sends_slowly_keeps_nobody_waiting_and_is_sent_away(tmp_path):
    with running(str(tmp_path / "a.db"), "--no-work") as server:
        slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(150)]
        for each in slow:
            each.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        assert server.browser().get("/").status == 200
        many = b"GET /healthz HTTP/1.1\r\n" + b"X-A: b\r\n" * 10_000 + b"\r\n"
        crowded = socket.create_connection(("127.0.0.1", server.port))
        with suppress(ConnectionError), crowded:
            crowded.sendall(many)
            assert b" 200 " not in crowded.recv(100)
        for each in slow:
            each.settimeout(50)
            with suppress(ConnectionError):
                assert each.recv(1) == b""  # closed, and nothing was answered
            each.close()
        assert server.ask("GET", "/healthz").status == 200


def test_a_port_that_is_taken_is_said(tmp_path):
    from tests.integration.cli import pageloom

    with running(str(tmp_path / "a.db"), "--no-work") as server:
        result = pageloom(
            "serve",
            "--listen",
            f"127.0.0.1:{server.port}",
            PAGELOOM_DATABASE_URL=str(tmp_path / "b.db"),
        )
    assert result.code == 2
    assert "Cannot listen on" in result.err
