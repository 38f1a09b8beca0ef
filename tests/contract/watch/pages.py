"""Pages of ours that change between checks."""

from __future__ import annotations

_SENTENCES = (
    "The coast path between Port Ellery and the old lighthouse was built by volunteers.",
    "Walkers cross two footbridges, a shingle beach and a meadow that floods in winter.",
    "A bus leaves the harbour every hour and stops at both ends of the walk.",
    "Dogs are welcome on the cliffs but must be kept on a lead where sheep graze.",
    "Weather permitting, the ferry across the inlet runs from morning until dusk.",
    "The tea room in the keeper's cottage serves scones, soup and strong coffee.",
    "Birdwatchers come for the terns that nest on the skerries in early summer.",
    "Signposts were repainted last year and show both distance and walking time.",
)
_OTHER_WORDS = (
    "Volunteers from three villages laid the coast path towards the disused lighthouse.",
    "Hikers pass a couple of wooden bridges before they come to a stony shore.",
    "Public transport serves the quay often enough to make a round trip possible.",
    "Owners keep their animals close wherever farmers let their flocks roam about.",
    "If the sea is calm, a small boat takes people over the water all day long.",
    "Visitors rest in a former dwelling where simple meals are cooked to order.",
    "People with binoculars arrive when the seabirds raise their young out there.",
    "Fresh paint on the markers makes it easy to judge how far there is to go.",
)


def article(
    *, closing: str = "The walk takes about four hours.", paragraphs: int = 8, reworded: int = 0
) -> str:
    """A plain article; ``reworded`` paragraphs of it are written in other words."""
    texts = [
        f"Section {number + 1}. "
        + (_OTHER_WORDS if number < reworded else _SENTENCES)[number % 8]
        + " "
        + _SENTENCES[(number + 3) % 8]
        for number in range(paragraphs)
    ]
    body = "\n".join(f"<p>{text}</p>" for text in texts)
    return f"""<!doctype html><html lang="en"><head><title>The coast path | News</title>
<meta property="og:title" content="The coast path"></head><body>
<nav><a href="/">Home</a> <a href="/walks">Walks</a></nav>
<article><h1>The coast path</h1>{body}<p>{closing}</p></article>
<footer><p>© News Example</p></footer></body></html>"""


def product(*, price: str = "39.90", stock: bool = True, blurb: str = "") -> str:
    """A shop's page of one thing."""
    state = "In stock, delivered in two days" if stock else "Sold out"
    schema = "InStock" if stock else "OutOfStock"
    return f"""<!doctype html><html lang="en"><head><title>Kettle K2 | Shop</title>
<script type="application/ld+json">{{"@context": "https://schema.org", "@type": "Product",
"name": "Kettle K2", "offers": {{"@type": "Offer", "price": "{price}", "priceCurrency": "EUR",
"availability": "https://schema.org/{schema}"}}}}</script></head><body>
<nav><a href="/">Home</a> <a href="/kettles">Kettles</a></nav>
<main><h1>Kettle K2</h1><p class="price">{price} €</p><p class="stock">{state}</p>
<button>Add to basket</button>
<h2>About it</h2><p>A steel kettle for 1.7 litres that boils quickly and pours without dripping.
The handle stays cool, the lid opens wide enough to be cleaned by hand. {blurb}</p>
<p>It comes with a base that turns, a filter against lime and a guarantee of two years.</p></main>
<footer><p>© Shop Example</p></footer></body></html>"""
