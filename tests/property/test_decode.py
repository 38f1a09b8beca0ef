"""Any bytes and any text: a Source or a PageloomError, never anything else."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pageloom.core.decode.charset import decode_bytes
from pageloom.core.decode.source import decode
from pageloom.core.parts import DecodedPage
from pageloom.errors import PageloomError

fragments = st.sampled_from(
    [
        "<", ">", "</", "<p>", "<rss><channel><item>", "<?xml ", "<![CDATA[", "]]>", "<!--",
        "&", "&#0;", "&#xd800;", "{", "[", '"', ":", ",", "1e999", "\x00", "\ud800", "ÿ", "今",
        "# ", "---\n", "\x1b$B", "<feed", 'xmlns="', "<meta charset=", "utf-16", "\ufeff",
        "\n\n", "- [x](y)", "|-|", "```",
    ]
)  # fmt: skip
texts = st.one_of(st.text(), st.lists(fragments, max_size=30).map("".join))
bodies = st.one_of(
    st.binary(max_size=400),
    texts.map(lambda text: text.encode("utf-8", "surrogatepass")),
    texts.map(lambda text: text.encode("utf-16", "surrogatepass")),
    st.tuples(texts, st.binary(max_size=20)).map(
        lambda pair: pair[0].encode("utf-8", "surrogatepass") + pair[1]
    ),
    st.text(alphabet=bytes(range(256)).decode("cp1251", "ignore")).map(
        lambda text: text.encode("cp1251")
    ),
)
types = st.sampled_from(
    [
        "",
        "text/html",
        "text/html; charset=utf-16",
        "application/json",
        "text/xml; charset=x",
        "image/png",
    ]
)


@settings(max_examples=200)
@given(st.one_of(bodies, texts), types)
def test_anything_becomes_a_source_or_a_named_error(content, content_type):
    try:
        source = decode(content, url="https://a.example/", content_type=content_type)
    except PageloomError:
        return
    assert isinstance(source, DecodedPage)
    source.tree.html.encode("utf-8")


@given(bodies)
def test_any_bytes_give_text_that_can_be_written(body):
    decode_bytes(body).text.encode("utf-8")


@given(bodies)
def test_decoding_twice_gives_the_same(body):
    assert decode_bytes(body) == decode_bytes(body)
