# ruff: noqa: D102, D103, E501, ISC004  sentences, each on as many lines as it needs
"""Make the PDFs of tests/pdf with several tools, each with the words that it shows.

Needs what is not among the developer's packages: reportlab, fpdf2, weasyprint, typst,
pypdf, pikepdf; and Chromium. Run with a Python that has them: python tools/make_pdfs.py tests/pdf
"""

from __future__ import annotations

import html
import io
import subprocess
import sys
from pathlib import Path

DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
TEXTS = {
    "en": (
        "The tide tables of Port Ellery",
        [
            "For thirty years the harbour office printed its tide tables on the press in the cellar,"
            " and for thirty years nobody asked who had worked out the numbers.",
            "Last winter the press broke, and with it a habit. The clerk who ran it, Maren Osgood,"
            " found a drawer of slide rules and a notebook that goes back to 1931.",
            "What the notebook shows is simple enough: two people measured the water at the old pier"
            " every quarter of an hour for nineteen years, in fog, frost and three elections.",
        ],
        ["measure at the second pile", "write with a pencil", "never round before noon"],
    ),
    "de": (
        "Die Gezeitentafeln von Süderhafen",
        [
            "Dreißig Jahre lang druckte das Hafenamt seine Gezeitentafeln auf der Presse im Keller,"
            " und dreißig Jahre lang fragte niemand, wer die Zahlen berechnet hatte.",
            "Im vorigen Winter ging die Presse kaputt und mit ihr eine Gewohnheit. Die Angestellte"
            " fand eine Schublade voller Rechenschieber und ein Heft aus dem Jahr 1931.",
            "Was das Heft zeigt, ist einfach: Zwei Leute maßen alle Viertelstunde das Wasser an der"
            " alten Brücke, neunzehn Jahre lang, bei Nebel, Frost und drei Wahlen.",
        ],
        ["am zweiten Pfahl messen", "mit Bleistift schreiben", "nie vor Mittag runden"],
    ),
    "fr": (
        "Les tables de marée du vieux port",
        [
            "Pendant trente ans le bureau du port imprima ses tables de marée à la cave, et pendant"
            " trente ans personne ne demanda qui avait calculé les chiffres.",
            "L'hiver dernier la presse se brisa, et avec elle une habitude : l'employée trouva un"
            " tiroir plein de règles à calcul et un cahier commencé en 1931.",
            "Ce que montre le cahier est simple. Deux personnes ont mesuré l'eau au vieux quai tous"
            " les quarts d'heure, dix-neuf ans durant, malgré le brouillard et le gel.",
        ],
        ["mesurer au deuxième pieu", "écrire au crayon", "ne jamais arrondir avant midi"],
    ),
    "ru": (
        "Таблицы приливов старой гавани",
        [
            "Тридцать лет контора порта печатала свои таблицы приливов в подвале, и тридцать лет"
            " никто не спрашивал, кто вычислил эти числа.",
            "Прошлой зимой пресс сломался, а с ним и привычка. Служащая нашла ящик логарифмических"
            " линеек и тетрадь, начатую в 1931 году.",
            "Тетрадь показывает простую вещь: два человека измеряли воду у старого причала каждые"
            " четверть часа девятнадцать лет подряд, в туман и мороз.",
        ],
        ["мерить у второй сваи", "писать карандашом", "не округлять до полудня"],
    ),
    "el": (
        "Οι πίνακες παλίρροιας του λιμανιού",
        [
            "Επί τριάντα χρόνια το γραφείο του λιμανιού τύπωνε τους πίνακες στο υπόγειο, και κανείς"
            " δεν ρωτούσε ποιος είχε υπολογίσει τους αριθμούς.",
            "Τον περασμένο χειμώνα το πιεστήριο χάλασε και μαζί του μια συνήθεια. Η υπάλληλος βρήκε"
            " ένα συρτάρι και ένα τετράδιο από το 1931.",
        ],
        ["μέτρηση στον δεύτερο πάσσαλο", "γράψιμο με μολύβι"],
    ),
    "ar": (
        "جداول المد في الميناء القديم",
        [
            "ظل مكتب الميناء يطبع جداول المد في القبو ثلاثين سنة ولم يسأل أحد عمن حسب الأرقام",
            "في الشتاء الماضي تعطلت المطبعة ووجدت الموظفة دفترا قديما يعود إلى زمن بعيد",
        ],
        ["القياس عند العمود الثاني", "الكتابة بقلم الرصاص"],
    ),
    "he": (
        "לוחות הגאות של הנמל הישן",
        [
            "שלושים שנה הדפיס משרד הנמל את לוחות הגאות במרתף ואיש לא שאל מי חישב את המספרים",
            "בחורף שעבר התקלקלה המכבש והפקידה מצאה מגירה מלאה סרגלי חישוב ומחברת ישנה",
        ],
        ["למדוד ליד העמוד השני", "לכתוב בעיפרון"],
    ),
}
CJK = {
    "ja": (
        "HeiseiMin-W3",
        "古い港の潮汐表",
        "港の事務所は三十年間、地下室の印刷機で潮汐表を刷ってきた。",
    ),
    "zh": ("STSong-Light", "旧港的潮汐表", "三十年来港务局一直在地下室的印刷机上印制潮汐表。"),
    "ko": (
        "HYSMyeongJo-Medium",
        "옛 항구의 조석표",
        "항만 사무소는 삼십 년 동안 지하실에서 조석표를 인쇄했다.",
    ),
}
ROWS = [("Pier", "High", "Low"), ("North", "4.20 m", "0.35 m"), ("Old", "3.95 m", "0.10 m")]


