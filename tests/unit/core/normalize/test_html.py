# ruff: noqa: E501 - markup is easier to read on one line
from __future__ import annotations

import nh3
import pytest

from pageloom.core.dom import parse, parse_fragment
from pageloom.core.normalize.html import clean_html

BASE = "https://site.example/dir/page"

TAGS = set(
    "a abbr annotation audio b bdi bdo blockquote br caption cite code dd del details dfn div dl "
    "dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark math menclose merror "
    "mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms "
    "mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none ol p pre "
    "q rp rt ruby s samp semantics small strong sub summary sup table tbody td tfoot th thead "
    "time tr u ul var video wbr".split()
)
ATTRIBUTES = set(
    "alt cite class colspan columnalign controls datetime dir display encoding fence height href "
    "lang linethickness mathvariant reversed rowspan scope src start stretchy title type value "
    "width".split()
)

PAYLOADS = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//x.example/a.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<img src='x' onerror  =  'alert(1)'>",
    "<img/src=x/onerror=alert(1)>",
    "<img src=javascript:alert(1)>",
    '<img src="/a.png" srcset="javascript:alert(1) 2x">',
    '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
    '<img src="/a.png" alt="&quot; onload=&quot;alert(1)">',
    "<img src=\"/a.png\" alt='\"><script>alert(1)</script>'>",
    '<img title="`onerror=alert(1)" src="/a.png">',
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg><foreignObject><iframe src=javascript:alert(1)></foreignObject></svg>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<math><mtext><mglyph><svg><mtext><textarea><a title='</textarea><img src onerror=alert(1)>'>",
    '<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml></math>',
    '<math href="javascript:alert(1)"><mi>x</mi></math>',
    '<math><maction actiontype="statusline#" xlink:href="javascript:alert(1)">x</maction></math>',
    "<math><mi><img src=x onerror=alert(1)></mi></math>",
    "<math><mi onclick=alert(1)>x</mi></math>",
    '<math><mo mathvariant="a&quot; onclick=&quot;alert(1)">x</mo></math>',
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href=" javascript:alert(1)">x</a>',
    '<a href="java&#10;script:alert(1)">x</a>',
    '<a href="java&#9;script:alert(1)">x</a>',
    '<a href="&#1;javascript:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href="javascript&colon;alert(1)">x</a>',
    '<a href="vbscript:msgbox(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="blob:https://x.example/1">x</a>',
    '<a href="file:///etc/passwd">x</a>',
    '<a href="/a" onclick="alert(1)" style="x:expression(alert(1))" id="b" target="_blank">x</a>',
    "<a href='/a\" onmouseover=\"alert(1)'>x</a>",
    '<a href="https://e.example/&quot;&gt;&lt;script&gt;">x</a>',
    "<iframe src=javascript:alert(1)></iframe>",
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<iframe src="https://e.example/&quot; onload=&quot;alert(1)"></iframe>',
    "<iframe title='<img src=x onerror=alert(1)>' src='https://e.example/'></iframe>",
    "<object data=javascript:alert(1)></object>",
    "<object data='/x.swf'><img src=x onerror=alert(1)></object>",
    "<embed src=javascript:alert(1)>",
    '<video src=x onerror=alert(1) poster="javascript:alert(1)"></video>',
    "<video><source onerror=alert(1) src=javascript:alert(1)></video>",
    "<audio src='/a.mp3' onplay=alert(1)></audio>",
    "<body onload=alert(1)>",
    "<base href=//x.example/>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<link rel=stylesheet href=//x.example/a.css>",
    "<style>@import '//x.example/a.css';</style>",
    "<p style='background:url(javascript:alert(1))'>x</p>",
    "<p id=location name=x class=y data-x=1 onfocus=alert(1) tabindex=0 autofocus>x</p>",
    "<form action=javascript:alert(1)><button formaction=javascript:alert(1)>x</button></form>",
    "<input onfocus=alert(1) autofocus>",
    "<textarea></textarea><img src=x onerror=alert(1)></textarea>",
    "<select><option><style></select><img src=x onerror=alert(1)></style>",
    "<details open ontoggle=alert(1)><summary>x</summary></details>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<isindex type=image src=1 onerror=alert(1)>",
    "<xmp><img src=x onerror=alert(1)></xmp>",
    "<plaintext><img src=x onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<noembed><img title='</noembed><img src=x onerror=alert(1)>'></noembed>",
    "<noframes><p title='</noframes><img src=x onerror=alert(1)>'></noframes>",
    "<template><script>alert(1)</script></template>",
    "<title><img src=x onerror=alert(1)></title>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<!-- --!><img src=x onerror=alert(1)>",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<?xml version='1.0'?><img src=x onerror=alert(1)>",
    "<table background=javascript:alert(1)><td background=javascript:alert(1)>x",
    "<td colspan='1\" onclick=\"alert(1)'>x</td>",
    "<ol start='1\" onclick=\"alert(1)'><li value='x onclick=1'>x</ol>",
    "<code class='language-js\" onclick=\"alert(1)'>x</code>",
    "<time datetime='\"><script>alert(1)</script>'>x</time>",
    "<abbr title='\"><script>alert(1)</script>'>x</abbr>",
    "<blockquote cite=javascript:alert(1)>x</blockquote>",
    "<p lang='en\" onclick=\"alert(1)' dir='rtl\" onclick=\"x'>x</p>",
    "<x-y onclick=alert(1)>x</x-y>",
    "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
    "<pre>&lt;/pre&gt;&lt;img src=x onerror=alert(1)&gt;</pre>",
    "<a href='/a'><a href='javascript:alert(1)'>x</a></a>",
    "<p><table><p><svg><p><math><p><style></p><img src=x onerror=alert(1)>",
]  # fmt: skip


