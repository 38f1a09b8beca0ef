"""What is mended before a page is read: formulas, code, buttons, hidden addresses."""

import pytest

from pageloom import extract, to_markdown
from pageloom.core.mend import read_address

CODE = "```\na = 1\nb = 2\n```\n"


@pytest.mark.parametrize(
    "html",
    [
        "<code><div>a = 1</div><div>b = 2</div></code>",
        "<code><pre>a = 1\nb = 2</pre></code>",
        "<p><code>a = 1<br>b = 2</code></p>",
        (
            "<pre><code><span class=ln>1</span><span>a = 1\n</span><span class=ln>2</span>"
            "<span>b = 2\n</span></code></pre>"
        ),
        (
            '<pre><code><span style="user-select:none">1 </span>a = 1\n'
            '<span style="user-select: none">2 </span>b = 2</code></pre>'
        ),
        "<table><tr><td><pre>1\n2</pre></td><td><pre>a = 1\nb = 2</pre></td></tr></table>",
        (
            "<div class=fragment><div class=line><span class=lineno>    1</span>a = 1</div>"
            "<div class=line><span class=lineno>    2</span>b = 2</div></div>"
        ),
        (
            "<table><tr><td class=gutter><div class=line>1</div><div class=line>2</div></td>"
            "<td class=code><div class=container><div class=line><code>a = </code><code>1</code>"
            "</div><div class=line><code>b = 2</code></div></div></td></tr></table>"
        ),
        (
            "<pre><code><code style=float:left><span class=react-highlighter-line-number>1\n</span>"
            "<span class=react-highlighter-line-number>2\n</span></code>a = 1\nb = 2</code></pre>"
        ),
        (
            "<pre><code><span class=highlight-line>a = 1</span><span class='highlight-line on'>"
            "b = 2</span></code></pre>"
        ),
        "<pre><code><span data-line>a = 1</span><span data-line>b = 2</span></code></pre>",
        (
            "<div><pre>a = 1\nb = 2</pre><div aria-hidden=true><span>1</span><br><span>2</span><br>"
            "</div></div>"
        ),
        "<div><button>Copy</button><pre><code>a = 1\nb = 2</code></pre></div>",
        "<div><div class=bar><span>Copy code</span></div><pre>a = 1\nb = 2</pre></div>",
        "<div><pre>a = 1\nb = 2</pre></div><div class=toolbar><a>Kopieren</a></div>",
    ],
)
def test_code_is_its_lines_and_nothing_else(html: str):
    assert to_markdown(html) == CODE


def test_code_that_numbers_something_stays():
    assert to_markdown("<pre>1\n2</pre>") == "```\n1\n2\n```\n"
    assert to_markdown("<p>Copy</p><p>It is an art.</p>") == "Copy\n\nIt is an art.\n"


@pytest.mark.parametrize(
    "formula",
    [
        '<span data-math="x^2"><span class=katex-html aria-hidden=true>x2</span></span>',
        '<span class="formula" data-tex="x^2"></span>',
        "<tex-math>x^2</tex-math>",
        '<img class="math" src="/m.png" alt="x^2">',
        '<img src="https://latex.example/svg.latex?x%5E2">',
        '<span class="math inline">$x^2$</span>',
    ],
)
def test_formulas_that_only_scripts_would_show(formula: str):
    assert to_markdown(f"<p>Let {formula} be.</p>") == "Let $x^2$ be.\n"


def test_a_formula_in_a_box_of_its_own_is_a_line_of_its_own():
    picture = '<div class="math"><p><img src="/m.png" alt="\\sum_{i=0}^n i"></p></div>'
    assert to_markdown(picture) == "$$\\sum_{i=0}^n i$$\n"
    assert to_markdown("<p><span class='math display'>$$x$$</span></p>") == "$$x$$\n"
    graph = '<div class="math"><img src="https://quay.example/g.png" alt="A graph of it"></div>'
    assert "![A graph of it]" in to_markdown(graph)


def test_the_language_of_code_is_said_once():
    html = '<div class="language-js"><span>js</span><pre><code>f()</code></pre></div>'
    assert to_markdown(html) == "```js\nf()\n```\n"
    assert to_markdown("<pre><code language=bash>ls</code></pre>") == "```bash\nls\n```\n"


def test_declarations_are_without_links_to_themselves_and_their_source():
    html = (
        '<dl><dt>trim(wick)<a href="/s"><span class="viewcode-link">[source]</span></a>'
        '<a class="headerlink" href="#trim">¶</a></dt><dd><p>Trims it.</p></dd></dl>'
    )
    assert to_markdown(html) == "**trim(wick)**\n- Trims it.\n"
    heading = '<h2><span class="permalink"><a href="#a1">◆&nbsp;</a></span>trim()</h2>'
    assert to_markdown(heading) == "## trim()\n"