def page(language: str, style: str = "", times: int = 1) -> str:
    """The text of a language as HTML."""
    title, paragraphs, items = TEXTS[language]
    direction = ' dir="rtl"' if language in {"ar", "he"} else ""
    body = "".join(f"<p>{html.escape(each)}</p>" for each in paragraphs)
    parts = "".join(
        f"<h2>{html.escape(items[number % len(items)].capitalize())}</h2>{body}"
        for number in range(times)
    )
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in ROWS)
    listed = "".join(f"<li>{html.escape(each)}</li>" for each in items)
    return (
        f'<!doctype html><html lang="{language}"{direction}><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title><meta name='author' content='Maren Osgood'><style>"
        f"body{{font-family:DejaVu Sans}}{style}</style></head><body><h1>{html.escape(title)}</h1>"
        f"{body}{parts}<ul>{listed}</ul><table>{rows}</table>"
        '<p><a href="https://tidewatch.example/tables">tidewatch.example</a></p></body></html>'
    )


def words_of(language: str) -> str:
    title, paragraphs, items = TEXTS[language]
    table = " ".join(cell for row in ROWS for cell in row)
    return "\n".join((title, *paragraphs, *items, table))


class Folder:
    """Where the files go."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def add(self, name: str, content: bytes, words: str) -> None:
        (self.path / f"{name}.pdf").write_bytes(content)
        (self.path / f"{name}.txt").write_text(words + "\n", encoding="utf-8")


def by_chromium(folder: Folder) -> None:
    styles = {
        "plain": "",
        "columns": "body{columns:2;font-size:10pt}",
        "small": "body{font-size:8pt}",
    }
    for language, style in (
        *((each, "plain") for each in TEXTS),
        ("en", "columns"),
        ("de", "columns"),
        ("fr", "small"),
    ):
        source = folder.path / "source.html"
        source.write_text(page(language, styles[style]), encoding="utf-8")
        target = folder.path / "made.pdf"
        subprocess.run(
            [
                *("chromium", "--headless", "--no-sandbox", "--disable-gpu"),
                *(f"--print-to-pdf={target}", "--no-pdf-header-footer", str(source)),
            ],
            check=True,
            capture_output=True,
        )
        folder.add(f"chromium-{language}-{style}", target.read_bytes(), words_of(language))
        source.unlink()
        target.unlink()


def by_weasyprint(folder: Folder) -> None:
    from weasyprint import HTML

    footer = "@page{@bottom-center{content:counter(page)} @top-center{content:'Harbour papers'}}"
    for language in ("en", "de", "fr", "ru", "el"):
        made = HTML(string=page(language, footer, times=4)).write_pdf()
        folder.add(f"weasyprint-{language}-footers", made, words_of(language))
    made = HTML(string=page("en", "body{columns:2}", times=3)).write_pdf()
    folder.add("weasyprint-en-columns", made, words_of("en"))
    made = HTML(string=page("de", "p{hyphens:auto;text-align:justify;width:7cm}")).write_pdf()
    folder.add("weasyprint-de-hyphens", made, words_of("de"))


def by_reportlab(folder: Folder) -> None:
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.platypus import ListFlowable, Paragraph, SimpleDocTemplate, Table

    pdfmetrics.registerFont(TTFont("DejaVu", DEJAVU))
    for language, font in (("en", ""), ("fr", ""), ("ru", "DejaVu"), ("el", "DejaVu")):
        title, paragraphs, items = TEXTS[language]
        styles = getSampleStyleSheet()
        for each in styles.byName.values():
            if font and hasattr(each, "fontName"):
                each.fontName = font
        target = io.BytesIO()
        flow = [Paragraph(title, styles["Title"])]
        flow += [Paragraph(each, styles["BodyText"]) for each in paragraphs]
        flow += [ListFlowable([Paragraph(each, styles["BodyText"]) for each in items])]
        flow += [Table(ROWS)]
        SimpleDocTemplate(target, pagesize=A4, title=title, author="Maren Osgood").build(flow)
        folder.add(f"reportlab-{language}", target.getvalue(), words_of(language))
    for language, (font, title, text) in CJK.items():
        pdfmetrics.registerFont(UnicodeCIDFont(font))
        styles = getSampleStyleSheet()
        styles["Title"].fontName = styles["BodyText"].fontName = font
        target = io.BytesIO()
        SimpleDocTemplate(target, pagesize=A4, title=title).build(
            [Paragraph(title, styles["Title"]), *[Paragraph(text, styles["BodyText"])] * 3]
        )
        folder.add(f"reportlab-{language}", target.getvalue(), f"{title}\n{text}")


def by_fpdf(folder: Folder) -> None:
    from fpdf import FPDF

    for language in ("en", "de", "fr", "ru", "el"):
        title, paragraphs, items = TEXTS[language]
        pdf = FPDF()
        pdf.add_page()
        pdf.add_font("DejaVu", fname=DEJAVU)
        pdf.set_title(title)
        pdf.set_author("Maren Osgood")
        pdf.set_font("DejaVu", size=20)
        pdf.multi_cell(0, 10, title, new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("DejaVu", size=11)
        for each in paragraphs:
            pdf.multi_cell(0, 6, each, new_x="LMARGIN", new_y="NEXT")
            pdf.ln(3)
        for number, each in enumerate(items, 1):
            pdf.multi_cell(0, 6, f"{number}. {each}", new_x="LMARGIN", new_y="NEXT")
        with pdf.table(first_row_as_headings=False) as table:
            for row in ROWS:
                table.row(row)
        folder.add(f"fpdf-{language}", bytes(pdf.output()), words_of(language))


def by_typst(folder: Folder) -> None:
    import typst

    for language, layout in (
        *((each, "one") for each in ("en", "de", "fr", "ru", "el", "ar")),
        ("en", "two"),
        ("de", "two"),
    ):
        title, paragraphs, items = TEXTS[language]
        rows = ", ".join(f"[{cell}]" for row in ROWS for cell in row)
        columns = ", columns: 2" if layout == "two" else ""
        source = (
            f'#set document(title: "{title}", author: "Maren Osgood")\n'
            f'#set page(paper: "a5", numbering: "1"{columns})\n'
            f'#set text(font: "DejaVu Sans", size: 10pt, lang: "{language}")\n'
            "#set par(justify: true)\n#set heading(numbering: none)\n"
            f"= {title}\n\n"
            + "\n\n".join(paragraphs)
            + f"\n\n== {items[0]}\n\n"
            + "\n".join(f"- {each}" for each in items)
            + f"\n\n#table(columns: 3, {rows})\n"
        )
        path = folder.path / "source.typ"
        path.write_text(source, encoding="utf-8")
        made = typst.compile(str(path), font_paths=[str(Path(DEJAVU).parent)])
        path.unlink()
        folder.add(f"typst-{language}-{layout}", made, words_of(language))


_PACKED = {"compress_streams": True, "recompress_flate": True}


def by_hand(folder: Folder) -> None:
    """What other tools do to PDFs: rewritten, rotated, joined, with object streams."""
    import pikepdf
    from pypdf import PdfReader, PdfWriter

    source = folder.path / "reportlab-en.pdf"
    for name in ("rewritten", "rotated", "joined"):
        writer = PdfWriter(clone_from=PdfReader(source))
        if name == "rotated":
            writer.pages[0].rotate(90)
        if name == "joined":
            writer.append(PdfReader(folder.path / "fpdf-de.pdf"))
        for each in writer.pages:
            each.compress_content_streams()
        target = io.BytesIO()
        writer.write(target)
        words = words_of("en") + ("\n" + words_of("de") if name == "joined" else "")
        folder.add(f"pypdf-{name}", target.getvalue(), words)
    for name, how in {"linear": {"linearize": True}, "packed": _PACKED}.items():
        target = io.BytesIO()
        with pikepdf.open(folder.path / "weasyprint-fr-footers.pdf") as opened:
            opened.save(target, **how)
        folder.add(f"pikepdf-{name}", target.getvalue(), words_of("fr"))


def main() -> None:
    folder = Folder(Path(sys.argv[1]))
    for make in (by_chromium, by_weasyprint, by_reportlab, by_fpdf, by_typst, by_hand):
        make(folder)


if __name__ == "__main__":
    main()