def clean(markup: str) -> str:
    return clean_html(parse_fragment(markup), BASE)


def test_there_are_enough_attacks() -> None:
    assert len(PAYLOADS) >= 60


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_attack_survives_being_parsed_again(payload: str) -> None:
    for markup in (payload, f"<div><p>a{payload}b</p></div>", f"<table><tr><td>{payload}"):
        assert_harmless(clean(markup))


@pytest.mark.parametrize("markup", ["<img onerror=x>", "<a href='x:y'>z</a>", "<iframe></iframe>"])
def test_the_judge_of_attacks_can_say_no(markup: str) -> None:
    with pytest.raises(AssertionError):
        assert_harmless(markup)


def assert_harmless(markup: str) -> None:
    body = parse(markup).find("body")
    assert body is not None
    for element in body.iter_elements():
        assert element.tag in TAGS, element.html
        for name, value in element.attrs.items():
            assert name in ATTRIBUTES, element.html
            if name in {"src", "href", "cite"}:
                assert str(value).startswith(("https://", "http://", "mailto:")), element.html


@pytest.mark.parametrize("payload", PAYLOADS)
def test_an_independent_sanitiser_finds_nothing_to_remove(payload: str) -> None:
    cleaned = clean(f"<p>a{payload}b</p>")
    again = nh3.clean(cleaned, tags=TAGS, attributes=dict.fromkeys(TAGS, ATTRIBUTES), link_rel=None)
    assert shape(again) == shape(cleaned)


