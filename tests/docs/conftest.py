"""The web that the examples speak of: every host of theirs, on this machine."""

from __future__ import annotations

from importlib.resources import files

import pytest
from tests.api.conftest import kettle
from tests.site.certificates import make_certificate
from tests.site.proxy_servers import proxy_server
from tests.site.server import send, start_site


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """Of all hosts that the examples fetch from."""
    folder = tmp_path_factory.mktemp("certificate")
    return make_certificate(folder, "tidewatch.example", "shop.example")


@pytest.fixture
def web(certificate, monkeypatch):
    """Reached by a proxy, so that the examples and the settings of their readers look the same."""
    sites = start_site(certificate.server())
    site = next(sites)
    swifts = (files("pageloom.samples") / "harbour-swifts.html").read_text()
    site.add_html("/nature/harbour-swifts", swifts)
    prices = iter(("39.90", "34.90"))

    def sell(request) -> None:
        """Cheaper the second time."""
        page = kettle(price=next(prices)).encode()
        send(request, page, Content_Type="text/html; charset=utf-8")

    site.pages["/kettle"] = sell
    with proxy_server("http", site.port) as proxy:
        monkeypatch.setenv("PAGELOOM_FETCH_PROXY", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("PAGELOOM_FETCH_PROXY_RESOLVES", "true")
        monkeypatch.setenv("PAGELOOM_FETCH_CA_FILE", str(certificate.certificate))
        yield site
    sites.close()
