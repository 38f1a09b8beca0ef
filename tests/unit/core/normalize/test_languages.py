from __future__ import annotations

import pytest

from pageloom.core.normalize.languages import choose_language, detect, direction_of, language_code

SENTENCES = {
    "af": "Die kinders het gister by die rivier gespeel en baie vis gevang vir aandete.",
    "ar": "ذهب الأطفال أمس إلى النهر ولعبوا هناك حتى غروب الشمس ثم عادوا إلى البيت.",
    "bg": "Децата вчера играха край реката и се прибраха късно вкъщи за вечеря.",
    "bn": "শিশুরা গতকাল নদীর ধারে খেলেছে এবং সন্ধ্যায় বাড়ি ফিরে এসেছে।",
    "ca": "Els nens van jugar ahir a la vora del riu i van tornar tard a casa.",
    "cs": "Děti si včera hrály u řeky a domů se vrátily až pozdě večer.",
    "da": "Børnene legede i går ved åen og kom først hjem, da det blev mørkt.",
    "de": "Die Kinder haben gestern am Fluss gespielt und kamen erst spät nach Hause.",
    "el": "Τα παιδιά έπαιξαν χθες δίπλα στο ποτάμι και γύρισαν αργά στο σπίτι.",
    "en": "The children played by the river yesterday and came home late for dinner.",
    "es": "Los niños jugaron ayer junto al río y volvieron tarde a casa para cenar.",
    "et": "Lapsed mängisid eile jõe ääres ja jõudsid koju alles hilja õhtul.",
    "fa": "بچه‌ها دیروز کنار رودخانه بازی کردند و دیر به خانه برگشتند.",
    "fi": "Lapset leikkivät eilen joen rannalla ja tulivat myöhään kotiin syömään.",
    "fr": "Les enfants ont joué hier au bord de la rivière et sont rentrés tard.",
    "he": "הילדים שיחקו אתמול ליד הנהר וחזרו הביתה מאוחר לארוחת הערב.",
    "hi": "बच्चे कल नदी के किनारे खेले और शाम को देर से घर लौटे।",
    "hu": "A gyerekek tegnap a folyó mellett játszottak, és későn értek haza.",
    "it": "I bambini ieri hanno giocato vicino al fiume e sono tornati a casa tardi.",
    "ja": "子どもたちは昨日、川のそばで遊んで、夕方遅くに家へ帰りました。",
    "ko": "아이들은 어제 강가에서 놀다가 저녁 늦게 집으로 돌아왔습니다.",
    "lt": "Vaikai vakar žaidė prie upės ir namo grįžo tik vėlai vakare.",
    "nl": "De kinderen hebben gisteren bij de rivier gespeeld en kwamen laat thuis.",
    "pl": "Dzieci bawiły się wczoraj nad rzeką i wróciły późno do domu na kolację.",
    "pt": "As crianças brincaram ontem junto ao rio e voltaram tarde para casa.",
    "ro": "Copiii s-au jucat ieri lângă râu și s-au întors târziu acasă.",
    "ru": "Дети вчера играли у реки и вернулись домой поздно вечером.",
    "sv": "Barnen lekte vid ån igår och kom hem sent till middagen.",
    "th": "เมื่อวานเด็กๆ เล่นอยู่ริมแม่น้ำและกลับบ้านดึก",
    "tr": "Çocuklar dün nehir kenarında oynadılar ve akşam yemeğine geç geldiler.",
    "uk": "Діти вчора гралися біля річки й повернулися додому пізно ввечері.",
    "vi": "Hôm qua bọn trẻ chơi bên bờ sông và về nhà rất muộn để ăn tối.",
    "zh": "孩子们昨天在河边玩耍，很晚才回家吃晚饭。",
}


@pytest.mark.parametrize(("code", "text"), SENTENCES.items())
def test_one_sentence_tells_its_language(code, text):
    assert detect(text)[0] == code


def test_claims_become_iso_codes():
    claims = ["pt_BR", "EN-us", "ger", "iw", "nb-NO", "English", "zh-Hans", "x-default", "und", ""]
    assert [language_code(claim) for claim in claims] == [
        "pt",
        "en",
        "de",
        "he",
        "no",
        "en",
        "zh",
        "",
        "",
        "",
    ]


def test_a_long_text_wins_over_a_wrong_declaration():
    text = " ".join([SENTENCES["de"]] * 6)
    code, _, source, raw = choose_language(text, (("en-US", "html[lang]"),))
    assert (code, source, raw) == ("de", "text", "en-US")


def test_a_short_text_does_not():
    assert choose_language("Rain again", (("fr", "html[lang]"),))[0] == "fr"


def test_a_confirmed_declaration_is_sure():
    code, sure, source, _ = choose_language(SENTENCES["fr"], (("fr-CA", "html[lang]"),))
    assert (code, source) == ("fr", "html[lang]")
    assert sure >= 0.9


def test_the_hint_of_a_source_comes_first():
    assert choose_language(SENTENCES["de"], (("de", "html[lang]"),), "it")[0] == "it"


def test_nothing_is_known_of_nothing():
    assert choose_language("", ()) == ("", 0.0, "", "")
    assert detect("12345 !!!") == ("", 0.0)


def test_direction_by_letters_then_by_declaration():
    assert direction_of("ar", "", SENTENCES["ar"]) == "rtl"
    assert direction_of("en", "rtl", SENTENCES["en"] * 2) == "ltr"
    assert direction_of("", "rtl", "") == "rtl"
    assert direction_of("he", "", "") == "rtl"
