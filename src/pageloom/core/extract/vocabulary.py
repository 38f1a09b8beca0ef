"""Vocabulary of class names and short texts that hint at a block's purpose, as bit masks.

The tables are data: one line a group, one bit a group. The order of the groups is the order of the
bits, and the trained weights depend on it: append, never insert.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pageloom.core.memoize import memoize

if TYPE_CHECKING:
    from collections.abc import Iterable

_CLASS_GROUPS: Final[dict[str, str]] = {
    "article": "article articles story storys news post posts blog entry hentry single",
    "content": "content contents maincontent articlecontent pagecontent innercontent contentarea",
    "body": (
        "body articlebody entrybody postbody storybody bodycopy articletext storytext postcontent "
        "entrycontent richtext rte prose markdown wysiwyg copy paragraph para text texte textblock "
        "typography longform"
    ),
    "main": "main primary principal center central middle",
    "comment": (
        "comment comments commentlist disqus kommentare kommentar commentaire commentaires respond "
        "replies reaction reactions fbcomments livefyre commento comentarios commenti reacties"
    ),
    "reply": "reply thread topic message messages forum answer answers question discussion",
    "related": (
        "related recommended recommendation recommendations recommend recirc recirculation similar "
        "readmore morefrom more suggested suggestions suggestion popular trending mostread also "
        "latest recent outbrain taboola related relatedposts alsolike upsell crosssell teaser "
        "teasers empfehlungen zergnet yarpp discover upnext next"
    ),
    "sidebar": "sidebar side aside rail rightrail leftrail rightcol leftcol secondary tertiary complementary sidenav",
    "nav": "nav navi navigation navbar menu menus submenu dropdown megamenu breadcrumb breadcrumbs crumbs crumb tabs tab subnav topnav toc offcanvas",
    "header": "header head masthead topbar banner branding logo hero jumbotron pagehead intro heading headline",
    "footer": "footer foot bottom colophon copyright legal disclaimer contentinfo sitemap",
    "share": "share sharing shares social socials sharebar addthis addtoany sharedaddy facebook twitter linkedin pinterest whatsapp follow like likes",
    "subscribe": "newsletter subscribe subscription subscriptions signup signin login register registration optin mailchimp email account membership",
    "ad": "ad ads advert advertisement advertising adsense advertorial sponsor sponsored sponsors promo promos promotion promotional banner dfp adslot werbung anzeige publicidad reklama affiliate commercial",
    "modal": "modal popup popover overlay lightbox dialog tooltip cookie cookies consent gdpr onetrust toast alert notification notice snackbar drawer",
    "meta": "meta metadata byline author authors date time timestamp published posted info infos credit credits details postmeta dateline source",
    "tags": "tag tags taglist topics category categories cat keywords label labels hashtags taxonomy",
    "bio": "bio biography profile authorbox authorbio vcard avatar about user username member contributor",
    "caption": "caption captions figcaption figure image images img photo photos picture gallery slideshow slider carousel swiper slick thumbnail thumb media",
    "video": "video videos player embed embeds audio podcast youtube vimeo jwplayer",
    "list": "list lists listing items item row rows grid cards card tile tiles results result feed collection archive archives",
    "product": "product products item sku shop store commerce woocommerce catalog pdp plp",
    "price": "price prices pricing cost sale discount currency amount offer offers money",
    "buy": "buy cart basket checkout quantity qty variant variants swatch swatches size sizes stock availability wishlist compare add",
    "description": "description desc details detail overview summary excerpt abstract lead lede standfirst dek subtitle subhead subheadline synopsis deck",
    "spec": "spec specs specification specifications features feature attributes attribute table ingredients dimensions properties",
    "review": "review reviews rating ratings stars testimonial testimonials ugc bazaarvoice",
    "faq": "faq faqs accordion collapse collapsible toggle question questions qa expandable",
    "filter": "filter filters facet facets refine refinement sort sorting sorter toolbar controls control search searchform searchbox",
    "pager": "pagination pager paging pages page pagenav loadmore previous prev next navlinks",
    "button": "button buttons btn btns cta link links action actions more",
    "docs": "docs doc documentation reference api guide tutorial manual article help kb knowledge highlight code codeblock sphinx rst theme wiki mw",
    "form": "form forms input field fields contact captcha",
    "widget": "widget widgets module block box panel plugin component tool tools addon",
    "footnote": "footnote footnotes references reference citation citations sources notes endnotes bibliography",
    "hide": "hidden hide invisible visually sr screenreader offscreen mobile desktop print skip skiplink noprint d-none closed collapsed",
    "title": "title headline heading h1 pagetitle posttitle entrytitle name",
    "wrapper": "wrapper wrap container inner outer layout region section col column columns area holder",
    "company": "service services solution solutions benefits plan plans feature cta team partners clients stats process why how",
    "quote": "quote quotes pullquote blockquote",
    "sold": (
        "ad ads advert adverts advertisement adsense adslot adunit adbox adwrap adwrapper "
        "adcontainer admanager dfp doubleclick taboola outbrain revcontent zergnet "
        "sponsored anzeige werbung publicidad publicite reklama adsbygoogle adbanner adzone adspace adplaceholder "
        "adsection adcontent adframe bannerad bannerads googlead googleads advertising advertise"
    ),
    "asked": (
        "newsletter newsletters mailchimp optin signupform newslettersignup emailsignup mailinglist newsletterbox "
        "newsletterform newsletterteaser subscribebox subscribeform klaviyo convertkit mailerlite sendinblue"
    ),
    "consent": (
        "cookie cookies consent gdpr ccpa onetrust cookiebot cookiebanner privacybanner cookieconsent cookienotice "
        "cookiebar cookiemessage cookiehint cookielaw cookiepopup cookieinfo cookieoverlay cookielayer cookiewarning "
        "cookiescript cookiefirst usercentrics didomi klaro iubenda trustarc truste termly borlabs complianz cybot cmplz"
    ),
}
CLASS_GROUPS: Final = tuple(_CLASS_GROUPS)
UNMISTAKABLE = ("sold", "asked", "consent")
"""Groups whose words nobody gives to content: a small part of a page that bears one is none."""
CLASS_BIT: Final = {name: 1 << number for number, name in enumerate(CLASS_GROUPS)}
HIDDEN: Final = 1 << len(CLASS_GROUPS)
SIDE: Final = 1 << (len(CLASS_GROUPS) + 1)
"""Set for the words below; no feature, because the trees know them within larger groups."""
FLEETING: Final = 1 << (len(CLASS_GROUPS) + 2)
"""Set for words of names that may tell of what changes by itself; no feature either."""
FLEETING_WORDS: Final = frozenset(
    (
        "related relatedposts recirc recirculation recommended recommendation recommendations suggested "
        "suggestion suggestions similar also may might upsell upsells crosssell sell sells viewed mostread "
        "most next more keep taboola outbrain sponsor sponsored sponsors advert adverts advertisement "
        "adsbygoogle ad day week month daily random know promo promos ticker marquee carousel slider "
        "slideshow popular trending latest greeting userbox user account login log signin sign cart "
        "minicart loyalty cookie cookies consent gdpr newsletter popup pop toast snackbar chat chatbot "
        "survey share shares sharing social follow banner smartbanner geo geoip deliver ship debug render "
        "build request trace session presence count counts counter number num total stat stats hitcounter "
        "visitorcounter online watching carts odometer views likes comments replies votes upvotes "
        "downloads followers subscribers visitors visits hits reads readers plays listeners installs stars "
        "forks watchers reactions claps reposts favorites favourites saves bookmarks bids "
        "clicks impressions pageviews viewers answers posts topics ago timeago relative last modified "
        "updated refreshed countdown down now current local clock today weather wx forecast temperature temp "
        "testimonial testimonials kudos poll polls tweet tweets instagram logos logo trusted seen proof "
        "announcement hello site global top topline topstrip topbar notice notification alert "
        "announcementbar announcementbanner announcementstrip hellobar sitebanner sitenotice globalbanner "
        "globalnotice topbanner topnotice notificationbar alertbar noticebar crosssells whoisonline "
        "isonline whosonline replys helpfuls livecount livecounter visitorcount usercount usercounter "
        "accesscount accesscounter relativetime"
    ).split()
)
_SIDE_WORDS: Final = (
    "related relatedposts relatedarticles relatedstories relatedcontent recirc recirculation recommended "
    "recommendations yarpp comments commentlist disqus paywall mostread trending popular"
)


def _table(groups: dict[str, str]) -> dict[str, int]:
    table: dict[str, int] = {}
    for number, words in enumerate(groups.values()):
        for word in words.split():
            table[word] = table.get(word, 0) | (1 << number)
    return table


CLASS_WORDS: Final = _table(_CLASS_GROUPS)
"""The groups of each word, as bits."""
for _word in _SIDE_WORDS.split():
    CLASS_WORDS[_word] = CLASS_WORDS.get(_word, 0) | SIDE
for _word in FLEETING_WORDS:
    CLASS_WORDS[_word] = CLASS_WORDS.get(_word, 0) | FLEETING
_NAME_PART: Final = re.compile(r"[A-Z]?[a-z]+")
_RUN: Final = re.compile(r"[A-Za-z0-9]+")
_MADE_UP: Final = re.compile(r"[0-9][A-Za-z]")
"""A digit before a letter: the run is a hash or a measure, and its letters spell nothing."""
_LEAST_OF_PART: Final = 3
"""Letters: a run of three or more shorter parts (``eAdGhs``) is made up too."""
_KNOWN_BYTES: Final = {word.encode(): groups for word, groups in CLASS_WORDS.items()}
_SMALL_LETTERS: Final = bytes(
    code if code in range(ord("a"), ord("z") + 1) else 32 for code in range(256)
)
NAME_LENGTH: Final = 400
"""Characters of a name that are looked at."""


@memoize(20_000)
def class_flags(names: str) -> int:
    """The groups that the words in a class attribute belong to.

    Remembered per spelling, because a site repeats its few hundred spellings on every page.
    """
    names = names[:NAME_LENGTH]
    mask = 0
    if names == names.lower() and not _MADE_UP.search(names):
        # as most are: their words are parted faster without a pattern
        for word in names.encode(errors="replace").translate(_SMALL_LETTERS).split():
            mask |= _KNOWN_BYTES.get(word, 0)
    else:
        for spelling in name_words(names):
            mask |= CLASS_WORDS.get(spelling, 0)
    return mask


def name_words(names: str) -> list[str]:
    """The words that a class attribute or an identifier is made of, in lower case.

    ``component_1ad269af0d`` is a component and no "ad": of what a program made up nothing is read.
    """
    words: list[str] = []
    for run in _RUN.findall(names):
        parts = _NAME_PART.findall(run)
        if not _is_made_up(run, parts):
            words += [part.lower() for part in parts]
    return words


def _is_made_up(run: str, parts: list[str]) -> bool:
    """Whether a program has given a name, or a part of one, and means nothing by it."""
    if _MADE_UP.search(run):
        return True
    return len(parts) >= 3 and len(run) < _LEAST_OF_PART * len(parts)


_TEXT_GROUPS: Final[dict[str, str]] = {
    "comment": (
        "comment comments commented reply replies respond kommentar kommentare kommentieren antworten "
        "commentaire commentaires répondre comentario comentarios responder commento commenti rispondi "
        "reactie reacties reageren komentarz komentarze odpowiedz комментарии комментарий ответить 评论 回复 "
        "コメント 댓글 yorum yorumlar kommentarer svara vastaa komentáře"
    ),
    "related": (
        "related recommended similar popular trending latest recent also most-read mehr weitere "
        "verwandte ähnliche empfohlen empfehlungen beliebt meistgelesen neueste auch plus lire aussi similaires "
        "récents populaires relacionados relacionadas relacionado también más recomendado correlati "
        "leggi anche altri gerelateerd meer lees ook zobacz także podobne więcej похожие также читайте "
        "популярные lea mire mira vea véase leia veja saiba dowiedz siehe sehen lesetipp voir lisez mehr dazu "
        "anche vedi läs bekijk 相关 推荐 関連 おすすめ 관련 benzer fler läs också discover explore"
    ),
    "more": (
        "read more continue full view see all show learn load weiterlesen weiter lesen lire suite "
        "leer seguir leyendo continua leggi czytaj dalej читать далее подробнее 更多 続き"
    ),
    "share": (
        "share tweet facebook twitter linkedin whatsapp pinterest instagram youtube email print pin "
        "teilen drucken merken partager imprimer compartir imprimir condividi stampa delen udostępnij "
        "поделиться вконтакте telegram reddit xing mail copy link follow folgen suivre seguir 分享 dela paylaş"
    ),
    "subscribe": (
        "subscribe newsletter sign signup join inbox subscriber subscribers subscription abonnieren "
        "anmelden abo abonnement abonnez inscrivez suscríbete suscribirse boletín iscriviti inschrijven "
        "zapisz подписаться рассылка 订阅 購読 prenumerera"
    ),
    "login": (
        "login log register account password username forgot registrieren einloggen konto passwort "
        "connexion connecter compte iniciar sesión cuenta accedi registrati inloggen zaloguj войти "
        "регистрация 登录 注册 ログイン"
    ),
    "legal": (
        "copyright © reserved rights privacy policy terms conditions cookie cookies disclaimer "
        "impressum datenschutz agb urheberrecht mentions légales confidentialité droits réservés aviso "
        "derechos reservados privacidad riservati privacybeleid prawa zastrzeżone polityka права защищены "
        "版权 ©️ imprint gdpr accept consent"
    ),
    "ad": (
        "advertisement ad ads sponsored sponsor promoted anzeige werbung publicité publicidad pubblicità "
        "advertentie reklama реклама 广告 広告 affiliate commission advertising"
    ),
    "byline": (
        "by author posted published updated written von veröffentlicht aktualisiert autor redaktion par "
        "publié auteur mis jour por publicado actualizado di pubblicato scritto door gepubliceerd autorstwa "
        "автор опубликовано 作者 发布 editor reporter editorial staff min minutes ago views uhr"
    ),
    "date": (
        "january february march april may june july august september october november december jan feb "
        "mar apr jun jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember janvier "
        "février mars avril juin juillet août septembre octobre novembre décembre enero febrero marzo abril "
        "mayo junio julio agosto septiembre octubre noviembre diciembre today yesterday heute gestern"
    ),
    "shop": (
        "cart basket buy price shipping delivery stock checkout quantity wishlist sale off save warenkorb "
        "kaufen preis versand lieferung panier acheter prix livraison carrito comprar precio envío carrello "
        "koszyk корзина купить цена add size color colour sku returns gift"
    ),
    "nav": (
        "home menu search skip back top next previous prev page close open toggle navigation startseite "
        "suche zurück nach oben nächste vorherige accueil rechercher retour haut suivant précédent inicio buscar "
        "volver siguiente anterior cerca avanti indietro zoeken szukaj поиск главная меню contact about faq help"
    ),
    "tags": (
        "tags tag topics topic categories category filed tagged keywords themen schlagworte schlagwörter "
        "thèmes mots-clés etiquetas temas categorías argomenti onderwerpen tagi теги рубрики 标签"
    ),
    "review": "review reviews rating ratings rated stars star helpful verified bewertung bewertungen avis reseñas recensioni",
    "image": (
        "photo photograph image credit courtesy getty reuters afp dpa caption picture foto bild quelle "
        "crédit crédits illustration imagen fuente fonte shutterstock istock unsplash"
    ),
    "action": (
        "click here download try free start get started book request demo contact quote apply now call "
        "schedule learn jetzt kostenlos testen télécharger gratuit essai descargar gratis prova"
    ),
    "ask": "what how why when where who which is are can does do was wie warum wann wo wer comment pourquoi cómo qué come perché",
}
TEXT_GROUPS: Final = tuple(_TEXT_GROUPS)
_TEXT_WORDS: Final = _table(_TEXT_GROUPS)


def text_table(further: Iterable[str]) -> dict[str, int]:
    """The groups of each word that short texts are read for.

    Args:
        further: words that are looked for too; each has a bit of its own after those of the groups.
    """
    table = _TEXT_WORDS.copy()
    for number, word in enumerate(further, len(TEXT_GROUPS)):
        table[word] = table.get(word, 0) | (1 << number)
    return table