def shape(markup: str) -> list[str]:
    return [element.tag for element in parse_fragment(markup).iter_elements()]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<div><div><p>a</p></div></div>", "<p>a</p>"),
        ("<div>a <span>b</span></div>", "<p>a b</p>"),
        ("<div>a<p>b</p></div>", "<div>a<p>b</p></div>"),
        ("<p> a \n b <b> </b></p><p></p><ul><li></li></ul>", "<p>a b</p>"),
        ('<h2 id="x" class="y">T</h2>', "<h2>T</h2>"),
        (
            '<a href="b#c" title="t" rel="x">l</a>',
            '<a href="https://site.example/dir/b#c" title="t">l</a>',
        ),
        (
            '<a href="mailto:a@b.example">m</a><a name="x">n</a>',
            '<a href="mailto:a@b.example">m</a>n',
        ),
        (
            '<img src="data:," data-src="/a.jpg" alt=\'"q"\' width="9" height="8">',
            '<img src="https://site.example/a.jpg" alt="&quot;q&quot;" width="9" height="8">',
        ),
        (
            '<picture><source srcset="/b.webp"><img src="/c.jpg"></picture>',
            '<img src="https://site.example/c.jpg" alt="">',
        ),
        ('<img src="/x.gif" width="1" height="1"><img src="data:image/png;base64,x">', ""),
        (
            '<img data-lazy="x"><noscript><img src="/n.jpg"></noscript>',
            '<img src="https://site.example/dir/x" alt="">',
        ),
        (
            '<pre class="z"><code class="hljs language-py">\n a  b\n</code></pre>',
            '<pre><code class="language-py">\n a  b\n</code></pre>',
        ),
        (
            '<table><caption>c</caption><tr><th scope="col" colspan="2">a</th></tr><tr><td></td></tr></table>',
            '<table><caption>c</caption><tbody><tr><th colspan="2" scope="col">a</th></tr><tr><td></td></tr></tbody></table>',
        ),
        (
            "<figure><img src='/a.jpg'><figcaption>c</figcaption></figure>",
            '<figure><img src="https://site.example/a.jpg" alt=""><figcaption>c</figcaption></figure>',
        ),
        (
            '<math display="block"><msup><mi>x</mi><mn>2</mn></msup></math>',
            '<math display="block"><msup><mi>x</mi><mn>2</mn></msup></math>',
        ),
        (
            "<ruby>漢<rp>(</rp><rt>k</rt><rp>)</rp></ruby>",
            "<ruby>漢<rp>(</rp><rt>k</rt><rp>)</rp></ruby>",
        ),
        ("<details><summary>s</summary>t</details>", "<details><summary>s</summary>t</details>"),
        (
            '<iframe src="https://www.youtube.com/embed/abc" title="T"></iframe>',
            '<p><a href="https://www.youtube.com/watch?v=abc">T</a></p>',
        ),
        (
            '<video src="/v.mp4"></video>',
            '<video controls src="https://site.example/v.mp4"></video>',
        ),
        ("<p hidden>a</p><p style='display:none'>b</p><p>c</p>", "<p>c</p>"),
        ('<p dir="rtl" lang="he">שלום</p>', '<p dir="rtl" lang="he">שלום</p>'),
        (
            '<ol start="3" reversed><li value="5">a</li></ol>',
            '<ol start="3" reversed><li value="5">a</li></ol>',
        ),
        ("a<br>b<hr>", "a<br>b<hr>"),
        ("<pre>\n\nx</pre>", "<pre>\n\nx</pre>"),
    ],
)
def test_content_is_kept_and_tidied(markup: str, expected: str) -> None:
    assert clean(markup) == expected


def test_without_a_base_relative_addresses_stay_as_they_are() -> None:
    root = parse_fragment('<a href="/x">l</a><img src="i.jpg"><a href="javascript:x()">m</a>')
    assert clean_html(root) == '<a href="/x">l</a><img src="i.jpg" alt="">m'


def test_cleaning_again_changes_nothing() -> None:
    markup = (
        "<div>a <em>b</em><ul><li>c<p>d</p></li></ul></div><table><tr><td>e</table><pre>\n\nx</pre>"
    )
    once = clean(markup)
    assert clean(once) == once


def test_the_tree_is_only_read_and_depth_is_no_danger() -> None:
    root = parse_fragment("<div><span>" * 5_000 + "x")
    before = root.text
    assert "x" in clean_html(root, BASE)
    assert root.text == before


def test_the_words_on_a_button_stay_except_beside_code():
    asked = clean("<h3><button type=button onclick=x()>Is it deep?</button></h3><p>Very.</p>")
    assert asked == "<h3>Is it deep?</h3><p>Very.</p>"
    assert clean("<pre><button>Copy</button><code>x = 1</code></pre>") == (
        "<pre><code>x = 1</code></pre>"
    )


def test_a_link_that_is_a_button_is_its_text():
    root = parse_fragment('<p><a href="#">More</a> or <a href="#below">below</a></p>')
    assert clean_html(root, BASE) == f'<p>More or <a href="{BASE}#below">below</a></p>'
