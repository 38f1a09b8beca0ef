from __future__ import annotations

import gzip
import os
import sys
import zlib
from functools import partial

import brotli
import pytest
from tests.site.hostile import endless_name, wide

from pageloom.edges.unpack import Unpacker
from pageloom.errors import FetchError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

NOISE = os.urandom(1_000_000)
PAGE = b"<p>" + b"The tide comes twice a day. " * 9_000 + b"</p>"


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACK = {
    "": bytes,
    "identity": bytes,
    "gzip": gzip.compress,
    "X-GZIP": gzip.compress,
    "deflate": zlib.compress,
    " deflate ": raw_deflate,
    "br": brotli.compress,
    "zstd": zstd.compress,
    "gzip, br": lambda data: brotli.compress(gzip.compress(data)),
    "gzip,gzip,gzip": lambda data: gzip.compress(gzip.compress(gzip.compress(data))),
}


def unpack(encodings: str, data: bytes, *, maximum: int = 10**6, step: int = 1_000) -> bytes:
    unpacker = Unpacker(encodings, maximum)
    for start in range(0, len(data), step):
        take(unpacker, data[start : start + step])
    return unpacker.result()


def take(unpacker: Unpacker, data: bytes) -> int:
    """Feed the bytes; how many steps that took, between which others may work."""
    return sum(1 for _ in unpacker.feed(data))


@pytest.mark.parametrize("encodings", PACK)
def test_every_encoding_is_undone_however_the_bytes_arrive(encodings: str):
    packed = PACK[encodings](PAGE)
    for step in (11 if len(packed) > 10_000 else 1, 7, 100_000):
        assert unpack(encodings, packed, step=step) == PAGE


@pytest.mark.parametrize("step", [1, 2, 23, 1_000])
def test_several_gzip_files_in_a_row_are_one_body(step: int):
    body = gzip.compress(b"one ") + gzip.compress(b"two")
    assert unpack("gzip", body, step=step) == b"one two"


def test_countless_empty_gzip_files_are_refused():
    with pytest.raises(FetchError):
        unpack("gzip", gzip.compress(b"") * 100_000, step=65_536)


def test_rubbish_after_the_end_is_ignored():
    assert unpack("gzip", gzip.compress(PAGE) + b"\0\0rubbish") == PAGE
    assert unpack("br", brotli.compress(b"page"), step=1) == b"page"


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, brotli.compress, zstd.compress])
def test_a_cut_answer_gives_what_there_is(pack):
    names = {gzip.compress: "gzip", zlib.compress: "deflate", brotli.compress: "br"}
    name = names.get(pack, "zstd")
    packed = pack(bytes(range(256)) * 400)
    assert isinstance(unpack(name, packed[: len(packed) // 2]), bytes)


BOMB = b"\0" * 20_000_000


@pytest.mark.parametrize(
    ("encodings", "pack"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("br", partial(brotli.compress, quality=5)),
        ("zstd", zstd.compress),
        ("gzip, gzip", lambda data: gzip.compress(gzip.compress(data))),
        ("zstd, br", lambda data: brotli.compress(zstd.compress(data), quality=5)),
    ],
)
def test_a_bomb_is_stopped_at_the_limit(encodings: str, pack):
    unpacker = Unpacker(encodings, 100_000)
    with pytest.raises(FetchError) as caught:
        take(unpacker, pack(BOMB))
    assert caught.value.kind == "too_large"
    assert caught.value.figures["maximum"] == 100_000
    assert len(unpacker.result()) < 100_000 + 200_000


@pytest.mark.parametrize("encodings", ["gzip, zstd, zstd", "gzip, zstd", "deflate, zstd, zstd"])
def test_what_a_layer_swallows_counts_as_well(encodings: str):
    """Some fifty bytes are a gzip file of gigabytes, all of them its name."""
    body = endless_name(16_000)
    body = body if encodings.count("zstd") == 2 else zstd.decompress(body)
    unpacker = Unpacker(encodings, 1_000_000)
    with pytest.raises(FetchError) as caught:
        take(unpacker, body)
    assert caught.value.kind in ("too_large", "protocol")
    assert unpacker.result() == b""


def test_bytes_after_the_end_count_as_well():
    with pytest.raises(FetchError) as caught:
        unpack("gzip", gzip.compress(b"page") + b"\0" * 2_000_000, step=65_536)
    assert caught.value.kind == "too_large"


def test_a_page_that_does_not_shrink_may_be_packed_three_times():
    page = NOISE[:300_000]
    packed = gzip.compress(gzip.compress(gzip.compress(page)))
    assert unpack("gzip, gzip, gzip", packed, maximum=len(page)) == page


def test_unpacking_is_cut_into_small_steps():
    """Whatever it costs, nobody waits for more than one of them."""
    unpacker = Unpacker("gzip", 10_000_000)
    assert take(unpacker, gzip.compress(NOISE)) > 100
    assert take(Unpacker("gzip", 10**8), gzip.compress(BOMB)) > 280


def test_zstd_is_not_lent_more_than_eight_megabytes():
    with pytest.raises(FetchError) as caught:
        unpack("zstd", wide(), maximum=10**9)
    assert caught.value.kind == "protocol"
    options = {zstd.CompressionParameter.window_log: 23}
    assert unpack("zstd", zstd.compress(PAGE, options=options)) == PAGE


def test_exactly_the_limit_is_allowed():
    assert len(unpack("gzip", gzip.compress(b"x" * 5_000), maximum=5_000)) == 5_000
    with pytest.raises(FetchError):
        unpack("gzip", gzip.compress(b"x" * 5_001), maximum=5_000)


@pytest.mark.parametrize("encodings", ["compress", "gzip, rot13", "gzip," * 4 + "gzip"])
def test_encodings_nobody_asked_for_are_refused(encodings: str):
    with pytest.raises(FetchError) as caught:
        Unpacker(encodings, 100)
    assert caught.value.kind == "protocol"


@pytest.mark.parametrize("encodings", ["gzip", "deflate", "br", "zstd"])
def test_damaged_bytes_are_an_error_of_ours(encodings: str):
    with pytest.raises(FetchError) as caught:
        unpack(encodings, b"\x55\xff this is not compressed at all" * 40)
    assert caught.value.kind == "protocol"
