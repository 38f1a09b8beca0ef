"""Certificates for test servers, made afresh by the system's openssl."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.services import need


@dataclass(frozen=True)
class Certificate:
    """A self-signed certificate; who trusts the file trusts the server."""

    certificate: Path
    key: Path

    def server(self, *protocols: str) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        if protocols:
            context.set_alpn_protocols(list(protocols))
        return context


def make_certificate(folder: Path, *names: str, expired: bool = False) -> Certificate:
    openssl = need("openssl", shutil.which("openssl"))
    stem = names[0].replace(":", "_")
    made = Certificate(folder / f"{stem}.pem", folder / f"{stem}.key")
    subject = ",".join(f"{'IP' if n[0].isdigit() else 'DNS'}:{n}" for n in names)
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", f"/CN={names[0]}",
         "-addext", f"subjectAltName={subject}",
         "-keyout", made.key, "-out", made.certificate],
        check=True,
        capture_output=True,
    )  # fmt: skip
    if expired:
        subprocess.run(
            [openssl, "x509", "-in", made.certificate, "-signkey", made.key, "-days", "-1",
             "-out", made.certificate],
            check=True,
            capture_output=True,
        )  # fmt: skip
    return made
