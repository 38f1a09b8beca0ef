"""Pages of ours, as producers send them."""

from __future__ import annotations

from typing import Any

ARTICLE = (
    "<!doctype html><html lang=en><head><title>Two clocks | Mill notes</title>"
    '<meta property="og:title" content="Two clocks">'
    '<meta name="description" content="Why a miller needs two of them."></head>'
    '<body><nav><a href="/">Home</a> <a href="/mills">Mills</a></nav><main><h1>Two clocks</h1>'
    "<p>The miller keeps two clocks, one for the wind and one for the train to town, and neither "
    "has ever agreed with the other for a whole day.</p><p>{extra}</p>"
    '<p><a href="/mills/stones">The stones</a> turn by the first.</p></main>'
    "<footer><a href='/about'>About us</a></footer></body></html>"
)

PRODUCT = (
    "<!doctype html><html lang=en><head><title>Oak stool | Bench &amp; Co</title>"
    '<meta property="og:type" content="product">'
    '<script type="application/ld+json">{{"@context":"https://schema.org","@type":"Product",'
    '"name":"Oak stool","offers":{{"@type":"Offer","price":"{price}","priceCurrency":"EUR",'
    '"availability":"https://schema.org/InStock"}}}}</script></head><body>'
    "<main><h1>Oak stool</h1><p class=price>{price} EUR</p><p>A stool of solid oak with three legs,"
    " glued and pegged, oiled twice, that carries two people without a sound.</p>"
    "<button>Add to basket</button></main></body></html>"
)

HOST = "https://mill.example"


def article(job: str, extra: str = "He winds both on Sundays.", path: str = "/clocks", **more: Any):
    html = ARTICLE.format(extra=extra)
    return {"jobId": job, "url": f"{HOST}{path}", "html": html} | more


def product(job: str, price: str, path: str = "/stool", **more: Any):
    html = PRODUCT.format(price=price)
    return {"jobId": job, "url": f"https://bench.example{path}", "html": html} | more
