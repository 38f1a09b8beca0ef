"""An object store on this machine that speaks as much of S3 as bulk runs need."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit


@dataclass
class ObjectStore:
    """What is stored, by bucket and key; with ``refuses``, nobody may do anything."""

    objects: dict[str, bytes] = field(default_factory=dict)
    uploads: dict[str, dict[int, bytes]] = field(default_factory=dict)
    refuses: bool = False
    port: int = 0

    @property
    def environment(self) -> dict[str, str]:
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
            "AWS_ACCESS_KEY_ID": "one",
            "AWS_SECRET_ACCESS_KEY": "two",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }


def _xml(inner: str) -> bytes:
    return f"<?xml version='1.0' encoding='UTF-8'?>{inner}".encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    store: ObjectStore

    def _read(self) -> tuple[str, dict[str, list[str]], bytes]:
        parts = urlsplit(self.path)
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b"".join(iter(self._chunk, b""))
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if "aws-chunked" in self.headers.get("Content-Encoding", ""):
            body = _unchunk(body)
        return unquote(parts.path).lstrip("/"), parse_qs(parts.query, keep_blank_values=True), body

    def _chunk(self) -> bytes:
        size = int(self.rfile.readline().partition(b";")[0], 16)
        data = self.rfile.read(size)
        self.rfile.readline()
        return data

    def _answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _handle(self) -> None:
        key, query, body = self._read()
        if self.store.refuses:
            self._answer(403, _xml("<Error><Code>AccessDenied</Code><Message>no</Message></Error>"))
        elif "list-type" in query:
            self._answer(200, self._list(key.strip("/"), query), Content_Type="application/xml")
        else:
            getattr(self, f"_{self.command.lower()}")(key, query, body)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _handle  # noqa: N815

    def _list(self, bucket: str, query: dict[str, list[str]]) -> bytes:
        prefix = query.get("prefix", [""])[0]
        keys = [
            k.partition("/")[2] for k in sorted(self.store.objects) if k.startswith(bucket + "/")
        ]
        rows, folders = [], set()
        for key in keys:
            rest = key[len(prefix) :]
            if not key.startswith(prefix):
                continue
            if "delimiter" in query and "/" in rest:
                folders.add(prefix + rest.partition("/")[0] + "/")
            else:
                size = len(self.store.objects[f"{bucket}/{key}"])
                rows.append(
                    f"<Contents><Key>{key}</Key><LastModified>2026-03-05T08:30:00.000Z"
                    f"</LastModified><ETag>x</ETag><Size>{size}</Size></Contents>"
                )
        more = "".join(
            f"<CommonPrefixes><Prefix>{one}</Prefix></CommonPrefixes>" for one in sorted(folders)
        )
        return _xml(
            f"<ListBucketResult><Name>{bucket}</Name><Prefix>{prefix}</Prefix><KeyCount>{len(rows)}"
            f"</KeyCount><IsTruncated>false</IsTruncated>{''.join(rows)}{more}</ListBucketResult>"
        )

    def _head(self, key: str, query: dict, body: bytes) -> None:
        bucket = key.strip("/")
        if "/" not in bucket:
            self._answer(200)
        elif key in self.store.objects:
            self._get(key, query, body)
        else:
            self._answer(404)

    def _get(self, key: str, query: dict, body: bytes) -> None:
        data = self.store.objects.get(key)
        if data is None:
            self._answer(404, _xml("<Error><Code>NoSuchKey</Code></Error>"))
            return
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        about = {"ETag": '"x"', "Last_Modified": "Thu, 05 Mar 2026 08:30:00 GMT"}
        if not found:
            self._answer(200, data, **about)
            return
        start, end = int(found[1]), min(int(found[2] or len(data)), len(data) - 1)
        span = f"bytes {start}-{end}/{len(data)}"
        self._answer(206, data[start : end + 1], Content_Range=span, **about)

    def _put(self, key: str, query: dict, body: bytes) -> None:
        if "uploadId" in query:
            self.store.uploads[query["uploadId"][0]][int(query["partNumber"][0])] = body
        elif "/" in key.strip("/"):
            self.store.objects[key] = body
        self._answer(200, ETag='"x"')

    def _post(self, key: str, query: dict, body: bytes) -> None:
        if "uploads" in query:
            name = str(len(self.store.uploads))
            self.store.uploads[name] = {}
            told = f"<Bucket>b</Bucket><Key>{key}</Key><UploadId>{name}</UploadId>"
            told = f"<InitiateMultipartUploadResult>{told}</InitiateMultipartUploadResult>"
        elif "delete" in query:
            for gone in re.findall(rb"<Key>(.*?)</Key>", body):
                self.store.objects.pop(f"{key.strip('/')}/{gone.decode()}", None)
            told = "<DeleteResult></DeleteResult>"
        else:
            parts = self.store.uploads.pop(query["uploadId"][0])
            self.store.objects[key] = b"".join(parts[number] for number in sorted(parts))
            told = "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>"
        self._answer(200, _xml(told), Content_Type="application/xml")

    def _delete(self, key: str, query: dict, body: bytes) -> None:
        self.store.uploads.pop(query.get("uploadId", [""])[0], None)
        if "uploadId" not in query:
            self.store.objects.pop(key, None)
        self._answer(204)

    def log_message(self, *_: object) -> None:
        pass


def _unchunk(body: bytes) -> bytes:
    """A body that is sent in signed pieces, without their lengths."""
    parts = []
    while body:
        head, _, rest = body.partition(b"\r\n")
        size = int(head.partition(b";")[0] or b"0", 16)
        if not size:
            break
        parts.append(rest[:size])
        body = rest[size + 2 :]
    return b"".join(parts)


@contextmanager
def object_store() -> Iterator[ObjectStore]:
    store = ObjectStore()
    handler = type("Handler", (_Handler,), {"store": store})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    store.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield store
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