MATHML = (
    "<math><semantics><mrow><mi>e</mi><mo>=</mo><mi>m</mi></mrow>"
    '<annotation encoding="application/x-tex">e=m</annotation></semantics></math>'
)


@pytest.mark.parametrize(
    "formula",
    [
        MATHML,
        f'<span class="katex">{MATHML}<span class="katex-html" aria-hidden="true">em</span></span>',
        f"<mjx-container><svg></svg><mjx-assistive-mml>{MATHML}</mjx-assistive-mml></mjx-container>",
        '<span class="MathJax_Preview">em</span><script type="math/tex">e=m</script>',
        '<img class="math" src="/e.png" alt="e=m">',
        "<tex-math>e=m</tex-math>",
        '<span data-math="e=m"></span>',
    ],
)
def test_a_formula_stands_once_in_its_sentence(formula: str):
    lead = "<p>It was a small mill by the river, and its wheel turned day and night.</p>"
    page = f"<title>Mill</title><main><h1>Mill</h1>{lead}<p>So {formula} holds.</p></main>"
    one = extract(page)
    assert "So e=m holds." in one.text
    assert "So $e=m$ holds." in one.markdown
    assert one.html.count("<math>") == 1


@pytest.mark.parametrize(
    "formula", [MATHML.replace("<math>", "<math display=block>"), r"<div class=math>\[e=m\]</div>"]
)
def test_a_formula_of_its_own_is_kept_with_the_sentence_before_it(formula: str):
    lead = "<p>It was a small mill by the river, and its wheel turned day and night.</p>" * 2
    page = f"<title>Mill</title><main><h1>Mill</h1>{lead}{formula}</main>"
    assert "$$e=m$$" in extract(page).markdown


def test_lines_of_code_are_kept_together():
    lead = (
        "<p>The harbour was built in three summers, and every stone of it came by boat.</p>"
        "<p>Nobody wrote down who laid the first of them, but the pilots tell the story.</p>"
    )
    code = "<pre><div class=line>x = 1</div><div class=line>y = 2</div></pre>"
    page = f"<title>Harbour</title><main><h1>Docs</h1>{lead}{code}</main>"
    assert "x = 1\ny = 2" in extract(page).markdown


def test_the_number_of_a_formula_is_part_of_it():
    number = '<span class="eqno">(2)<a class="headerlink" href="#e">¶</a></span>'
    assert to_markdown(rf'<div class="math">{number}\[a &lt; b\]</div>') == "$$a < b\\tag{2}$$\n"
    picture = f'<div class="math"><p>{number}<img src="e.png" alt="a=b_1"></p></div>'
    assert to_markdown(picture) == "$$a=b_1\\tag{2}$$\n"


def test_a_button_in_a_heading_is_no_part_of_it():
    assert to_markdown("<h1>run<span role=button>Copy link</span></h1>") == "# run\n"
    assert to_markdown("<h2>run <button>Copy link</button></h2>") == "## run\n"
    assert to_markdown("<h2><button>Why?</button></h2><p>Because.</p>") == "## Why?\n\nBecause.\n"
    assert to_markdown("<h2><button>Why?</button> <button>+</button></h2>") == "## Why?\n"


def test_headings_that_unfold_their_section_are_kept_with_it():
    folds = "".join(
        '<div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button '
        f'collapsed" data-bs-toggle="collapse">Pier {number} by night</button></h2>'
        '<div class="accordion-collapse collapse"><div class="accordion-body">The quay of this '
        f"pier is {number}00 metres long, and its lamps burn until six.</div></div></div>"
        for number in range(1, 7)
    )
    text = extract(f"<title>Piers</title><main><h1>Our piers</h1>{folds}</main>").text
    assert [f"Pier {number} by night" in text for number in range(1, 7)] == [True] * 6


def test_addresses_that_a_proxy_hides():
    hidden = "42232c2c023337233b6c273a232f322e27"
    assert read_address(hidden) == "ann@quay.example"
    page = (
        "<title>Contact</title><main><h1>Contact</h1><p>Write to us at any time of the day, and we"
        " will answer as soon as the boat is in: "
        f'<a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="{hidden}">'
        "[email\xa0protected]</a>.</p></main>"
    )
    text = extract(page, "https://quay.example/contact").text
    assert "protected" not in text
    assert read_address(hidden) in text


def test_what_is_no_hidden_address():
    assert read_address("xyz") == read_address("") == read_address("4223") == ""
